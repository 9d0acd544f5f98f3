// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/maps_text.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* 65 530 mappings (the kernel's default limit) of 200 bytes are 13 MB. */
enum { TEXT_MAX_BYTES = 32 << 20, TEXT_STEP_BYTES = 64 << 10 };

struct reading {
	struct nt_errand errand;
	char *path;
	bool code_only;
	char *text; /* owned */
	size_t length, capacity;
	int errnum;
};

/* ---- one mapping after the other: Linux 6.11, PROCMAP_QUERY of <linux/fs.h> ---- */

enum { READABLE = 1, WRITABLE = 2, EXECUTABLE = 4, SHARED = 8, COVERING_OR_NEXT = 16 };

struct query {
	uint64_t size, wanted, address;
	uint64_t start, end, flags, page_size, offset, inode;
	uint32_t dev_major, dev_minor;
	uint32_t name_size, build_id_size;
	uint64_t name, build_id; /* addresses */
};

#define QUERY _IOWR('f', 17, struct query)

static void add(struct reading *reading, const char *bytes, size_t length)
{
	reading->text = nt_grow(reading->text, &reading->capacity, reading->length + length, 1);
	memcpy(reading->text + reading->length, bytes, length);
	reading->length += length;
}

/* The line that the text has of it. */
static void add_line(struct reading *reading, const struct query *query, const char *name)
{
	char line[160];
	const uint64_t flags = query->flags;
	int length = snprintf(line, sizeof(line), "%" PRIx64 "-%" PRIx64 " %c%c%c%c %08" PRIx64 " %02x:%02x %" PRIu64 " ", query->start,
			      query->end, flags & READABLE ? 'r' : '-', flags & WRITABLE ? 'w' : '-', flags & EXECUTABLE ? 'x' : '-',
			      flags & SHARED ? 's' : 'p', query->offset, query->dev_major, query->dev_minor, query->inode);
	add(reading, line, (size_t)length);
	for (const char *newline; (newline = strchr(name, '\n')); name = newline + 1) {
		add(reading, name, (size_t)(newline - name));
		add(reading, "\\012", 4);
	}
	add(reading, name, strlen(name));
	add(reading, "\n", 1);
}

/* False: the kernel cannot do that, or not with these mappings. */
static bool ask(struct reading *reading, int fd)
{
	char name[PATH_MAX];
	for (uint64_t from = 0; reading->length < TEXT_MAX_BYTES;) {
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
		add_line(reading, &query, name);
		from = query.end;
	}
	return true;
}

/* ---- the text ---- */

static void run(struct nt_errand *errand)
{
	struct reading *reading = (struct reading *)errand;
	int fd = open(reading->path, O_RDONLY | O_CLOEXEC);
	reading->errnum = fd < 0 ? errno : 0;
	bool asked = reading->code_only && fd >= 0 && ask(reading, fd);
	if (!asked)
		reading->length = 0;
	while (!asked && !reading->errnum && reading->length < TEXT_MAX_BYTES) {
		reading->text = nt_grow(reading->text, &reading->capacity, reading->length + TEXT_STEP_BYTES, 1);
		ssize_t got = read(fd, reading->text + reading->length, TEXT_STEP_BYTES);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			reading->errnum = got < 0 ? errno : 0;
			break;
		}
		reading->length += (size_t)got;
	}
	if (fd >= 0)
		close(fd);
}

static void release(struct nt_errand *errand)
{
	struct reading *reading = (struct reading *)errand;
	free(reading->path);
	free(reading->text);
	free(reading);
}

static enum nt_status do_read(struct nt_hand *hand, const char *path, bool code_only, nt_time timeout_ns, struct nt_maps_text *out)
{
	*out = (struct nt_maps_text){ 0 };
	struct reading *reading = nt_alloc(sizeof(*reading));
	reading->errand = (struct nt_errand){ .run = run, .release = release };
	reading->path = nt_strdup(path);
	reading->code_only = code_only;
	enum nt_status status = nt_hand_do(hand, &reading->errand, timeout_ns);
	if (status != NT_OK)
		return status;
	/* An empty text is that of a process that ended. */
	if (reading->errnum || !reading->length) {
		out->errnum = reading->errnum;
		status = NT_ERR_GONE;
	} else {
		*out = (struct nt_maps_text){ .text = reading->text, .length = reading->length };
		reading->text = NULL;
	}
	release(&reading->errand);
	return status;
}

enum nt_status nt_maps_text_read(struct nt_hand *hand, const char *path, nt_time timeout_ns, struct nt_maps_text *out)
{
	return do_read(hand, path, false, timeout_ns, out);
}

enum nt_status nt_maps_text_read_code(struct nt_hand *hand, const char *path, nt_time timeout_ns, struct nt_maps_text *out)
{
	return do_read(hand, path, true, timeout_ns, out);
}
