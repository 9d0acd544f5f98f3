// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording of a process that never was, so long that nobody would wait for it: in each second it has taken some CPU time, and 99 samples of methods that have names.
 *
 *   made_recording FILE SECONDS
 *
 * It begins at 2026-01-01T00:00:00Z.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/recorder.h"

enum { PID = 4711, TID = 4712, SAMPLES = 99, METHODS = 40, DEPTH = 12, CODE_BYTES = 256 };
#define START (1000 * NT_NS_PER_S)
#define BEGAN INT64_C(1767225600) /* of the clock of the wall, in s */
#define CODE  UINT64_C(0x7f0000000000)

static struct nt_batch *begin(struct nt_batch *batch, enum nt_source_id source)
{
	nt_batch_reset(batch);
	batch->source = source;
	batch->epoch = 1;
	return batch;
}

static void say_state(struct nt_batch *batch)
{
	struct nt_ev_source_state *state = &nt_batch_add(batch, NT_EV_SOURCE_STATE, START, PID, 0)->u.source_state;
	state->state = NT_STATE_DELIVERING;
	state->open = 1;
	state->rate_hz = batch->source == NT_SOURCE_PERF ? SAMPLES : 0;
}

static nt_str announce(struct nt_batch *batch, nt_str id, const char *text)
{
	nt_batch_announce_str(batch, id, text, strlen(text));
	return id;
}

/* Who it is, and what its code is called. */
static void put_begin(struct nt_recorder *recorder, struct nt_batch *batch)
{
	say_state(begin(batch, NT_SOURCE_PROCFS));
	struct nt_ev_target *target = &nt_batch_add(batch, NT_EV_TARGET, START, PID, 0)->u.target;
	target->name = announce(batch, 1, "made");
	target->start_ticks = 1;
	nt_recorder_batch(recorder, batch);
	say_state(begin(batch, NT_SOURCE_PERF));
	nt_recorder_batch(recorder, batch);
	say_state(begin(batch, NT_SOURCE_EVENTPIPE));
	for (nt_str i = 0; i < METHODS; i++) {
		char name[32];
		snprintf(name, sizeof(name), "Made.Work::Method%" PRIu32 "()", i);
		struct nt_ev_method *method = &nt_batch_add(batch, NT_EV_METHOD_LOAD, START, PID, TID)->u.method;
		method->method_id = i + 1;
		method->start = CODE + (uint64_t)i * CODE_BYTES;
		method->size = CODE_BYTES;
		method->name = announce(batch, i + 1, name);
	}
	nt_recorder_batch(recorder, batch);
}

static void put_samples(struct nt_batch *batch, uint64_t second, nt_time t0)
{
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint64_t addresses[DEPTH];
		for (uint32_t k = 0; k < DEPTH; k++)
			addresses[k] = CODE + (second + i % 7 + k) % METHODS * CODE_BYTES + 8;
		nt_batch_announce_stack(batch, i + 1, addresses, 0, DEPTH);
		struct nt_event *event = nt_batch_add(batch, NT_EV_SAMPLE, t0 + (nt_time)i * NT_NS_PER_S / SAMPLES, PID, TID);
		event->u.sample.stack = i + 1;
		event->u.sample.weight_ns = NT_NS_PER_S / SAMPLES;
	}
}

static void put_second(struct nt_recorder *recorder, struct nt_batch *batch, uint64_t second)
{
	nt_time t0 = START + second * NT_NS_PER_S, t1 = t0 + NT_NS_PER_S;
	begin(batch, NT_SOURCE_PERF)->epoch = (uint32_t)second + 2;
	put_samples(batch, second, t0);
	nt_batch_add(batch, NT_EV_IDLE, t1, 0, 0);
	nt_recorder_batch(recorder, batch);
	begin(batch, NT_SOURCE_PROCFS);
	nt_batch_add(batch, NT_EV_PROC, t1, PID, 0)->u.proc =
		(struct nt_ev_proc){ .user_ns = (second + 1) * NT_NS_PER_S, .rss_bytes = 64 << 20, .thread_count = 9 };
	nt_recorder_batch(recorder, batch);
	begin(batch, NT_SOURCE_EVENTPIPE);
	nt_batch_add(batch, NT_EV_IDLE, t1, 0, 0);
	nt_recorder_batch(recorder, batch);
	nt_recorder_tick(recorder, &(struct nt_tick){ .now = t1 + NT_NS_PER_MS, .how = NT_TICK_DUE });
}

int main(int argc, char **argv)
{
	struct nt_recorder *recorder = NULL;
	struct nt_error err = { 0 };
	uint64_t seconds = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	if (!seconds || nt_recorder_open(argv[1], 0, &recorder, &err) != NT_OK) {
		fprintf(stderr, "made_recording: %s\n", err.cause_count ? err.cause[0] : "made_recording FILE SECONDS");
		return 1;
	}
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_APP);
	const struct nt_model_config config = { .pid = PID,
						.start = START,
						.interval_ns = NT_NS_PER_S,
						.watermark_ns = 300 * NT_NS_PER_MS,
						.window_half_life = NT_WINDOW_HALF_LIFE,
						.history_limit = 2000 };
	nt_recorder_settings(recorder, &config, (BEGAN - (int64_t)(START / NT_NS_PER_S)) * (int64_t)NT_NS_PER_S);
	put_begin(recorder, batch);
	for (uint64_t second = 0; second < seconds; second++)
		put_second(recorder, batch, second);
	nt_recorder_tick(recorder,
			 &(struct nt_tick){ .now = START + seconds * NT_NS_PER_S + NT_NS_PER_MS, .how = NT_TICK_FINAL, .complete = true });
	nt_recorder_end(recorder);
	const char *problem = nt_recorder_problem(recorder);
	if (problem)
		fprintf(stderr, "made_recording: %s\n", problem);
	nt_batch_free(batch);
	nt_recorder_free(recorder);
	return problem != NULL;
}
