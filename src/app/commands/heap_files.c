// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/heap_files.h"

#include "app/show/heap_look.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/plain_rights.h"
#include "base/text.h"
#include "decode/heap/gcdump_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DUMP_BYTES_MAX (UINT64_C(2) << 30)

bool nt_heap_file_is_dump(const char *path)
{
	static const char ending[] = ".gcdump";
	size_t length = path ? strlen(path) : 0;
	return length > sizeof(ending) - 1 && strcmp(path + length - (sizeof(ending) - 1), ending) == 0;
}

/* Regular files only: to open another one may do something. */
static enum nt_status read_file(const char *path, char **bytes, size_t *length, struct nt_error *err)
{
	struct stat stat;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), errnum = fd < 0 || fstat(fd, &stat) < 0 ? errno : 0;
	bool regular = !errnum && S_ISREG(stat.st_mode), small = regular && (uint64_t)stat.st_size <= DUMP_BYTES_MAX;
	if (small)
		errnum = nt_file_read_open(fd, DUMP_BYTES_MAX, bytes, length);
	if (fd >= 0)
		close(fd);
	if (errnum)
		return nt_error_set(err, NT_ERR_USAGE, "cannot read %s: %s", path, strerror(errnum));
	if (!regular)
		return nt_error_set(err, NT_ERR_USAGE, "%s is no file", path);
	return small ? NT_OK : nt_error_set(err, NT_ERR_USAGE, "%s is larger than the 2 GB that nettop reads", path);
}

static enum nt_status read_dump(const char *path, struct nt_heap_file *out, struct nt_error *err)
{
	struct nt_gcdump dump;
	const char *why, *slash = strrchr(path, '/');
	char *bytes;
	size_t length;
	enum nt_status status = read_file(path, &bytes, &length, err);
	if (status != NT_OK)
		return status;
	bool good = nt_gcdump_read((const uint8_t *)bytes, length, NT_HEAP_GRAPH_BYTES_MAX, &dump, &why);
	free(bytes);
	if (!good)
		return nt_error_set(err, NT_ERR_USAGE, "%s cannot be read: %s", path, why);
	nt_heap_found_join(dump.heap);
	*out = (struct nt_heap_file){ .heap = dump.heap, .name = dump.process ? dump.process : nt_strdup(slash ? slash + 1 : path) };
	out->report = (struct nt_heap_report){ .pid = dump.pid, .name = out->name, .time_unix_ns = dump.time_unix_ns, .heap = out->heap };
	return NT_OK;
}

enum nt_status nt_heap_file_open(const char *path, struct nt_heap_file *out, struct nt_error *err)
{
	struct nt_plain_rights rights = nt_plain_rights_begin();
	enum nt_status status = nt_heap_file_is_dump(path) ? read_dump(path, out, err) : nt_heap_read(path, out, err);
	nt_plain_rights_end(rights);
	return status;
}
