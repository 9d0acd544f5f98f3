// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/handover.h"

/* What a state says, and how long it has to say so before anything changes. */
static const struct {
	bool carries;
	unsigned patience_s;
} meaning[] = {
	[NT_STATE_UNUSED] = { false, 0 },
	[NT_STATE_STARTING] = { false, 10 }, /* slow machines start daemons slowly */
	/* lttng-ust in the target waits 5 s before it looks for a daemon that came back; the other source covers that. */
	[NT_STATE_DELIVERING] = { true, 8 },
	[NT_STATE_ABSENT] = { false, 0 },
	[NT_STATE_FORBIDDEN] = { false, 0 },
	[NT_STATE_STALLED] = { false, 5 }, /* a killed relay is back after 3 */
	[NT_STATE_ENDED] = { false, 0 },
};

void nt_handover_init(struct nt_handover *handover, bool carries)
{
	*handover = (struct nt_handover){ .carries = carries, .against_since = NT_TIME_UNKNOWN };
}

bool nt_handover_see(struct nt_handover *handover, enum nt_source_state state, nt_time now)
{
	nt_assert(state <= NT_STATE_ENDED);
	if (meaning[state].carries == handover->carries) {
		handover->against_since = NT_TIME_UNKNOWN;
		return handover->carries;
	}
	if (handover->against_since == NT_TIME_UNKNOWN)
		handover->against_since = now;
	if (now - handover->against_since >= meaning[state].patience_s * NT_NS_PER_S)
		nt_handover_init(handover, !handover->carries);
	return handover->carries;
}
