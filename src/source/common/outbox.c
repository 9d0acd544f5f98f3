// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/outbox.h"

void nt_outbox_init(struct nt_outbox *box, enum nt_source_id id)
{
	*box = (struct nt_outbox){ .id = id, .interner = nt_interner_new(0), .stats.last_event = NT_TIME_UNKNOWN };
}

void nt_outbox_fini(struct nt_outbox *box)
{
	nt_batch_free(box->filling);
	nt_batch_free(box->spare);
	nt_interner_free(box->interner);
}

struct nt_batch *nt_outbox_batch(struct nt_outbox *box)
{
	if (!box->filling) {
		box->filling = box->spare ? box->spare : nt_batch_new(box->id);
		box->spare = NULL;
		nt_interner_begin(box->interner, box->filling);
	}
	return box->filling;
}

size_t nt_outbox_bytes(const struct nt_outbox *box)
{
	const struct nt_batch *batch = box->filling;
	if (!batch)
		return 0;
	return batch->event_count * sizeof(*batch->events) + batch->str_count * sizeof(*batch->strs) + batch->byte_count +
	       batch->stack_count * sizeof(*batch->stacks) + batch->address_count * sizeof(*batch->addresses);
}

struct nt_event *nt_outbox_add(struct nt_outbox *box, enum nt_event_kind kind, nt_time time, uint32_t pid, uint32_t tid)
{
	return nt_batch_add(nt_outbox_batch(box), kind, time, pid, tid);
}

nt_str nt_outbox_str(struct nt_outbox *box, const char *text)
{
	return nt_interner_cstr(box->interner, nt_outbox_batch(box), text);
}

struct nt_ev_source_state nt_source_state_said(struct nt_interner *interner, struct nt_batch *batch, enum nt_source_state state, bool open,
					       const char *reason, const char *fix)
{
	return (struct nt_ev_source_state){
		.state = (uint32_t)state,
		.reason = nt_interner_cstr(interner, batch, reason),
		.fix = nt_interner_cstr(interner, batch, fix),
		.open = open,
	};
}

struct nt_event *nt_outbox_state(struct nt_outbox *box, nt_time time, uint32_t pid, enum nt_source_state state, bool open,
				 const char *reason, const char *fix)
{
	struct nt_event *event = nt_outbox_add(box, NT_EV_SOURCE_STATE, time, pid, 0);
	event->u.source_state = nt_source_state_said(box->interner, box->filling, state, open, reason, fix);
	return event;
}

void nt_outbox_lost(struct nt_outbox *box, nt_time time, uint32_t pid, const struct nt_ev_lost *lost)
{
	nt_outbox_add(box, NT_EV_LOST, time, pid, 0)->u.lost = *lost;
	box->stats.lost_count += lost->count_known ? lost->count : 0;
	box->stats.lost_unknown |= !lost->count_known;
}

void nt_source_stats_add(struct nt_source_stats *stats, const struct nt_batch *batch)
{
	stats->event_count += batch->event_count - batch->own_count;
	if (batch->newest_ns && (stats->last_event == NT_TIME_UNKNOWN || batch->newest_ns > stats->last_event))
		stats->last_event = batch->newest_ns;
}

struct nt_batch *nt_outbox_take(struct nt_outbox *box)
{
	struct nt_batch *batch = box->filling;
	box->filling = NULL;
	if (batch)
		nt_source_stats_add(&box->stats, batch);
	return batch;
}

void nt_outbox_give_back(struct nt_outbox *box, struct nt_batch *batch)
{
	nt_batch_reset(batch);
	if (box->spare)
		nt_batch_free(batch);
	else
		box->spare = batch;
}
