// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_out.h"

#include "source/common/outbox.h"
#include "source/lttng/lttng_telling.h"

enum { BATCH_EVENTS = 512 };

void nt_lttng_out_init(struct nt_lttng_out *out, struct nt_channel *channel, uint32_t pid)
{
	*out = (struct nt_lttng_out){ .channel = channel, .interner = nt_interner_new(0), .pid = pid };
	atomic_init(&out->counters.last_event, NT_TIME_UNKNOWN);
}

void nt_lttng_out_fini(struct nt_lttng_out *out)
{
	nt_batch_free(out->batch);
	nt_interner_free(out->interner);
}

static void send(struct nt_lttng_out *out)
{
	nt_channel_send(out->channel, out->batch);
	out->batch = NULL;
}

bool nt_lttng_out_room(struct nt_lttng_out *out)
{
	if (out->telling && !nt_lttng_telling_has_room(out->telling))
		return false;
	if (out->batch && out->batch->event_count >= BATCH_EVENTS)
		send(out);
	if (!out->batch && (out->batch = nt_channel_take_empty(out->channel)))
		nt_interner_begin(out->interner, out->batch);
	return out->batch != NULL;
}

void nt_lttng_out_flush(struct nt_lttng_out *out)
{
	/* Without a target there is nobody yet who takes batches: they would fill up with nothing. */
	if (out->pid && out->delivered_until > out->stated_until && nt_lttng_out_room(out)) {
		nt_batch_add(out->batch, NT_EV_IDLE, out->delivered_until, out->pid, 0);
		out->stated_until = out->delivered_until;
	}
	if (out->batch && out->batch->event_count)
		send(out);
}

void nt_lttng_out_advance(struct nt_lttng_out *out, nt_time time)
{
	if (time > out->delivered_until)
		out->delivered_until = time;
}

void nt_lttng_out_count(struct nt_lttng_out *out, nt_time time)
{
	atomic_fetch_add_explicit(&out->counters.event_count, 1, memory_order_relaxed);
	atomic_store_explicit(&out->counters.last_event, time, memory_order_relaxed);
}

void nt_lttng_out_append(struct nt_lttng_out *out, const struct nt_event *event)
{
	if (event->time > out->stated_until)
		out->stated_until = event->time;
	nt_lttng_out_count(out, event->time);
}

void nt_lttng_out_state(struct nt_lttng_out *out, enum nt_source_state state, const char *reason, const char *fix)
{
	struct nt_batch *batch = out->batch;
	if (out->telling)
		nt_lttng_telling_state(out->telling, state, reason, fix);
	struct nt_event *event = nt_batch_add(batch, NT_EV_SOURCE_STATE, nt_clock_now(), out->pid, 0);
	event->u.source_state = nt_source_state_said(out->interner, batch, state, state == NT_STATE_DELIVERING, reason, fix);
	send(out);
}

void nt_lttng_out_cover(struct nt_lttng_out *out, bool covered, nt_time time)
{
	nt_batch_add(out->batch, NT_EV_COVER, time, out->pid, 0)->u.cover = (struct nt_ev_cover){ .what = UINT32_MAX, .covered = covered };
}

void nt_lttng_out_lost(struct nt_lttng_out *out, const struct nt_ev_lost *lost, nt_time until)
{
	if (out->telling)
		nt_lttng_telling_lost(out->telling, lost, until);
	nt_batch_add(out->batch, NT_EV_LOST, until, out->pid, 0)->u.lost = *lost;
	if (lost->count_known)
		atomic_fetch_add_explicit(&out->counters.lost_count, lost->count, memory_order_relaxed);
	else
		atomic_store_explicit(&out->counters.lost_unknown, true, memory_order_relaxed);
}
