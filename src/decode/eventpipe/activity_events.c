// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/activity_events.h"

#include "decode/clr/clr.h"

#include <string.h>

enum { SET_ACTIVITY_ID = 25 };

bool nt_activity_event_is(const struct nt_nettrace_meta *meta)
{
	return meta->id == SET_ACTIVITY_ID && strcmp(meta->provider, NT_TASK_PROVIDER) == 0;
}

enum nt_status nt_activity_event_build(const struct nt_nettrace_event *event, const struct nt_clr_at *at)
{
	uint64_t id[2];
	if (event->payload_length < sizeof(id))
		return NT_ERR_MALFORMED;
	memcpy(id, event->payload, sizeof(id));
	nt_batch_add(at->batch, NT_EV_ACTIVITY, at->time, at->pid, at->tid)->u.activity = (struct nt_ev_activity){ id[0], id[1] };
	return NT_OK;
}
