// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watch several processes at once through one model, each source opened once and given all of them, and print what is known of each: every interval, and at the
 * end the summary, a line of JSON for each process as that of `nettop --json`.
 *
 *   processes_dump [-d SECONDS] [-s SOURCE] PID_OR_NAME ...
 *
 * -d: the length of an interval. -s: this source alone besides procfs; may be said several times. Other lines: "PID SOURCE STATE WHY" when a source says so of a process, "PID SOURCE refused WHY"
 * when it does not take it; WHY may be missing. SIGINT ends it the orderly way; so does the end of all sources.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nettop/model.h"
#include "nettop/source.h"
#include "output/frame/json.h"
#include "source/all/own_processes.h"
#include "target/process/target.h"

enum { STEP_MS = 20, BUDGET = 4096, ROUNDS = 16, LAST_MS = 3000, PROCESSES_MAX = 32, SHOWN_METHODS = 100 };

struct watching {
	struct nt_source_config config;
	struct nt_model *model;                      /* owned */
	struct nt_source *sources[NT_SOURCE_COUNT];  /* owned; NULL = it takes none of them, or has ended */
	struct nt_source *finished[NT_SOURCE_COUNT]; /* owned; those that have ended */
	struct nt_target *targets[PROCESSES_MAX];    /* owned */
	size_t target_count;
	unsigned mask; /* of enum nt_source_id */
	nt_time closing;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

static void undo_note(void *context, const char *verb, const char *argument)
{
	(void)context;
	fprintf(stderr, "undo: %s %s\n", verb, argument);
}

static bool undo_hold(void *context, const char *verb, const char *argument, int fd)
{
	(void)fd;
	undo_note(context, verb, argument);
	return true;
}

static int fail(const struct nt_error *err)
{
	char message[1024];
	fprintf(stderr, "processes_dump: %s\n", nt_error_text(err, message, sizeof(message)));
	return 1;
}

/* What is wanted of each source. Not all counters: what publishes them is compiled in the target in the middle of what a test counts. */
static unsigned wanted_of(enum nt_source_id id)
{
	switch (id) {
	case NT_SOURCE_EVENTPIPE:
		return NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS | NT_WANT_JIT_EVENTS | NT_WANT_STACKS | NT_WANT_GC_HISTORIES;
	case NT_SOURCE_RUNTIME:
		return NT_WANT_LOOKS;
	case NT_SOURCE_PROCFS:
		return NT_WANT_DESCRIPTORS;
	default:
		return 0;
	}
}

/* ---- the sources ---- */

static bool takes(struct nt_source *source, const struct nt_source_config *config, const struct nt_target *target)
{
	struct nt_probe probe = { .result = NT_PROBE_AVAILABLE };
	struct nt_error err = { 0 };
	char reason[2 * NT_ERROR_TEXT];
	source->ops->probe(target, config, &probe);
	if (probe.result == NT_PROBE_AVAILABLE && source->ops->add(source, target, &err) == NT_OK)
		return true;
	printf("%u %s refused %s\n", target->pid, source->ops->name,
	       probe.result == NT_PROBE_AVAILABLE ? nt_error_reason(&err, reason, sizeof(reason)) : probe.reason);
	return false;
}

/* Once, for all processes. */
static void open_source(struct watching *w, const struct nt_source_ops *ops)
{
	struct nt_error err = { 0 };
	struct nt_source *source;
	if (!(w->mask & 1u << ops->id))
		return;
	if (ops->open(&w->config, &source, &err) != NT_OK) {
		fail(&err);
		return;
	}
	size_t taken = 0;
	for (size_t i = 0; i < w->target_count; i++)
		taken += takes(source, &w->config, w->targets[i]);
	if (!taken) {
		ops->close(source);
		return;
	}
	w->sources[ops->id] = source;
	if (ops->want)
		ops->want(source, wanted_of(ops->id));
}

/* A text that this batch announces; one that was announced before is left out. */
static const struct nt_batch_str *text_of(const struct nt_batch *batch, nt_str id)
{
	static const struct nt_batch_str none = { 0 };
	for (size_t i = 0; id && i < batch->str_count; i++)
		if (batch->strs[i].id == id)
			return &batch->strs[i];
	return &none;
}

static void show_states(const struct nt_batch *batch)
{
	static const char *const names[] = {
		[NT_STATE_UNUSED] = "unused", [NT_STATE_STARTING] = "starting",   [NT_STATE_DELIVERING] = "delivering",
		[NT_STATE_ABSENT] = "absent", [NT_STATE_FORBIDDEN] = "forbidden", [NT_STATE_STALLED] = "stalled",
		[NT_STATE_ENDED] = "ended",
	};
	for (size_t i = 0; i < batch->event_count; i++) {
		const struct nt_event *event = &batch->events[i];
		const struct nt_ev_source_state *state = &event->u.source_state;
		if (event->kind != NT_EV_SOURCE_STATE || state->state >= sizeof(names) / sizeof(names[0]))
			continue;
		const struct nt_batch_str *why = text_of(batch, state->reason);
		printf("%u %s %s %.*s\n", event->pid, nt_source_name(batch->source), names[state->state], (int)why->length,
		       why->length ? batch->bytes + why->offset : "");
	}
}

/* False: it has nothing more for now. */
static bool drain_once(struct watching *w, enum nt_source_id id)
{
	struct nt_source *source = w->sources[id];
	struct nt_batch *batch = NULL;
	struct nt_error err = { 0 };
	enum nt_status status = source->ops->drain(source, BUDGET, &batch, &err);
	if (status == NT_OK) {
		show_states(batch);
		nt_model_apply(w->model, batch);
		source->ops->give_back(source, batch);
		return true;
	}
	if (status < 0)
		fail(&err);
	if (status != NT_AGAIN) {
		w->finished[id] = source;
		w->sources[id] = NULL;
	}
	return false;
}

/* False: all have ended. */
static bool drain_all(struct watching *w)
{
	bool any = false;
	for (enum nt_source_id id = 0; id < NT_SOURCE_COUNT; id++) {
		for (int round = 0; w->sources[id] && round < ROUNDS && drain_once(w, id); round++)
			continue;
		any |= w->sources[id] != NULL;
	}
	return any;
}

static void tick_all(struct watching *w, bool closing)
{
	nt_time now = nt_clock_now();
	for (enum nt_source_id id = 0; id < NT_SOURCE_COUNT; id++)
		if (w->sources[id] && w->sources[id]->ops->on_tick)
			w->sources[id]->ops->on_tick(w->sources[id], now, closing);
}

static void wait_for_news(const struct watching *w)
{
	struct pollfd fds[NT_SOURCE_COUNT];
	nfds_t count = 0;
	for (enum nt_source_id id = 0; id < NT_SOURCE_COUNT; id++) {
		int fd = w->sources[id] ? w->sources[id]->ops->fd(w->sources[id]) : -1;
		if (fd >= 0)
			fds[count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	poll(fds, count, STEP_MS);
}

/* ---- the model ---- */

static void ask(struct watching *w, const struct nt_process_snapshot *process)
{
	for (enum nt_source_id id = 0; id < NT_SOURCE_COUNT; id++)
		if (w->sources[id] && w->sources[id]->ops->ask && process->question_count)
			w->sources[id]->ops->ask(w->sources[id], process->questions, process->question_count);
}

/* A line for each process, as if it were the only one. Releases it. */
static void show(struct watching *w, struct nt_snapshot *snapshot)
{
	const struct nt_json_options options = { .top = SHOWN_METHODS, .replay_equal = -1 };
	for (size_t i = 0; i < snapshot->process_count; i++) {
		struct nt_snapshot one = *snapshot;
		one.processes = &snapshot->processes[i];
		one.process_count = 1;
		char *line = nt_json_line(&one, &options);
		if (line)
			puts(line);
		free(line);
		ask(w, &snapshot->processes[i]);
	}
	nt_snapshot_release(snapshot);
}

/* Nothing that happens from now on counts. */
static void say_end(struct watching *w)
{
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_APP);
	nt_batch_add(batch, NT_EV_END, nt_clock_now(), 0, 0);
	nt_model_apply(w->model, batch);
	nt_batch_free(batch);
}

static void run(struct watching *w)
{
	bool alive = true;
	while (alive && !interrupted) {
		nt_time end = nt_model_interval_end(w->model), now = nt_clock_now();
		bool closing = now >= end && w->closing != end;
		if (closing)
			w->closing = end;
		tick_all(w, closing);
		alive = drain_all(w);
		for (struct nt_snapshot *snapshot; (snapshot = nt_model_tick(w->model, nt_clock_now()));)
			show(w, snapshot);
		if (alive)
			wait_for_news(w);
	}
	tick_all(w, true);
	drain_all(w);
	say_end(w);
	for (enum nt_source_id id = 0; id < NT_SOURCE_COUNT; id++)
		if (w->sources[id])
			w->sources[id]->ops->stop(w->sources[id]);
	nt_time deadline = nt_clock_now() + LAST_MS * NT_NS_PER_MS;
	while ((alive = drain_all(w)) && nt_clock_now() < deadline)
		wait_for_news(w);
	const struct nt_tick last = { .now = nt_clock_now(), .how = NT_TICK_FINAL, .complete = !alive };
	show(w, nt_model_take_tick(w->model, &last));
}

static void close_all(struct watching *w)
{
	for (enum nt_source_id id = 0; id < NT_SOURCE_COUNT; id++) {
		struct nt_source *source = w->sources[id] ? w->sources[id] : w->finished[id];
		if (source)
			source->ops->close(source);
	}
	nt_model_free(w->model);
	for (size_t i = 0; i < w->target_count; i++)
		nt_target_free(w->targets[i]);
}

static int usage(void)
{
	fputs("usage: processes_dump [-d SECONDS] [-s SOURCE] PID_OR_NAME ...\n", stderr);
	return 2;
}

/* False: there is none of that name. */
static bool choose(struct watching *w, const char *name)
{
	for (size_t i = 0; nt_sources[i]; i++)
		if (strcmp(nt_sources[i]->name, name) == 0) {
			w->mask = (w->mask == ~0u ? 1u << NT_SOURCE_PROCFS : w->mask) | 1u << nt_sources[i]->id;
			return true;
		}
	return false;
}

int main(int argc, char **argv)
{
	int exit_status;
	if (nt_own_process_served(argc, argv, &exit_status))
		return exit_status;
	struct watching w = { .mask = ~0u };
	w.config = (struct nt_source_config){ .perf_hz = 99,
					      .proc_root = "/proc",
					      .lttng_live_timer_us = 100000,
					      .interval_ns = NT_NS_PER_S,
					      .undo_note = undo_note,
					      .undo_hold = undo_hold };
	for (int c; (c = getopt(argc, argv, "d:s:")) != -1;) {
		if (c == 'd')
			w.config.interval_ns = (nt_time)(atof(optarg) * 1e9);
		else if (c != 's' || !choose(&w, optarg))
			return usage();
	}
	if (optind == argc || argc - optind > PROCESSES_MAX || w.config.interval_ns < NT_INTERVAL_MIN_NS)
		return usage();
	struct nt_error err = { 0 };
	for (int i = optind; i < argc; i++) {
		if (nt_target_find("/proc", argv[i], &w.targets[w.target_count], &err) != NT_OK)
			return fail(&err);
		w.target_count++;
	}
	w.config.several = w.target_count > 1;
	char runtime_dir[] = "/tmp/processes_dump.XXXXXX";
	if (!mkdtemp(runtime_dir)) {
		nt_error_errno(&err, NT_ERR_FAILED, errno, "cannot make the folder %s", runtime_dir);
		return fail(&err);
	}
	w.config.runtime_dir = runtime_dir;
	setlinebuf(stdout);
	signal(SIGINT, interrupt);
	struct nt_model_config model_config;
	nt_model_config_init(&model_config);
	model_config.pid = w.targets[0]->pid;
	model_config.start = nt_clock_now();
	model_config.interval_ns = w.config.interval_ns;
	w.model = nt_model_new(&model_config);
	for (size_t i = 0; nt_sources[i]; i++) {
		open_source(&w, nt_sources[i]);
		drain_all(&w); /* procfs, the first of them, says who the processes are */
	}
	run(&w);
	close_all(&w);
	rmdir(runtime_dir);
	return 0;
}
