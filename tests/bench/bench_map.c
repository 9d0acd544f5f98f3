// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a perf map in a file to names that can be looked up: the code map source with its worker, and the model, on a map of this very process.
 *
 *   bench_map LINES
 *
 * Prints its pid; waits for a line of standard input, by when /tmp/perf-PID.map must be there with so many good lines. Takes all of them in, then has
 * the model name samples spread over all of the map. Prints one JSON object: lines, wall_ns and cpu_ns from the start to the answer, asked, named. Ends
 * when its input does, so that its memory can be looked at. Fails when not all of the map arrives within a minute.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/interner.h"
#include "nettop/model.h"
#include "nettop/source.h"
#include "source/common/sources.h"
#include "target/process/target.h"

enum { ASKED = 1000, DEADLINE_S = 60, BUDGET = 4096, WAIT_MS = 50 };

struct bench {
	uint64_t expected, seen;   /* lines */
	uint64_t answers;          /* NAME events */
	uint64_t chosen;           /* of the addresses */
	uint64_t addresses[ASKED]; /* one in each of these pieces of code */
	struct nt_model *model;    /* owned */
};

static void undo_note(void *context, const char *verb, const char *argument)
{
	(void)context;
	(void)verb;
	(void)argument;
}

static uint64_t process_cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * NT_NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* The pieces of code that are asked for later lie at even distances in the file. */
static inline void choose(struct bench *bench, uint64_t address)
{
	if (bench->seen * ASKED >= bench->chosen * bench->expected && bench->chosen < ASKED)
		bench->addresses[bench->chosen++] = address;
	bench->seen++;
}

static void note(struct bench *bench, const struct nt_batch *batch)
{
	for (size_t i = 0; i < batch->event_count; i++)
		bench->answers += batch->events[i].kind == NT_EV_NAME;
	for (size_t i = 0; i < batch->line_count; i++)
		choose(bench, batch->lines[i].start + batch->lines[i].size / 2);
	for (size_t i = 0; i < batch->place_count; i++)
		choose(bench, batch->places[i].start + batch->places[i].size / 2);
}

/* Take one batch, or wait for one a little. False: there will be none. */
static bool pump(struct bench *bench, struct nt_source *source)
{
	struct nt_batch *batch = NULL;
	enum nt_status status = source->ops->drain(source, BUDGET, &batch, NULL);
	if (status == NT_OK) {
		note(bench, batch);
		nt_model_apply(bench->model, batch);
		source->ops->give_back(source, batch);
	} else if (status == NT_AGAIN) {
		struct pollfd fd = { .fd = source->ops->fd(source), .events = POLLIN };
		poll(&fd, 1, WAIT_MS);
	}
	return status == NT_OK || status == NT_AGAIN;
}

/* True when all of the map is in the model. */
static bool take_in(struct bench *bench, struct nt_source *source)
{
	nt_time deadline = nt_clock_now() + DEADLINE_S * NT_NS_PER_S;
	while (bench->seen < bench->expected && nt_clock_now() < deadline && pump(bench, source))
		;
	return bench->seen >= bench->expected;
}

/* One sample in each chosen piece of code. */
static void sample(struct bench *bench)
{
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	struct nt_interner *interner = nt_interner_new(0);
	nt_interner_begin(interner, batch);
	nt_time now = nt_clock_now();
	for (size_t i = 0; i < ASKED; i++) {
		struct nt_event *event = nt_batch_add(batch, NT_EV_SAMPLE, now, (uint32_t)getpid(), (uint32_t)getpid());
		event->u.sample.weight_ns = NT_NS_PER_MS;
		event->u.sample.stack = nt_interner_stack(interner, batch, &bench->addresses[i], 0, 1);
	}
	nt_model_apply(bench->model, batch);
	nt_interner_free(interner);
	nt_batch_free(batch);
}

static uint64_t count_named(const struct nt_process_snapshot *process)
{
	uint64_t named = 0;
	for (size_t i = 0; i < process->method_count; i++)
		if (!process->methods[i].reason && (process->methods[i].kind == NT_CODE_JIT || process->methods[i].kind == NT_CODE_STUB))
			named += process->methods[i].self_samples_all;
	return named;
}

/* Samples spread over the map, then the model's questions until it has none: how many samples have a name. */
static uint64_t name_samples(struct bench *bench, struct nt_source *source)
{
	nt_time deadline = nt_clock_now() + DEADLINE_S * NT_NS_PER_S;
	uint64_t named = 0, asked = 0;
	bool more = true;
	sample(bench);
	while (more && named < ASKED && nt_clock_now() < deadline) {
		struct nt_snapshot *snapshot = nt_model_close(bench->model, nt_clock_now(), true);
		const struct nt_process_snapshot *process = &snapshot->processes[0];
		named = count_named(process);
		if (process->question_count)
			asked += source->ops->ask(source, process->questions, process->question_count);
		nt_snapshot_release(snapshot);
		while (more && bench->answers < asked && nt_clock_now() < deadline)
			more = pump(bench, source);
	}
	return named;
}

static int measure(struct bench *bench, const struct nt_target *target, const struct nt_source_config *config)
{
	uint64_t wall_ns = nt_clock_now(), cpu_ns = process_cpu_ns();
	struct nt_model_config model_config;
	nt_model_config_init(&model_config);
	model_config.pid = target->pid;
	model_config.start = wall_ns;
	model_config.interval_ns = NT_NS_PER_S;
	bench->model = nt_model_new(&model_config);
	struct nt_source *source;
	if (nt_source_codemap.open(config, &source, NULL) != NT_OK)
		return 1;
	bool complete = source->ops->add(source, target, NULL) == NT_OK && take_in(bench, source);
	uint64_t named = complete ? name_samples(bench, source) : 0;
	wall_ns = nt_clock_now() - wall_ns;
	cpu_ns = process_cpu_ns() - cpu_ns;
	printf("{\"lines\": %" PRIu64 ", \"wall_ns\": %" PRIu64 ", \"cpu_ns\": %" PRIu64 ", \"asked\": %d, \"named\": %" PRIu64 "}\n",
	       bench->seen, wall_ns, cpu_ns, ASKED, named);
	fflush(stdout);
	while (getchar() != EOF)
		;
	source->ops->close(source);
	return complete && named == ASKED ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct bench bench = { .expected = argc == 2 ? strtoull(argv[1], NULL, 10) : 0 };
	if (bench.expected < ASKED) {
		fprintf(stderr, "usage: bench_map LINES     (at least %d)\n", ASKED);
		return 2;
	}
	char pid[16], line[16];
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	puts(pid);
	fflush(stdout);
	struct nt_target *target = NULL;
	struct nt_error err = { 0 };
	if (!fgets(line, sizeof(line), stdin) || nt_target_find("/proc", pid, &target, &err) != NT_OK)
		return 1;
	struct nt_source_config config = { .proc_root = "/proc", .undo_note = undo_note };
	int status = measure(&bench, target, &config);
	nt_model_free(bench.model);
	nt_target_free(target);
	return status;
}
