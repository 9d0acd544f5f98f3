// SPDX-License-Identifier: GPL-2.0-only
/* Rows about events with call stacks: screens 6 and 7, and who asked for the collections of screen 2. */
#include "fixture_rows.h"

#include "base/alloc.h"
#include "base/row_block.h"

#include <string.h>

#define MS NT_NS_PER_MS
#define US NT_NS_PER_US

static const struct nt_call_frame grow_frames[] = {
	{ .name = "[System.Private.CoreLib.dll+0x5e95f0]", .module = "System.Private.CoreLib.dll" },
	{ .name = "Shop.Export.CsvWriter.Grow(int)", .module = "Shop.Web" },
	{ .name = "Shop.Export.CsvWriter.AppendRow(ref Row)", .module = "Shop.Web" },
	{ .name = "Shop.Export.CsvExport.WriteAsync(Stream) async", .module = "Shop.Web" },
	{ .name = "System.Threading.ThreadPoolWorkQueue.Dispatch()", .module = "System.Private.CoreLib" },
};
static const struct nt_call_stack grow = { .frames = grow_frames, .count = 5, .site = 1 };

static const struct nt_call_frame parse_frames[] = {
	{ .name = "[System.Private.CoreLib.dll+0x4a1be]", .module = "System.Private.CoreLib.dll" },
	{ .name = "Shop.Cart.ParseSku(string)", .module = "Shop.Web" },
	{ .name = "Shop.Api.Checkout(HttpContext) async", .module = "Shop.Web" },
};
static const struct nt_call_stack parse = { .frames = parse_frames, .count = 3, .site = 1 };

static struct nt_gc_generation_row generation(uint64_t count, double per_s, uint64_t p50_ns, uint64_t p90_ns, uint64_t p99_ns,
					      uint64_t max_ns, double every_ms)
{
	return (struct nt_gc_generation_row){
		.count = 12 * count,
		.per_s = per_s,
		.p50_ns = NT_KNOWN(p50_ns / 2),
		.p90_ns = NT_KNOWN(p90_ns / 2),
		.p99_ns = NT_KNOWN(p99_ns),
		.max_ns = NT_KNOWN(max_ns),
		.every_ms = NT_KNOWN(3 * every_ms),
		.recent = { .count = count,
			    .p50_ns = NT_KNOWN(p50_ns),
			    .p90_ns = NT_KNOWN(p90_ns),
			    .p99_ns = NT_KNOWN(p99_ns),
			    .max_ns = NT_KNOWN(max_ns),
			    .every_ms = NT_KNOWN(every_ms) },
		.window_count = count,
	};
}

void fixture_generations(struct nt_process_snapshot *process)
{
	process->gc_settings.read[NT_GC_BY_ENVIRONMENT] = process->gc_settings.read[NT_GC_BY_FILE] =
		process->gc_settings.read[NT_GC_BY_RUNTIME] = true;
	process->gc_settings.asked[NT_GC_SETTING_SERVER] = nt_u64_of(1);
	process->gc_settings.asked_by[NT_GC_SETTING_SERVER] = NT_GC_BY_FILE;
	process->gc_settings.asked[NT_GC_SETTING_LOH_THRESHOLD] = nt_u64_of(1000);
	process->gc_settings.asked_by[NT_GC_SETTING_LOH_THRESHOLD] = NT_GC_BY_ENVIRONMENT;
	process->gc_settings.told[NT_GC_SETTING_LOH_THRESHOLD] = nt_u64_of(85000);
	process->gc_settings.told[NT_GC_SETTING_HARD_LIMIT] = nt_u64_of(0);
	process->gc_settings.told[NT_GC_SETTING_CONCURRENT] = nt_u64_of(1);
	process->generations[0] = generation(380, 38.0, 2900000, 3600000, 5100000, 6200000, 26);
	process->generations[1] = generation(60, 6.0, 3400000, 5800000, 9900000, 12 * NT_NS_PER_MS, 167);
	process->generations[2] = generation(11, 1.1, 88100000, 131400000, 142 * NT_NS_PER_MS, 142 * NT_NS_PER_MS, 909);
	process->generations[3] = (struct nt_gc_generation_row){ .count = 0 };
	for (unsigned i = 0; i < NT_GC_ROW_GENERATIONS; i++)
		process->generations[i].name = nt_gc_generation_name(i);
	process->generation_count = NT_GC_ROW_GENERATIONS;
}

/* One has much more than the others, and sums up with them to what the newest collection left. */
void fixture_gc_heaps(struct nt_process_snapshot *process)
{
	static const unsigned left_tenths[] = { 20, 20, 99, 20, 12, 20, 20, 20 };
	enum { COUNT = sizeof(left_tenths) / sizeof(left_tenths[0]), ALL_TENTHS = 231 };
	const uint64_t tenth = 10737418; /* of what the collections are given in */
	process->gc_heap_count = COUNT;
	process->gc_heaps = nt_alloc(COUNT * sizeof(*process->gc_heaps));
	for (uint32_t i = 0; i < COUNT; i++)
		process->gc_heaps[i] = (struct nt_gc_heap_row){ .collection = 18342,
								.index = i,
								.found_bytes = (left_tenths[i] + 4) * tenth,
								.left_bytes = left_tenths[i] * tenth,
								.free_bytes = left_tenths[i] * tenth / 3,
								.loh_bytes = left_tenths[i] * tenth / 2,
								.gen0_budget_bytes = NT_KNOWN(32 << 20),
								.share_pct = NT_KNOWN(100.0 * left_tenths[i] / ALL_TENTHS) };
}

struct nt_gc_row *fixture_collections(struct nt_process_snapshot *process, size_t count)
{
	struct nt_row_block *block = nt_row_block_new(count * sizeof(struct nt_gc_row));
	struct nt_gc_row *rows = (struct nt_gc_row *)(void *)block->rows;
	process->collection_count = count;
	process->collections = nt_alloc(count * sizeof(*process->collections));
	process->collection_blocks = nt_alloc(sizeof(struct nt_row_block *));
	process->collection_blocks[process->collection_block_count++] = block;
	for (size_t i = 0; i < count; i++)
		process->collections[i] = &rows[i];
	return rows;
}

struct nt_gc_row *fixture_collection(struct nt_process_snapshot *process, size_t index)
{
	return (struct nt_gc_row *)(void *)process->collection_blocks[0]->rows + index;
}

void fixture_add_askers(struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->collection_count && i < 4; i++) {
		struct nt_gc_row *row = fixture_collection(process, i);
		if (row->generation != 2)
			continue;
		row->asked_by = grow_frames[1].name;
		row->asked_from = &grow;
	}
}

static const struct nt_exception_row exception_rows[] = {
	{ .type = "System.FormatException",
	  .message = "Input 'SKU-' was not in a correct format.",
	  .thrown_at = "Shop.Cart.ParseSku(string)",
	  .thrown_from = &parse,
	  .count = 2100,
	  .count_all = 21400,
	  .fate_count = 300,
	  .caught_count = 297 },
	{ .type = "System.Net.Http.HttpRequestException",
	  .message = "Connection refused (pay:443)",
	  .thrown_at = "[System.Net.Http.dll+0x1a2b3c]",
	  .count = 2,
	  .count_all = 118,
	  .fate_count = 2 },
	{ .type = "System.NullReferenceException",
	  .message = "Object reference not set to an instance of an object.",
	  .thrown_at = "Shop.Report.Line(Order)",
	  .count_all = 1 },
	{ .type = "(type not said)", .count_all = 1, .fresh = true },
};

void fixture_add_exceptions(struct nt_process_snapshot *process)
{
	static const char *const trends[] = { "11111578", "22222222", "11111111", "       1" };
	process->exception_count = sizeof(exception_rows) / sizeof(exception_rows[0]);
	process->exceptions = nt_alloc(sizeof(exception_rows));
	memcpy(process->exceptions, exception_rows, sizeof(exception_rows));
	for (size_t i = 0; i < process->exception_count; i++) {
		process->exceptions[i].id = i + 1;
		process->exceptions[i].trend = fixture_trend(trends[i], (double)exception_rows[i].count);
	}
}

static const struct nt_lock_row lock_rows[] = {
	{ .site = "Shop.Session.Store.Get(string)",
	  .waited_from = &parse,
	  .count = 412,
	  .count_all = 9120,
	  .spent_ns = 3102 * NT_NS_PER_MS,
	  .spent_all_ns = 71234 * NT_NS_PER_MS,
	  .window_per_s = 412,
	  .window_spent = 3102e6,
	  .p50_ns = NT_KNOWN(7100 * US),
	  .p99_ns = NT_KNOWN(18800 * US),
	  .max_ns = NT_KNOWN(61 * NT_NS_PER_MS),
	  .waiting_count = 7,
	  .owner_tid = 4811,
	  .owner_name = ".NET TP Worker" },
	{ .site = "Shop.Cart.Total(ref Cart)",
	  .count = 45,
	  .count_all = 11204,
	  .spent_ns = 11800 * US,
	  .spent_all_ns = 3010 * NT_NS_PER_MS,
	  .window_per_s = 45,
	  .window_spent = 11.8e6,
	  .p50_ns = NT_KNOWN(200 * US),
	  .p99_ns = NT_KNOWN(1100 * US),
	  .max_ns = NT_KNOWN(4 * NT_NS_PER_MS) },
	{ .site = "Shop.Search.Index.Score(ReadOnlySpan<int>)",
	  .spent_ns = 40 * NT_NS_PER_MS,
	  .spent_all_ns = 40 * NT_NS_PER_MS,
	  .window_spent = 9e6,
	  .waiting_count = 1,
	  .fresh = true },
};

void fixture_add_locks(struct nt_process_snapshot *process)
{
	static const char *const trends[] = { "12356788", "11221122", "       3" };
	process->lock_count = sizeof(lock_rows) / sizeof(lock_rows[0]);
	process->locks = nt_alloc(sizeof(lock_rows));
	memcpy(process->locks, lock_rows, sizeof(lock_rows));
	for (size_t i = 0; i < process->lock_count; i++) {
		process->locks[i].id = i + 1;
		process->locks[i].trend = fixture_trend(trends[i], lock_rows[i].window_spent / 1e6);
	}
}

static struct nt_lock_group_row lock_group_rows[] = {
	{ .lock_id = 0x7f3c81a042e0,
	  .type = "Shop.Session.Store",
	  .owner_tid = 4811,
	  .owner_name = ".NET TP Worker",
	  .owner_at = "Shop.Session.Store.Flush()",
	  .site = "Shop.Session.Store.Get(string)",
	  .waited_from = &parse,
	  .count = 412,
	  .count_all = 9120,
	  .spent_ns = 3102 * MS,
	  .spent_all_ns = 71234 * MS,
	  .window_per_s = 412,
	  .window_spent = 3102e6,
	  .max_ns = 61 * MS,
	  .waiting_count = 7 },
	{ .lock_id = 0x7f3c81a05510,
	  .owner_tid = 4790,
	  .owner_name = ".NET TP Worker",
	  .site = "Shop.Cart.Total(ref Cart)",
	  .count = 45,
	  .count_all = 11204,
	  .spent_ns = 11800 * US,
	  .spent_all_ns = 3010 * MS,
	  .window_per_s = 45,
	  .window_spent = 11.8e6,
	  .max_ns = 4 * MS },
	{ .count = 2,
	  .count_all = 2,
	  .spent_ns = 40 * MS,
	  .spent_all_ns = 40 * MS,
	  .window_spent = 9e6,
	  .waiting_count = 1,
	  .others = true,
	  .fresh = true },
};

void fixture_add_lock_groups(struct nt_process_snapshot *process)
{
	static const char *const trends[] = { "12356788", "11221122", "       3" };
	process->lock_objects = process->lock_owners = lock_group_rows;
	process->lock_object_count = process->lock_owner_count = sizeof(lock_group_rows) / sizeof(lock_group_rows[0]);
	for (size_t i = 0; i < process->lock_object_count; i++) {
		lock_group_rows[i].id = i + 1;
		lock_group_rows[i].trend = fixture_trend(trends[i], lock_group_rows[i].window_spent / 1e6);
	}
}

static const struct nt_wait_row wait_rows[] = {
	{ .site = "Shop.Cart.Total(ref Cart)",
	  .means = "System.Threading.Tasks.Task.Wait()",
	  .waited_from = &parse,
	  .kind = NT_WAIT_TASK,
	  .count = 31,
	  .count_all = 310,
	  .spent_ns = 61 * NT_NS_PER_S,
	  .spent_all_ns = 610 * NT_NS_PER_S,
	  .runq_ns = 200 * US,
	  .runq_all_ns = 2 * NT_NS_PER_MS,
	  .window_per_s = 31,
	  .window_spent = 61e9,
	  .window_runq = 0.2e6,
	  .p50_ns = NT_KNOWN(3100 * NT_NS_PER_MS),
	  .p99_ns = NT_KNOWN(9800 * NT_NS_PER_MS),
	  .max_ns = NT_KNOWN(9800 * NT_NS_PER_MS),
	  .waiting_count = 61,
	  .longest_tid = 4802,
	  .waker_tid = 4790,
	  .waker_name = ".NET TP Worker",
	  .waker_at = "Shop.Cart.Complete(Order)",
	  .marked = true },
	{ .site = "Shop.Session.Store.Get(string)",
	  .means = "System.Threading.Monitor.Enter(object)",
	  .what = "Shop.Session",
	  .kind = NT_WAIT_MONITOR,
	  .count = 412,
	  .count_all = 4120,
	  .spent_ns = 2900 * NT_NS_PER_MS,
	  .spent_all_ns = 29 * NT_NS_PER_S,
	  .runq_ns = 4100 * US,
	  .runq_all_ns = 41 * NT_NS_PER_MS,
	  .window_per_s = 412,
	  .window_spent = 2.9e9,
	  .window_runq = 4.1e6,
	  .p50_ns = NT_KNOWN(7100 * US),
	  .p99_ns = NT_KNOWN(18800 * US),
	  .max_ns = NT_KNOWN(61 * NT_NS_PER_MS),
	  .waiting_count = 3,
	  .longest_tid = 4811,
	  .waker_tid = 4811,
	  .waker_name = ".NET TP Worker",
	  .holder_tid = 4811,
	  .holder_name = ".NET TP Worker" },
	{ .kind = NT_WAIT_NATIVE, /* polled: neither how long nor how often */
	  .polled = true,
	  .count = 1,
	  .count_all = 2,
	  .spent_ns = 400 * NT_NS_PER_MS,
	  .spent_all_ns = 800 * NT_NS_PER_MS,
	  .window_per_s = 1,
	  .window_spent = 0.4e9,
	  .max_ns = NT_KNOWN(300 * NT_NS_PER_MS),
	  .fresh = true },
	{ .site = "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart()",
	  .kind = NT_WAIT_IDLE,
	  .spent_ns = 38 * NT_NS_PER_S,
	  .spent_all_ns = 380 * NT_NS_PER_S,
	  .window_spent = 38e9,
	  .waiting_count = 38,
	  .idle = true },
};

const struct nt_wait_figures fixture_wait_figures = { .count = NT_KNOWN(443),
						      .spent_ns = NT_KNOWN(63900 * NT_NS_PER_MS),
						      .waiting_count = NT_KNOWN(64),
						      .idle_count = NT_KNOWN(38),
						      .longest_ns = NT_KNOWN(9100 * NT_NS_PER_MS),
						      .method = "exact" };

void fixture_add_waits(struct nt_process_snapshot *process)
{
	process->wait_count = sizeof(wait_rows) / sizeof(wait_rows[0]);
	process->waits = nt_alloc(sizeof(wait_rows));
	memcpy(process->waits, wait_rows, sizeof(wait_rows));
	for (size_t i = 0; i < process->wait_count; i++)
		process->waits[i].id = i + 1;
	fixture_add_wait_groups(process);
}

const struct nt_pool_figures fixture_pool_figures = { .worker_count = NT_KNOWN(24),
						      .working_count = NT_KNOWN(22),
						      .goal_count = NT_KNOWN(24),
						      .min_count = NT_KNOWN(8),
						      .max_count = NT_KNOWN(32767),
						      .queue_count = NT_KNOWN(212),
						      .injected_count = NT_KNOWN(0),
						      .completed_count = NT_KNOWN(431),
						      .wait_estimate_ns = NT_KNOWN(492 * NT_NS_PER_MS) };

/* As in the picture of screen 4; `t1` is the interval's end. */
/* Told since the grouping was opened; the process is older. */
void fixture_add_pool_waits(struct nt_process_snapshot *process)
{
	static struct nt_pool_wait_row rows[] = {
		{ .id = 1, .over_ns = 0, .count = 12, .count_all = 4021 },
		{ .id = 2, .over_ns = 10000, .count = 640, .count_all = 81022 },
		{ .id = 3, .over_ns = 100000, .count = 401, .count_all = 9340 },
		{ .id = 4, .over_ns = 1000000, .count = 88, .count_all = 1204 },
		{ .id = 5, .over_ns = 10000000, .count = 31, .count_all = 377 },
		{ .id = 6, .over_ns = 100000000, .count = 17, .count_all = 96 },
		{ .id = 7, .over_ns = 1000000000, .count_all = 3 },
		{ .id = 8, .over_ns = 10000000000 },
	};
	process->pool_waits = rows;
	process->pool_wait_count = sizeof(rows) / sizeof(rows[0]);
	process->interval.pool.items = (struct nt_pool_item_figures){
		.covered_ns = NT_KNOWN(NT_NS_PER_S),
		.count = NT_KNOWN(1189),
		.p50_ns = NT_KNOWN(82000),
		.p95_ns = NT_KNOWN(11200000),
		.p99_ns = NT_KNOWN(312580000),
		.max_ns = NT_KNOWN(401200000),
		.unmatched_count = NT_KNOWN(0),
		.open_count = NT_KNOWN(212),
	};
	process->total.pool.items = (struct nt_pool_item_figures){
		.covered_ns = NT_KNOWN(31 * NT_NS_PER_S),
		.count = NT_KNOWN(96063),
		.p50_ns = NT_KNOWN(61000),
		.p95_ns = NT_KNOWN(740000),
		.p99_ns = NT_KNOWN(9100000),
		.max_ns = NT_KNOWN(3304000000),
		.unmatched_count = NT_KNOWN(102),
		.open_count = NT_KNOWN(212),
	};
}

void fixture_add_adjustments(struct nt_process_snapshot *process, nt_time t1)
{
	static struct nt_pool_adjustment rows[] = {
		{ .id = 3, .goal_count = 65, .was_count = NT_KNOWN(64), .work_per_s = NT_KNOWN(31), .reason = "starvation" },
		{ .id = 2, .goal_count = 64, .was_count = NT_KNOWN(66), .work_per_s = NT_KNOWN(431.5), .reason = "climbing move" },
		{ .id = 1, .goal_count = 66, .work_per_s = NT_KNOWN(0), .reason = "cooperative blocking" },
	};
	static const nt_time ago[] = { 400 * NT_NS_PER_MS, 12000 * NT_NS_PER_MS, 240000 * NT_NS_PER_MS };
	process->adjustments = rows;
	process->adjustment_count = sizeof(rows) / sizeof(rows[0]);
	for (size_t i = 0; i < process->adjustment_count; i++)
		rows[i].time = t1 - ago[i];
}
