// SPDX-License-Identifier: GPL-2.0-only
#include "ui/views/view_snapshot.h"

#include "nettop/source.h"

const char *nt_source_mark(enum nt_source_state state)
{
	switch (state) {
	case NT_STATE_DELIVERING:
		return "●";
	case NT_STATE_ABSENT:
	case NT_STATE_FORBIDDEN:
	case NT_STATE_STALLED:
	case NT_STATE_ENDED:
		return "○";
	default:
		return "·";
	}
}

bool nt_view_needs_no_stacks(const struct nt_snapshot *snapshot)
{
	return !snapshot || !nt_snapshot_source(snapshot, NT_SOURCE_EVENTPIPE);
}

void nt_nothing_without_eventpipe(const struct nt_source_row *eventpipe, struct nt_nothing *out)
{
	bool told = eventpipe && eventpipe->reason;
	out->reason = told ? eventpipe->reason : "they come over EventPipe, which is not in use";
	out->fix = told ? eventpipe->fix : NULL;
}

bool nt_view_out_of_range(const struct nt_process_snapshot *process, enum nt_subject_id subject)
{
	for (size_t i = 0; i < process->finding_count; i++)
		if (process->findings[i].headline == subject)
			return true;
	return false;
}
