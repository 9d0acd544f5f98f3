/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A target made of files in a folder of its own, watched by the code map source through its public operations. What the source delivers is kept with
 * its texts. Include it after cmocka.h; everything is static, because each test is one program.
 */
#ifndef TEST_CODEMAP_FIXTURE_H
#define TEST_CODEMAP_FIXTURE_H

#include "base/alloc.h"
#include "nettop/source.h"
#include "source/common/sources.h"
#include "source/decoder/decoder_process.h"
#include "target/process/target.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIXTURE_PID = 4711, FIXTURE_TEXTS = 3 };

/* An event, or one line of a CODE event. */
struct seen {
	struct nt_event event;
	struct nt_batch_line line;
	const char *text
		[FIXTURE_TEXTS]; /* CODE: name as written; SOURCE_LINES: reason, and the file of the first line; ASSEMBLY: reason, and the first instruction; NAME: image name reason; MAP: image; SOURCE_STATE: reason fix; "" = none */
};

struct fixture {
	char dir[64];       /* dir/root is the target's root, dir/proc its folder in /proc */
	char map_path[128]; /* of the perf map, as we see it */
	struct nt_source_config config;
	struct nt_target target;
	struct nt_source *source; /* NULL until started */
	struct seen *seen;
	size_t seen_count, seen_capacity;
	char **texts; /* by id, of the present epoch */
	size_t text_count, text_capacity;
	char **garbage; /* all texts ever, for freeing */
	size_t garbage_count, garbage_capacity;
	uint32_t epoch;
	bool ended;
};

/* The test program is what the source executes as its decoder. */
__attribute__((constructor)) static void fixture_become_decoder(int argc, char **argv)
{
	if (nt_decoder_is_meant(argc, argv))
		_exit(nt_decoder_serve(argv[1]));
}

static inline void fixture_no_note(void *context, const char *verb, const char *argument)
{
	(void)context;
	(void)verb;
	(void)argument;
}

/* Run a shell command in the fixture's folder. */
__attribute__((format(printf, 2, 3))) static inline void fixture_shell(const struct fixture *f, const char *fmt, ...)
{
	char command[1024];
	int used = snprintf(command, sizeof(command), "cd %s && ", f->dir);
	va_list arguments;
	va_start(arguments, fmt);
	vsnprintf(command + used, sizeof(command) - (size_t)used, fmt, arguments);
	va_end(arguments);
	assert_int_equal(system(command), 0);
}

static inline void fixture_write(const char *path, int flags, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | flags, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static inline struct fixture *fixture_new(void)
{
	struct fixture *f = nt_alloc(sizeof(*f));
	strcpy(f->dir, "/tmp/nt-test-codemap-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	fixture_shell(f, "mkdir -p root/tmp root/app proc && printf '%%s\\n' "
			 "'7f0000000000-7f0000010000 r-xp 00001000 08:01 77 /app/libcoreclr.so' "
			 "'7f0000010000-7f0000020000 rw-p 00000000 00:00 0 ' "
			 "'7f0000100000-7f0000200000 r-xs 00000000 00:01 9 /memfd:doublemapper (deleted)' > proc/maps");
	snprintf(f->map_path, sizeof(f->map_path), "%s/root/tmp/perf-7.map", f->dir);
	f->config = (struct nt_source_config){ .proc_root = "/proc", .undo_note = fixture_no_note };
	char path[128];
	snprintf(path, sizeof(path), "%s/root", f->dir);
	f->target = (struct nt_target){ .pid = FIXTURE_PID, .ns_pid = 7, .uid = geteuid(), .root_dir = nt_strdup(path) };
	snprintf(path, sizeof(path), "%s/proc", f->dir);
	f->target.proc_dir = nt_strdup(path);
	f->target.perf_map_dir = nt_strdup("/tmp");
	return f;
}

static inline void fixture_start(struct fixture *f)
{
	struct nt_error err;
	nt_error_clear(&err);
	assert_int_equal(nt_source_codemap.open(&f->config, &f->source, &err), NT_OK);
	nt_source_codemap.want(f->source, NT_WANT_PERF_MAP);
	assert_int_equal(nt_source_codemap.add(f->source, &f->target, &err), NT_OK);
}

static inline void fixture_free(struct fixture *f)
{
	if (f->source)
		nt_source_codemap.close(f->source);
	fixture_shell(f, "cd / && rm -rf %s", f->dir);
	free(f->target.root_dir);
	free(f->target.proc_dir);
	free(f->target.perf_map_dir);
	free(f->seen);
	for (size_t i = 0; i < f->garbage_count; i++)
		free(f->garbage[i]);
	free(f->garbage);
	free(f->texts);
	free(f);
}

/* A copy of a text that lives as long as the fixture. */
static inline char *fixture_copy(struct fixture *f, const char *text, size_t length)
{
	char *copy = nt_alloc(length + 1);
	memcpy(copy, text, length);
	f->garbage = nt_grow(f->garbage, &f->garbage_capacity, f->garbage_count + 1, sizeof(*f->garbage));
	f->garbage[f->garbage_count++] = copy;
	return copy;
}

static inline void fixture_learn(struct fixture *f, const struct nt_batch *batch)
{
	if (batch->epoch != f->epoch)
		f->text_count = 0;
	f->epoch = batch->epoch;
	for (size_t i = 0; i < batch->str_count; i++) {
		const struct nt_batch_str *str = &batch->strs[i];
		assert_int_equal(str->id, f->text_count + 1);
		f->texts = nt_grow(f->texts, &f->text_capacity, f->text_count + 1, sizeof(*f->texts));
		f->texts[f->text_count++] = fixture_copy(f, batch->bytes + str->offset, str->length);
	}
}

static inline const char *fixture_text(const struct fixture *f, nt_str id)
{
	assert_true(id <= f->text_count);
	return id ? f->texts[id - 1] : "";
}

static inline struct seen *fixture_add(struct fixture *f, const struct nt_event *event)
{
	f->seen = nt_grow(f->seen, &f->seen_capacity, f->seen_count + 1, sizeof(*f->seen));
	f->seen[f->seen_count] = (struct seen){ .event = *event, .text = { "", "", "" } };
	return &f->seen[f->seen_count++];
}

static inline void fixture_keep_lines(struct fixture *f, const struct nt_batch *batch, const struct nt_event *event)
{
	const struct nt_ev_code *code = &event->u.code;
	for (uint32_t i = code->first; i < code->first + code->count; i++) {
		struct seen *seen = fixture_add(f, event);
		if (code->map) {
			const struct nt_batch_place *place = &batch->places[i];
			seen->line = (struct nt_batch_line){ place->start, place->size, place->offset, 0, (uint16_t)code->kind };
		} else {
			seen->line = batch->lines[i];
			seen->text[0] = fixture_copy(f, batch->bytes + seen->line.offset, seen->line.length);
		}
	}
}

static inline void fixture_keep(struct fixture *f, const struct nt_batch *batch, const struct nt_event *event)
{
	nt_str ids[FIXTURE_TEXTS] = { 0 };
	switch (event->kind) {
	case NT_EV_NAME:
		ids[0] = event->u.name.image, ids[1] = event->u.name.name, ids[2] = event->u.name.reason;
		break;
	case NT_EV_MAP:
		ids[0] = event->u.map.image;
		break;
	case NT_EV_SOURCE_STATE:
		ids[0] = event->u.source_state.reason, ids[1] = event->u.source_state.fix;
		break;
	case NT_EV_ASSEMBLY:
		ids[0] = event->u.assembly.reason;
		break;
	case NT_EV_SOURCE_LINES:
		ids[0] = event->u.source_lines.reason;
		break;
	case NT_EV_FILE:
	case NT_EV_IDLE:
		break;
	default:
		fail_msg("an event of kind %u", event->kind);
	}
	struct seen *seen = fixture_add(f, event);
	for (int i = 0; i < FIXTURE_TEXTS; i++)
		seen->text[i] = fixture_text(f, ids[i]);
	bool assembly = event->kind == NT_EV_ASSEMBLY;
	if (assembly ? event->u.assembly.count : event->kind == NT_EV_SOURCE_LINES && event->u.source_lines.count) {
		seen->line = batch->lines[assembly ? event->u.assembly.first : event->u.source_lines.first];
		seen->text[1] = fixture_copy(f, batch->bytes + seen->line.offset, seen->line.length);
	}
}

/* Take what there is. */
static inline void fixture_drain(struct fixture *f)
{
	struct nt_batch *batch;
	enum nt_status status;
	while ((status = nt_source_codemap.drain(f->source, 1000, &batch, NULL)) == NT_OK) {
		fixture_learn(f, batch);
		for (size_t i = 0; i < batch->event_count; i++)
			if (batch->events[i].kind == NT_EV_CODE)
				fixture_keep_lines(f, batch, &batch->events[i]);
			else
				fixture_keep(f, batch, &batch->events[i]);
		nt_source_codemap.give_back(f->source, batch);
	}
	assert_true(status == NT_AGAIN || status == NT_END);
	f->ended = status == NT_END;
}

/* Drain until `done` finds what it looks for among the events from index `from` on; fails the test after 30 s. */
static inline void fixture_wait(struct fixture *f, size_t from, bool (*done)(const struct fixture *f, size_t from, const void *what),
				const void *what)
{
	nt_time until = nt_clock_now() + 30 * NT_NS_PER_S;
	while (fixture_drain(f), !done(f, from, what)) {
		if (nt_clock_now() > until)
			fail_msg("nothing came that was waited for");
		struct pollfd p = { .fd = nt_source_codemap.fd(f->source), .events = POLLIN };
		poll(&p, 1, 100);
	}
}

/* The last event of a kind from `from` on, or NULL. */
static inline const struct seen *fixture_last(const struct fixture *f, size_t from, enum nt_event_kind kind)
{
	for (size_t i = f->seen_count; i > from; i--)
		if (f->seen[i - 1].event.kind == kind)
			return &f->seen[i - 1];
	return NULL;
}

static inline size_t fixture_count(const struct fixture *f, size_t from, enum nt_event_kind kind)
{
	size_t count = 0;
	for (size_t i = from; i < f->seen_count; i++)
		count += f->seen[i].event.kind == kind;
	return count;
}

#endif
