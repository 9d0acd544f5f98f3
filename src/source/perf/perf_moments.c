// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perf source where somebody asks for something else than samples of CPU time (nt_source_config.moments): what happens as NT_EV_MOMENT, each with its call stack. As perf.c it works in
 * rounds: all rings are read up to one moment, and the records leave in order of time.
 *
 * What it costs the target is bounded (--max-target-cost): what happens often is told one in so many times, and where the
 * others cost too much, too, it is taken away for a part of the time.
 */
#include "nettop/source.h"

#include "base/alloc.h"
#include "decode/kernel/perf_record.h"
#include "source/common/outbox.h"
#include "source/common/price.h"
#include "source/common/sources.h"
#include "source/perf/perf_duty.h"
#include "source/perf/perf_queue.h"
#include "source/perf/tap_limit.h"
#include "source/perf/tap_opening.h"
#include "source/perf/tap_return.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	ROUND_LEAST_MS = 40, /* between two readings of the rings */
	REST_MS = 50,        /* asked of the loop: what floods the target must be noticed soon */
	SETTLE_MS = 2,       /* a record may become visible this long after the time that it carries */
};

enum phase { PHASE_IDLE, PHASE_OPENING, PHASE_RUNNING, PHASE_LAST, PHASE_END };

struct moments {
	struct nt_source base;
	const struct nt_source_config *config;
	const struct nt_target *target; /* borrowed */
	struct nt_outbox box;
	struct nt_tap_opening *opening; /* owned */
	struct nt_taps taps;
	struct nt_tap_limit limits[NT_MOMENTS_ASKED_MAX];
	struct nt_perf_queue queue;
	clockid_t clock; /* of the target's CPU time */
	bool has_clock;
	enum phase phase;
	bool delivering, in_round, last_round;
	nt_time round_until, next_round;
	unsigned reading;                       /* the tap whose rings are read */
	size_t ready[NT_MOMENTS_ASKED_MAX];     /* of each tap: its records that leave in this round */
	uint64_t pending[NT_MOMENTS_ASKED_MAX]; /* how often it happened without that a record has told it, when the round began */
	uint64_t frames;                        /* that the kernel has walked */
	uint64_t malformed_count;
};

static struct moments *self(struct nt_source *source)
{
	return (struct moments *)source;
}

static void moments_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	(void)target;
	(void)config;
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
}

static enum nt_status moments_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	(void)err;
	struct moments *m = nt_alloc(sizeof(*m));
	m->base.ops = &nt_source_perf_moments;
	m->config = config;
	nt_outbox_init(&m->box, NT_SOURCE_PERF);
	*out = &m->base;
	return NT_OK;
}

static void state(struct moments *m, enum nt_source_state said, bool open, const char *reason, const char *fix)
{
	nt_outbox_state(&m->box, nt_clock_now(), m->target->pid, said, open, reason, fix);
}

static void detach(struct moments *m)
{
	nt_tap_opening_abandon(m->opening);
	nt_taps_close(&m->taps);
	m->opening = NULL;
	m->target = NULL;
	m->phase = PHASE_END;
}

static enum nt_status moments_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct moments *m = self(source);
	if (m->phase != PHASE_IDLE)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "one process at a time is asked for what happens in it");
	enum nt_status status = nt_tap_opening_start(target, m->config, &m->opening, err);
	if (status != NT_OK)
		return status;
	m->target = target;
	m->has_clock = clock_getcpuclockid((pid_t)target->pid, &m->clock) == 0;
	m->phase = PHASE_OPENING;
	state(m, NT_STATE_STARTING, true, NULL, NULL);
	return NT_OK;
}

static void moments_remove(struct nt_source *source, uint32_t pid)
{
	struct moments *m = self(source);
	if (m->target && m->target->pid == pid)
		detach(m);
}

static void look_at_opening(struct moments *m)
{
	struct nt_error err = { 0 };
	char text[2 * NT_ERROR_TEXT];
	enum nt_status status = nt_tap_opening_poll(&m->opening, &m->taps, &err);
	if (status == NT_AGAIN)
		return;
	m->phase = status == NT_OK ? PHASE_RUNNING : PHASE_END;
	if (status != NT_OK)
		state(m, status == NT_ERR_FORBIDDEN ? NT_STATE_FORBIDDEN : NT_STATE_ABSENT, false,
		      nt_error_reason(&err, text, sizeof(text)), err.fix);
}

/* ---- what it may cost ---- */

static uint64_t target_cpu_ns(const struct moments *m)
{
	struct timespec used;
	return m->has_clock && clock_gettime(m->clock, &used) == 0 ? (uint64_t)used.tv_sec * NT_NS_PER_S + (uint64_t)used.tv_nsec : 0;
}

static enum nt_price hit_price(const struct nt_tap *tap)
{
	return nt_tap_is_probe(tap) ? NT_PRICE_PROBE : tap->asked->sort == NT_MOMENT_TRACEPOINT ? NT_PRICE_TRACEPOINT : NT_PRICE_SOFTWARE;
}

static struct nt_tap_sums sums_of(const struct nt_tap *tap, uint64_t cpu_ns)
{
	return (struct nt_tap_sums){ .hits = nt_tap_hits(tap),
				     .told = tap->arrived,
				     .cpu_ns = cpu_ns,
				     .hit_price_ns = nt_price_of(hit_price(tap), 1),
				     .told_price_ns = nt_price_of(NT_PRICE_TOLD, 1),
				     .removable = true };
}

/* What is told of it besides: that not each is told. */
static void say_parts(struct moments *m, enum nt_source_state said)
{
	char text[320] = "";
	for (size_t i = 0, used = 0; i < m->taps.count && used < sizeof(text); i++)
		if (m->limits[i].off_ns || m->limits[i].off)
			used += (size_t)snprintf(text + used, sizeof(text) - used,
						 "%s%s happens so often that to see each would cost the process too much: it was watched "
						 "%.1f %% of the time",
						 used ? "; " : "", m->taps.items[i].asked->word, nt_tap_limit_on_pct(&m->limits[i]));
	state(m, said, said == NT_STATE_DELIVERING, *text ? text : NULL, *text ? "start nettop with a higher --max-target-cost" : NULL);
}

static void keep_to_price(struct moments *m, nt_time now)
{
	unsigned pct = nt_perf_duty_limit_pct(m->config);
	uint64_t cpu_ns = target_cpu_ns(m);
	bool turned = false;
	for (size_t i = 0; i < m->taps.count; i++) {
		struct nt_tap *tap = &m->taps.items[i];
		struct nt_tap_limit *limit = &m->limits[i];
		const struct nt_tap_sums sums = sums_of(tap, cpu_ns);
		if (!nt_tap_limit_look(limit, &sums, (unsigned)(pct / m->taps.count) + (pct < m->taps.count),
				       NT_PERF_SAMPLES_MAX / (unsigned)m->taps.count, now))
			continue;
		nt_tap_divide(tap, limit->divisor, now);
		turned |= limit->off != !tap->on;
		nt_tap_turn(tap, !limit->off);
	}
	if (turned && m->delivering)
		say_parts(m, NT_STATE_DELIVERING);
}

/* ---- from the rings into the queue, and out of it ---- */

static bool put(void *context, const uint8_t *bytes, size_t length)
{
	struct moments *m = context;
	struct nt_tap *tap = &m->taps.items[m->reading];
	struct nt_perf_record record;
	uint8_t mended[NT_PERF_REPLACED_MAX];
	size_t mended_length = nt_tap_is_probe(tap) ? nt_tap_mend(bytes, length, tap->asked->sort == NT_MOMENT_CALL, mended) : 0;
	if (mended_length) {
		bytes = mended;
		length = mended_length;
	}
	if (nt_perf_record_parse(bytes, length, &record) != NT_OK) {
		m->malformed_count++;
		return true;
	}
	if (record.kind != NT_PERF_SAMPLE)
		return true; /* what was lost is counted where it was to be told */
	tap->arrived++;
	m->frames += record.sample.chain_count;
	if (record.pid != m->target->pid) {
		m->box.stats.foreign_count++;
		return true;
	}
	nt_perf_queue_put(&m->queue, record.time, m->reading, bytes, length);
	return record.time <= m->round_until;
}

static void read_rings(struct moments *m)
{
	for (m->reading = 0; m->reading < m->taps.count; m->reading++)
		for (size_t i = 0; i < m->taps.items[m->reading].ring_count; i++)
			nt_perf_ring_read(&m->taps.items[m->reading].rings[i], put, m);
	nt_perf_queue_release(&m->queue, m->round_until);
	for (size_t i = 0; i < m->taps.count; i++) {
		uint64_t hits = nt_tap_hits(&m->taps.items[i]), counted = m->taps.items[i].counted;
		m->pending[i] = hits > counted ? hits - counted : 0;
		m->ready[i] = 0;
	}
	for (size_t i = m->queue.next; i < m->queue.ready_count; i++)
		m->ready[m->queue.records[i].list]++;
}

/*
 * For how often the next record of a tap stands: all that happened goes to the records of its round in equal parts, so that the sum is never more than what happened. No part is larger than the
 * one in so many that was to be told: beyond, records are missing, and that is said in the end.
 */
static unsigned times_of(struct moments *m, unsigned number)
{
	const struct nt_perf_rate *rate = &m->taps.items[number].rate;
	uint64_t most = rate->divisor > rate->before ? rate->divisor : rate->before;
	uint64_t part = m->ready[number] ? (m->pending[number] + m->ready[number] / 2) / m->ready[number] : 1;
	part = part > most ? most : part < 1 ? 1 : part;
	m->ready[number] -= m->ready[number] > 0;
	m->pending[number] -= part < m->pending[number] ? part : m->pending[number];
	return (unsigned)part;
}

static void tell(struct moments *m, const struct nt_perf_queued *queued, const uint8_t *bytes)
{
	struct nt_perf_record record;
	enum nt_status status = nt_perf_record_parse(bytes, queued->length, &record);
	nt_assert(status == NT_OK); /* it was parsed before it was put */
	struct nt_tap *tap = &m->taps.items[queued->list];
	uint64_t addresses[NT_PERF_STACK_MAX];
	unsigned kernel_count, count = nt_perf_chain(&record, addresses, NT_PERF_STACK_MAX, &kernel_count);
	unsigned times = tap->of_tasks ? 1 : times_of(m, queued->list);
	/* Of a thread's software event a record may tell of several at once. */
	if (tap->of_tasks && !tap->period_ns && record.sample.period > 1 && record.sample.period < UINT32_MAX)
		times = (unsigned)record.sample.period;
	nt_stack stack = nt_interner_stack(m->box.interner, nt_outbox_batch(&m->box), addresses, kernel_count, count);
	struct nt_event *event = nt_outbox_add(&m->box, NT_EV_MOMENT, record.time, m->target->pid, record.tid);
	event->stack = stack;
	event->u.moment = (struct nt_ev_moment){ .weight = tap->period_ns ? tap->period_ns * times : times,
						 .count = times,
						 .what = m->taps.what[queued->list],
						 .cut = count >= 127 };
	tap->counted += times;
}

/* ---- rounds ---- */

static void begin_round(struct moments *m, nt_time now)
{
	m->next_round = now + ROUND_LEAST_MS * NT_NS_PER_MS;
	if (m->phase == PHASE_RUNNING && !nt_target_alive(m->target))
		m->phase = PHASE_LAST;
	m->last_round = m->phase == PHASE_LAST;
	if (m->last_round)
		for (size_t i = 0; i < m->taps.count; i++)
			nt_tap_turn(&m->taps.items[i], false); /* so that it can be said how many there were */
	m->round_until = m->last_round ? now + SETTLE_MS * NT_NS_PER_MS : now - SETTLE_MS * NT_NS_PER_MS;
	read_rings(m);
	m->in_round = true;
}

/* What happened, and no record told it: for want of room, or fewer than one in so many. Where, nobody knows. */
static void tell_lost(struct moments *m, nt_time time)
{
	struct nt_ev_lost said = { .count_known = 1, .what = NT_LOST_SAMPLES, .from = NT_TIME_UNKNOWN };
	for (size_t i = 0; i < m->taps.count; i++) {
		uint64_t hits = nt_tap_hits(&m->taps.items[i]), counted = m->taps.items[i].counted;
		said.count += hits > counted ? hits - counted : 0;
	}
	if (said.count)
		nt_outbox_lost(&m->box, time, m->target->pid, &said);
}

static void end_round(struct moments *m, nt_time now)
{
	m->in_round = false;
	if (m->last_round) {
		tell_lost(m, now);
		nt_outbox_add(&m->box, NT_EV_IDLE, now, m->target->pid, 0);
		say_parts(m, NT_STATE_ENDED);
		m->phase = PHASE_END;
		return;
	}
	nt_outbox_add(&m->box, NT_EV_IDLE, m->round_until, m->target->pid, 0);
	if (!m->delivering) {
		m->delivering = true;
		state(m, NT_STATE_DELIVERING, true, NULL, NULL);
	}
}

static enum nt_status moments_drain(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)err;
	struct moments *m = self(source);
	nt_time now = nt_clock_now();
	if (m->phase == PHASE_OPENING)
		look_at_opening(m);
	bool active = m->phase == PHASE_RUNNING || m->phase == PHASE_LAST;
	if (active && !m->in_round && (now >= m->next_round || m->phase == PHASE_LAST)) {
		begin_round(m, now);
		if (m->phase == PHASE_RUNNING)
			keep_to_price(m, now);
	}
	if (m->in_round) {
		const uint8_t *bytes;
		const struct nt_perf_queued *queued = NULL;
		for (unsigned told = 0; told < budget && (queued = nt_perf_queue_take(&m->queue, &bytes)); told++)
			tell(m, queued, bytes);
		if (!queued)
			end_round(m, now);
	}
	*take = nt_outbox_take(&m->box);
	return *take ? NT_OK : m->phase == PHASE_END ? NT_END : NT_AGAIN;
}

static int moments_fd(struct nt_source *source)
{
	(void)source;
	return -1;
}

static nt_time moments_rest(struct nt_source *source)
{
	(void)source;
	return REST_MS * NT_NS_PER_MS;
}

static void moments_give_back(struct nt_source *source, struct nt_batch *batch)
{
	nt_outbox_give_back(&self(source)->box, batch);
}

static void moments_stats(struct nt_source *source, struct nt_source_stats *out)
{
	struct moments *m = self(source);
	*out = m->box.stats;
	out->price_ns = nt_price_of(NT_PRICE_FRAME, m->frames);
	for (size_t i = 0; i < m->taps.count; i++)
		out->price_ns += m->limits[i].paid_ns;
}

/* The rings are read once more, up to now. */
static void moments_stop(struct nt_source *source)
{
	struct moments *m = self(source);
	if (m->phase == PHASE_RUNNING) {
		m->phase = PHASE_LAST;
	} else if (m->phase != PHASE_LAST) {
		nt_tap_opening_abandon(m->opening);
		m->opening = NULL;
		m->phase = PHASE_END;
	}
}

static void moments_close(struct nt_source *source)
{
	struct moments *m = self(source);
	detach(m);
	nt_perf_queue_fini(&m->queue);
	nt_outbox_fini(&m->box);
	free(m);
}

const struct nt_source_ops nt_source_perf_moments = {
	.name = "perf",
	.id = NT_SOURCE_PERF,
	.probe = moments_probe,
	.open = moments_open,
	.add = moments_add,
	.remove = moments_remove,
	.fd = moments_fd,
	.drain = moments_drain,
	.give_back = moments_give_back,
	.rest = moments_rest,
	.stats = moments_stats,
	.stop = moments_stop,
	.close = moments_close,
};
