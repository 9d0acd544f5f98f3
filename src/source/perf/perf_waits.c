// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perf source where somebody asks for blocked time and for nothing else (nt_source_config.moments): each switch of the threads, without samples of CPU time. What the kernel does not permit is
 * said, and is no end: looks at the threads from outside tell the same less exactly.
 */
#include "nettop/source.h"

#include "base/alloc.h"
#include "source/common/outbox.h"
#include "source/common/sources.h"
#include "source/perf/perf_duty.h"
#include "source/perf/switch_watch.h"

#include <stdlib.h>

enum {
	SETTLE_MS = 2, /* a record may become visible this long after the time that it carries */
};

enum phase { PHASE_IDLE, PHASE_RUNNING, PHASE_LAST, PHASE_END };

struct waits {
	struct nt_source base;
	const struct nt_source_config *config; /* borrowed */
	const struct nt_target *target;        /* borrowed */
	struct nt_outbox box;
	struct nt_perf_queue queue;
	struct nt_switch_watch *watch; /* owned; NULL = there is none, or not any more */
	enum phase phase;
	nt_time next_round, read; /* when the records were read last */
	nt_time until;            /* of the round */
	bool in_round;
	uint64_t paid_ns; /* by watches that have ended */
};

static struct waits *self(struct nt_source *source)
{
	return (struct waits *)source;
}

static void waits_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	(void)target;
	(void)config;
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
}

static enum nt_status waits_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	(void)err;
	struct waits *w = nt_alloc(sizeof(*w));
	w->base.ops = &nt_source_perf_waits;
	w->config = config;
	nt_outbox_init(&w->box, NT_SOURCE_PERF);
	*out = &w->base;
	return NT_OK;
}

static void cover(struct waits *w, nt_time time, bool covered)
{
	nt_outbox_add(&w->box, NT_EV_COVER, time, w->target->pid, 0)->u.cover =
		(struct nt_ev_cover){ .what = NT_WANT_SWITCHES, .covered = covered };
}

static void say_delivering(struct waits *w)
{
	nt_outbox_state(&w->box, nt_clock_now(), w->target->pid, NT_STATE_DELIVERING, true, NULL, NULL)->u.source_state.brings =
		NT_WANT_SWITCHES;
}

static enum nt_status waits_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct waits *w = self(source);
	if (w->phase != PHASE_IDLE)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "one process at a time is asked how long its threads wait");
	enum nt_status status = nt_switch_watch_new(target, w->config, nt_perf_duty_limit_pct(w->config), true, &w->watch, err);
	if (status != NT_OK)
		return status;
	w->target = target;
	w->phase = PHASE_RUNNING;
	w->read = nt_clock_now();
	cover(w, w->read, true);
	say_delivering(w);
	return NT_OK;
}

static void end_watch(struct waits *w)
{
	if (!w->watch)
		return;
	w->paid_ns += nt_switch_watch_paid_ns(w->watch);
	nt_switch_watch_free(w->watch);
	w->watch = NULL;
}

static void waits_remove(struct nt_source *source, uint32_t pid)
{
	struct waits *w = self(source);
	if (!w->target || w->target->pid != pid)
		return;
	end_watch(w);
	w->target = NULL;
	w->phase = PHASE_END;
}

/* ---- rounds ---- */

/* A round of which records are missing is not told: it is not covered, and what was known by switches is not known any more. */
static void tell_gap(struct waits *w, uint64_t missing, nt_time from)
{
	const struct nt_ev_lost lost = { .count = missing, .count_known = 1, .what = NT_LOST_EVENTS, .from = from };
	nt_outbox_lost(&w->box, w->read, w->target->pid, &lost);
	cover(w, from, false);
	cover(w, w->read, true);
	nt_outbox_state(&w->box, w->read, w->target->pid, NT_STATE_DELIVERING, true, NULL, NULL);
	say_delivering(w);
}

static void begin_round(struct waits *w, nt_time now)
{
	nt_time from = w->read;
	w->next_round = now + NT_SWITCH_ROUND_MS * NT_NS_PER_MS;
	if (!nt_target_alive(w->target))
		w->phase = PHASE_LAST;
	w->read = now;
	w->until = w->phase == PHASE_LAST ? now + SETTLE_MS * NT_NS_PER_MS : now - SETTLE_MS * NT_NS_PER_MS;
	uint64_t missing = nt_switch_watch_read(w->watch, &w->queue);
	if (missing)
		tell_gap(w, missing, from);
	nt_perf_queue_release(&w->queue, w->until);
	w->in_round = true;
}

static void end(struct waits *w, nt_time now, const struct nt_probe *why)
{
	end_watch(w);
	cover(w, now, false);
	nt_outbox_state(&w->box, now, w->target->pid, why ? NT_STATE_FORBIDDEN : NT_STATE_ENDED, false, why ? why->reason : NULL,
			why ? why->fix : NULL);
	w->phase = PHASE_END;
}

static void end_round(struct waits *w, nt_time now)
{
	struct nt_probe dear = { 0 };
	w->in_round = false;
	nt_outbox_add(&w->box, NT_EV_IDLE, w->phase == PHASE_LAST ? now : w->until, w->target->pid, 0);
	if (w->phase == PHASE_LAST)
		end(w, now, NULL);
	else if (nt_switch_watch_is_too_dear(w->watch, now, &dear))
		end(w, now, &dear);
}

static enum nt_status waits_drain(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)err;
	struct waits *w = self(source);
	nt_time now = nt_clock_now();
	bool active = w->phase == PHASE_RUNNING || w->phase == PHASE_LAST;
	if (active && !w->in_round && (now >= w->next_round || w->phase == PHASE_LAST))
		begin_round(w, now);
	if (w->in_round) {
		const uint8_t *bytes;
		const struct nt_perf_queued *queued = NULL;
		unsigned part = nt_perf_queue_part(&w->queue, budget);
		for (unsigned told = 0; told < part && (queued = nt_perf_queue_take(&w->queue, &bytes)); told++)
			nt_switch_watch_tell(w->watch, &w->box, w->target->pid, bytes, queued->length);
		if (!queued)
			end_round(w, now);
	}
	*take = nt_outbox_take(&w->box);
	return *take ? NT_OK : w->phase == PHASE_END ? NT_END : NT_AGAIN;
}

static int waits_fd(struct nt_source *source)
{
	(void)source;
	return -1;
}

static nt_time waits_rest(struct nt_source *source)
{
	(void)source;
	return NT_SWITCH_ROUND_MS * NT_NS_PER_MS;
}

static void waits_give_back(struct nt_source *source, struct nt_batch *batch)
{
	nt_outbox_give_back(&self(source)->box, batch);
}

static void waits_stats(struct nt_source *source, struct nt_source_stats *out)
{
	struct waits *w = self(source);
	*out = w->box.stats;
	nt_switch_watch_cost(w->watch, out);
	out->price_ns = w->paid_ns + (w->watch ? nt_switch_watch_paid_ns(w->watch) : 0);
}

/* The records are read once more, up to now. */
static void waits_stop(struct nt_source *source)
{
	struct waits *w = self(source);
	w->phase = w->phase == PHASE_RUNNING || w->phase == PHASE_LAST ? PHASE_LAST : PHASE_END;
}

static void waits_close(struct nt_source *source)
{
	struct waits *w = self(source);
	end_watch(w);
	nt_perf_queue_fini(&w->queue);
	nt_outbox_fini(&w->box);
	free(w);
}

const struct nt_source_ops nt_source_perf_waits = {
	.name = "perf",
	.id = NT_SOURCE_PERF,
	.probe = waits_probe,
	.open = waits_open,
	.add = waits_add,
	.remove = waits_remove,
	.fd = waits_fd,
	.drain = waits_drain,
	.give_back = waits_give_back,
	.rest = waits_rest,
	.stats = waits_stats,
	.stop = waits_stop,
	.close = waits_close,
};
