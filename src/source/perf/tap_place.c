// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/tap_place.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/file_name.h"
#include "source/decoder/decoder.h"
#include "source/decoder/decoder_process.h"
#include "source/image/mapped_image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBER_MAX = 32 };

static const char *const tracefs[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

static int read_number(const char *path, uint64_t *number)
{
	char *text, *end;
	size_t length;
	int error = nt_file_read(AT_FDCWD, path, NUMBER_MAX, &text, &length);
	if (error)
		return error;
	*number = strtoull(text, &end, 10);
	error = end == text ? EINVAL : 0;
	free(text);
	return error;
}

static enum nt_status closed(const struct nt_moment_asked *asked, struct nt_error *err)
{
	nt_error_set(err, NT_ERR_FORBIDDEN, "tracepoint %s: its number is in tracefs, which this user may not read", asked->word);
	nt_error_set_fix(err, "run nettop as root");
	return NT_ERR_FORBIDDEN;
}

enum nt_status nt_tap_tracepoint(const struct nt_moment_asked *asked, uint64_t *id, struct nt_error *err)
{
	for (size_t i = 0; i < sizeof(tracefs) / sizeof(*tracefs); i++) {
		char *events = nt_format("%s/events", tracefs[i]), *path = nt_format("%s/%s/%s/id", events, asked->first, asked->second);
		int error = read_number(path, id);
		bool there = access(events, F_OK) == 0;
		bool forbidden = error == EACCES || error == EPERM || (!there && errno == EACCES);
		free(events);
		free(path);
		if (!error)
			return NT_OK;
		if (forbidden)
			return closed(asked, err);
		if (there)
			return nt_error_set(err, NT_ERR_ABSENT, "tracepoint %s: this kernel has none of that name", asked->word);
	}
	nt_error_set(err, NT_ERR_ABSENT, "tracepoint %s: its number is in tracefs, which is not mounted here", asked->word);
	nt_error_set_fix(err, "mount -t tracefs tracefs /sys/kernel/tracing");
	return NT_ERR_ABSENT;
}

/* ---- functions ---- */

struct wanted {
	const char *name;
	bool path; /* the whole of it is meant */
};

static bool is_wanted(const struct nt_procfs_map *map, const void *context)
{
	const struct wanted *wanted = context;
	const char *name = map->path;
	size_t length = map->path_length;
	if (!wanted->path)
		for (size_t i = 0; i < map->path_length; i++)
			if (map->path[i] == '/') {
				name = map->path + i + 1;
				length = map->path_length - i - 1;
			}
	return strlen(wanted->name) == length && memcmp(wanted->name, name, length) == 0;
}

static enum nt_status open_image(const struct nt_moment_asked *asked, const struct nt_tap_target *target, int *image, uint64_t *inode,
				 struct nt_error *err)
{
	const struct nt_mapped_process process = { .proc_dir = target->proc_dir, .root_dir = target->root_dir, .uid = target->uid };
	const struct wanted wanted = { .name = asked->first, .path = strchr(asked->first, '/') };
	struct nt_mapped_image found;
	struct nt_image_refusal refusal;
	struct stat stat;
	uint64_t size;
	if (!nt_mapped_image_find(&process, is_wanted, &wanted, &found)) {
		nt_mapped_image_fini(&found);
		return nt_error_set(err, NT_ERR_ABSENT, "%s: process %u has mapped no file '%s'", asked->word, target->pid, asked->first);
	}
	*inode = found.place.inode;
	*image = nt_image_open(&found.place, &size, &refusal);
	nt_mapped_image_fini(&found);
	if (*image < 0)
		return nt_error_set(err, NT_ERR_FAILED, "%s: %s", asked->word, refusal.reason);
	/* A copy is nothing that anybody runs. */
	if (fstat(*image, &stat) == 0 && stat.st_ino == *inode)
		return NT_OK;
	close(*image);
	return nt_error_set(err, NT_ERR_FAILED, "%s: its file lies where nettop reads a copy only, which nobody calls", asked->word);
}

struct answer {
	const struct nt_moment_asked *asked;
	uint64_t *offset;
	struct nt_error *err;
	enum nt_status status;
};

static void take_answer(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	(void)request;
	struct answer *answer = context;
	char *end;
	if (!reply->answer->has_name) {
		answer->status = nt_error_set(answer->err, NT_ERR_ABSENT, "%s: %s: %s", answer->asked->word, answer->asked->first,
					      *reply->answer->text ? reply->answer->text : "image not read");
		return;
	}
	*answer->offset = strtoull(reply->answer->text, &end, 16);
	answer->status = end == reply->answer->text || *end
				 ? nt_error_set(answer->err, NT_ERR_FAILED, "%s: its decoder makes no sense", answer->asked->word)
				 : NT_OK;
}

enum nt_status nt_tap_function(const struct nt_moment_asked *asked, const struct nt_tap_target *target, int *image, uint64_t *offset,
			       struct nt_error *err)
{
	uint64_t inode = 0;
	enum nt_status status = open_image(asked, target, image, &inode, err);
	if (status != NT_OK)
		return status;
	char name[NT_MOMENT_WORD];
	strcpy(name, asked->first);
	const struct nt_decoder_request request = { .verb = NT_DECODE_FUNCTION,
						    .of = { .inode = inode, .image = name },
						    .bytes = asked->second,
						    .length = strlen(asked->second),
						    .fd = *image };
	struct answer answer = { .asked = asked, .offset = offset, .err = err, .status = NT_ERR_FAILED };
	struct nt_decoder *decoder = nt_decoder_new(NULL, NULL, NT_DECODER_WORD);
	nt_decoder_ask(decoder, &request, 1, take_answer, &answer);
	nt_decoder_free(decoder);
	if (answer.status != NT_OK) {
		close(*image);
		*image = -1;
	}
	return answer.status;
}
