/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Batches made by hand. A `struct feed` is one source: it announces texts and chains as a real one does and hands each batch to a model; with
 * `kept` it also keeps copies, for replays. Times are in ms from the model's start, for readable tests.
 */
#ifndef NT_TESTS_MODEL_BUILD_H
#define NT_TESTS_MODEL_BUILD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/interner.h"
#include "nettop/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PID = 4711, START_S = 1000 };
#define START (START_S * NT_NS_PER_S)

static inline nt_time ms(double value)
{
	return START + (nt_time)(value * (double)NT_NS_PER_MS);
}

/* `text_slack_bytes`: 1 = what is not used any more is forgotten at once, in the end of each interval. */
static inline struct nt_model *new_model_with(size_t text_slack_bytes)
{
	struct nt_model_config config;
	nt_model_config_init(&config);
	config.pid = PID;
	config.start = START;
	config.text_slack_bytes = text_slack_bytes;
	return nt_model_new(&config);
}

static inline struct nt_model *new_model(void)
{
	return new_model_with(1);
}

struct feed {
	struct nt_model *model;
	struct nt_batch *batch;
	struct nt_interner *interner;
};

static inline void feed_init(struct feed *feed, struct nt_model *model, enum nt_source_id source)
{
	*feed = (struct feed){ .model = model, .batch = nt_batch_new(source), .interner = nt_interner_new(0) };
	nt_interner_begin(feed->interner, feed->batch);
}

static inline void feed_fini(struct feed *feed)
{
	nt_batch_free(feed->batch);
	nt_interner_free(feed->interner);
}

/* Hand over what was gathered and begin a new batch. */
static inline void feed_send(struct feed *feed)
{
	nt_model_apply(feed->model, feed->batch);
	nt_batch_reset(feed->batch);
	nt_interner_begin(feed->interner, feed->batch);
}

static inline nt_str text(struct feed *feed, const char *value)
{
	return nt_interner_cstr(feed->interner, feed->batch, value);
}

static inline struct nt_event *event(struct feed *feed, enum nt_event_kind kind, double at_ms, uint32_t tid)
{
	return nt_batch_add(feed->batch, kind, ms(at_ms), PID, tid);
}

static inline void state(struct feed *feed, enum nt_source_state value)
{
	struct nt_event *e = event(feed, NT_EV_SOURCE_STATE, 0, 0);
	e->u.source_state.state = value;
	e->u.source_state.open = value == NT_STATE_DELIVERING;
}

static inline void delivering(struct feed *feed)
{
	state(feed, NT_STATE_DELIVERING);
	feed_send(feed);
}

static inline void idle(struct feed *feed, double at_ms)
{
	event(feed, NT_EV_IDLE, at_ms, 0);
	feed_send(feed);
}

/* What the table of prerequisites says of such a target, in words of the tests. */
static inline void target_mode(struct feed *feed, enum nt_target_mode mode)
{
	struct nt_ev_target target = { .name = text(feed, "shop"), .mode = mode, .server_gc = 2 };
	if (mode == NT_MODE_NONE || mode == NT_MODE_UNKNOWN) {
		target.jit_reason = target.lock_reason = text(feed, "no log");
		target.jit_fix = target.lock_fix = text(feed, "switch the log on");
	}
	if (mode != NT_MODE_F && mode != NT_MODE_ALL) {
		target.pool_reason = text(feed, "no listener");
		target.pool_fix = text(feed, "start a listener");
	}
	event(feed, NT_EV_TARGET, 0, 0)->u.target = target;
	feed_send(feed);
}

/* ---- the runtime ---- */

static inline void suspend(struct feed *feed, double at_ms, uint32_t tid, uint32_t reason)
{
	event(feed, NT_EV_GC_SUSPEND_BEGIN, at_ms, tid)->u.gc_suspend_begin.reason = reason;
}

static inline void restart(struct feed *feed, double at_ms, uint32_t tid)
{
	event(feed, NT_EV_GC_RESTART_BEGIN, at_ms, tid);
}

static inline void gc_start(struct feed *feed, double at_ms, uint32_t tid, uint32_t number, uint32_t generation, uint32_t type)
{
	struct nt_ev_gc_start *start = &event(feed, NT_EV_GC_START, at_ms, tid)->u.gc_start;
	*start = (struct nt_ev_gc_start){ .number = number, .generation = generation, .type = type };
}

static inline void gc_end(struct feed *feed, double at_ms, uint32_t tid, uint32_t number, uint32_t generation)
{
	struct nt_ev_gc_end *end = &event(feed, NT_EV_GC_END, at_ms, tid)->u.gc_end;
	*end = (struct nt_ev_gc_end){ .number = number, .generation = generation };
}

static inline void jit_start(struct feed *feed, double at_ms, uint32_t tid, uint64_t method, uint32_t il_bytes)
{
	struct nt_ev_jit_start *start = &event(feed, NT_EV_JIT_START, at_ms, tid)->u.jit_start;
	start->method_id = method;
	start->il_bytes = il_bytes;
}

static inline struct nt_ev_method *method_load(struct feed *feed, double at_ms, uint32_t tid, uint64_t method, enum nt_tier tier)
{
	struct nt_ev_method *load = &event(feed, NT_EV_METHOD_LOAD, at_ms, tid)->u.method;
	*load = (struct nt_ev_method){ .method_id = method, .size = 100, .start = 0x10000 + method * 0x100, .flags = 8, .tier = tier };
	return load;
}

/* ---- code and samples ---- */

static inline void map_image(struct feed *feed, double at_ms, uint64_t start, uint64_t length, const char *path, uint32_t flags)
{
	struct nt_ev_map *map = &event(feed, NT_EV_MAP, at_ms, 0)->u.map;
	*map = (struct nt_ev_map){ .start = start, .length = length, .image = text(feed, path), .inode = 7, .flags = flags };
}

/* A line of a perf map, as the runtime writes it. */
static inline void raw_line(struct feed *feed, double from_ms, uint64_t start, uint64_t size, const char *raw)
{
	event(feed, NT_EV_CODE, from_ms, 0)->u.code =
		(struct nt_ev_code){ .from = from_ms > 0 ? ms(from_ms) : 0, .first = (uint32_t)feed->batch->line_count };
	const struct nt_batch_line line = { .start = start, .size = (uint32_t)size, .length = (uint16_t)strlen(raw), .kind = NT_CODE_JIT };
	nt_batch_add_lines(feed->batch, &line, 1, raw);
}

/* A line of the perf map for the method that is shown as `name`, Namespace.Type.Method() or method() of no type, of the assembly Shop. */
static inline void code_line(struct feed *feed, double from_ms, uint64_t start, uint64_t size, const char *name, enum nt_tier tier)
{
	static const char *const tiers[NT_TIER_COUNT] = {
		[NT_TIER_0] = "[QuickJitted]", [NT_TIER_1] = "[OptimizedTier1]", [NT_TIER_OSR] = "[OptimizedTier1OSR]"
	};
	assert_non_null(tiers[tier]);
	char raw[256];
	const char *dot = strrchr(name, '.'), *method = dot ? dot + 1 : name;
	int type_length = dot ? (int)(dot - name) : 0;
	snprintf(raw, sizeof(raw), "void [Shop] %.*s::%s%s", type_length, name, method, tiers[tier]);
	raw_line(feed, from_ms, start, size, raw);
}

static inline void sample_chain(struct feed *feed, double at_ms, uint32_t tid, const uint64_t *addresses, unsigned kernel_count,
				unsigned count)
{
	nt_stack stack = nt_interner_stack(feed->interner, feed->batch, addresses, kernel_count, count);
	struct nt_ev_sample *sample = &event(feed, NT_EV_SAMPLE, at_ms, tid)->u.sample;
	*sample = (struct nt_ev_sample){ .weight_ns = NT_NS_PER_MS, .stack = stack };
}

static inline void sample_at(struct feed *feed, double at_ms, uint32_t tid, uint64_t address)
{
	sample_chain(feed, at_ms, tid, &address, 0, 1);
}

/* ---- what nettop decides ---- */

static inline void decide(struct nt_model *model, const struct nt_event *event)
{
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_APP);
	*nt_batch_add(batch, (enum nt_event_kind)event->kind, event->time, event->pid, 0) = *event;
	nt_model_apply(model, batch);
	nt_batch_free(batch);
}

/* Somebody looks at the code of this method. */
static inline void look_at(struct nt_model *model, uint64_t method)
{
	decide(model, &(struct nt_event){ .kind = NT_EV_LOOK, .pid = PID, .u.look.method = method });
}

static inline void keep_stacks(struct nt_model *model, enum nt_stacks_wanted wanted)
{
	decide(model, &(struct nt_event){ .kind = NT_EV_KEEP_STACKS, .pid = PID, .u.keep_stacks.wanted = (uint32_t)wanted });
}

static inline void keep_samples(struct nt_model *model, bool wanted)
{
	decide(model, &(struct nt_event){ .kind = NT_EV_KEEP_SAMPLES, .pid = PID, .u.keep_samples.wanted = wanted });
}

static inline void set_interval(struct nt_model *model, nt_time ns)
{
	decide(model, &(struct nt_event){ .kind = NT_EV_INTERVAL, .u.interval.ns = ns });
}

/* Nothing from then on counts. */
static inline void end_all(struct nt_model *model, double at_ms)
{
	decide(model, &(struct nt_event){ .kind = NT_EV_END, .time = ms(at_ms) });
}

/* ---- results ---- */

/* What is asked about the open interval by then: borrowed until the next batch or tick. */
static inline const struct nt_question *ask_at(struct nt_model *model, double at_ms, size_t *count)
{
	decide(model, &(struct nt_event){ .kind = NT_EV_ASK, .time = ms(at_ms), .pid = PID });
	return nt_model_questions(model, count);
}

/* Close at this time whatever is missing. Release the result. */
static inline struct nt_snapshot *close_at(struct nt_model *model, double at_ms)
{
	return nt_model_close(model, ms(at_ms), false);
}

static inline const struct nt_method_row *row_named(const struct nt_snapshot *snapshot, const char *name)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	for (size_t i = 0; i < process->method_count; i++)
		if (strcmp(process->methods[i].name, name) == 0)
			return &process->methods[i];
	return NULL;
}

#define assert_known(value, expected)                                                                                                      \
	do {                                                                                                                               \
		assert_true((value).known);                                                                                                \
		assert_int_equal((value).v, (expected));                                                                                   \
	} while (0)
#define assert_unknown(value) assert_false((value).known)

/* Two doubles equal within 1e-9 of their size. */
static inline void assert_near(double value, double expected)
{
	double difference = value - expected, size = expected < 0 ? -expected : expected;
	assert_true(difference <= 1e-9 * (size + 1) && difference >= -1e-9 * (size + 1));
}

#endif
