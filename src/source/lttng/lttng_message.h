/* SPDX-License-Identifier: GPL-2.0-only */
/* What a message of babeltrace2 says of itself, whatever event it brings: when, of which process, of which host. */
#ifndef NT_SOURCE_LTTNG_MESSAGE_H
#define NT_SOURCE_LTTNG_MESSAGE_H

#include "nettop/clock.h"
#include "source/lttng/lttng_form.h"

/* The raw value of LTTng's clock is CLOCK_MONOTONIC ns itself; ns_from_origin would add an offset that was fixed when the session began. */
nt_time nt_lttng_time_of(const bt_clock_snapshot *snapshot);

/* What to add to a time of this clock to get that of the wall, ns: as its host had it when the session began. 0 = it is out of all bounds. */
int64_t nt_lttng_realtime_offset(const bt_clock_class *clock);

/* With buffers per process the trace says whose it is. False: it does not. */
bool nt_lttng_trace_vpid(const bt_stream *stream, uint64_t *vpid);

/* The process of an event, by a context, else by its trace. False: neither says it. `context`: the event's common one, which may be NULL. */
bool nt_lttng_vpid_of(const struct nt_lttng_form *form, const bt_event *event, const bt_field *context, uint64_t *vpid);

/* A text that the trace says of itself: "hostname", "procname". Borrowed from the trace; NULL = it has none. */
const char *nt_lttng_trace_text(const bt_stream *stream, const char *name);

#endif
