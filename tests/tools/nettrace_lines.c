// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines that `nettop events` writes of a nettrace file: its decoder, the events' fields, their lines. What an event of them costs is the same from run to run, without the process and the kernel:
 * `valgrind --tool=callgrind nettrace_lines --quiet FILE Shop-Told` counts it.
 *
 * usage: nettrace_lines [--json] [--quiet] FILE PATTERN...	--quiet: the lines are made, and only their sum is written
 */
#include "output/events/event_line.h"
#include "source/eventpipe/event_teller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 64 * 1024 };

struct work {
	struct nt_event_lines lines;
	unsigned long long events, bytes;
	bool quiet;
};

static void on_event(void *context, const struct nt_told_event *event)
{
	struct work *work = context;
	nt_event_lines_add(&work->lines, event);
	work->events++;
}

static void on_lost(void *context, uint64_t count, nt_time time)
{
	struct work *work = context;
	nt_event_lines_add_lost(&work->lines, count, time);
}

static void hand_over(struct work *work)
{
	if (!work->quiet)
		fwrite(work->lines.out.bytes, 1, work->lines.out.length, stdout);
	work->bytes += work->lines.out.length;
	work->lines.out.length = 0;
}

/* In pieces, as it comes from the process. */
static enum nt_status read_file(FILE *file, struct nt_event_teller *teller, struct work *work, struct nt_error *err)
{
	static uint8_t piece[PIECE];
	const struct nt_nettrace_sink sink = nt_event_teller_sink(teller);
	struct nt_nettrace *trace = nt_nettrace_new(&sink, NULL);
	enum nt_status status = NT_OK;
	for (size_t length; status == NT_OK && (length = fread(piece, 1, sizeof(piece), file));) {
		status = nt_nettrace_feed(trace, piece, length, err);
		hand_over(work);
	}
	nt_nettrace_settle(trace);
	hand_over(work);
	nt_nettrace_free(trace);
	return status;
}

static int fail(const struct nt_error *err)
{
	char text[2 * NT_ERROR_TEXT];
	fprintf(stderr, "nettrace_lines: %s\n", nt_error_text(err, text, sizeof(text)));
	return 1;
}

int main(int argc, char **argv)
{
	struct work work = { .quiet = false };
	struct nt_event_pattern patterns[NT_EVENT_PATTERNS_MAX];
	struct nt_error err = { 0 };
	bool json = false;
	int at = 1;
	for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
		json |= strcmp(argv[at], "--json") == 0;
		work.quiet |= strcmp(argv[at], "--quiet") == 0;
	}
	size_t count = (size_t)(argc - at - 1);
	if (argc < at + 2 || count > NT_EVENT_PATTERNS_MAX) {
		fprintf(stderr, "usage: nettrace_lines [--json] [--quiet] FILE PATTERN...\n");
		return 2;
	}
	for (size_t i = 0; i < count; i++)
		if (nt_event_pattern_parse(argv[at + 1 + (int)i], &patterns[i], &err) != NT_OK)
			return fail(&err);
	FILE *file = fopen(argv[at], "rb");
	if (!file) {
		perror(argv[at]);
		return 1;
	}
	const struct nt_event_sink sink = { .context = &work, .event = on_event, .lost = on_lost };
	struct nt_event_teller *teller = nt_event_teller_new(patterns, count, false, &sink);
	nt_event_lines_init(&work.lines, json, 0);
	enum nt_status status = read_file(file, teller, &work, &err);
	fclose(file);
	nt_event_teller_free(teller);
	nt_event_lines_fini(&work.lines);
	if (work.quiet)
		printf("%llu events, %llu bytes of lines\n", work.events, work.bytes);
	return status < 0 ? fail(&err) : 0;
}
