/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a source can be relied on for the runtime's events, over time. One that falls silent for a moment comes back by itself; one that stays silent is
 * replaced by another, and has to prove itself before that other one is let go.
 */
#ifndef NT_APP_HANDOVER_H
#define NT_APP_HANDOVER_H

#include "nettop/event.h"

struct nt_handover {
	bool carries;          /* the source is relied on */
	nt_time against_since; /* since when its state says otherwise; NT_TIME_UNKNOWN = it does not */
};

void nt_handover_init(struct nt_handover *handover, bool carries);

/* The source is in this state now. Returns whether it is relied on. */
bool nt_handover_see(struct nt_handover *handover, enum nt_source_state state, nt_time now);

#endif
