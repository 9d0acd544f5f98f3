// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a method costs the model: memory that was written to, in a program that does nothing else.
 *
 *   bench_methods METHODS
 *
 * A program compiles METHODS dynamic methods, each with a name of its own, as lines of the perf map that come while we watch. Nobody samples them; then each is sampled
 * once; then for so long none that all leave the list. Prints one JSON object: methods; line_bytes, the length of a line's text; and of one method living_bytes,
 * which it costs, its name included; listed_bytes, which the sample adds while it is in the list, the snapshot and the names for people and of the runtime included; sampled_bytes, what is
 * left of these when it is no longer there.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/interner.h"
#include "nettop/model.h"
#include "nettop/source.h"

enum { PID = 1, AT_ONCE = 1000, LEAST = 1000, AWAY_S = 90, SIZE = 0x180, SPACING = 0x200 };
#define FIRST UINT64_C(0x7f0000000000)

struct feed {
	struct nt_batch *batch;
	struct nt_interner *interner;
};

struct bench {
	struct nt_model *model;
	struct feed codemap, perf;
	struct nt_snapshot *shown; /* as the screen holds it */
	nt_time now;
	size_t count, line_bytes;
};

/* Tables reserve address space for all that there may be; what counts is what was written to. */
static double used_bytes(void)
{
	unsigned long long kb = 0;
	char line[256];
	malloc_trim(0);
	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof(line), status) && sscanf(line, "RssAnon: %llu kB", &kb) != 1)
		;
	if (status)
		fclose(status);
	return (double)kb * 1024;
}

static void send_batch(struct bench *bench, struct feed *feed)
{
	nt_model_apply(bench->model, feed->batch);
	nt_batch_reset(feed->batch);
	nt_interner_begin(feed->interner, feed->batch);
}

static void open_feed(struct bench *bench, struct feed *feed, enum nt_source_id source)
{
	*feed = (struct feed){ .batch = nt_batch_new(source), .interner = nt_interner_new(0) };
	nt_interner_begin(feed->interner, feed->batch);
	struct nt_event *state = nt_batch_add(feed->batch, NT_EV_SOURCE_STATE, bench->now, PID, 0);
	state->u.source_state.state = NT_STATE_DELIVERING;
	state->u.source_state.open = true;
	send_batch(bench, feed);
}

static void close_feed(struct feed *feed)
{
	nt_batch_free(feed->batch);
	nt_interner_free(feed->interner);
}

static void second(struct bench *bench)
{
	bench->now += NT_NS_PER_S;
	nt_snapshot_release(bench->shown);
	bench->shown = nt_model_close(bench->model, bench->now, false);
}

static void compile(struct bench *bench, size_t method)
{
	char text[128];
	int length =
		snprintf(text, sizeof(text), "instance int32 [Bench.Dynamic] dynamicClass::lambda_method%06zu(object)[Optimized]", method);
	const struct nt_batch_line line = {
		.start = FIRST + method * SPACING, .size = SIZE, .length = (uint16_t)length, .kind = NT_CODE_JIT
	};
	nt_batch_add(bench->codemap.batch, NT_EV_CODE, bench->now, PID, 0)->u.code =
		(struct nt_ev_code){ .from = bench->now, .first = (uint32_t)bench->codemap.batch->line_count };
	nt_batch_add_lines(bench->codemap.batch, &line, 1, text);
	bench->line_bytes += (size_t)length;
}

static void sample(struct bench *bench, size_t method)
{
	const uint64_t address = FIRST + method * SPACING + SIZE / 2;
	nt_stack stack = nt_interner_stack(bench->perf.interner, bench->perf.batch, &address, 0, 1);
	nt_batch_add(bench->perf.batch, NT_EV_SAMPLE, bench->now, PID, PID)->u.sample =
		(struct nt_ev_sample){ .weight_ns = NT_NS_PER_MS, .stack = stack };
}

/* AT_ONCE of them in a second. */
static void each(struct bench *bench, struct feed *feed, void (*act)(struct bench *, size_t))
{
	for (size_t i = 0; i < bench->count; i++) {
		act(bench, i);
		if (i % AT_ONCE != AT_ONCE - 1 && i + 1 != bench->count)
			continue;
		send_batch(bench, feed);
		second(bench);
	}
}

static void begin(struct bench *bench, size_t count)
{
	struct nt_model_config config;
	nt_model_config_init(&config);
	config.pid = PID;
	config.start = NT_NS_PER_S;
	*bench = (struct bench){ .model = nt_model_new(&config), .now = NT_NS_PER_S, .count = count };
	open_feed(bench, &bench->codemap, NT_SOURCE_CODEMAP);
	open_feed(bench, &bench->perf, NT_SOURCE_PERF);
	second(bench);
}

static void end(struct bench *bench)
{
	nt_snapshot_release(bench->shown);
	close_feed(&bench->codemap);
	close_feed(&bench->perf);
	nt_model_free(bench->model);
}

int main(int argc, char **argv)
{
	size_t count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	if (count < LEAST) {
		fprintf(stderr, "usage: bench_methods METHODS   (at least %d)\n", LEAST);
		return 2;
	}
	struct bench bench;
	begin(&bench, count);
	double before = used_bytes();
	each(&bench, &bench.codemap, compile);
	double living = used_bytes();
	each(&bench, &bench.perf, sample);
	double listed = used_bytes();
	size_t in_list = bench.shown->processes[0].method_count;
	for (unsigned i = 0; i < AWAY_S; i++)
		second(&bench);
	double sampled = used_bytes();
	size_t left = bench.shown->processes[0].method_count;
	printf("{\"methods\": %zu, \"line_bytes\": %.1f, \"living_bytes\": %.1f, \"listed\": %zu, \"listed_bytes\": %.1f, \"left\": %zu, "
	       "\"sampled_bytes\": %.1f}\n",
	       count, (double)bench.line_bytes / (double)count, (living - before) / (double)count, in_list,
	       (listed - living) / (double)count, left, (sampled - living) / (double)count);
	end(&bench);
	return 0;
}
