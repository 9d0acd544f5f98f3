/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who brings the runtime's events of each process of a list: LTTng those that were started for it, over one session for all that are there when it begins; EventPipe all others, and what LTTng leaves
 * out. Of each it is decided as of one that is watched alone (app/session/demand.h, handover.h).
 */
#ifndef NT_APP_MANY_EVENTS_H
#define NT_APP_MANY_EVENTS_H

#include "app/many/many_targets.h"
#include "nettop/snapshot.h"

/* What the source is asked for of a process; NULL = of those that come. Bits of enum nt_demand. */
unsigned nt_many_demand_of(const struct nt_many_sources *sources, enum nt_source_id id, const struct nt_many_target *target);

/* The source has taken that process. */
void nt_many_events_given(struct nt_many_sources *sources, enum nt_source_id id, struct nt_many_target *target);

/* Ask each process for what there may be of it, as one that is watched alone is asked. */
void nt_many_events_want(struct nt_many_sources *sources, const struct nt_snapshot *known);

/* A batch of LTTng's, with what it says of itself; the source is closed, whichever it is. */
void nt_many_events_note(struct nt_many_sources *sources, const struct nt_batch *batch);
void nt_many_events_closed(struct nt_many_sources *sources, enum nt_source_id id);

#endif
