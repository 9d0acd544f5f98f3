/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/eventpipe: the runtime's events over the diagnostics port. */
/* What app/ may ask of the EventPipe source beyond struct nt_source_ops. */
#ifndef NT_SOURCE_EVENTPIPE_H
#define NT_SOURCE_EVENTPIPE_H

#include "nettop/source.h"
#include "source/eventpipe/event_pattern.h"

/*
 * Which events are told one by one (TOLD) as long as NT_WANT_TOLD is wanted, of each process; the patterns are copied. None at first, which asks nothing of a process. How it stands with them is
 * said by TELLING events.
 */
void nt_eventpipe_tell(struct nt_source *source, const struct nt_event_pattern *patterns, size_t count);

/* Of this process something else is wanted than of the others: enum nt_demand bits, until want() says it anew of all. Nothing happens when it is not watched. */
void nt_eventpipe_want_of(struct nt_source *source, uint32_t pid, unsigned demand);

/* Has it asked for its sessions and not got them all yet? As long as this is so, what the target does is missed. Goes on with on_tick(). */
bool nt_eventpipe_is_starting(struct nt_source *source);

/*
 * May it be closed now? Not while a runtime collects Meters for the first time in its life: a session whose connection is closed is ended by the runtime, and that locks it
 * up then (nt_eventpipe_session_may_stop()). After stop() it takes a period and a moment at most.
 */
bool nt_eventpipe_may_close(struct nt_source *source);

#endif
