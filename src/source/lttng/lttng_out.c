// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_out.h"

#include "source/common/outbox.h"
#include "source/lttng/lttng_telling.h"

enum { BATCH_EVENTS = 512 };

void nt_lttng_out_init(struct nt_lttng_out *out, struct nt_channel *channel, const struct nt_lttng_watched_list *watched)
{
	*out = (struct nt_lttng_out){ .channel = channel, .interner = nt_interner_new(0), .watched = watched };
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
	const struct nt_lttng_watched *watched;
	bool is_due = out->delivered_until > out->stated_until && nt_lttng_out_room(out);
	for (size_t at = 0; is_due && (watched = nt_lttng_watched_next(out->watched, &at)) && watched->pid;) {
		nt_batch_add(out->batch, NT_EV_IDLE, out->delivered_until, watched->pid, 0);
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

static void add_state(struct nt_lttng_out *out, nt_time time, const struct nt_lttng_watched *watched, enum nt_source_state state,
		      const char *reason, const char *fix)
{
	struct nt_event *event = nt_batch_add(out->batch, NT_EV_SOURCE_STATE, time, watched->pid, 0);
	event->u.source_state = nt_source_state_said(out->interner, out->batch, state, state == NT_STATE_DELIVERING, reason, fix);
}

static void add_cover(struct nt_lttng_out *out, const struct nt_lttng_watched *watched, bool covered, nt_time time)
{
	nt_batch_add(out->batch, NT_EV_COVER, time, watched->pid, 0)->u.cover =
		(struct nt_ev_cover){ .what = UINT32_MAX, .covered = covered };
}

void nt_lttng_out_state(struct nt_lttng_out *out, nt_time time, enum nt_source_state state, const char *reason, const char *fix)
{
	const struct nt_lttng_watched *watched;
	if (out->telling)
		nt_lttng_telling_state(out->telling, state, reason, fix);
	for (size_t at = 0; (watched = nt_lttng_watched_next(out->watched, &at));)
		add_state(out, time, watched, state, reason, fix);
	send(out);
}

void nt_lttng_out_end(struct nt_lttng_out *out, const struct nt_lttng_watched *watched, enum nt_source_state state, const char *reason,
		      nt_time time)
{
	add_cover(out, watched, false, time);
	add_state(out, nt_clock_now(), watched, state, reason, "");
}

void nt_lttng_out_cover(struct nt_lttng_out *out, bool covered, nt_time time)
{
	const struct nt_lttng_watched *watched;
	for (size_t at = 0; (watched = nt_lttng_watched_next(out->watched, &at));)
		add_cover(out, watched, covered, time);
}

void nt_lttng_out_lost(struct nt_lttng_out *out, const struct nt_ev_lost *lost, nt_time until)
{
	const struct nt_lttng_watched *watched;
	if (out->telling)
		nt_lttng_telling_lost(out->telling, lost, until);
	for (size_t at = 0; (watched = nt_lttng_watched_next(out->watched, &at));)
		nt_batch_add(out->batch, NT_EV_LOST, until, watched->pid, 0)->u.lost = *lost;
	if (lost->count_known)
		atomic_fetch_add_explicit(&out->counters.lost_count, lost->count, memory_order_relaxed);
	else
		atomic_store_explicit(&out->counters.lost_unknown, true, memory_order_relaxed);
}
