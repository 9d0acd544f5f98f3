/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event as JSON. It is written by hand, not by jansson: an object of that library for each of 20 000 events a second, and for each field of each, takes nine times as long as this and all the rest
 * together (4.75 and 0.5 us an event).
 */
#ifndef NT_OUTPUT_EVENT_JSON_H
#define NT_OUTPUT_EVENT_JSON_H

#include "base/text_buffer.h"
#include "nettop/told_event.h"

struct nt_call_stack; /* nettop/snapshot.h */

/* One object, without an end of line: as event_line.h says. */
void nt_event_json_put(struct nt_text_buffer *out, const struct nt_told_event *event, int64_t realtime_offset_ns);

/* The member stack, into the object that was put last: frames, the leaf first, with method, module, native; stack_cut: there are further ones. NULL: null. */
void nt_event_json_put_stack(struct nt_text_buffer *out, const struct nt_call_stack *stack);

/* type (more), count, time_unix_ns: so many came, and are not told. */
void nt_event_json_put_more(struct nt_text_buffer *out, uint64_t count, nt_time time, int64_t realtime_offset_ns);

/* type (lost), count, time_unix_ns (null: not known). */
void nt_event_json_put_lost(struct nt_text_buffer *out, uint64_t count, nt_time time, int64_t realtime_offset_ns);

/* The same of an unknown number, null. */
void nt_event_json_put_gap(struct nt_text_buffer *out, nt_time time, int64_t realtime_offset_ns);

#endif
