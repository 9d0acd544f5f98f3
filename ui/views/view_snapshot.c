// SPDX-License-Identifier: GPL-2.0-only
#include "ui/views/view_snapshot.h"

#include "nettop/source.h"

const struct nt_source_row *nt_view_source(const struct nt_snapshot *snapshot, enum nt_source_id id)
{
	for (size_t i = 0; i < snapshot->source_count; i++)
		if (snapshot->sources[i].id == id)
			return &snapshot->sources[i];
	return NULL;
}

enum nt_source_id nt_view_carrier(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *row = snapshot ? nt_view_source(snapshot, NT_SOURCE_EVENTPIPE) : NULL;
	bool brings = row && row->brings & NT_WANT_RUNTIME_EVENTS;
	return brings && row->state != NT_STATE_ABSENT && row->state != NT_STATE_FORBIDDEN ? NT_SOURCE_EVENTPIPE : NT_SOURCE_LTTNG;
}

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
	return !snapshot || !nt_view_source(snapshot, NT_SOURCE_EVENTPIPE);
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
