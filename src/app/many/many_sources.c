// SPDX-License-Identifier: GPL-2.0-only
#include "app/many/many_sources.h"

#include "app/many/many_events.h"
#include "app/session/demand.h"
#include "app/session/self_cost.h"
#include "app/session/session.h"
#include "base/alloc.h"
#include "source/common/sources.h"
#include "source/eventpipe/eventpipe.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
	DRAIN_EVENTS = 4096,
	DRAIN_ROUNDS = 16,
	LINGER_MS = 1500, /* for what a source tells of an end */
	LEAVE_MS = 1500,
	STEP_MS = 10,
};

/* What a list is made of: the kernel's counts of each, and the runtime's events of those that somebody has named; what runs while somebody looks at that. */
static bool is_used(const struct nt_many_sources *sources, enum nt_source_id id)
{
	const struct nt_options *options = sources->options;
	bool is_allowed = options->source_mask & 1u << id, is_chosen = is_allowed && options->source_mask != ~0u;
	switch (id) {
	case NT_SOURCE_PROCFS:
		return true;
	case NT_SOURCE_LTTNG:
	case NT_SOURCE_EVENTPIPE:
		return is_allowed && (options->target || is_chosen);
	case NT_SOURCE_PERF:
		return is_allowed && sources->samples;
	default:
		return false;
	}
}

void nt_many_sources_init(struct nt_many_sources *sources, const struct nt_many_setup *setup)
{
	const struct nt_session_setup as_one = { .options = setup->options, .keeper = setup->keeper, .runtime_dir = setup->runtime_dir };
	*sources = (struct nt_many_sources){ .options = setup->options, .config = nt_session_config(&as_one) };
	sources->config.counters = NULL;
	sources->config.several = true;
	sources->closed.target_known = true;
}

void nt_many_sources_close(struct nt_many_sources *sources, enum nt_source_id id)
{
	struct nt_source *source = sources->sources[id];
	int fd = source->ops->fd(source);
	if (sources->loop && fd >= 0)
		nt_loop_unwatch(sources->loop, fd);
	nt_self_cost_add(source->ops, source, &sources->closed);
	source->ops->close(source);
	sources->sources[id] = NULL;
	nt_many_events_closed(sources, id);
}

static void let_go_of_all(struct nt_many_sources *sources)
{
	struct nt_source *eventpipe = sources->sources[NT_SOURCE_EVENTPIPE];
	if (eventpipe)
		nt_session_await_runtimes(eventpipe, nt_clock_now() + LEAVE_MS * NT_NS_PER_MS);
	for (size_t id = 0; id < NT_SOURCE_COUNT; id++)
		if (sources->sources[id])
			nt_many_sources_close(sources, (enum nt_source_id)id);
	for (size_t i = 0; i < sources->target_count; i++)
		nt_target_free(sources->targets[i].target);
	sources->target_count = 0;
}

void nt_many_sources_fini(struct nt_many_sources *sources)
{
	sources->loop = NULL;
	let_go_of_all(sources);
	free(sources->targets);
}

/* ---- processes ---- */

struct nt_many_target *nt_many_sources_target(const struct nt_many_sources *sources, const struct nt_process_row *row)
{
	size_t place = nt_many_target_place(sources, row->pid);
	bool is_it = place < sources->target_count && sources->targets[place].target->start_ticks == row->start_ticks;
	return is_it ? &sources->targets[place] : NULL;
}

/* Why a source brings nothing of a process. */
void nt_many_sources_state(struct nt_inputs *inputs, enum nt_source_id id, uint32_t pid, enum nt_source_state state, const char *reason,
			   const char *fix)
{
	struct nt_event *event = nt_inputs_begin(inputs, id, NT_EV_SOURCE_STATE, nt_clock_now(), pid);
	event->u.source_state.state = (uint32_t)state;
	event->u.source_state.reason = 1;
	nt_batch_announce_str(inputs->own, 1, reason, strlen(reason));
	if (*fix) {
		event->u.source_state.fix = 2;
		nt_batch_announce_str(inputs->own, 2, fix, strlen(fix));
	}
	nt_inputs_send(inputs);
}

static enum nt_status open_source(struct nt_many_sources *sources, const struct nt_source_ops *ops, struct nt_error *err)
{
	struct nt_source **place = &sources->sources[ops->id];
	if (*place)
		return NT_OK;
	enum nt_status status = ops->open(&sources->config, place, err);
	if (status != NT_OK) {
		*place = NULL;
		return status;
	}
	if (ops->want)
		ops->want(*place, nt_many_demand_of(sources, ops->id, NULL));
	int fd = ops->fd(*place);
	if (sources->loop && fd >= 0)
		nt_loop_watch(sources->loop, fd, NULL);
	return NT_OK;
}

bool nt_many_sources_give(struct nt_many_sources *sources, const struct nt_source_ops *ops, const struct nt_target *target,
			  struct nt_inputs *inputs)
{
	struct nt_probe probe = { .result = NT_PROBE_AVAILABLE };
	struct nt_error err = { 0 };
	char text[2 * NT_ERROR_TEXT];
	ops = ops->id == NT_SOURCE_PERF ? &nt_source_perf_several : ops;
	if (ops->id == NT_SOURCE_LTTNG && nt_demand_passes_over_lttng(sources->options, &sources->config, target)) {
		nt_many_sources_state(inputs, ops->id, target->pid, NT_STATE_UNUSED, NT_DEMAND_PASSED_OVER, "");
		return false;
	}
	ops->probe(target, &sources->config, &probe);
	if (probe.result != NT_PROBE_AVAILABLE) {
		nt_many_sources_state(inputs, ops->id, target->pid, probe.result == NT_PROBE_ABSENT ? NT_STATE_ABSENT : NT_STATE_FORBIDDEN,
				      probe.reason, probe.fix);
		return false;
	}
	enum nt_status status = open_source(sources, ops, &err);
	if (status == NT_OK)
		status = ops->add(sources->sources[ops->id], target, &err);
	if (status != NT_OK)
		nt_many_sources_state(inputs, ops->id, target->pid, status == NT_ERR_FORBIDDEN ? NT_STATE_FORBIDDEN : NT_STATE_ABSENT,
				      nt_error_reason(&err, text, sizeof(text)), err.fix);
	return status == NT_OK;
}

static void let_go_of(struct nt_many_sources *sources, size_t place)
{
	struct nt_many_target *target = &sources->targets[place];
	for (size_t id = 0; id < NT_SOURCE_COUNT; id++)
		if (sources->sources[id])
			sources->sources[id]->ops->remove(sources->sources[id], target->target->pid);
	nt_target_free(target->target);
	*target = sources->targets[--sources->target_count];
}

void nt_many_sources_add(struct nt_many_sources *sources, struct nt_target *target, struct nt_inputs *inputs)
{
	size_t before = nt_many_target_place(sources, target->pid);
	if (before < sources->target_count) {
		nt_many_sources_tick(sources, nt_clock_now(), false); /* procfs says that it has ended, and how */
		nt_many_sources_drain(sources, inputs);
		let_go_of(sources, before);
	}
	sources->targets = nt_grow(sources->targets, &sources->target_capacity, sources->target_count + 1, sizeof(*sources->targets));
	sources->targets[sources->target_count++] = (struct nt_many_target){ .target = target };
	for (size_t i = 0; nt_sources[i]; i++) {
		if (!is_used(sources, nt_sources[i]->id))
			continue;
		if (nt_many_sources_give(sources, nt_sources[i], target, inputs))
			nt_many_events_given(sources, nt_sources[i]->id, &sources->targets[sources->target_count - 1]);
		nt_many_sources_drain(sources, inputs); /* procfs, the first of them, says who it is */
	}
}

void nt_many_sources_miss(struct nt_many_sources *sources, const struct nt_process_row *row, nt_time now)
{
	struct nt_many_target *target = nt_many_sources_target(sources, row);
	if (target && !target->gone)
		target->gone = now;
}

void nt_many_sources_let_go(struct nt_many_sources *sources, nt_time now)
{
	for (size_t i = 0; i < sources->target_count;) {
		struct nt_many_target *target = &sources->targets[i];
		if (!target->gone || now < target->gone + LINGER_MS * NT_NS_PER_MS) {
			i++;
			continue;
		}
		let_go_of(sources, i);
	}
}

void nt_many_sources_rest_all(struct nt_many_sources *sources, struct nt_inputs *inputs)
{
	nt_many_sources_drain(sources, inputs);
	for (size_t id = 0; id < NT_SOURCE_COUNT; id++)
		for (size_t i = 0; sources->sources[id] && i < sources->target_count; i++)
			nt_many_sources_state(inputs, (enum nt_source_id)id, sources->targets[i].target->pid, NT_STATE_ENDED,
					      "the list was not looked at", "");
	let_go_of_all(sources);
}

/* ---- all sources ---- */

/* What has ended, because none of its processes is there any more, is opened again for the next one. */
static bool drain_once(struct nt_many_sources *sources, size_t id, struct nt_inputs *inputs)
{
	struct nt_source *source = sources->sources[id];
	struct nt_batch *batch = NULL;
	struct nt_error err = { 0 };
	enum nt_status status = source->ops->drain(source, DRAIN_EVENTS, &batch, &err);
	if (status == NT_OK) {
		if (id == NT_SOURCE_LTTNG)
			nt_many_events_note(sources, batch);
		nt_inputs_batch(inputs, batch);
		source->ops->give_back(source, batch);
		return true;
	}
	if (status == NT_AGAIN)
		return false;
	struct nt_source_stats stats = { 0 };
	source->ops->stats(source, &stats);
	sources->end_missed |= status != NT_END || stats.end_missed;
	nt_many_sources_close(sources, (enum nt_source_id)id);
	return false;
}

void nt_many_sources_drain(struct nt_many_sources *sources, struct nt_inputs *inputs)
{
	for (size_t id = 0; id < NT_SOURCE_COUNT; id++)
		for (int round = 0; sources->sources[id] && round < DRAIN_ROUNDS; round++)
			if (!drain_once(sources, id, inputs))
				break;
}

static bool any_open(const struct nt_many_sources *sources)
{
	for (size_t id = 0; id < NT_SOURCE_COUNT; id++)
		if (sources->sources[id])
			return true;
	return false;
}

bool nt_many_sources_finish(struct nt_many_sources *sources, struct nt_inputs *inputs, nt_time deadline)
{
	for (size_t id = 0; id < NT_SOURCE_COUNT; id++)
		if (sources->sources[id])
			sources->sources[id]->ops->stop(sources->sources[id]);
	for (;;) {
		nt_many_sources_drain(sources, inputs);
		if (!any_open(sources) || nt_clock_now() >= deadline)
			return !any_open(sources) && !sources->end_missed;
		poll(NULL, 0, STEP_MS);
	}
}

void nt_many_sources_tick(struct nt_many_sources *sources, nt_time now, bool closing)
{
	for (size_t id = 0; id < NT_SOURCE_COUNT; id++)
		if (sources->sources[id] && sources->sources[id]->ops->on_tick)
			sources->sources[id]->ops->on_tick(sources->sources[id], now, closing);
}

nt_time nt_many_sources_rest(const struct nt_many_sources *sources, nt_time period)
{
	for (size_t id = 0; id < NT_SOURCE_COUNT; id++) {
		struct nt_source *source = sources->sources[id];
		nt_time rest = source && source->ops->rest ? source->ops->rest(source) : period;
		period = rest < period ? rest : period;
	}
	return period;
}

void nt_many_sources_pace(struct nt_many_sources *sources, nt_time interval_ns)
{
	sources->config.interval_ns = interval_ns;
	for (size_t id = 0; id < NT_SOURCE_COUNT; id++)
		if (sources->sources[id] && sources->sources[id]->ops->pace)
			sources->sources[id]->ops->pace(sources->sources[id], interval_ns);
}

void nt_many_sources_pause(struct nt_many_sources *sources)
{
	for (size_t id = 0; id < NT_SOURCE_COUNT; id++)
		if (sources->sources[id] && sources->sources[id]->ops->pause)
			sources->sources[id]->ops->pause(sources->sources[id]);
}

void nt_many_sources_cost(const struct nt_many_sources *sources, struct nt_ev_self *out)
{
	out->self_ns += sources->closed.self_ns;
	out->daemons_ns += sources->closed.daemons_ns;
	out->target_ns += sources->closed.target_ns;
	out->target_known = sources->closed.target_known;
	for (size_t id = 0; id < NT_SOURCE_COUNT; id++)
		if (sources->sources[id])
			nt_self_cost_add(sources->sources[id]->ops, sources->sources[id], out);
}
