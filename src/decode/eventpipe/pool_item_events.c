// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/pool_item_events.h"

#include "decode/clr/clr.h"
#include "decode/common/reader.h"

#include <string.h>

enum { ENQUEUE_WORK = 30, DEQUEUE_WORK = 31 };

bool nt_pool_item_event_is(const struct nt_nettrace_meta *meta)
{
	return (meta->id == ENQUEUE_WORK || meta->id == DEQUEUE_WORK) && strcmp(meta->provider, NT_FRAMEWORK_PROVIDER) == 0;
}

enum nt_status nt_pool_item_event_build(const struct nt_nettrace_event *event, const struct nt_clr_at *at)
{
	struct nt_reader reader = nt_reader_of(event->payload, event->payload_length);
	uint64_t id = nt_reader_u64(&reader);
	if (reader.bad)
		return NT_ERR_MALFORMED;
	nt_batch_add(at->batch, NT_EV_POOL_ITEM, at->time, at->pid, at->tid)->u.pool_item =
		(struct nt_ev_pool_item){ id, event->meta->id == ENQUEUE_WORK ? NT_POOL_ITEM_ENQUEUED : NT_POOL_ITEM_TAKEN };
	return NT_OK;
}
