// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/maps_text.h"

#include "base/alloc.h"
#include "target/common/code_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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

static void run(struct nt_errand *errand)
{
	struct reading *reading = (struct reading *)errand;
	int fd = open(reading->path, O_RDONLY | O_CLOEXEC);
	reading->errnum = fd < 0 ? errno : 0;
	bool asked = reading->code_only && fd >= 0 && nt_code_maps_ask(fd, TEXT_MAX_BYTES, &reading->text, &reading->length);
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
