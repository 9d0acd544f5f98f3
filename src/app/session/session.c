// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/session.h"

#include "app/common/own_memory.h"
#include "app/session/demand.h"
#include "app/session/rhythm.h"
#include "base/alloc.h"
#include "source/common/sources.h"
#include "source/lttng/lttng.h"
#include "target/needs/lttng_delivers.h"

#include "app/session/session_internal.h"
#include "app/session/unasked.h"

#include <stdlib.h>
#include <string.h>

enum {
	DRAIN_EVENTS = 4096,                   /* events per batch asked from a source */
	DRAIN_ROUNDS = 16,                     /* batches per source and pump: a flood must not starve the keys */
	ASK_MS = 100,                          /* rhythm of questions about code that may be freed, */
	PASSING_S = 30,                        /* for so long after some was sampled of which nobody knew */
	SELF_MS = 900,                         /* rhythm of the SELF event: once in an interval of a second */
	STARTED_MS = NT_JIT_STARTUP_MS + 1000, /* a program that nettop starts begins after us */
};

static struct nt_slot *slot_of(struct nt_session *session, enum nt_source_id id)
{
	for (size_t i = 0; i < session->slot_count; i++)
		if (session->slots[i].ops->id == id)
			return &session->slots[i];
	return NULL;
}

static bool is_open(struct nt_session *session, enum nt_source_id id)
{
	const struct nt_slot *slot = slot_of(session, id);
	return slot && slot->source && !slot->ended;
}

/* By the newest snapshot; of a source that is not open, or not any more, that it has ended. */
static enum nt_source_state state_of(struct nt_session *session, enum nt_source_id id, const struct nt_snapshot *snapshot)
{
	for (size_t i = 0; is_open(session, id) && i < snapshot->source_count; i++)
		if (snapshot->sources[i].id == id)
			return snapshot->sources[i].state;
	return is_open(session, id) ? NT_STATE_STARTING : NT_STATE_ENDED;
}

/* Begin what app/ decides for the model. */
static struct nt_event *decide(struct nt_session *session, enum nt_event_kind kind, nt_time now)
{
	return nt_inputs_begin(&session->inputs, NT_SOURCE_APP, kind, now, session->setup.target->pid);
}

static void keep_stacks(struct nt_session *session, enum nt_stacks_wanted wanted)
{
	if (session->stacks == wanted)
		return;
	session->stacks = wanted;
	decide(session, NT_EV_KEEP_STACKS, nt_clock_now())->u.keep_stacks.wanted = (uint32_t)wanted;
	nt_inputs_send(&session->inputs);
}

static bool needs_map(const struct nt_session *session)
{
	return !session->leaving && (session->setup.options->want_map || (!session->read && !session->setup.perf_map_never));
}

/* Tell the sources what is wanted of them, as far as that has changed. */
static void ask_for(struct nt_session *session)
{
	unsigned wanted = session->looked_at | session->always;
	const unsigned with_addresses =
		NT_WANT_WALL_SAMPLES | NT_WANT_STACKS | NT_WANT_ALLOC_SAMPLES | (session->chosen.with_stacks ? NT_WANT_TOLD : 0);
	const struct nt_demand_facts facts = {
		.mode = session->setup.target->mode,
		.left_out = nt_target_lttng_leaves_out(session->setup.target),
		.lttng = session->lttng.carries,
		.eventpipe = session->eventpipe_can,
		.looked_at = wanted | (session->setup.options->output == NT_OUTPUT_JSON ? NT_WANT_DESCRIPTORS : 0),
		.needs_map = needs_map(session),
		.unmapped = !session->mapped && !session->read && (is_open(session, NT_SOURCE_PERF) || wanted & with_addresses),
		.batch = session->setup.options->output != NT_OUTPUT_SCREEN,
		.compilations_only = session->setup.compilations_only,
		.counters_only = nt_options_counters_only(session->setup.options) && !session->setup.options->trigger_count,
		.told_only = session->setup.options->event_stacks,
		.unjudged = session->setup.options->command == NT_COMMAND_STACKS,
		.requests = session->wants_requests,
		.compilations = nt_session_asks_unasked(session, nt_clock_now()),
		.moments = session->setup.options->moment_count || session->setup.options->all_time,
	};
	keep_stacks(session, wanted & NT_WANT_CALL_STACKS ? NT_STACKS_WINDOW : session->setup.stacks);
	nt_session_tell(session, wanted);
	for (size_t i = 0; i < session->slot_count; i++) {
		struct nt_slot *slot = &session->slots[i];
		unsigned demand = nt_demand_of(slot->ops->id, &facts);
		if (!slot->source || slot->ended || !slot->ops->want || (slot->asked && slot->demand == demand))
			continue;
		slot->ops->want(slot->source, demand);
		slot->asked = true;
		slot->demand = demand;
	}
}

/* State for a source that is not open. */
static void state_closed(struct nt_session *session, enum nt_source_id id, enum nt_source_state state, const char *reason, const char *fix)
{
	struct nt_batch *batch = session->inputs.own;
	struct nt_event *event = nt_inputs_begin(&session->inputs, id, NT_EV_SOURCE_STATE, nt_clock_now(), session->setup.target->pid);
	event->u.source_state.state = (uint32_t)state;
	if (*reason) {
		event->u.source_state.reason = 1;
		nt_batch_announce_str(batch, 1, reason, strlen(reason));
	}
	if (*fix) {
		event->u.source_state.fix = 2;
		nt_batch_announce_str(batch, 2, fix, strlen(fix));
	}
	nt_inputs_send(&session->inputs);
}

/* The source that was opened before there was a target, if this is it: taken. */
static struct nt_source *take_early(struct nt_session *session, const struct nt_source_ops *ops)
{
	struct nt_source **early = session->setup.early;
	struct nt_source *source = early ? early[ops->id] : NULL;
	if (source)
		early[ops->id] = NULL;
	return source;
}

/* One that was opened before there was a target is not. */
static bool is_passed_over(const struct nt_session *session, const struct nt_source_ops *ops)
{
	const struct nt_session_setup *setup = &session->setup;
	return ops->id == NT_SOURCE_LTTNG && !(setup->early && setup->early[NT_SOURCE_LTTNG]) &&
	       nt_demand_passes_over_lttng(setup->options, &session->config, setup->target);
}

/* Open it and add the target, or take the one that was opened before there was a target. */
static enum nt_status have_source(struct nt_session *session, const struct nt_source_ops *ops, struct nt_source **out, struct nt_error *err)
{
	*out = take_early(session, ops);
	if (*out) {
		if (ops->id == NT_SOURCE_LTTNG)
			nt_lttng_target_runs(*out);
		return NT_OK;
	}
	enum nt_status status = ops->open(&session->config, out, err);
	if (status != NT_OK)
		return status;
	status = ops->add(*out, session->setup.target, err);
	if (status != NT_OK)
		ops->close(*out);
	return status;
}

static void start_source(struct nt_session *session, struct nt_slot *slot)
{
	struct nt_error err = { 0 };
	enum nt_status status = have_source(session, slot->ops, &slot->source, &err);
	if (status == NT_OK)
		return;
	char text[2 * NT_ERROR_TEXT];
	nt_error_reason(&err, text, sizeof(text));
	state_closed(session, slot->ops->id, status == NT_ERR_FORBIDDEN ? NT_STATE_FORBIDDEN : NT_STATE_ABSENT, text, err.fix);
	slot->source = NULL;
}

static void open_source(struct nt_session *session, const struct nt_source_ops *ops)
{
	if (ops->id == NT_SOURCE_PERF && nt_moments_are_waits(session->setup.options->moments, session->setup.options->moment_count))
		ops = &nt_source_perf_waits;
	else if (ops->id == NT_SOURCE_PERF && session->setup.options->moment_count)
		ops = &nt_source_perf_moments;
	const struct nt_target *target = session->setup.target;
	struct nt_slot *slot = &session->slots[session->slot_count++];
	*slot = (struct nt_slot){ .ops = ops };
	if (!(session->setup.options->source_mask & 1u << ops->id)) {
		state_closed(session, ops->id, NT_STATE_UNUSED, "not asked for (--source)", "");
		return;
	}
	if (ops->id == NT_SOURCE_PERF && session->looked_at & NT_WANT_WALL_SAMPLES) {
		state_closed(session, ops->id, NT_STATE_UNUSED, "the runtime's own sampler is asked for in its place (--wall)", "");
		return;
	}
	struct nt_probe probe = { .result = NT_PROBE_AVAILABLE };
	ops->probe(target, &session->config, &probe);
	if (probe.result != NT_PROBE_AVAILABLE) {
		struct nt_source *early = take_early(session, ops);
		if (early)
			ops->close(early);
		state_closed(session, ops->id, probe.result == NT_PROBE_ABSENT ? NT_STATE_ABSENT : NT_STATE_FORBIDDEN, probe.reason,
			     probe.fix);
		return;
	}
	if (is_passed_over(session, ops)) {
		slot->passed_over = true;
		state_closed(session, ops->id, NT_STATE_UNUSED, NT_DEMAND_PASSED_OVER, "");
		return;
	}
	start_source(session, slot);
}

/* EventPipe cannot be had: LTTng, which was left out for it, brings little, but that is more than nothing. */
static void open_passed_over(struct nt_session *session)
{
	struct nt_slot *slot = slot_of(session, NT_SOURCE_LTTNG);
	if (!slot || !slot->passed_over || !nt_target_alive(session->setup.target))
		return;
	slot->passed_over = false;
	start_source(session, slot);
	nt_handover_init(&session->lttng, slot->source);
	int fd = slot->source ? slot->ops->fd(slot->source) : -1;
	if (session->loop && fd >= 0)
		nt_loop_watch(session->loop, fd, NULL);
}

/* Do the runtime's own data name code, as far as is known? */
static bool are_names_read(struct nt_session *session, const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *row = nt_snapshot_source(snapshot, NT_SOURCE_RUNTIME);
	return is_open(session, NT_SOURCE_RUNTIME) && (!row || row->brings & NT_WANT_METHOD_NAMES);
}

/* Which sources are relied on from now on. */
static void rely(struct nt_session *session, const struct nt_snapshot *snapshot)
{
	enum nt_source_state eventpipe = state_of(session, NT_SOURCE_EVENTPIPE, snapshot);
	session->eventpipe_can = eventpipe != NT_STATE_ABSENT && eventpipe != NT_STATE_FORBIDDEN && eventpipe != NT_STATE_ENDED;
	enum nt_source_state map = state_of(session, NT_SOURCE_CODEMAP, snapshot);
	session->mapped = nt_demand_is_mapped(session->setup.target, map, session->setup.perf_map_later);
	session->read = are_names_read(session, snapshot);
	/* The clock's time: when nettop itself stood still, many intervals end at once, and nobody has lacked patience. */
	nt_time now = nt_clock_now();
	nt_handover_see(&session->lttng, state_of(session, NT_SOURCE_LTTNG, snapshot), now);
	if (!nt_handover_see(&session->eventpipe, eventpipe, now))
		open_passed_over(session);
}

static void deliver(struct nt_session *session, struct nt_snapshot *snapshot)
{
	if (!snapshot->final) {
		rely(session, snapshot);
		ask_for(session);
	}
	session->wants_compilations = false;
	for (size_t i = 0; i < snapshot->process_count; i++) {
		session->target_ended |= snapshot->processes[i].target.ended;
		session->wants_requests |= snapshot->processes[i].wants_requests;
		session->wants_compilations |= snapshot->processes[i].wants_compilations;
		if (snapshot->processes[i].passing_code)
			session->passing_until = nt_clock_now() + PASSING_S * NT_NS_PER_S;
	}
	session->setup.sink(session->setup.sink_context, snapshot);
}

/* As long as the source with the least patience allows. */
static nt_time look_period(const struct nt_session *session)
{
	nt_time period = (nt_clock_now() < session->passing_until ? ASK_MS : NT_RHYTHM_PERIOD_MS) * NT_NS_PER_MS;
	for (size_t i = 0; i < session->slot_count; i++) {
		const struct nt_slot *slot = &session->slots[i];
		nt_time rest = slot->source && !slot->ended && slot->ops->rest ? slot->ops->rest(slot->source) : period;
		period = rest < period ? rest : period;
	}
	return period;
}

static void plan_next_look(struct nt_session *session, nt_time now)
{
	session->next_look = nt_rhythm_next(now, nt_model_interval_end(session->inputs.model), look_period(session));
}

struct nt_session *nt_session_new(const struct nt_session_setup *setup)
{
	nt_own_memory_begin();
	struct nt_session *session = nt_alloc(sizeof(*session));
	session->setup = *setup;
	session->config = nt_session_config(setup);
	struct nt_model_config model_config;
	nt_model_config_init(&model_config);
	model_config.pid = setup->target->pid;
	model_config.start = setup->since ? setup->since : nt_clock_now();
	model_config.interval_ns = setup->options->delay_ns;
	nt_inputs_init(&session->inputs, &model_config, setup->options->check_replay, setup->tape);
	keep_stacks(session, setup->stacks);
	session->self_cost = nt_self_cost_new(setup->keeper);
	session->looked_at = nt_session_samples_wall(setup) ? NT_WANT_WALL_SAMPLES : 0;
	session->always = nt_session_always(setup);
	session->starts_until = setup->child ? model_config.start + STARTED_MS * NT_NS_PER_MS : 0;
	nt_session_begin_telling(session);
	open_source(session, nt_sources[0]);
	plan_next_look(session, model_config.start);
	return session;
}

void nt_session_open_sources(struct nt_session *session)
{
	for (size_t i = 1; nt_sources[i]; i++)
		open_source(session, nt_sources[i]);
	nt_handover_init(&session->lttng, is_open(session, NT_SOURCE_LTTNG));
	session->eventpipe_can = is_open(session, NT_SOURCE_EVENTPIPE);
	nt_handover_init(&session->eventpipe, session->eventpipe_can);
	enum nt_source_state map = is_open(session, NT_SOURCE_CODEMAP) ? NT_STATE_STARTING : NT_STATE_ENDED;
	session->mapped = nt_demand_is_mapped(session->setup.target, map, session->setup.perf_map_later);
	session->read = is_open(session, NT_SOURCE_RUNTIME);
	/* Whether there is some is not known before the first interval has ended. */
	nt_time first_ns = session->setup.options->delay_ns, most_ns = PASSING_S * NT_NS_PER_S;
	session->passing_until = session->read ? nt_clock_now() + (first_ns < most_ns ? first_ns : most_ns) : 0;
	ask_for(session);
	plan_next_look(session, nt_clock_now()); /* they may want more looks */
	nt_own_memory_keep_ready(is_open(session, NT_SOURCE_LTTNG));
}

size_t nt_session_descriptors(const struct nt_session *session, int fds[NT_SOURCE_COUNT])
{
	size_t count = 0;
	for (size_t i = 0; i < session->slot_count; i++) {
		const struct nt_slot *slot = &session->slots[i];
		int fd = slot->source ? slot->ops->fd(slot->source) : -1;
		if (fd >= 0)
			fds[count++] = fd;
	}
	return count;
}

void nt_session_watch(struct nt_session *session, struct nt_loop *loop)
{
	session->loop = loop;
	int fds[NT_SOURCE_COUNT];
	for (size_t i = 0, count = nt_session_descriptors(session, fds); i < count; i++)
		nt_loop_watch(loop, fds[i], NULL);
}

/* True when the source has nothing more to give for now. */
static bool drain_once(struct nt_session *session, struct nt_slot *slot)
{
	struct nt_batch *batch = NULL;
	struct nt_error err = { 0 };
	enum nt_status status = slot->ops->drain(slot->source, DRAIN_EVENTS, &batch, &err);
	if (status == NT_OK) {
		nt_inputs_batch(&session->inputs, batch);
		slot->ops->give_back(slot->source, batch);
		return false;
	}
	if (status == NT_AGAIN)
		return true;
	slot->ended = true;
	if (status < 0) {
		char text[2 * NT_ERROR_TEXT];
		state_closed(session, slot->ops->id, NT_STATE_ENDED, nt_error_reason(&err, text, sizeof(text)), err.fix);
	}
	return true;
}

static void drain_all(struct nt_session *session)
{
	for (size_t i = 0; i < session->slot_count; i++) {
		struct nt_slot *slot = &session->slots[i];
		for (int round = 0; slot->source && !slot->ended && round < DRAIN_ROUNDS; round++)
			if (drain_once(session, slot))
				break;
	}
}

static void look(struct nt_session *session, nt_time now, bool closing)
{
	for (size_t i = 0; i < session->slot_count; i++) {
		struct nt_slot *slot = &session->slots[i];
		if (slot->source && slot->ops->on_tick && !slot->ended)
			slot->ops->on_tick(slot->source, now, closing);
	}
}

static void tick_sources(struct nt_session *session, nt_time now)
{
	if (now < session->next_look)
		return;
	nt_time end = nt_model_interval_end(session->inputs.model);
	bool closing = now >= end && session->closing != end;
	if (closing)
		session->closing = end;
	look(session, now, closing);
}

nt_time nt_session_end(struct nt_session *session)
{
	look(session, nt_clock_now(), true);
	drain_all(session);
	nt_time now = nt_clock_now(); /* what was read lies before it */
	decide(session, NT_EV_END, now);
	nt_inputs_send(&session->inputs);
	return now;
}

static void add_sources(struct nt_session *session, struct nt_ev_self *self)
{
	self->target_known = true;
	for (size_t i = 0; i < session->slot_count; i++)
		if (session->slots[i].source)
			nt_self_cost_add(session->slots[i].ops, session->slots[i].source, self);
}

static void state_own_cost(struct nt_session *session, nt_time now)
{
	if (now < session->next_self)
		return;
	session->next_self = now + SELF_MS * NT_NS_PER_MS;
	struct nt_event *event = nt_inputs_begin(&session->inputs, NT_SOURCE_APP, NT_EV_SELF, now, 0);
	nt_self_cost_read(session->self_cost, &event->u.self);
	add_sources(session, &event->u.self);
	nt_inputs_send(&session->inputs);
}

/* Questions go to whoever can answer: not an arrow back into the model, the answers come as events. */
static void put(struct nt_session *session, const struct nt_question *questions, size_t count)
{
	for (size_t i = 0; count && i < session->slot_count; i++) {
		struct nt_slot *slot = &session->slots[i];
		if (slot->source && slot->ops->ask && !slot->ended)
			slot->ops->ask(slot->source, questions, count);
	}
}

/* What the model could not name. */
static void ask(struct nt_session *session, const struct nt_snapshot *snapshot)
{
	for (size_t p = 0; p < snapshot->process_count; p++)
		put(session, snapshot->processes[p].questions, snapshot->processes[p].question_count);
}

/*
 * A little before the interval ends, about what it has so far: once. And while there is code that may be freed, of which is known only what was there after the first question, as often
 * as there is something new.
 */
static bool asks_now(struct nt_session *session, nt_time now)
{
	nt_time end = nt_model_interval_end(session->inputs.model);
	bool last = session->asked != end && nt_rhythm_asks(now, end),
	     early = now < session->passing_until && now >= session->next_ask && now < end;
	if (last)
		session->asked = end;
	if (last || early)
		session->next_ask = now + ASK_MS * NT_NS_PER_MS;
	return last || early;
}

void nt_session_ask_now(struct nt_session *session)
{
	decide(session, NT_EV_ASK, nt_clock_now());
	nt_inputs_send(&session->inputs);
	size_t count;
	const struct nt_question *questions = nt_model_questions(session->inputs.model, &count);
	put(session, questions, count);
}

static void ask_in_time(struct nt_session *session, nt_time now)
{
	if (asks_now(session, now))
		nt_session_ask_now(session);
}

static void close_due_intervals(struct nt_session *session, nt_time now)
{
	const struct nt_tick tick = { .now = now, .how = NT_TICK_DUE };
	for (struct nt_snapshot *snapshot; (snapshot = nt_inputs_tick(&session->inputs, &tick));) {
		ask(session, snapshot);
		deliver(session, snapshot);
		nt_snapshot_release(snapshot);
		nt_own_memory_give_back(now);
		plan_next_look(session, now);
	}
}

void nt_session_pump(struct nt_session *session)
{
	nt_time now = nt_clock_now();
	bool due = now >= session->next_look;
	tick_sources(session, now);
	drain_all(session);
	if (session->over_lttng)
		nt_tell_lttng_go_on(session->over_lttng, now);
	now = nt_clock_now();
	state_own_cost(session, now);
	ask_in_time(session, now);
	close_due_intervals(session, now);
	if (due) /* one that came due only meanwhile has not been made */
		plan_next_look(session, now);
}

void nt_session_close_now(struct nt_session *session, bool final, bool complete)
{
	const struct nt_tick tick = { .now = nt_clock_now(), .how = final ? NT_TICK_FINAL : NT_TICK_CLOSE, .complete = complete };
	struct nt_snapshot *snapshot = nt_inputs_tick(&session->inputs, &tick);
	if (!final)
		ask(session, snapshot);
	deliver(session, snapshot);
	nt_snapshot_release(snapshot);
}

void nt_session_close_interval(struct nt_session *session)
{
	nt_time now = nt_clock_now();
	tick_sources(session, now);
	drain_all(session);
	if (!nt_model_has_ended(session->inputs.model))
		nt_session_close_now(session, false, false);
	plan_next_look(session, now);
}

nt_time nt_session_next_pump(const struct nt_session *session)
{
	return session->next_look;
}

void nt_session_set_interval(struct nt_session *session, nt_time interval_ns)
{
	decide(session, NT_EV_INTERVAL, nt_clock_now())->u.interval.ns = interval_ns;
	nt_inputs_send(&session->inputs);
	for (size_t i = 0; i < session->slot_count; i++) {
		struct nt_slot *slot = &session->slots[i];
		if (slot->source && !slot->ended && slot->ops->pace)
			slot->ops->pace(slot->source, interval_ns);
	}
}

void nt_session_choose_counters(struct nt_session *session, const char *counters)
{
	for (size_t i = 0; i < session->slot_count; i++) {
		struct nt_slot *slot = &session->slots[i];
		if (slot->source && !slot->ended && slot->ops->choose)
			slot->ops->choose(slot->source, counters);
	}
}

void nt_session_pause(struct nt_session *session)
{
	for (size_t i = 0; i < session->slot_count; i++) {
		struct nt_slot *slot = &session->slots[i];
		if (slot->source && !slot->ended && slot->ops->pause)
			slot->ops->pause(slot->source);
	}
	if (session->over_lttng)
		nt_tell_lttng_pause(session->over_lttng);
}

void nt_session_look(struct nt_session *session, unsigned demand)
{
	if (demand == session->looked_at)
		return;
	session->looked_at = demand;
	ask_for(session);
}

bool nt_session_target_ended(const struct nt_session *session)
{
	return session->target_ended;
}

int nt_session_replay_equal(const struct nt_session *session, size_t *count)
{
	*count = 0;
	return session->inputs.replay ? nt_replay_check_result(session->inputs.replay, count) : -1;
}

void nt_session_close_sources(struct nt_session *session)
{
	for (size_t i = 0; i < session->slot_count; i++)
		if (session->slots[i].source)
			session->slots[i].ops->close(session->slots[i].source);
	session->slot_count = 0;
	nt_tell_lttng_free(session->over_lttng);
	session->over_lttng = NULL;
}

void nt_session_free(struct nt_session *session)
{
	if (!session)
		return;
	nt_session_close_sources(session);
	nt_self_cost_free(session->self_cost);
	nt_inputs_fini(&session->inputs);
	free(session);
}
