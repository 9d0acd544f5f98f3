// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"
#include "fixture_rows.h"

#include "base/alloc.h"

#include <string.h>

#define MS NT_NS_PER_MS
#define S  NT_NS_PER_S

struct nt_snapshot *fixture_new(nt_time age_ns)
{
	struct nt_snapshot *snapshot = nt_alloc(sizeof(*snapshot));
	snapshot->refs = 1;
	snapshot->sequence = age_ns / NT_NS_PER_S;
	snapshot->start = FIXTURE_START;
	snapshot->t1 = FIXTURE_START + age_ns;
	snapshot->t0 = snapshot->t1 - (age_ns < NT_NS_PER_S ? age_ns : NT_NS_PER_S);
	snapshot->processes = nt_alloc(sizeof(*snapshot->processes));
	snapshot->process_count = 1;
	return snapshot;
}

void fixture_add_source(struct nt_snapshot *snapshot, const struct nt_source_row *row)
{
	snapshot->sources[snapshot->source_count++] = *row;
}

struct nt_trend fixture_trend(const char *heights, double newest)
{
	struct nt_trend out = { 0 };
	char last = heights[NT_TREND_CELLS - 1];
	double step = newest / (last > '1' ? last - '1' : '8' - '1');
	for (size_t i = 0; i < NT_TREND_CELLS; i++) {
		out.cells[i] = (float)(step * (heights[i] - '1'));
		out.known |= (uint8_t)((heights[i] != ' ') << i);
	}
	return out;
}

/* ---- screen 3 ---- */

static const struct nt_jit_row jit_rows[] = {
	{ .name = "lambda_method(Closure, Row)",
	  .module = "(dynamic)",
	  .tier = NT_TIER_0,
	  .trigger = NT_JIT_FOREGROUND,
	  .count_all = 1903,
	  .time_all_ns = 3512 * MS,
	  .max_ns = 4100 * NT_NS_PER_US,
	  .native_bytes = 3174,
	  .marked = true },
	{ .name = "Shop.Search.Index.Build(IReadOnlyList<Doc>)",
	  .module = "Shop.Web",
	  .tier = NT_TIER_1,
	  .trigger = NT_JIT_BACKGROUND,
	  .count_all = 3,
	  .time_all_ns = 208300 * NT_NS_PER_US,
	  .max_ns = 112 * MS,
	  .il_bytes = 9318,
	  .native_bytes = 62464 },
	{ .name = "Legacy.Pricing.Engine.Run(decimal[])",
	  .module = "Legacy.Pricing",
	  .tier = NT_TIER_0,
	  .trigger = NT_JIT_REJECTED,
	  .count_all = 1,
	  .time_all_ns = 38900 * NT_NS_PER_US,
	  .max_ns = 38900 * NT_NS_PER_US,
	  .il_bytes = 2048,
	  .native_bytes = 14336 },
	{ .name = "Shop.Search.Index.Score(ReadOnlySpan<int>)",
	  .module = "Shop.Web",
	  .tier = NT_TIER_OSR,
	  .trigger = NT_JIT_FOREGROUND,
	  .count = 1,
	  .count_all = 1,
	  .time_ns = 2100 * NT_NS_PER_US,
	  .time_all_ns = 2100 * NT_NS_PER_US,
	  .max_ns = 2100 * NT_NS_PER_US,
	  .il_bytes = 96,
	  .native_bytes = 870,
	  .fresh = true },
	{ .name = "System.Text.Json.Serialization.Converters.ObjectDefaultConverter<Shop.Cart>.OnTryWrite(Utf8JsonWriter, Shop.Cart)",
	  .tier = NT_TIER_INSTRUMENTED,
	  .trigger = NT_JIT_BACKGROUND,
	  .count_all = 2,
	  .time_all_ns = 900 * NT_NS_PER_US,
	  .max_ns = 700 * NT_NS_PER_US,
	  .il_bytes = 512,
	  .native_bytes = 2900 },
};

static const struct nt_jit_now jit_now[] = {
	{ .name = "Shop.Pricing.Rule.Compile(Expression)", .tid = 4790, .since = 41 * MS, .trigger = NT_JIT_FOREGROUND },
	{ .name = "Shop.Search.Index.Build(IReadOnlyList<Doc>)", .tid = 4741, .since = 3 * MS, .trigger = NT_JIT_BACKGROUND },
};

void fixture_add_jit(struct nt_process_snapshot *process, nt_time t1)
{
	process->jit_method_count = sizeof(jit_rows) / sizeof(jit_rows[0]);
	process->jit_methods = nt_alloc(sizeof(jit_rows));
	memcpy(process->jit_methods, jit_rows, sizeof(jit_rows));
	for (size_t i = 0; i < process->jit_method_count; i++)
		process->jit_methods[i].id = 300 + i;
	process->jit_now_count = sizeof(jit_now) / sizeof(jit_now[0]);
	process->jit_now = nt_alloc(sizeof(jit_now));
	memcpy(process->jit_now, jit_now, sizeof(jit_now));
	for (size_t i = 0; i < process->jit_now_count; i++)
		process->jit_now[i].since = t1 - jit_now[i].since; /* held as an age above */
	fixture_add_jit_groups(process);
	process->recent_ns = 10 * S;
	process->jit_recent = (struct nt_jit_figures){
		.method_count = NT_KNOWN(2310),
		.il_bytes = NT_KNOWN(1153434),
		.native_bytes = NT_KNOWN(10171187),
		.tier_count = { [NT_TIER_MINOPT] = NT_KNOWN(0),
				[NT_TIER_OPTIMIZED] = NT_KNOWN(0),
				[NT_TIER_0] = NT_KNOWN(2020),
				[NT_TIER_1] = NT_KNOWN(265),
				[NT_TIER_OSR] = NT_KNOWN(4),
				[NT_TIER_INSTRUMENTED] = NT_KNOWN(21),
				[NT_TIER_INSTRUMENTED_OPT] = NT_KNOWN(0) },
		.dynamic_count = NT_KNOWN(1903),
		.rejected_count = NT_KNOWN(1),
	};
}

/* ---- screen 4 ---- */

/* Of the methods of fixture_shop(), whose ids begin at 100. */
static const struct nt_hot_method hot_of_gc[] = {
	{ 100, "SVR::gc_heap::mark_object_simple1(uint8_t*, uint8_t*, int)", 6100, 61.0 },
	{ 105, "SVR::gc_heap::plan_phase(int)", 2400, 24.0 },
	{ 111, "SVR::gc_heap::relocate_survivors(int, uint8_t*)", 900, 9.0 },
};
static const struct nt_hot_method hot_of_worker[] = {
	{ 101, "Shop.Export.CsvWriter.AppendRow(ref Row)", 1860, 60.0 },
	{ 104, "Shop.Export.CsvWriter.Grow(int)", 620, 20.0 },
	{ 102, "__memset_avx512_unaligned_erms", 310, 10.0 },
	{ 103, "clear_page_erms", 155, 5.0 },
};
/* As many as are kept of a thread: methods 100 to 115. */
static struct nt_hot_method hot_of_main[NT_HOT_METHODS];
#define HOT(methods, weight) .hot = (methods), .hot_count = sizeof(methods) / sizeof((methods)[0]), .window_samples = (weight)

static const struct nt_thread_row thread_rows[] = {
	{ .tid = 4733,
	  .name = ".NET Server GC",
	  .role = NT_ROLE_GC,
	  .cpu_pct = NT_KNOWN(98.2),
	  .user_pct = NT_KNOWN(97.0),
	  .kernel_pct = NT_KNOWN(1.2),
	  .state = 'R',
	  .samples = 981,
	  HOT(hot_of_gc, 10000) },
	{ .tid = 4790,
	  .name = ".NET TP Worker",
	  .role = NT_ROLE_POOL,
	  .cpu_pct = NT_KNOWN(31.0),
	  .user_pct = NT_KNOWN(29.5),
	  .kernel_pct = NT_KNOWN(1.5),
	  .state = 'R',
	  .samples = 310,
	  .allocated_per_s = NT_KNOWN(1.29e9),
	  .allocated_bytes = NT_KNOWN(UINT64_C(812) << 30),
	  HOT(hot_of_worker, 3100) },
	{ .tid = 4802,
	  .name = ".NET TP Worker",
	  .role = NT_ROLE_POOL,
	  .cpu_pct = NT_KNOWN(0),
	  .user_pct = NT_KNOWN(0),
	  .kernel_pct = NT_KNOWN(0),
	  .state = 'S',
	  .state_ns = 9100 * MS,
	  .idle_ns = NT_KNOWN(9100 * MS),
	  .lock_ns = NT_KNOWN(9100 * MS),
	  .lock_owner_tid = 4790,
	  .allocated_per_s = NT_KNOWN(0),
	  .marked = true },
	{ .tid = 4741,
	  .name = ".NET Tiered Com",
	  .role = NT_ROLE_JIT,
	  .cpu_pct = NT_KNOWN(12.5),
	  .state = 'S',
	  .state_ns = 400 * MS,
	  .idle_ns = NT_KNOWN(400 * MS) },
	{ .tid = 4711,
	  .name = "dotnet",
	  .role = NT_ROLE_APPLICATION,
	  .cpu_pct = NT_KNOWN(0),
	  .state = 'S',
	  .state_ns = 259200 * S,
	  HOT(hot_of_main, 160) },
	{ .tid = 4720,
	  .name = ".NET Finalizer",
	  .role = NT_ROLE_FINALIZER,
	  .cpu_pct = NT_KNOWN(0.1),
	  .state = 'S',
	  .state_ns = 40 * S,
	  .idle_ns = NT_KNOWN(40 * S) },
	{ .tid = 4717, .name = ".NET SigHandler", .role = NT_ROLE_RUNTIME, .state = 'S', .fresh = true },
	{ .tid = 4801, .name = ".NET TP Worker", .role = NT_ROLE_POOL, .ended = true },
};

void fixture_add_threads(struct nt_process_snapshot *process)
{
	static const char *const trends[] = { "56788888", "23344555", "11111111", "   11231" };
	for (unsigned i = 0; i < NT_HOT_METHODS; i++)
		hot_of_main[i] = (struct nt_hot_method){ 100 + i, "Shop.Main()", 20 - i, (20 - i) / 1.6 };
	process->pause_samples = (struct nt_pause_samples){
		.told = true,
		.parts = { [NT_IN_PAUSES] = { HOT(hot_of_gc, 10000) }, [NT_OUTSIDE_PAUSES] = { HOT(hot_of_worker, 3100) } },
	};
	process->thread_count = sizeof(thread_rows) / sizeof(thread_rows[0]);
	process->threads = nt_alloc(sizeof(thread_rows));
	memcpy(process->threads, thread_rows, sizeof(thread_rows));
	for (size_t i = 0; i < process->thread_count; i++) {
		process->threads[i].id = (uint64_t)(i + 1) << 32 | thread_rows[i].tid;
		process->threads[i].trend = fixture_trend(trends[i % (sizeof(trends) / sizeof(trends[0]))], thread_rows[i].cpu_pct.v);
	}
}
