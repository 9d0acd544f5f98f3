/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which thread works for which activity, in a nettrace stream: SetActivityId of the EventSource System.Threading.Tasks.TplEventSource (TplEventSource.cs), which the runtime
 * writes each time a thread takes up an activity or puts it down, across awaits. It becomes an ACTIVITY event.
 *
 * The payload is the activity's id, 16 bytes; all of them 0 = none. The events of that activity have the same id in their headers.
 */
#ifndef NT_DECODE_ACTIVITY_EVENTS_H
#define NT_DECODE_ACTIVITY_EVENTS_H

#include "decode/eventpipe/nettrace.h"

struct nt_clr_at;

#define NT_TASK_PROVIDER "System.Threading.Tasks.TplEventSource"

/* TasksFlowActivityIds: activities go on behind an await. DebugActivityId: SetActivityId, at the level Verbose. */
#define NT_ACTIVITY_KEYWORDS UINT64_C(0x40080)

/* Is this kind of event SetActivityId? */
bool nt_activity_event_is(const struct nt_nettrace_meta *meta);

/* Append what the event says to at->batch. NT_ERR_MALFORMED: its payload is too short. */
enum nt_status nt_activity_event_build(const struct nt_nettrace_event *event, const struct nt_clr_at *at);

#endif
