// SPDX-License-Identifier: GPL-2.0-only
#include "source/symbol_fetch.h"

#include "base/alloc.h"
#include "source/http_get.h"
#include "source/image_debug.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* That of libcoreclr.so has some 100 MB; of a browser's engine, 2 GB. */
#define FILE_LIMIT_BYTES (UINT64_C(4) << 30)

/* Returns 0 or an errno value. */
static int make_folders(const char *path)
{
	char *folder = nt_strdup(path);
	int reason = 0;
	for (char *slash = strchr(folder + 1, '/'); slash && !reason; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		reason = mkdir(folder, 0755) == 0 || errno == EEXIST ? 0 : errno;
		*slash = '/';
	}
	free(folder);
	return reason;
}

static bool is_of_build(int fd, const struct nt_build_id *wanted)
{
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	struct nt_build_id id = elf ? nt_build_id_of(elf) : (struct nt_build_id){ 0 };
	bool yes = nt_build_id_same(&id, wanted) && nt_image_has_symtab(elf);
	elf_end(elf);
	return yes;
}

/* The file into `fd`, from one URL. */
static enum nt_status get(char *url, const struct nt_build_id *id, int fd, bool (*cancelled)(void), uint64_t *size, struct nt_error *err)
{
	const struct nt_http_get request = { .url = url, .fd = fd, .limit_bytes = FILE_LIMIT_BYTES, .cancelled = cancelled };
	enum nt_status status = NT_OK;
	if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0)
		status = nt_error_errno(err, NT_ERR_FAILED, errno, "cannot write what %s sends", url);
	if (status == NT_OK)
		status = nt_http_get(&request, size, err);
	if (status == NT_OK && !is_of_build(fd, id))
		status = nt_error_set(err, NT_ERR_MALFORMED, "%s: not kept, it is no debug file of this build", url);
	return status;
}

/* From one server, in each way in which it can be asked. */
static enum nt_status get_from(struct nt_symbol_server *server, const struct nt_build_id *id, int fd, bool (*cancelled)(void),
			       uint64_t *size, struct nt_error *err)
{
	enum nt_status status = NT_ERR_ABSENT;
	for (int protocol = 0; protocol < NT_SYMBOL_PROTOCOL_COUNT && status == NT_ERR_ABSENT; protocol++) {
		if (!(server->protocols & 1u << protocol))
			continue;
		char *url = nt_symbol_url(server, (enum nt_symbol_protocol)protocol, id);
		status = get(url, id, fd, cancelled, size, err);
		free(url);
	}
	if (status == NT_ERR_GONE)
		server->failure = *err;
	return status;
}

/* A server that fails does not keep the next from being asked; its failure is told when nobody has the file. */
static enum nt_status get_from_any(struct nt_symbol_servers *servers, const struct nt_build_id *id, int fd, bool (*cancelled)(void),
				   uint64_t *size, struct nt_error *err)
{
	enum nt_status worst = NT_ERR_ABSENT;
	struct nt_error failure = { 0 };
	for (size_t i = 0; i < servers->count; i++) {
		struct nt_symbol_server *server = &servers->items[i];
		enum nt_status status = server->failure.status;
		if (status == NT_OK)
			status = get_from(server, id, fd, cancelled, size, err);
		else
			*err = server->failure;
		if (status == NT_OK || status == NT_END || status == NT_ERR_UNSUPPORTED)
			return status;
		if (worst == NT_ERR_ABSENT) {
			worst = status;
			failure = *err;
		}
	}
	*err = failure;
	return worst;
}

static enum nt_status publish(int fd, const char *temporary, const char *path, struct nt_error *err)
{
	if (fchmod(fd, 0644) == 0 && rename(temporary, path) == 0)
		return NT_OK;
	return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot write %s", path);
}

enum nt_status nt_symbol_fetch(struct nt_symbol_servers *servers, const struct nt_build_id *id, const char *path, bool (*cancelled)(void),
			       uint64_t *size, struct nt_error *err)
{
	int reason = make_folders(path);
	char *temporary = nt_format("%s.XXXXXX", path);
	int fd = reason ? -1 : mkostemp(temporary, O_CLOEXEC);
	reason = reason || fd >= 0 ? reason : errno;
	enum nt_status status =
		reason ? nt_error_errno(err, NT_ERR_FORBIDDEN, reason, "cannot write %s; name another folder with -o DIR", path)
		       : get_from_any(servers, id, fd, cancelled, size, err);
	if (status == NT_OK)
		status = publish(fd, temporary, path, err);
	if (fd >= 0 && status != NT_OK)
		unlink(temporary);
	if (fd >= 0)
		close(fd);
	free(temporary);
	return status;
}
