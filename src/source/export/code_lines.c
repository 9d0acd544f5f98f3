// SPDX-License-Identifier: GPL-2.0-only
#include "source/export/code_lines.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "decode/codemap/perfmap.h"
#include "source/codemap/codemap_switch.h"
#include "source/codemap/codemap_tail.h"
#include "source/common/foreign_file.h"
#include "source/common/hand.h"
#include "source/decoder/decoder_process.h"
#include "source/export/r2r_mapped.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Hundreds of images, a hundred thousand names: half a second, on a slow machine some. */
#define READ_NS   (60 * NT_NS_PER_S)
#define SWITCH_NS (15 * NT_NS_PER_S)

/* The map, read by the hand. What it makes is its own until it is done. */
struct reading {
	struct nt_errand errand;
	struct nt_files_target target; /* copies */
	struct nt_code_lines *lines;
	struct memory *memory; /* of the lines */
};

struct memory {
	char *map_text;         /* of the perf map */
	struct nt_arena *names; /* of precompiled methods */
};

static struct nt_perf_map_line *add(struct nt_code_lines *lines)
{
	lines->lines = nt_grow(lines->lines, &lines->capacity, lines->count + 1, sizeof(*lines->lines));
	return &lines->lines[lines->count++];
}

/* ---- the target's own map ---- */

static void parse_map(struct nt_code_lines *lines, const char *text, size_t length)
{
	enum { CHUNK = 1 << 30 }; /* offsets of a chunk have 32 bits */
	struct nt_perfmap_parser parser = { 0 };
	struct nt_perfmap_lines found;
	for (size_t at = 0, used = 1; used && at < length; at += used) {
		size_t rest = length - at < CHUNK ? length - at : CHUNK;
		used = nt_perfmap_parse(&parser, text + at, rest, &found);
		for (size_t i = 0; i < found.count; i++) {
			const struct nt_batch_line *line = &found.items[i];
			*add(lines) = (struct nt_perf_map_line){ .start = line->start,
								 .size = line->size,
								 .name = text + at + line->offset,
								 .length = line->length,
								 .stub = line->kind == NT_CODE_STUB };
		}
	}
	lines->map_count = lines->count;
}

static void no_map(struct nt_code_lines *lines, const char *path, const char *reason)
{
	if (!*lines->map_reason)
		snprintf(lines->map_reason, sizeof(lines->map_reason), "%s %s", path, reason);
}

static void read_map(struct reading *reading)
{
	const struct nt_files_target *target = &reading->target;
	struct nt_code_lines *lines = reading->lines;
	struct nt_foreign_file file = nt_foreign_open(target->root_dir, target->map_path, target->uid);
	if (file.refusal == NT_REFUSAL_OBJECTION)
		no_map(lines, target->map_path, file.objection);
	else if (file.refusal)
		no_map(lines, target->map_path, "cannot be read");
	if (file.fd < 0)
		return;
	lines->map_device = file.stat.st_dev;
	lines->map_inode = file.stat.st_ino;
	size_t size = (size_t)file.stat.st_size;
	if (size > NT_CODEMAP_TAIL_LIMIT) {
		no_map(lines, target->map_path, "is larger than 1 GB");
	} else {
		reading->memory->map_text = nt_alloc(size);
		ssize_t got = nt_foreign_read(file.fd, reading->memory->map_text, size, 0);
		if (got > 0)
			parse_map(lines, reading->memory->map_text, (size_t)got);
		/* An old map that the target no longer writes to is still what its first methods are called. */
		if (lines->count)
			lines->map_reason[0] = lines->map_fix[0] = '\0';
		else
			no_map(lines, target->map_path, "is empty");
	}
	close(file.fd);
}

/* ---- precompiled images ---- */

/* What the runtime calls such code where it names tiers. */
#define TIER "[PreJIT]"

static void add_file(void *context, const char *path, bool assembly)
{
	struct nt_code_lines *lines = context;
	const struct memory *memory = lines->memory;
	size_t size = strlen(path) + 1;
	char *copy = nt_arena_alloc(memory->names, size);
	memcpy(copy, path, size);
	lines->files = nt_grow(lines->files, &lines->file_capacity, lines->file_count + 1, sizeof(*lines->files));
	lines->files[lines->file_count++] = (struct nt_code_file){ .path = copy, .assembly = assembly, .first = lines->count };
}

static void add_method(void *context, const struct nt_r2r_mapped *method)
{
	struct nt_code_lines *lines = context;
	const struct memory *memory = lines->memory;
	size_t length = method->length;
	char *name = nt_arena_alloc(memory->names, length + sizeof(TIER));
	memcpy(name, method->name, length);
	memcpy(name + length, TIER, sizeof(TIER));
	for (char *newline = name; (newline = memchr(newline, '\n', length - (size_t)(newline - name)));)
		*newline = '?';
	*add(lines) = (struct nt_perf_map_line){
		.start = method->address, .size = method->size, .name = name, .length = length + sizeof(TIER) - 1, .offset = method->offset
	};
	lines->files[lines->file_count - 1].count++;
}

/* By the decoder, but for the list of them. False: it takes too long. */
static bool read_images(const struct nt_files_target *target, struct nt_hand *hand, struct nt_code_lines *lines)
{
	struct nt_decoder *decoder = nt_decoder_new(target, hand, NT_DECODER_WORD);
	bool good = nt_r2r_mapped_each(target, hand, decoder, nt_clock_now() + READ_NS,
				       &(struct nt_r2r_visitor){ .method = add_method, .file = add_file, .context = lines });
	nt_decoder_free(decoder);
	return good;
}

/* ---- all of it ---- */

static void free_memory(struct memory *memory)
{
	if (!memory)
		return;
	free(memory->map_text);
	nt_arena_free(memory->names);
	free(memory);
}

void nt_code_lines_free(struct nt_code_lines *lines)
{
	if (!lines)
		return;
	free(lines->lines);
	free(lines->files);
	free_memory(lines->memory);
	free(lines);
}

static void run(struct nt_errand *errand)
{
	struct reading *reading = (struct reading *)errand;
	read_map(reading);
}

static void release(struct nt_errand *errand)
{
	struct reading *reading = (struct reading *)errand;
	nt_files_target_fini(&reading->target);
	nt_code_lines_free(reading->lines);
	free(reading);
}

/* Until it is on, or will not be. */
static void switch_on(struct nt_codemap_switch *map_switch)
{
	nt_time deadline = nt_clock_now() + SWITCH_NS;
	for (nt_time again; (again = nt_codemap_switch_try(map_switch)) < deadline;) {
		struct timespec at = { .tv_sec = (time_t)(again / NT_NS_PER_S), .tv_nsec = (long)(again % NT_NS_PER_S) };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
	}
}

static enum nt_status read_all(const struct nt_files_target *target, struct nt_hand *hand, struct reading *reading,
			       struct nt_code_lines **out, struct nt_error *err)
{
	uint32_t pid = target->pid;
	if (nt_hand_do(hand, &reading->errand, READ_NS) == NT_OK) {
		*out = reading->lines;
		reading->lines = NULL;
		release(&reading->errand);
	}
	if (!*out || !read_images(target, hand, *out)) {
		nt_code_lines_free(*out);
		*out = NULL;
		return nt_error_set(err, NT_ERR_TIMEOUT, "the files of process %" PRIu32 " cannot be read: timed out", pid);
	}
	if ((*out)->count)
		return NT_OK;
	nt_error_set(err, NT_ERR_UNSUPPORTED, "there is no named code in process %" PRIu32 ": %s", pid, (*out)->map_reason);
	if (*(*out)->map_fix)
		nt_error_set_fix(err, (*out)->map_fix);
	nt_code_lines_free(*out);
	*out = NULL;
	return NT_ERR_UNSUPPORTED;
}

enum nt_status nt_code_lines_read(const struct nt_target *target, const struct nt_source_config *config, struct nt_code_lines **out,
				  struct nt_error *err)
{
	struct nt_files_target for_switch;
	struct reading *reading = nt_alloc(sizeof(*reading));
	struct memory *memory = nt_alloc(sizeof(*memory));
	memory->names = nt_arena_new();
	reading->errand = (struct nt_errand){ .run = run, .release = release };
	reading->lines = nt_alloc(sizeof(*reading->lines));
	reading->lines->memory = reading->memory = memory;
	nt_files_target_init(&reading->target, target, config);
	nt_files_target_init(&for_switch, target, config);

	struct nt_hand *hand = nt_hand_new();
	struct nt_codemap_switch *map_switch = nt_codemap_switch_new(&for_switch, config, hand);
	switch_on(map_switch);
	const struct nt_codemap_switched *said = nt_codemap_switch_said(map_switch);
	memcpy(reading->lines->map_reason, said->reason, sizeof(said->reason));
	memcpy(reading->lines->map_fix, said->fix, sizeof(said->fix));
	*out = NULL;
	enum nt_status status = read_all(&for_switch, hand, reading, out, err);
	nt_codemap_switch_end(map_switch);
	nt_codemap_switch_free(map_switch);
	nt_hand_free(hand);
	nt_files_target_fini(&for_switch);
	return status;
}
