/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/events: events of the process, a line each. */
#ifndef NT_OUTPUT_EVENT_LINE_H
#define NT_OUTPUT_EVENT_LINE_H

#include <time.h>

#include "base/text_buffer.h"
#include "nettop/told_event.h"

struct nt_call_stack; /* nettop/snapshot.h */

/* Lines that are being written, one behind the other. Who wants them takes what is in `out`, and sets its length to 0. */
struct nt_event_lines {
	struct nt_text_buffer out;
	bool as_json;
	int64_t realtime_offset_ns; /* nt_clock_realtime_offset() */
	time_t second;              /* whose time of the day is in `clock` */
	char clock[16];
	int64_t begin_ms; /* of which millisecond and thread `begin` is the begin of lines; -1 = of none yet */
	uint64_t begin_tid;
	char begin[64];
	size_t begin_length;
};

/* Ended with nt_event_lines_fini(). */
void nt_event_lines_init(struct nt_event_lines *lines, bool as_json, int64_t realtime_offset_ns);
void nt_event_lines_fini(struct nt_event_lines *lines);

/*
 * `12:03:04.250 t4812 clr/GCStart Count=12 Depth=0`: for people. Texts have quotes, and an ellipsis where they are long; of a log message the words come first.
 * JSON: an object: type (event), time_unix_ns, provider, name, id, tid, activity, fields, cut.
 */
void nt_event_lines_add(struct nt_event_lines *lines, const struct nt_told_event *event);

/*
 * The call stack of the event whose line was added last: a line for each frame, the leaf first, as perf script has them; in JSON the member stack, a list of objects: method, module, native. NULL: in
 * JSON null, as text a line that says `why`.
 */
void nt_event_lines_add_stack(struct nt_event_lines *lines, const struct nt_call_stack *stack, const char *why);

/* So many came that are not told, because they were too many at a time. */
void nt_event_lines_add_more(struct nt_event_lines *lines, uint64_t count, nt_time time);

/* So many events are missing, between the lines before and those behind. `time`: it was noticed then. */
void nt_event_lines_add_lost(struct nt_event_lines *lines, uint64_t count, nt_time time);

/* Some are, nobody knows how many. */
void nt_event_lines_add_some_lost(struct nt_event_lines *lines, nt_time time);

/* Some are, nobody knows how many: this sentence says why. */
void nt_event_lines_add_said(struct nt_event_lines *lines, const char *sentence, nt_time time);

/* Nobody was there from then until then. */
void nt_event_lines_add_gap(struct nt_event_lines *lines, nt_time from, nt_time until);

#endif
