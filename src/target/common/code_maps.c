// SPDX-License-Identifier: GPL-2.0-only
#include "target/common/code_maps.h"

#include "base/alloc.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* PROCMAP_QUERY of <linux/fs.h> */
enum { READABLE = 1, WRITABLE = 2, EXECUTABLE = 4, SHARED = 8, COVERING_OR_NEXT = 16 };

struct query {
	uint64_t size, wanted, address;
	uint64_t start, end, flags, page_size, offset, inode;
	uint32_t dev_major, dev_minor;
	uint32_t name_size, build_id_size;
	uint64_t name, build_id; /* addresses */
};

struct lines {
	char *text; /* owned */
	size_t length, capacity;
};

#define QUERY _IOWR('f', 17, struct query)

static void add(struct lines *lines, const char *bytes, size_t length)
{
	lines->text = nt_grow(lines->text, &lines->capacity, lines->length + length, 1);
	memcpy(lines->text + lines->length, bytes, length);
	lines->length += length;
}

/* The line that the text has of it. */
static void add_line(struct lines *lines, const struct query *query, const char *name)
{
	char line[160];
	const uint64_t flags = query->flags;
	int length = snprintf(line, sizeof(line), "%" PRIx64 "-%" PRIx64 " %c%c%c%c %08" PRIx64 " %02x:%02x %" PRIu64 " ", query->start,
			      query->end, flags & READABLE ? 'r' : '-', flags & WRITABLE ? 'w' : '-', flags & EXECUTABLE ? 'x' : '-',
			      flags & SHARED ? 's' : 'p', query->offset, query->dev_major, query->dev_minor, query->inode);
	add(lines, line, (size_t)length);
	for (const char *newline; (newline = strchr(name, '\n')); name = newline + 1) {
		add(lines, name, (size_t)(newline - name));
		add(lines, "\\012", 4);
	}
	add(lines, name, strlen(name));
	add(lines, "\n", 1);
}

/* False: the kernel cannot do that, or not with these mappings. */
static bool ask(struct lines *lines, int fd, size_t limit_bytes)
{
	char name[PATH_MAX];
	for (uint64_t from = 0; lines->length < limit_bytes;) {
		struct query query = { .size = sizeof(query),
				       .wanted = COVERING_OR_NEXT | EXECUTABLE,
				       .address = from,
				       .name_size = sizeof(name),
				       .name = (uintptr_t)name };
		if (ioctl(fd, QUERY, &query) < 0) {
			if (errno == EINTR)
				continue;
			return errno == ENOENT; /* behind the last one */
		}
		if (query.end <= from || query.name_size > sizeof(name))
			return false;
		name[query.name_size ? query.name_size - 1 : 0] = '\0';
		add_line(lines, &query, name);
		from = query.end;
	}
	return true;
}

bool nt_code_maps_ask(int fd, size_t limit_bytes, char **text, size_t *length)
{
	struct lines lines = { 0 };
	bool asked = ask(&lines, fd, limit_bytes);
	if (!asked)
		free(lines.text);
	*text = asked ? lines.text : NULL;
	*length = asked ? lines.length : 0;
	return asked;
}

int nt_code_maps_read(const char *proc_dir, size_t limit_bytes, char **text, size_t *length)
{
	char *path = nt_format("%s/maps", proc_dir);
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = fd < 0 ? errno : 0;
	free(path);
	*text = NULL;
	*length = 0;
	if (fd < 0)
		return error;
	if (!nt_code_maps_ask(fd, limit_bytes, text, length))
		error = nt_file_read_open(fd, limit_bytes, text, length);
	close(fd);
	return error;
}
