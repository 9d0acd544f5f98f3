// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_watch.h"

#include "base/alloc.h"
#include "source/common/price.h"
#include "source/perf/perf_refusal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROUND_LEAST_MS = 40, /* between two readings of the rings: what makes drain() say AGAIN */
	REST_LEAST_MS = 250, /* asked of the loop, however small the rings are, and until all threads are attached to */
	SETTLE_MS = 2,       /* a record may become visible this long after the time that it carries */
	CLOSE_WAIT_MS = 50,
	MEASURE_MS = 1000,   /* rhythm of measuring the rate of cycles */
	TRY_AGAIN_MS = 2000, /* after a refusal: what was in the way may have gone, or somebody has pasted the fix */
};

/* ---- what is said of it ---- */

static void state(struct nt_perf_watch *p, enum nt_source_state said, bool open, const char *reason, const char *fix)
{
	nt_outbox_state(p->box, nt_clock_now(), p->target->pid, said, open, reason, fix);
}

static unsigned rate_hz(const struct nt_perf_watch *p)
{
	return nt_perf_rate_hz(&p->rate, p->attach->features.hz);
}

/* Why there are fewer samples than the kernel would take. */
static void say_divided(const struct nt_perf_watch *p, struct nt_probe *out)
{
	unsigned hz = p->attach->features.hz;
	if (p->starts_until)
		snprintf(out->reason, sizeof(out->reason), "%u of %u samples per second of each CPU: the program is starting", rate_hz(p),
			 hz);
	else
		nt_perf_rate_say(&p->rate, hz, out);
}

static void add_reason(const struct nt_probe *further, struct nt_probe *out)
{
	size_t length = strlen(out->reason);
	snprintf(out->reason + length, sizeof(out->reason) - length, "%s%s", length ? "; " : "", further->reason);
	if (!out->fix[0])
		memcpy(out->fix, further->fix, sizeof(out->fix));
}

/* Samples come; what should be known about them. */
static void say_delivering(struct nt_perf_watch *p, bool gap)
{
	const struct nt_perf_attach *attach = p->attach;
	struct nt_probe about = { .result = NT_PROBE_AVAILABLE };
	if (attach->features.switches)
		about.reason[0] = '\0';
	else if (p->duty.parts > 1) {
		nt_perf_duty_say(&p->duty, attach->features.user_only, &about);
		nt_perf_refusal_cpus(&about);
	} else if (!nt_perf_refusal_part(attach, p->config->perf_hz, &about))
		say_divided(p, &about);
	if (p->no_switches.reason[0])
		add_reason(&p->no_switches, &about);
	struct nt_event *said = nt_outbox_state(p->box, nt_clock_now(), p->target->pid, NT_STATE_DELIVERING, true, about.reason, about.fix);
	said->u.source_state.rate_hz = attach->features.switches ? 0 : rate_hz(p);
	said->u.source_state.no_switches = (uint32_t)p->why_no_switches;
	said->u.source_state.no_switches_reason = nt_outbox_str(p->box, p->no_switches.reason);
	said->u.source_state.no_switches_fix = nt_outbox_str(p->box, p->no_switches.fix);
	if (p->switches_told && !gap)
		said->u.source_state.brings = NT_WANT_SWITCHES | (nt_switch_watch_is_timed(p->switched) ? NT_WANT_SWITCH_TIMES : 0);
}

static void state_delivering(struct nt_perf_watch *p)
{
	say_delivering(p, false);
}

/* ---- attaching ---- */

static enum nt_status start_opening(struct nt_perf_watch *p, struct nt_error *err)
{
	const struct nt_perf_wish wish = { .hz = p->config->perf_hz,
					   .dump_bytes = nt_perf_dump_bytes(p->config->call_graph),
					   .switches = p->config->perf_switches,
					   .of_tasks = p->config->perf_of_tasks };
	return nt_perf_opening_start(p->target, &wish, &p->opening, err);
}

enum nt_status nt_perf_watch_new(const struct nt_source_config *config, struct nt_outbox *box, const struct nt_target *target,
				 struct nt_perf_watch **out, struct nt_error *err)
{
	struct nt_perf_watch *p = nt_alloc(sizeof(*p));
	p->config = config;
	p->box = box;
	p->target = target;
	enum nt_status status = start_opening(p, err);
	if (status == NT_OK && nt_perf_dump_bytes(config->call_graph))
		status = nt_chain_mender_new(target, config, config->call_graph == NT_CALL_GRAPH_HYBRID, &p->mender, err);
	if (status != NT_OK) {
		nt_perf_watch_free(p);
		return status;
	}
	state(p, NT_STATE_STARTING, true, NULL, NULL);
	*out = p;
	return NT_OK;
}

void nt_perf_watch_free(struct nt_perf_watch *p)
{
	if (!p)
		return;
	nt_perf_opening_abandon(p->opening);
	nt_perf_attach_close(p->attach, CLOSE_WAIT_MS);
	nt_chain_mender_free(p->mender);
	nt_perf_opening_abandon(p->switch_opening);
	nt_switch_watch_free(p->switched);
	nt_perf_queue_fini(&p->queue);
	nt_switches_fini(&p->switches);
	free(p);
}

static void refused(struct nt_perf_watch *p, enum nt_status status, const struct nt_error *err)
{
	char text[sizeof(p->refusal)];
	nt_error_reason(err, text, sizeof(text));
	if (strcmp(text, p->refusal) != 0) {
		state(p, status == NT_ERR_FORBIDDEN ? NT_STATE_FORBIDDEN : NT_STATE_ABSENT, false, text, err->fix);
		strcpy(p->refusal, text);
	}
	p->phase = status == NT_ERR_UNSUPPORTED ? NT_PERF_END : NT_PERF_REFUSED;
	p->next_attempt = nt_clock_now() + TRY_AGAIN_MS * NT_NS_PER_MS;
}

/* The first attempt said that it begins; of the others nothing is heard unless they succeed, or are refused for another reason. */
void nt_perf_watch_tick(struct nt_perf_watch *p, nt_time now)
{
	if (p->phase != NT_PERF_REFUSED || now < p->next_attempt)
		return;
	p->next_attempt = now + TRY_AGAIN_MS * NT_NS_PER_MS;
	if (!nt_target_alive(p->target))
		p->phase = NT_PERF_END;
	else if (start_opening(p, NULL) == NT_OK)
		p->phase = NT_PERF_OPENING;
}

/* Attached yet? */
static void look_at_opening(struct nt_perf_watch *p)
{
	struct nt_error err = { 0 };
	enum nt_status status = nt_perf_opening_poll(&p->opening, &p->attach, &err);
	if (status == NT_AGAIN)
		return;
	if (status == NT_OK && p->config->all_time && (status = nt_perf_switches_need(p, &err)) != NT_OK) {
		nt_perf_attach_close(p->attach, CLOSE_WAIT_MS);
		p->attach = NULL;
	}
	if (status != NT_OK) {
		refused(p, status, &err);
		return;
	}
	nt_perf_price_begin(p);
	p->switches_from = nt_clock_now();
	nt_perf_weight_init(&p->weight, p->attach->features.hz);
	if (!p->attach->features.hardware)
		nt_perf_weight_is_time(&p->weight);
	p->phase = NT_PERF_RUNNING;
	nt_perf_cover_say(&p->cover, p->box, p->target->pid, nt_clock_now(), true);
}

bool nt_perf_watch_is_attaching(struct nt_perf_watch *p)
{
	if (p->phase == NT_PERF_OPENING)
		look_at_opening(p);
	return p->phase == NT_PERF_OPENING;
}

/* ---- rounds ---- */

static void measure(struct nt_perf_watch *p, nt_time now)
{
	if (!p->attach->features.hardware || now < p->next_measure)
		return;
	uint64_t value, running_ns;
	nt_perf_list_sums(p->attach->lists[0], &value, &running_ns);
	nt_perf_weight_measure(&p->weight, value, running_ns);
	p->next_measure = now + MEASURE_MS * NT_NS_PER_MS;
}

static void begin_round(struct nt_perf_watch *p, nt_time now)
{
	p->next_round = now + ROUND_LEAST_MS * NT_NS_PER_MS;
	if (p->phase == NT_PERF_RUNNING && !nt_target_alive(p->target))
		p->phase = NT_PERF_LAST;
	p->last_round = p->phase == NT_PERF_LAST;
	/* The last round takes what there is: of the target nothing comes after it. */
	p->round_until = p->last_round ? now + SETTLE_MS * NT_NS_PER_MS : now - SETTLE_MS * NT_NS_PER_MS;
	measure(p, now);
	nt_perf_cover_reads(&p->cover, now);
	nt_perf_switches_read(p, now);
	nt_perf_round_read(p);
	p->in_round = true;
}

static void end_round(struct nt_perf_watch *p, nt_time now)
{
	p->in_round = false;
	if (p->last_round) {
		nt_perf_round_lost(p, now, nt_perf_round_untold(p));
		nt_perf_switches_gap(p);
		nt_perf_switches_end(p, now);
		nt_perf_cover_say(&p->cover, p->box, p->target->pid, now, false);
		nt_outbox_add(p->box, NT_EV_IDLE, now, p->target->pid, 0);
		state(p, NT_STATE_ENDED, false, NULL, NULL);
		p->phase = NT_PERF_END;
		return;
	}
	if (p->cover.since && nt_perf_round_untold(p))
		nt_perf_cover_overflowed(&p->cover, p->box, p->target->pid, nt_perf_attach_rest(p->attach));
	if (nt_perf_switches_gap(p)) {
		say_delivering(p, true);
		say_delivering(p, false);
	}
	nt_outbox_add(p->box, NT_EV_IDLE, p->round_until, p->target->pid, 0);
	if (!p->delivering) {
		p->delivering = true;
		state_delivering(p);
	}
	nt_perf_attach_settle(p->attach, now);
	if (nt_perf_price_adapt(p) && p->delivering)
		state_delivering(p);
}

/* What is told of the switches is of use only when all of it is: where that is too dear it ends, for good, and what was told until now stays true. */
static void stop_switches(struct nt_perf_watch *p, nt_time now)
{
	struct nt_probe about = { 0 };
	nt_perf_duty_say_ended(&p->duty, now - p->switches_from, &about);
	nt_perf_cover_say(&p->cover, p->box, p->target->pid, now, false);
	state(p, NT_STATE_ABSENT, false, about.reason, about.fix);
	nt_perf_attach_close(p->attach, CLOSE_WAIT_MS);
	p->attach = NULL;
	p->in_round = false;
	p->phase = NT_PERF_END;
}

static void keep_to_price(struct nt_perf_watch *p, nt_time now)
{
	enum nt_perf_priced priced = nt_perf_price_keep(p, now);
	if (priced == NT_PERF_TOO_DEAR)
		stop_switches(p, now);
	else if (priced == NT_PERF_CHANGED && p->delivering)
		state_delivering(p);
}

void nt_perf_watch_go_on(struct nt_perf_watch *p, unsigned budget, nt_time now)
{
	if (p->phase == NT_PERF_OPENING)
		look_at_opening(p);
	if (p->phase == NT_PERF_RUNNING)
		keep_to_price(p, now);
	if (p->phase == NT_PERF_RUNNING && p->delivering && nt_perf_switches_turn(p, now))
		state_delivering(p);
	bool active = p->phase == NT_PERF_RUNNING || p->phase == NT_PERF_LAST;
	if (active && !p->in_round && (now >= p->next_round || p->phase == NT_PERF_LAST))
		begin_round(p, now);
	if (p->in_round && !nt_perf_round_tell(p, budget))
		end_round(p, now);
}

nt_time nt_perf_watch_rest(const struct nt_perf_watch *p)
{
	const nt_time least = REST_LEAST_MS * NT_NS_PER_MS;
	if (p->phase == NT_PERF_REFUSED)
		return TRY_AGAIN_MS * NT_NS_PER_MS;
	if (p->switched)
		return NT_SWITCH_ROUND_MS * NT_NS_PER_MS;
	if (p->attach && p->duty.parts > 1 && !p->attach->features.switches) {
		nt_time now = nt_clock_now();
		return p->duty.turn > now ? p->duty.turn - now : 0;
	}
	if (!p->attach || !p->attach->settled)
		return least;
	nt_time rest = nt_perf_attach_rest(p->attach);
	return rest > least ? rest : least;
}

void nt_perf_watch_stats(struct nt_perf_watch *p, struct nt_source_stats *out)
{
	out->price_ns += nt_price_of(NT_PRICE_SAMPLE, p->told_count) + nt_price_of(NT_PRICE_FRAME, p->walked) + p->duty.paid_ns;
	out->price_ns += p->switched_paid_ns + nt_switch_watch_paid_ns(p->switched);
	out->price_unknown |= p->attach && !p->attach->features.of_cpus && p->duty.whole < 0;
	nt_switch_watch_cost(p->switched, out);
	nt_chain_mender_cost(p->mender, out);
}

/* The rings are read once more, up to now. Switching the events off would take as long as attaching did: closing them does it. */
void nt_perf_watch_stop(struct nt_perf_watch *p)
{
	if (p->phase == NT_PERF_RUNNING) {
		p->phase = NT_PERF_LAST;
	} else if (p->phase != NT_PERF_LAST) {
		nt_perf_opening_abandon(p->opening);
		p->opening = NULL;
		p->phase = NT_PERF_END;
	}
}
