// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf: CPU samples with call chains, and the mappings and threads that the kernel tells on the way. It works in rounds: all rings are read up to
 * one moment, the records are put in order of time, and leave as events, as many per batch as the caller wants; an IDLE event with that moment
 * ends the round. There is no descriptor to wait on (see perf_list.h): the loop's timer drives it.
 */
#include "nettop/source.h"

#include "base/alloc.h"
#include "source/common/price.h"
#include "source/common/sources.h"
#include "source/perf/perf.h"
#include "source/perf/perf_cover.h"
#include "source/perf/perf_duty.h"
#include "source/perf/perf_events.h"
#include "source/perf/perf_opening.h"
#include "source/perf/perf_queue.h"
#include "source/perf/perf_rate.h"
#include "source/perf/perf_refusal.h"
#include "source/perf/perf_weight.h"
#include "source/perf/switches.h"
#include "source/unwind/chain_mender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROUND_LEAST_MS = 40, /* between two readings of the rings: what makes drain() say AGAIN */
	REST_LEAST_MS = 250, /* asked of the loop, however small the rings are, and until all threads are attached to */
	SETTLE_MS = 2,       /* a record may become visible this long after the time that it carries */
	MEASURE_MS = 1000,   /* rhythm of measuring the rate of cycles */
	PRICE_MS = 1000,     /* rhythm of reading the target's context switches, after the first look */
	PRICE_FIRST_MS = 100,
	MAX_TARGET_COST_PCT = 5,
	CLOSE_WAIT_MS = 50,
	START_HZ = 125,      /* at most, of a program that nettop has started, at first: each sample delays its start */
	TRY_AGAIN_MS = 2000, /* after a refusal: what was in the way may have gone, or somebody has pasted the fix */
};

enum phase {
	PHASE_IDLE,    /* no target */
	PHASE_OPENING, /* attaching, on a thread of its own */
	PHASE_REFUSED, /* until the next attempt */
	PHASE_RUNNING, /* rounds */
	PHASE_LAST,    /* one more round, up to the very end */
	PHASE_END,
};

struct perf {
	struct nt_source base;
	const struct nt_source_config *config;
	struct nt_outbox box;
	const struct nt_target *target;  /* borrowed */
	struct nt_perf_opening *opening; /* owned; while attaching */
	struct nt_perf_attach *attach;   /* owned; afterwards */
	struct nt_perf_weight weight;
	struct nt_perf_rate rate;
	nt_time starts_until; /* START_HZ holds; 0 = not, or no more */
	uint64_t arrived;     /* samples, of whomever */
	uint64_t told_count;  /* samples of the target */
	uint64_t walked;      /* frames of their call chains that the kernel walked */
	/* Of events of tasks: what they cost it, and when they count. */
	struct nt_switches switches;
	struct nt_perf_duty duty;
	nt_time next_price;
	nt_time switches_from; /* records of switches are told from here on */
	struct nt_perf_queue queue;
	struct nt_chain_mender *mender; /* owned; NULL = chains are the kernel's */
	enum phase phase;
	char refusal[2 * NT_ERROR_TEXT]; /* that was said last */
	nt_time next_attempt;
	bool delivering; /* said so */
	struct nt_perf_cover cover;
	bool in_round;       /* records of this round are leaving */
	bool last_round;     /* and it is the last */
	nt_time round_until; /* every record up to here is in the queue */
	nt_time next_round, next_measure;
	uint64_t lost_told; /* by records */
	unsigned reading;   /* the list that is being read */
	uint64_t malformed_count;
};

static struct perf *self(struct nt_source *source)
{
	return (struct perf *)source;
}

/* What the kernel refuses is found by attaching, and tried again. */
static void perf_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	(void)target;
	(void)config;
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
}

static enum nt_status perf_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	(void)err;
	struct perf *p = nt_alloc(sizeof(*p));
	p->base.ops = &nt_source_perf;
	p->config = config;
	nt_outbox_init(&p->box, NT_SOURCE_PERF);
	*out = &p->base;
	return NT_OK;
}

static void state(struct perf *p, enum nt_source_state said, bool open, const char *reason, const char *fix)
{
	nt_outbox_state(&p->box, nt_clock_now(), p->target->pid, said, open, reason, fix);
}

static unsigned max_target_cost_pct(const struct perf *p)
{
	return p->config->max_target_cost_pct ? p->config->max_target_cost_pct : MAX_TARGET_COST_PCT;
}

static unsigned rate_hz(const struct perf *p)
{
	return (p->attach->features.hz + p->rate.divisor / 2) / p->rate.divisor;
}

/* Why there are fewer samples than the kernel would take. */
static void say_divided(const struct perf *p, struct nt_probe *out)
{
	unsigned hz = p->attach->features.hz;
	if (p->starts_until)
		snprintf(out->reason, sizeof(out->reason), "%u of %u samples per second of each CPU: the program is starting", rate_hz(p),
			 hz);
	else if (p->rate.divisor > 1)
		snprintf(out->reason, sizeof(out->reason),
			 "%u of %u samples per second of each CPU: so much is running that more would cost nettop more than they tell",
			 rate_hz(p), hz);
}

/* Samples come; what should be known about them. */
static void state_delivering(struct perf *p)
{
	const struct nt_perf_attach *attach = p->attach;
	struct nt_probe about = { .result = NT_PROBE_AVAILABLE };
	if (attach->features.switches)
		about.reason[0] = '\0';
	else if (p->duty.parts > 1)
		nt_perf_duty_say(&p->duty, attach->features.user_only, &about);
	else if (!nt_perf_refusal_part(attach, p->config->perf_hz, &about))
		say_divided(p, &about);
	struct nt_event *said =
		nt_outbox_state(&p->box, nt_clock_now(), p->target->pid, NT_STATE_DELIVERING, true, about.reason, about.fix);
	said->u.source_state.rate_hz = attach->features.switches ? 0 : rate_hz(p);
}

static enum nt_status start_opening(struct perf *p, struct nt_error *err)
{
	const struct nt_perf_wish wish = { .hz = p->config->perf_hz,
					   .dump_bytes = nt_perf_dump_bytes(p->config->call_graph),
					   .switches = p->config->perf_switches,
					   .of_tasks = p->config->perf_of_tasks };
	return nt_perf_opening_start(p->target, &wish, &p->opening, err);
}

static void detach(struct perf *p)
{
	nt_perf_opening_abandon(p->opening);
	nt_perf_attach_close(p->attach, CLOSE_WAIT_MS);
	nt_chain_mender_free(p->mender);
	p->opening = NULL;
	p->attach = NULL;
	p->mender = NULL;
	p->target = NULL;
	p->phase = PHASE_END;
}

static enum nt_status perf_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct perf *p = self(source);
	if (p->phase != PHASE_IDLE)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "CPU samples are taken of one process at a time");
	p->target = target;
	enum nt_status status = start_opening(p, err);
	if (status == NT_OK && nt_perf_dump_bytes(p->config->call_graph))
		status = nt_chain_mender_new(target, p->config, p->config->call_graph == NT_CALL_GRAPH_HYBRID, &p->mender, err);
	if (status != NT_OK) {
		detach(p);
		return status;
	}
	p->phase = PHASE_OPENING;
	state(p, NT_STATE_STARTING, true, NULL, NULL);
	return NT_OK;
}

static void perf_remove(struct nt_source *source, uint32_t pid)
{
	struct perf *p = self(source);
	if (p->target && p->target->pid == pid)
		detach(p);
}

static void refused(struct perf *p, enum nt_status status, const struct nt_error *err)
{
	char text[sizeof(p->refusal)];
	nt_error_reason(err, text, sizeof(text));
	if (strcmp(text, p->refusal) != 0) {
		state(p, status == NT_ERR_FORBIDDEN ? NT_STATE_FORBIDDEN : NT_STATE_ABSENT, false, text, err->fix);
		strcpy(p->refusal, text);
	}
	p->phase = status == NT_ERR_UNSUPPORTED ? PHASE_END : PHASE_REFUSED;
	p->next_attempt = nt_clock_now() + TRY_AGAIN_MS * NT_NS_PER_MS;
}

/* The first attempt said that it begins; of the others nothing is heard unless they succeed, or are refused for another reason. */
static void perf_on_tick(struct nt_source *source, nt_time now, bool closing)
{
	(void)closing;
	struct perf *p = self(source);
	if (p->phase != PHASE_REFUSED || now < p->next_attempt)
		return;
	p->next_attempt = now + TRY_AGAIN_MS * NT_NS_PER_MS;
	if (!nt_target_alive(p->target))
		p->phase = PHASE_END;
	else if (start_opening(p, NULL) == NT_OK)
		p->phase = PHASE_OPENING;
}

static void set_period(struct perf *p)
{
	uint64_t period_ns = p->rate.period_ns * p->rate.divisor;
	nt_perf_list_control(p->attach->lists[0], PERF_EVENT_IOC_PERIOD, (uintptr_t)&period_ns);
}

static unsigned start_divisor(const struct perf *p)
{
	unsigned divisor = 1;
	while (p->attach->features.hz > START_HZ * divisor)
		divisor *= 2;
	return divisor;
}

static void start_gently(struct perf *p, nt_time now)
{
	if (start_divisor(p) == 1)
		return;
	p->starts_until = now + NT_STARTING_MS * NT_NS_PER_MS;
	nt_perf_rate_set(&p->rate, start_divisor(p), now);
	set_period(p);
}

/* Attached yet? */
static void look_at_opening(struct perf *p)
{
	struct nt_error err = { 0 };
	enum nt_status status = nt_perf_opening_poll(&p->opening, &p->attach, &err);
	if (status == NT_AGAIN)
		return;
	if (status != NT_OK) {
		refused(p, status, &err);
		return;
	}
	nt_perf_rate_init(&p->rate, p->attach->features.hz, p->config->perf_most);
	nt_perf_duty_init(&p->duty, p->attach->features.switches ? NT_PRICE_SWITCH_RECORD : NT_PRICE_TASK_SWITCH, max_target_cost_pct(p));
	p->switches_from = nt_clock_now();
	nt_perf_weight_init(&p->weight, p->attach->features.hz);
	if (!p->attach->features.hardware)
		nt_perf_weight_is_time(&p->weight);
	if (p->config->starting && p->attach->features.of_cpus)
		start_gently(p, nt_clock_now());
	p->phase = PHASE_RUNNING;
	nt_perf_cover_say(&p->cover, &p->box, p->target->pid, nt_clock_now(), true);
}

bool nt_perf_is_attaching(struct nt_source *source)
{
	struct perf *p = self(source);
	if (p->phase == PHASE_OPENING)
		look_at_opening(p);
	return p->phase == PHASE_OPENING;
}

static int perf_fd(struct nt_source *source)
{
	(void)source;
	return -1;
}

/* ---- from the rings into the queue ---- */

/* Of events of CPUs everything comes along, and without inherit_thread child processes do: only what is the target's is kept. */
static bool put(void *context, const uint8_t *bytes, size_t length)
{
	struct perf *p = context;
	struct nt_perf_record record;
	if (nt_perf_record_is_sample_of_other(bytes, length, p->target->pid)) {
		p->box.stats.foreign_count++;
		p->arrived++;
		return true;
	}
	if (nt_perf_record_parse(bytes, length, &record) != NT_OK) {
		p->malformed_count++;
		return true;
	}
	if (record.kind == NT_PERF_OTHER || (record.kind != NT_PERF_LOST && record.pid != p->target->pid))
		return true;
	if (record.kind == NT_PERF_SAMPLE) {
		p->arrived++;
		p->walked += record.sample.chain_count;
	}
	/* Copies of the stack are too large to wait in the queue. */
	uint8_t mended[NT_PERF_REPLACED_MAX];
	size_t mended_length = 0;
	if (p->mender && record.kind == NT_PERF_SAMPLE)
		mended_length = nt_chain_mender_mend(p->mender, bytes, &record, mended);
	else if (p->mender && record.kind == NT_PERF_MAP && record.map.exec)
		nt_chain_mender_mapped(p->mender, record.map.start, record.map.start + record.map.length);
	nt_perf_queue_put(&p->queue, record.time, p->reading, mended_length ? mended : bytes, mended_length ? mended_length : length);
	return record.time <= p->round_until;
}

static void lost(struct perf *p, nt_time time, uint64_t count)
{
	if (count)
		nt_perf_add_lost(&p->box, p->target->pid, time, count);
	p->lost_told += count;
}

static void read_rings(struct perf *p)
{
	uint64_t unreadable = 0;
	for (p->reading = 0; p->reading < p->attach->list_count; p->reading++)
		unreadable += nt_perf_list_read(p->attach->lists[p->reading], put, p);
	nt_perf_queue_release(&p->queue, p->round_until);
	lost(p, p->round_until, unreadable);
}

/* ---- from the queue into the outbox ---- */

/*
 * Of events of CPUs the period is known: the kernel goes on writing the one with which they were opened (Linux 6.18: hw.last_period) after it was changed.
 */
static void tell_sample(struct perf *p, const struct nt_perf_record *record)
{
	unsigned times = nt_perf_rate_times(&p->rate, record->time);
	uint64_t weight_ns =
		p->attach->features.of_cpus ? p->rate.period_ns * times : times * nt_perf_weight_ns(&p->weight, record->sample.period);
	p->told_count++;
	nt_perf_add_sample(&p->box, p->target->pid, record, weight_ns, times, p->attach->features.stack_max);
}

static void tell(struct perf *p, const struct nt_perf_queued *queued, const uint8_t *bytes)
{
	struct nt_perf_record record;
	enum nt_status status = nt_perf_record_parse(bytes, queued->length, &record);
	nt_assert(status == NT_OK); /* it was parsed before it was put */
	uint32_t pid = p->target->pid;
	switch (record.kind) {
	case NT_PERF_SAMPLE:
		if (nt_perf_owners_count(&p->attach->owners, (pid_t)record.tid, queued->list, record.time))
			tell_sample(p, &record);
		break;
	case NT_PERF_SWITCH:
		if (nt_perf_owners_count(&p->attach->owners, (pid_t)record.tid, queued->list, record.time))
			nt_perf_add_switch(&p->box, pid, &record);
		break;
	case NT_PERF_MAP:
		nt_perf_add_map(&p->box, pid, &record);
		break;
	case NT_PERF_FORK:
		nt_perf_attach_born(p->attach, (pid_t)record.fork.parent_tid, (pid_t)record.tid);
		nt_perf_add_thread(&p->box, pid, &record);
		break;
	case NT_PERF_EXIT:
		if (p->attach->features.switches)
			nt_perf_add_switch(&p->box, pid, &record);
		nt_perf_attach_ended(p->attach, (pid_t)record.tid);
		nt_perf_add_thread(&p->box, pid, &record);
		break;
	case NT_PERF_COMM:
		nt_perf_add_thread(&p->box, pid, &record);
		break;
	case NT_PERF_LOST:
		lost(p, record.time, record.lost.count);
		break;
	default:
		break;
	}
}

/* The kernel writes LOST records only when the next record fits; what was lost last is told by the events' own counts. */
static uint64_t untold_losses(const struct perf *p)
{
	uint64_t total = 0;
	for (unsigned i = 0; i < p->attach->list_count; i++)
		total += nt_perf_list_lost(p->attach->lists[i]);
	return total > p->lost_told ? total - p->lost_told : 0;
}

/* ---- rounds ---- */

static void measure(struct perf *p, nt_time now)
{
	if (!p->attach->features.hardware || now < p->next_measure)
		return;
	uint64_t value, running_ns;
	nt_perf_list_sums(p->attach->lists[0], &value, &running_ns);
	nt_perf_weight_measure(&p->weight, value, running_ns);
	p->next_measure = now + MEASURE_MS * NT_NS_PER_MS;
}

static void begin_round(struct perf *p, nt_time now)
{
	p->next_round = now + ROUND_LEAST_MS * NT_NS_PER_MS;
	if (p->phase == PHASE_RUNNING && !nt_target_alive(p->target))
		p->phase = PHASE_LAST;
	p->last_round = p->phase == PHASE_LAST;
	/* The last round takes what there is: of the target nothing comes after it. */
	p->round_until = p->last_round ? now + SETTLE_MS * NT_NS_PER_MS : now - SETTLE_MS * NT_NS_PER_MS;
	measure(p, now);
	nt_perf_cover_reads(&p->cover, now);
	read_rings(p);
	p->in_round = true;
}

/* Between rounds: everything older has left with the weight that it had. */
static void adapt_rate(struct perf *p)
{
	nt_time now = nt_clock_now();
	if (!p->attach->features.of_cpus)
		return;
	bool changed = nt_perf_rate_look(&p->rate, p->arrived, now);
	if (p->starts_until && now >= p->starts_until) {
		p->starts_until = 0;
		changed = true;
		/* A load that asked for fewer still does so. */
		if (p->rate.divisor == start_divisor(p))
			nt_perf_rate_set(&p->rate, 1, now);
	}
	if (!changed)
		return;
	set_period(p);
	if (p->delivering)
		state_delivering(p);
}

/* What is told of the switches is of use only when all of it is: where that is too dear it ends, for good, and what was told until now stays true. */
static void stop_switches(struct perf *p, nt_time now)
{
	struct nt_probe about = { 0 };
	nt_perf_duty_say_ended(&p->duty, now - p->switches_from, &about);
	nt_perf_cover_say(&p->cover, &p->box, p->target->pid, now, false);
	state(p, NT_STATE_ABSENT, false, about.reason, about.fix);
	nt_perf_attach_close(p->attach, CLOSE_WAIT_MS);
	p->attach = NULL;
	p->in_round = false;
	p->phase = PHASE_END;
}

/* Let the events of tasks count as long as their price allows. */
static void keep_to_price(struct perf *p, nt_time now)
{
	if (p->attach->features.of_cpus)
		return;
	if (now >= p->next_price) {
		p->next_price = now + (p->duty.looked ? PRICE_MS : PRICE_FIRST_MS) * NT_NS_PER_MS;
		bool told = nt_switches_read(&p->switches, p->target->proc_dir);
		bool changed = told && nt_perf_duty_look(&p->duty, p->switches.cpu_ns, p->switches.count, now);
		if (p->attach->features.switches) {
			if (told && nt_perf_duty_is_too_dear(&p->duty))
				stop_switches(p, now);
			else
				p->duty.parts = 1;
		} else if (changed) {
			nt_perf_rate_set(&p->rate, p->duty.parts, now);
			if (p->delivering)
				state_delivering(p);
		}
	}
	if (!p->attach || p->attach->features.switches || !nt_perf_duty_turn(&p->duty, now))
		return;
	nt_perf_attach_pause(p->attach, !p->duty.on);
	nt_perf_cover_say(&p->cover, &p->box, p->target->pid, now, p->duty.on);
}

static void end_round(struct perf *p, nt_time now)
{
	p->in_round = false;
	if (p->last_round) {
		lost(p, now, untold_losses(p));
		nt_perf_cover_say(&p->cover, &p->box, p->target->pid, now, false);
		nt_outbox_add(&p->box, NT_EV_IDLE, now, p->target->pid, 0);
		state(p, NT_STATE_ENDED, false, NULL, NULL);
		p->phase = PHASE_END;
		return;
	}
	if (p->cover.since && untold_losses(p))
		nt_perf_cover_overflowed(&p->cover, &p->box, p->target->pid, nt_perf_attach_rest(p->attach));
	nt_outbox_add(&p->box, NT_EV_IDLE, p->round_until, p->target->pid, 0);
	if (!p->delivering) {
		p->delivering = true;
		state_delivering(p);
	}
	nt_perf_attach_settle(p->attach, now);
	adapt_rate(p);
}

static enum nt_status perf_drain(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)err;
	struct perf *p = self(source);
	nt_time now = nt_clock_now();
	if (p->phase == PHASE_OPENING)
		look_at_opening(p);
	if (p->phase == PHASE_RUNNING)
		keep_to_price(p, now);
	bool active = p->phase == PHASE_RUNNING || p->phase == PHASE_LAST;
	if (active && !p->in_round && (now >= p->next_round || p->phase == PHASE_LAST))
		begin_round(p, now);
	if (p->in_round) {
		const uint8_t *bytes;
		const struct nt_perf_queued *queued = NULL;
		for (unsigned told = 0; told < budget && (queued = nt_perf_queue_take(&p->queue, &bytes)); told++)
			tell(p, queued, bytes);
		if (!queued)
			end_round(p, now);
	}
	*take = nt_outbox_take(&p->box);
	return *take ? NT_OK : p->phase == PHASE_END ? NT_END : NT_AGAIN;
}

static nt_time perf_rest(struct nt_source *source)
{
	const struct perf *p = self(source);
	const nt_time least = REST_LEAST_MS * NT_NS_PER_MS;
	if (p->phase == PHASE_REFUSED)
		return TRY_AGAIN_MS * NT_NS_PER_MS;
	if (p->attach && p->duty.parts > 1 && !p->attach->features.switches) {
		nt_time now = nt_clock_now();
		return p->duty.turn > now ? p->duty.turn - now : 0;
	}
	if (!p->attach || !p->attach->settled)
		return least;
	nt_time rest = nt_perf_attach_rest(p->attach);
	return rest > least ? rest : least;
}

static void perf_give_back(struct nt_source *source, struct nt_batch *batch)
{
	nt_outbox_give_back(&self(source)->box, batch);
}

static void perf_stats(struct nt_source *source, struct nt_source_stats *out)
{
	struct perf *p = self(source);
	*out = p->box.stats;
	out->price_ns = nt_price_of(NT_PRICE_SAMPLE, p->told_count) + nt_price_of(NT_PRICE_FRAME, p->walked) + p->duty.paid_ns;
	out->price_unknown = p->attach && !p->attach->features.of_cpus && p->duty.whole < 0;
	if (p->mender) {
		out->cpu_ns = nt_chain_mender_cpu_ns(p->mender);
		out->helper_cpu_ns = nt_chain_mender_helper_cpu_ns(p->mender);
		out->helper_bytes = nt_chain_mender_helper_bytes(p->mender);
	}
}

/* The rings are read once more, up to now. Switching the events off would take as long as attaching did: closing them does it. */
static void perf_stop(struct nt_source *source)
{
	struct perf *p = self(source);
	if (p->phase == PHASE_RUNNING) {
		p->phase = PHASE_LAST;
	} else if (p->phase != PHASE_LAST) {
		nt_perf_opening_abandon(p->opening);
		p->opening = NULL;
		p->phase = PHASE_END;
	}
}

static void perf_close(struct nt_source *source)
{
	struct perf *p = self(source);
	detach(p);
	nt_perf_queue_fini(&p->queue);
	nt_switches_fini(&p->switches);
	nt_outbox_fini(&p->box);
	free(p);
}

const struct nt_source_ops nt_source_perf = {
	.name = "perf",
	.id = NT_SOURCE_PERF,
	.probe = perf_probe,
	.open = perf_open,
	.add = perf_add,
	.remove = perf_remove,
	.fd = perf_fd,
	.drain = perf_drain,
	.give_back = perf_give_back,
	.rest = perf_rest,
	.on_tick = perf_on_tick,
	.stats = perf_stats,
	.stop = perf_stop,
	.close = perf_close,
};
