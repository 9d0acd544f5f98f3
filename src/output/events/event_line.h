/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/events: events of the process, a line each. */
#ifndef NT_OUTPUT_EVENT_LINE_H
#define NT_OUTPUT_EVENT_LINE_H

#include <stdio.h>

#include "nettop/told_event.h"

/*
 * `12:03:04.250 t4812 clr/GCStart Count=12 Depth=0`: for people. Texts have quotes, and an ellipsis where they are long; of a log message the words come first. `realtime_offset_ns`: nt_clock_realtime_offset(). Write errors
 * stay in the stream.
 */
void nt_event_line_text(FILE *out, const struct nt_told_event *event, int64_t realtime_offset_ns);

/* One JSON object: type (event), time_unix_ns, provider, name, id, tid, activity, fields, cut. */
void nt_event_line_json(FILE *out, const struct nt_told_event *event, int64_t realtime_offset_ns);

/* So many events are missing, between the lines before and those behind. */
void nt_event_line_lost_text(FILE *out, uint64_t count);
void nt_event_line_lost_json(FILE *out, uint64_t count, nt_time time, int64_t realtime_offset_ns);

#endif
