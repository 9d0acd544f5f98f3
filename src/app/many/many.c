// SPDX-License-Identifier: GPL-2.0-only
#include "app/many/many.h"

#include "app/common/own_memory.h"
#include "app/many/many_events.h"
#include "app/many/many_samples.h"
#include "app/many/many_sources.h"
#include "app/session/rhythm.h"
#include "app/session/self_cost.h"
#include "base/alloc.h"
#include "base/descriptors.h"
#include "model/process/process_list.h"
#include "source/processes/process_watch.h"
#include "target/process/target.h"

#include <stdlib.h>
#include <string.h>

enum {
	PERIOD_MS = 1000,      /* between two looks at who is there, in intervals that are longer, too, */
	SEEKING_MS = 200,      /* while one has ended, and its successor may begin, */
	SEEKING_FOR_S = 10,    /* for so long */
	SELF_MS = 900,         /* rhythm of the SELF event: once in an interval of a second */
	FIRST_CLOSE_MS = 250,  /* rates need two readings, and a whole interval is long for somebody who waits */
	LATE_MS = 200,         /* between two looks while an interval that is over waits: then a quiet stream has told all of it */
	FINISH_MS = 1500,      /* how long the end may take to be read: what it says is to be written before the guard ends it all */
	DESCRIPTORS = 1 << 16, /* each process takes some */
};

struct nt_many {
	struct nt_many_setup setup;
	struct nt_process_watch *watch; /* owned */
	struct nt_many_sources sources;
	struct nt_inputs inputs; /* the model, from the first process on: */
	bool has_model;
	struct nt_snapshot *list;  /* owned: rows of the newest look; NULL = none yet */
	struct nt_snapshot *known; /* owned: the newest snapshot of the model; NULL = none yet */
	struct nt_self_cost *self_cost;
	nt_time interval_ns;
	nt_time planned_end; /* of the interval that next_tick was planned in */
	nt_time asked;       /* end of the interval of which it was asked what its methods are called */
	nt_time next_look, next_tick, seek_until, next_self, next_pump, closing, first_close;
	nt_time next_bare; /* rows alone are told then, while nothing is watched */
	size_t count;
	bool looking;
};

bool nt_many_is_asked_for(const struct nt_options *options)
{
	bool is_list = options->target && strchr(options->target, ',');
	return options->all || options->cgroup || options->follow_children || is_list;
}

/* What is collected of one process beyond what is told of each in a list; on the screen it comes with the one that is opened. */
static const char *of_the_opened(const struct nt_options *options)
{
	return options->want_alloc         ? "--alloc"
	       : options->want_catches     ? "--catches"
	       : options->want_calls       ? "--calls"
	       : options->want_jit_callers ? "--jit-callers"
	       : options->want_pool_items  ? "--pool-items"
	       : options->want_request_cpu ? "--request-cpu"
	       : options->want_requests    ? "--requests"
	       : options->want_waits       ? "--waits"
	       : options->want_wall        ? "--wall"
	       : options->counters         ? "--counters"
	       : options->native           ? "--native"
	       : options->want_map         ? "--map"
					   : NULL;
}

enum nt_status nt_many_check(const struct nt_options *options, struct nt_error *err)
{
	const char *what = options->trigger_count                                    ? "--on"
			   : options->flight_ns                                      ? "--flight"
			   : nt_options_counters_only(options)                       ? "a file of counters"
			   : options->event_source_count + options->event_name_count ? "--event-source"
			   : options->lttng_session                                  ? "--session"
			   : options->output != NT_OUTPUT_SCREEN                     ? of_the_opened(options)
										     : NULL;
	if (what)
		return nt_error_set(err, NT_ERR_USAGE, "%s is of one process, and here there are several: name one (-p PID)", what);
	return NT_OK;
}

enum nt_status nt_many_new(const struct nt_many_setup *setup, struct nt_many **out, struct nt_error *err)
{
	const struct nt_process_choice choice = { .named = setup->options->target,
						  .cgroup = setup->options->cgroup,
						  .children = setup->options->follow_children };
	nt_own_memory_begin();
	nt_descriptors_allow(DESCRIPTORS);
	struct nt_many *many = nt_alloc(sizeof(*many));
	many->setup = *setup;
	many->interval_ns = setup->options->delay_ns;
	enum nt_status status = nt_process_watch_new("/proc", 0, false, &choice, &many->watch, err);
	if (status != NT_OK) {
		free(many);
		return status;
	}
	nt_many_sources_init(&many->sources, setup);
	many->self_cost = nt_self_cost_new(setup->keeper);
	*out = many;
	return NT_OK;
}

void nt_many_free(struct nt_many *many)
{
	if (!many)
		return;
	nt_process_watch_free(many->watch);
	nt_many_sources_fini(&many->sources);
	nt_snapshot_release(many->list);
	nt_snapshot_release(many->known);
	if (many->has_model)
		nt_inputs_fini(&many->inputs);
	nt_self_cost_free(many->self_cost);
	free(many);
}

enum nt_status nt_many_watch(struct nt_many *many, struct nt_loop *loop, struct nt_error *err)
{
	many->sources.loop = loop;
	return nt_loop_watch(loop, nt_process_watch_fd(many->watch), err);
}

/* ---- who is there ---- */

static void begin_model(struct nt_many *many, uint32_t pid)
{
	struct nt_model_config config;
	nt_model_config_init(&config);
	config.pid = pid;
	config.start = nt_clock_now();
	config.interval_ns = many->interval_ns;
	nt_inputs_init(&many->inputs, &config, many->setup.options->check_replay, NULL);
	many->has_model = true;
	many->first_close = config.start + FIRST_CLOSE_MS * NT_NS_PER_MS;
}

/* One that may not be read is in the list all the same. One that has its pid since that look is seen by the next one. */
static void add(struct nt_many *many, const struct nt_process_row *row)
{
	struct nt_target *target = NULL;
	char text[16];
	snprintf(text, sizeof(text), "%u", row->pid);
	if (nt_target_find("/proc", text, &target, NULL) != NT_OK)
		return;
	if (target->start_ticks != row->start_ticks) {
		nt_target_free(target);
		return;
	}
	if (!many->has_model)
		begin_model(many, row->pid);
	nt_many_sources_add(&many->sources, target, &many->inputs);
}

static void compare(struct nt_many *many, nt_time now)
{
	many->count = 0;
	for (size_t i = 0; i < many->list->listed_count; i++) {
		const struct nt_process_row *row = &many->list->listed[i];
		bool is_there = row->ended_at == NT_TIME_UNKNOWN;
		if (row->kind != NT_PROCESS_ROW)
			continue;
		many->count += is_there;
		if (!is_there)
			nt_many_sources_miss(&many->sources, row, row->ended_at);
		else if (!row->closed && !nt_many_sources_target(&many->sources, row))
			add(many, row);
		if (!is_there && row->ended_at == many->list->t1)
			many->seek_until = now + SEEKING_FOR_S * NT_NS_PER_S;
	}
}

static void ask(struct nt_many *many, nt_time now)
{
	if (many->looking || now < many->next_look)
		return;
	nt_time period = (now < many->seek_until ? SEEKING_MS : PERIOD_MS) * NT_NS_PER_MS;
	many->next_look = now + (period < many->interval_ns ? period : many->interval_ns);
	many->looking = true;
	nt_process_watch_ask(many->watch);
}

/* While nothing is watched the rows are all there is. */
static enum nt_status take_look(struct nt_many *many, nt_time now, struct nt_error *err)
{
	struct nt_process_scan_result result;
	enum nt_status status = nt_process_watch_take(many->watch, &result, err);
	if (status == NT_AGAIN)
		return NT_OK;
	many->looking = false;
	if (status != NT_OK)
		return status;
	const struct nt_process_look look = { .at = result.at,
					      .rows = result.rows,
					      .count = result.count,
					      .busy_ns = result.busy_ns,
					      .all_ns = result.all_ns,
					      .rest = true,
					      .watched = true,
					      .known = many->known };
	struct nt_snapshot *next = nt_process_list_next(many->list, &look);
	nt_snapshot_release(many->list);
	many->list = next;
	compare(many, now);
	if (!many->has_model && next->t1 >= many->next_bare) {
		many->next_bare = next->t1 + many->interval_ns - SEEKING_MS * NT_NS_PER_MS / 2;
		many->setup.sink(many->setup.sink_context, next);
	}
	return NT_OK;
}

/* ---- intervals ---- */

/* Takes the snapshot. */
static void show(struct nt_many *many, struct nt_snapshot *snapshot)
{
	for (size_t i = 0; i < many->list->listed_count; i++)
		many->list->listed[i].named = nt_many_samples_has_names(&many->sources, &many->list->listed[i]);
	nt_process_list_join(many->list, snapshot);
	nt_snapshot_release(many->known);
	many->known = snapshot;
	many->setup.sink(many->setup.sink_context, snapshot);
}

static void deliver(struct nt_many *many, struct nt_snapshot *snapshot)
{
	nt_many_events_want(&many->sources, snapshot);
	for (size_t i = 0; i < snapshot->process_count; i++)
		nt_many_samples_ask(&many->sources, snapshot->processes[i].questions, snapshot->processes[i].question_count);
	show(many, nt_snapshot_retain(snapshot));
	nt_many_samples_name(&many->sources, snapshot, &many->inputs); /* of the next interval */
	nt_snapshot_release(snapshot);
}

static void state_own_cost(struct nt_many *many, nt_time now)
{
	if (now < many->next_self)
		return;
	many->next_self = now + SELF_MS * NT_NS_PER_MS;
	struct nt_event *event = nt_inputs_begin(&many->inputs, NT_SOURCE_APP, NT_EV_SELF, now, 0);
	nt_self_cost_read(many->self_cost, &event->u.self);
	nt_many_sources_cost(&many->sources, &event->u.self);
	nt_inputs_send(&many->inputs);
}

/* A little before the interval ends: most of what ran in it has a name then. */
static void ask_in_time(struct nt_many *many, nt_time now)
{
	nt_time end = nt_model_interval_end(many->inputs.model);
	if (!many->sources.samples || many->asked == end || !nt_rhythm_asks(now, end))
		return;
	many->asked = end;
	nt_inputs_begin(&many->inputs, NT_SOURCE_APP, NT_EV_ASK, now, 0);
	nt_inputs_send(&many->inputs);
	size_t count;
	const struct nt_question *questions = nt_model_questions(many->inputs.model, &count);
	nt_many_samples_ask(&many->sources, questions, count);
}

static void close_due(struct nt_many *many, nt_time now)
{
	nt_time end = nt_model_interval_end(many->inputs.model);
	bool first = many->first_close && now >= many->first_close;
	bool due = first || now >= many->next_tick, closing = due && (first || now >= end) && many->closing != end;
	if (closing)
		many->closing = end;
	if (due)
		nt_many_sources_tick(&many->sources, now, closing);
	nt_many_sources_drain(&many->sources, &many->inputs);
	state_own_cost(many, nt_clock_now());
	ask_in_time(many, now);
	if (first) {
		many->first_close = 0;
		if (now < end)
			deliver(many, nt_inputs_tick(&many->inputs, &(struct nt_tick){ .now = nt_clock_now(), .how = NT_TICK_CLOSE }));
	}
	const struct nt_tick tick = { .now = nt_clock_now(), .how = NT_TICK_DUE };
	for (struct nt_snapshot *snapshot; (snapshot = nt_inputs_tick(&many->inputs, &tick));) {
		deliver(many, snapshot);
		nt_own_memory_give_back(tick.now);
	}
}

/*
 * The sources are looked at just after the end of the interval, and in long ones time and again; while methods are named, before its end, too. Streams are read a little later, when all of the
 * interval is in them, and then it closes.
 */
static nt_time next_tick(const struct nt_many *many, nt_time now, nt_time end)
{
	nt_time period = nt_many_sources_rest(&many->sources, PERIOD_MS * NT_NS_PER_MS), closing = end + NT_RHYTHM_AFTER_MS * NT_NS_PER_MS;
	if (closing <= now)
		return many->closing == end ? now + LATE_MS * NT_NS_PER_MS : now;
	if (many->sources.samples)
		return nt_rhythm_next(now, end, period);
	return closing - now > period + period / 4 ? now + period : closing;
}

static void plan(struct nt_many *many, nt_time now)
{
	nt_time next = many->looking ? now + PERIOD_MS * NT_NS_PER_MS : many->next_look;
	if (many->has_model) {
		nt_time end = nt_model_interval_end(many->inputs.model);
		if (now >= many->next_tick || many->planned_end != end)
			many->next_tick = next_tick(many, now, end);
		many->planned_end = end;
		next = many->next_tick < next ? many->next_tick : next;
		next = many->first_close && many->first_close < next ? many->first_close : next;
	}
	many->next_pump = next > now ? next : now + 1;
}

enum nt_status nt_many_pump(struct nt_many *many, struct nt_error *err)
{
	nt_time now = nt_clock_now();
	enum nt_status status = take_look(many, now, err);
	if (many->has_model)
		close_due(many, now);
	nt_many_sources_let_go(&many->sources, now);
	ask(many, now);
	plan(many, now);
	return status;
}

nt_time nt_many_next_pump(const struct nt_many *many)
{
	return many->next_pump;
}

void nt_many_finish(struct nt_many *many)
{
	if (!many->has_model)
		return;
	nt_many_sources_tick(&many->sources, nt_clock_now(), true);
	nt_many_sources_drain(&many->sources, &many->inputs);
	nt_time end = nt_clock_now(); /* what was read lies before it */
	nt_inputs_begin(&many->inputs, NT_SOURCE_APP, NT_EV_END, end, 0);
	nt_inputs_send(&many->inputs);
	bool complete = nt_many_sources_finish(&many->sources, &many->inputs, end + FINISH_MS * NT_NS_PER_MS);
	struct nt_tick tick = { .now = nt_clock_now(), .how = NT_TICK_CLOSE };
	show(many, nt_inputs_tick(&many->inputs, &tick));
	tick = (struct nt_tick){ .now = nt_clock_now(), .how = NT_TICK_FINAL, .complete = complete };
	show(many, nt_inputs_tick(&many->inputs, &tick));
}

void nt_many_set_interval(struct nt_many *many, nt_time interval_ns)
{
	many->interval_ns = interval_ns;
	many->next_look = many->next_tick = 0;
	nt_many_sources_pace(&many->sources, interval_ns);
	if (!many->has_model)
		return;
	nt_inputs_begin(&many->inputs, NT_SOURCE_APP, NT_EV_INTERVAL, nt_clock_now(), 0)->u.interval.ns = interval_ns;
	nt_inputs_send(&many->inputs);
}

void nt_many_look(struct nt_many *many, unsigned demand)
{
	nt_many_samples_want(&many->sources, demand & NT_WANT_CPU_SAMPLES, many->has_model ? &many->inputs : NULL);
}

void nt_many_pause(struct nt_many *many)
{
	nt_many_sources_pause(&many->sources);
}

void nt_many_rest(struct nt_many *many)
{
	if (many->has_model)
		nt_many_sources_rest_all(&many->sources, &many->inputs);
	many->sources.loop = NULL;
	many->next_look = 0;
}

bool nt_many_has_looked(const struct nt_many *many)
{
	return many->list != NULL;
}

size_t nt_many_count(const struct nt_many *many)
{
	return many->count;
}

int nt_many_replay_equal(const struct nt_many *many, size_t *count)
{
	*count = 0;
	return many->has_model && many->inputs.replay ? nt_replay_check_result(many->inputs.replay, count) : -1;
}
