// SPDX-License-Identifier: GPL-2.0-only
#include "app/relay/relay.h"

#include "app/session/inputs.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "model/process/process_list.h"
#include "source/lttng/lttng_relayed.h"

#include <stdlib.h>
#include <string.h>

/* What comes is on its way for a live period of its session (LTTng's default is a second), and nettop looks for it 20 times a second. */
enum { WATERMARK_MS = 1500, PERIOD_MS = 200, PROCESSES_APPEAR_MS = 1000 };

struct nt_relay {
	const struct nt_options *options;
	nt_relay_sink *sink;
	void *sink_context;
	struct nt_lttng_relayed *relayed; /* owned */
	struct nt_inputs inputs;          /* the model, from the first process on: */
	bool has_model;
	struct nt_snapshot *list;  /* owned: rows of the newest look; NULL = none yet */
	struct nt_snapshot *known; /* owned: the newest of the model; NULL = none yet */
	nt_time next_look;
};

enum nt_status nt_relay_new(const struct nt_options *options, nt_relay_sink *sink, void *sink_context, struct nt_relay **out,
			    struct nt_error *err)
{
	struct nt_relay *relay = nt_alloc(sizeof(*relay));
	*relay = (struct nt_relay){ .options = options, .sink = sink, .sink_context = sink_context };
	enum nt_status status = nt_lttng_relayed_open(options->relay, &relay->relayed, err);
	if (status == NT_OK)
		*out = relay;
	else
		free(relay);
	return status;
}

void nt_relay_free(struct nt_relay *relay)
{
	if (!relay)
		return;
	nt_lttng_relayed_close(relay->relayed);
	nt_snapshot_release(relay->list);
	nt_snapshot_release(relay->known);
	if (relay->has_model)
		nt_inputs_fini(&relay->inputs);
	free(relay);
}

enum nt_status nt_relay_watch(struct nt_relay *relay, struct nt_loop *loop, struct nt_error *err)
{
	return nt_loop_watch(loop, nt_lttng_relayed_fd(relay->relayed), err);
}

const char *nt_relay_says(struct nt_relay *relay)
{
	return nt_lttng_relayed_says(relay->relayed);
}

/* ---- what comes ---- */

static void begin_model(struct nt_relay *relay, uint32_t pid)
{
	struct nt_model_config config;
	nt_model_config_init(&config);
	config.pid = pid;
	config.start = nt_clock_now();
	config.interval_ns = relay->options->delay_ns;
	config.watermark_ns = WATERMARK_MS * NT_NS_PER_MS;
	nt_inputs_init(&relay->inputs, &config, relay->options->check_replay, NULL);
	relay->has_model = true;
}

/* Of a process of another host nobody else is asked. */
static void say_who_is_absent(struct nt_relay *relay, uint32_t pid, nt_time time)
{
	static const enum nt_source_id absent[] = { NT_SOURCE_PERF, NT_SOURCE_PROCFS, NT_SOURCE_EVENTPIPE, NT_SOURCE_CODEMAP,
						    NT_SOURCE_RUNTIME };
	static const char reason[] = "of a process of another host LTTng alone tells";
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		struct nt_event *event = nt_inputs_begin(&relay->inputs, absent[i], NT_EV_SOURCE_STATE, time, pid);
		event->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_ABSENT, .reason = 1 };
		nt_batch_announce_str(relay->inputs.own, 1, reason, sizeof(reason) - 1);
		nt_inputs_send(&relay->inputs);
	}
}

static void take_batch(struct nt_relay *relay, const struct nt_batch *batch)
{
	for (size_t i = 0; !relay->has_model && i < batch->event_count; i++)
		if (batch->events[i].kind == NT_EV_TARGET)
			begin_model(relay, batch->events[i].pid);
	if (!relay->has_model)
		return;
	nt_inputs_batch(&relay->inputs, batch);
	for (size_t i = 0; i < batch->event_count; i++)
		if (batch->events[i].kind == NT_EV_TARGET)
			say_who_is_absent(relay, batch->events[i].pid, batch->events[i].time);
}

static void drain(struct nt_relay *relay)
{
	for (struct nt_batch *batch; (batch = nt_lttng_relayed_take(relay->relayed));) {
		take_batch(relay, batch);
		nt_lttng_relayed_give_back(relay->relayed, batch);
	}
}

/* ---- the list ---- */

static void look(struct nt_relay *relay, nt_time now)
{
	size_t count, there = 0;
	struct nt_relayed_process *processes = nt_lttng_relayed_processes(relay->relayed, &count);
	struct nt_process_row *rows = nt_alloc((count + 1) * sizeof(*rows));
	for (size_t i = 0; i < count; i++)
		if (processes[i].attached)
			rows[there++] =
				(struct nt_process_row){ .id = nt_hash_number(processes[i].number),
							 .pid = processes[i].number,
							 .shown_pid = nt_relayed_pid(processes[i].number),
							 .name = *processes[i].name ? processes[i].name : NULL,
							 .host = processes[i].host,
							 .session = processes[i].session,
							 .clock_offset_s = nt_f64_of((double)processes[i].clock_offset_ns / NT_NS_PER_S) };
	const struct nt_process_look found = { .at = now, .rows = rows, .count = there, .watched = true, .known = relay->known };
	struct nt_snapshot *next = nt_process_list_next(relay->list, &found);
	nt_snapshot_release(relay->list);
	relay->list = next;
	free(rows);
	free(processes);
}

/* Takes the snapshot. */
static void show(struct nt_relay *relay, struct nt_snapshot *snapshot)
{
	look(relay, nt_clock_now());
	nt_process_list_join(relay->list, snapshot);
	nt_snapshot_release(relay->known);
	relay->known = snapshot;
	relay->sink(relay->sink_context, snapshot);
}

static void close_due(struct nt_relay *relay)
{
	const struct nt_tick tick = { .now = nt_clock_now(), .how = NT_TICK_DUE };
	for (struct nt_snapshot *snapshot; (snapshot = nt_inputs_tick(&relay->inputs, &tick));)
		show(relay, snapshot);
}

/* While there is no process there are rows without figures: none, but that is shown, too. */
static void show_bare(struct nt_relay *relay, nt_time now)
{
	if (now < relay->next_look)
		return;
	relay->next_look = now + PROCESSES_APPEAR_MS * NT_NS_PER_MS;
	look(relay, now);
	relay->sink(relay->sink_context, relay->list);
}

nt_time nt_relay_pump(struct nt_relay *relay)
{
	nt_time now = nt_clock_now();
	drain(relay);
	if (relay->has_model)
		close_due(relay);
	else
		show_bare(relay, now);
	return now + PERIOD_MS * NT_NS_PER_MS;
}

void nt_relay_finish(struct nt_relay *relay)
{
	drain(relay);
	if (!relay->has_model)
		return;
	nt_inputs_begin(&relay->inputs, NT_SOURCE_APP, NT_EV_END, nt_clock_now(), 0);
	nt_inputs_send(&relay->inputs);
	show(relay, nt_inputs_tick(&relay->inputs, &(struct nt_tick){ .now = nt_clock_now(), .how = NT_TICK_CLOSE }));
	show(relay, nt_inputs_tick(&relay->inputs, &(struct nt_tick){ .now = nt_clock_now(), .how = NT_TICK_FINAL }));
}

int nt_relay_replay_equal(const struct nt_relay *relay, size_t *count)
{
	*count = 0;
	return relay->has_model && relay->inputs.replay ? nt_replay_check_result(relay->inputs.replay, count) : -1;
}
