/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that somebody has chosen by name, one by one, as long as they are wanted: a session of their own with a process (event_tap.h), and TOLD events of what it
 * brings. Of a flood NT_TELL_A_SECOND are told; the others are counted by kind. Inside src/source/eventpipe/ only.
 */
#ifndef NT_SOURCE_EVENTPIPE_TOLD_H
#define NT_SOURCE_EVENTPIPE_TOLD_H

#include "source/common/outbox.h"
#include "source/eventpipe/event_pattern.h"

struct nt_eventpipe_told;
struct nt_inner_tids;

/* Nothing is chosen. All are borrowed until nt_eventpipe_told_free(). */
struct nt_eventpipe_told *nt_eventpipe_told_new(const struct nt_source_config *config, struct nt_outbox *box, struct nt_inner_tids *tids,
						const struct nt_target *target);
void nt_eventpipe_told_free(struct nt_eventpipe_told *told); /* the connection is closed: the runtime ends the session */

/* Other ones are chosen; copied. None is asked for before they are wanted; asked for anew they get another try. */
void nt_eventpipe_told_choose(struct nt_eventpipe_told *told, const struct nt_event_pattern *patterns, size_t count);
void nt_eventpipe_told_want(struct nt_eventpipe_told *told, bool wanted);

/* Ask, read, end: as far as that is possible now. */
void nt_eventpipe_told_go_on(struct nt_eventpipe_told *told, nt_time now);

/* Is there a session, or should there be one? */
bool nt_eventpipe_told_is_busy(const struct nt_eventpipe_told *told);

/* Let go of it at once: nobody reads for a while. The next nt_eventpipe_told_go_on() asks for it again. */
void nt_eventpipe_told_pause(struct nt_eventpipe_told *told, nt_time now);

uint64_t nt_eventpipe_told_price_ns(const struct nt_eventpipe_told *told);

#endif
