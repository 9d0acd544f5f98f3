// SPDX-License-Identifier: GPL-2.0-only
#include "../unit/covered.h"
#include "fixture.h"
#include "fixture_rows.h"

#include "base/alloc.h"
#include "nettop/source.h"

#include <stdlib.h>
#include <string.h>

#define MS         NT_NS_PER_MS
#define MB         (UINT64_C(1) << 20)
#define GB(tenths) ((uint64_t)((tenths)*107374182.4))

enum { FILLERS = 303 };

/* ---- the shop: the figures of the screens' pictures ---- */

void fixture_shop_target(struct nt_target_info *target)
{
	*target = (struct nt_target_info){
		.pid = 4711,
		.name = "shop-web",
		.runtime = "10.0.12",
		.command = "dotnet Shop.Web.dll --urls http://*:80",
		.mode = NT_MODE_N,
		.uptime_ns = NT_KNOWN(266400 * NT_NS_PER_S),
		.cpu_count = NT_KNOWN(8),
		.server_gc = NT_KNOWN(1),
	};
}

static void shop_figures(struct nt_figures *figures)
{
	*figures = (struct nt_figures){
		.span_ns = NT_NS_PER_S,
		.cpu = { .usage_pct = NT_KNOWN(512.3),
			 .user_pct = NT_KNOWN(471),
			 .kernel_pct = NT_KNOWN(41.3),
			 .waited_ns = NT_KNOWN(38 * MS),
			 .samples = NT_KNOWN(5090),
			 .hottest_tid = NT_KNOWN(4733),
			 .hottest_pct = NT_KNOWN(98.2),
			 .hottest_name = ".NET Server GC" },
		.threads = { .count = NT_KNOWN(78), .running_count = NT_KNOWN(9), .blocked_count = NT_KNOWN(0) },
		.memory = { .rss_bytes = NT_KNOWN(3 * 1024 * MB),
			    .anon_bytes = NT_KNOWN(2871 * MB),
			    .file_bytes = NT_KNOWN(142 * MB),
			    .shared_bytes = NT_KNOWN(59 * MB),
			    .swap_bytes = NT_KNOWN(0) },
		.gc = { .count = { NT_KNOWN(38), NT_KNOWN(6), NT_KNOWN(2) },
			.pause_ns = NT_KNOWN(234 * MS),
			.pause_max_ns = NT_KNOWN(142 * MS),
			.pause_pct = NT_KNOWN(24.1),
			.window_pause_pct = NT_KNOWN(23.4),
			.heap_bytes = NT_KNOWN(GB(23.1)),
			.loh_bytes = NT_KNOWN(GB(14.2)),
			.committed_bytes = NT_KNOWN(2511 * MB),
			.fragmentation_pct = NT_KNOWN(31),
			.gen0_budget_bytes = NT_KNOWN(256 * MB),
			.marked_bytes = { NT_KNOWN(MB / 5), NT_KNOWN(3 * MB), NT_KNOWN(0), NT_KNOWN(181 * MB), NT_KNOWN(0) },
			.alloc_bytes = NT_KNOWN(GB(13.1)),
			.alloc_estimated = true },
		.jit = { .method_count = NT_KNOWN(12),
			 .time_ns = NT_KNOWN(24 * MS),
			 .tier_count = { [NT_TIER_0] = NT_KNOWN(9), [NT_TIER_1] = NT_KNOWN(3), [NT_TIER_OSR] = NT_KNOWN(0) },
			 .backlog_count = NT_KNOWN(0) },
		.pool = fixture_pool_figures,
		.exceptions = { .count = NT_KNOWN(3), .top_type = "System.Net.Http.HttpRequestException", .top_count = NT_KNOWN(2) },
		.locks = { .count = NT_KNOWN(45),
			   .wait_ns = NT_KNOWN(0), /* none has ended */
			   .spent_ns = NT_KNOWN(12 * MS),
			   .waiting_count = NT_KNOWN(1),
			   .wait_p99_ns = NT_KNOWN(1100 * NT_NS_PER_US) },
		.waits = fixture_wait_figures,
		.io = fixture_io_figures,
		.host = fixture_host_figures,
		.requests = fixture_request_figures,
	};
	cover_all(figures);
}

static const struct nt_method_row shop_methods[] = {
	{ .name = "SVR::gc_heap::mark_object_simple1(uint8_t*, uint8_t*, int)",
	  .module = "libcoreclr.so",
	  .kind = NT_CODE_RUNTIME,
	  .window_self_pct = 17.9,
	  .window_total_pct = 17.9 },
	{ .name = "Shop.Export.CsvWriter.AppendRow(ref Row)",
	  .raw_name = "[Shop.Web] Shop.Export.CsvWriter::AppendRow(Row&)[Tier1]",
	  .module = "Shop.Web",
	  .kind = NT_CODE_JIT,
	  .tier = NT_TIER_1,
	  .tier_samples = (const uint32_t[NT_TIER_COUNT]){ [NT_TIER_0] = 120, [NT_TIER_OSR] = 380, [NT_TIER_1] = 5813 },
	  .window_self_pct = 12.4,
	  .window_total_pct = 38.6 },
	{ .name = "__memset_avx512_unaligned_erms",
	  .module = "libc.so.6",
	  .kind = NT_CODE_NATIVE,
	  .window_self_pct = 9.8,
	  .window_total_pct = 9.8 },
	{ .name = "clear_page_erms", .module = "[kernel]", .kind = NT_CODE_KERNEL, .window_self_pct = 7.3, .window_total_pct = 7.3 },
	{ .name = "Shop.Export.CsvWriter.Grow(int)",
	  .module = "Shop.Web",
	  .kind = NT_CODE_JIT,
	  .tier = NT_TIER_1,
	  .window_self_pct = 6.1,
	  .window_total_pct = 24.9 },
	{ .name = "SVR::gc_heap::plan_phase(int)",
	  .module = "libcoreclr.so",
	  .kind = NT_CODE_RUNTIME,
	  .window_self_pct = 5.2,
	  .window_total_pct = 5.2 },
	{ .name = "System.Number.TryFormatUInt64<char>(ulong, Span<char>, ref int)",
	  .module = "System.Private.CoreLib",
	  .kind = NT_CODE_R2R,
	  .window_self_pct = 4.4,
	  .window_total_pct = 6.0 },
	{ .name = "System.Buffer.Memmove(ref byte, ref byte, nuint)",
	  .module = "System.Private.CoreLib",
	  .kind = NT_CODE_R2R,
	  .window_self_pct = 3.9,
	  .window_total_pct = 3.9 },
	{ .name = "Shop.Export.CsvExport.WriteAsync(Stream) async",
	  .module = "Shop.Web",
	  .kind = NT_CODE_JIT,
	  .tier = NT_TIER_1,
	  .window_self_pct = 3.1,
	  .window_total_pct = 41.7 },
	{ .name = "Shop.Cart.Total(ref Cart)",
	  .module = "Shop.Web",
	  .kind = NT_CODE_JIT,
	  .tier = NT_TIER_1,
	  .window_self_pct = 2.6,
	  .window_total_pct = 2.6 },
	{ .name = "System.Text.Json.Utf8JsonWriter.WriteStringEscapeValue(ReadOnlySpan<byte>, int)",
	  .module = "System.Text.Json",
	  .kind = NT_CODE_R2R,
	  .window_self_pct = 2.2,
	  .window_total_pct = 2.9 },
	{ .name = "SVR::gc_heap::relocate_survivors(int, uint8_t*)",
	  .module = "libcoreclr.so",
	  .kind = NT_CODE_RUNTIME,
	  .window_self_pct = 1.8,
	  .window_total_pct = 1.8 },
	{ .name = "Shop.Search.Index.Score(ReadOnlySpan<int>)",
	  .module = "Shop.Web",
	  .kind = NT_CODE_JIT,
	  .tier = NT_TIER_OSR,
	  .window_self_pct = 1.5,
	  .window_total_pct = 9.2 },
	{ .name = "VirtualCallStub resolve", .kind = NT_CODE_STUB, .window_self_pct = 1.1, .window_total_pct = 1.1 },
	{ .name = "0x7f3c81a042e0",
	  .module = "Legacy.Pricing",
	  .kind = NT_CODE_UNKNOWN,
	  .reason = "image replaced on disk since start",
	  .naming = NT_NAMING_IMAGE_REPLACED,
	  .window_self_pct = 0.9,
	  .window_total_pct = 0.9 },
};
enum { SHOP_METHODS = sizeof(shop_methods) / sizeof(shop_methods[0]) };

/* Rows under the named ones: small and equal, ordered by name. */
static void filler(struct nt_method_row *row, int number)
{
	static const char *const names[] = { "__handle_mm_fault", "copy_user_enhanced_fast_string", "native_queued_spin_lock_slowpath" };
	static const enum nt_code_kind kinds[] = { NT_CODE_JIT, NT_CODE_KERNEL, NT_CODE_NATIVE };
	row->name = names[number % 3];
	row->module = number % 3 == 1 ? "[kernel]" : "libSystem.Native.so";
	row->kind = kinds[number % 3];
	row->window_self_pct = 0.8 - 0.002 * number;
	row->window_total_pct = row->window_self_pct;
}

static void shop_method_rows(struct nt_process_snapshot *process, double scale)
{
	static const char *const forms[] = { "12356778", "22356788", "   11181" };
	static struct nt_trend trends[SHOP_METHODS + FILLERS];
	process->method_count = SHOP_METHODS + FILLERS;
	process->methods = nt_alloc(process->method_count * sizeof(*process->methods));
	process->window_samples_milli = 50900000;
	process->samples_all = 1272500;
	process->interval_samples.known = true;
	for (unsigned i = 0; i < NT_INTERVAL_PARTS; i++)
		process->interval_samples.parts[i] = i >= 20 && i < 35 ? 200 : i % 3 * 50;
	for (size_t i = 0; i < process->method_count; i++) {
		struct nt_method_row *row = &process->methods[i];
		if (i < SHOP_METHODS)
			*row = shop_methods[i];
		else
			filler(row, (int)(i - SHOP_METHODS));
		row->id = 100 + i;
		trends[i] = fixture_trend(forms[i % 3], row->window_self_pct * scale * 50.9);
		row->trend = &trends[i];
		row->self_pct = row->window_self_pct *= scale;
		row->total_pct = row->window_total_pct;
		row->self_samples = (uint64_t)(row->self_pct * 50.9);
		row->self_samples_all = row->self_samples * 200 + (i == 4 ? 90000 : 0);
		row->total_samples_all = row->self_samples_all;
		row->all_self_pct = 100.0 * (double)row->self_samples_all / (double)process->samples_all;
		row->all_total_pct = row->all_self_pct;
		row->window_self = row->self_pct * 509;
		row->window_total = row->total_pct * 509;
	}
	fixture_purposes(process);
}

static void shop_collections(struct nt_process_snapshot *process, nt_time now)
{
	static const struct {
		uint64_t number;
		unsigned ago_ms, generation, type, reason;
		double suspend_ms, pause_ms, before, after, loh;
		bool marked;
	} rows[] = {
		{ 18342, 300, 2, 0, 4, 0.4, 142.0, 26.1, 23.1, 14.2, true },    { 18341, 320, 0, 0, 0, 0.1, 3.1, 26.1, 25.8, 16.6, false },
		{ 18339, 1200, 2, 0, 4, 2.8, 131.4, 25.9, 22.4, 13.9, true },   { 18338, 1210, 2, 1, 4, 0.2, 1.9, 25.9, 25.1, 15.1, false },
		{ 18337, 90000, 1, 0, 1, 104.2, 9.9, 25.9, 25.1, 15.1, false },
	};
	enum { NAMED = sizeof(rows) / sizeof(rows[0]), OLDER = 40 };
	process->collection_total = 18342;
	struct nt_gc_row *all = fixture_collections(process, NAMED + OLDER);
	for (size_t i = 0; i < process->collection_count; i++) {
		struct nt_gc_row *row = &all[i];
		if (i >= NAMED) {
			*row = (struct nt_gc_row){
				.id = 18337 - (i - NAMED + 1), .type = 3, .start = NT_TIME_UNKNOWN, .end = NT_TIME_UNKNOWN
			};
			continue;
		}
		*row = (struct nt_gc_row){
			.id = rows[i].number,
			.generation = rows[i].generation,
			.type = rows[i].type,
			.reason = NT_KNOWN(rows[i].reason),
			.start = now - rows[i].ago_ms * MS - 200 * MS,
			.end = now - rows[i].ago_ms * MS,
			.suspend_ns = NT_KNOWN((uint64_t)(rows[i].suspend_ms * 1e6)),
			.pause_ns = NT_KNOWN((uint64_t)(rows[i].pause_ms * 1e6)),
			.before_bytes = NT_KNOWN(GB(rows[i].before)),
			.after_bytes = NT_KNOWN(GB(rows[i].after)),
			.loh_bytes = NT_KNOWN(GB(rows[i].loh)),
			.promoted_bytes = NT_KNOWN(i == 1 ? 4299161 : GB(19.8)),
			.generation_bytes = { NT_KNOWN(1 << 20), NT_KNOWN(9 << 20), NT_KNOWN(GB(8.5)), NT_KNOWN(GB(rows[i].loh)),
					      NT_KNOWN(3 << 20) },
			.pinned_count = NT_KNOWN(212),
			.handle_count = NT_KNOWN(4310),
			.finalizable_count = NT_KNOWN(17),
			.survived_pct = NT_KNOWN(86),
			.fragmentation_pct = NT_KNOWN(31),
			.found_bytes = { NT_KNOWN(256 << 20), NT_KNOWN(20 << 20), NT_KNOWN(GB(8.7)), NT_KNOWN(GB(rows[i].loh + 0.1)),
					 NT_KNOWN(3 << 20) },
			.gen0_budget_bytes = NT_KNOWN(256 << 20),
			.loh_budget_bytes = NT_KNOWN(GB(3)),
			.heap_count = NT_KNOWN(8),
			.heap_least_bytes = NT_KNOWN(GB(1.2)),
			.heap_most_bytes = NT_KNOWN(GB(9.9)),
			.memory_load_pct = NT_KNOWN(61),
			.step_ns = { NT_KNOWN(50 * MS), NT_KNOWN(30 * MS), { 0 }, { 0 }, NT_KNOWN(9 * MS) },
			.way = NT_GC_WAY_SWEEP,
			.condemned = "gen2 budget",
			.finished = true,
			.marked = rows[i].marked,
		};
	}
	all[1].survived_pct.known = false;
	fixture_generations(process);
	fixture_gc_heaps(process);
}

static void shop_sources(struct nt_snapshot *snapshot)
{
	const struct nt_source_row rows[] = {
		{ .id = NT_SOURCE_PROCFS, .state = NT_STATE_DELIVERING, .events_per_s = NT_KNOWN(82), .lag_ns = NT_KNOWN(12 * MS) },
		{ .id = NT_SOURCE_PERF, .state = NT_STATE_DELIVERING, .events_per_s = NT_KNOWN(5090), .lag_ns = NT_KNOWN(3 * MS) },
		{ .id = NT_SOURCE_LTTNG,
		  .state = NT_STATE_DELIVERING,
		  .reason = "mode N: no thread-pool events over LTTng",
		  .events_per_s = NT_KNOWN(1012),
		  .lag_ns = NT_KNOWN(110 * MS),
		  .late_count = 3 },
		{ .id = NT_SOURCE_CODEMAP, .state = NT_STATE_DELIVERING, .events_per_s = NT_KNOWN(12), .lag_ns = NT_KNOWN(3 * MS) },
		{ .id = NT_SOURCE_APP, .state = NT_STATE_DELIVERING, .events_per_s = NT_KNOWN(4) },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		fixture_add_source(snapshot, &rows[i]);
	snapshot->self_pct = nt_f64_of(0.4);
	snapshot->daemons_pct = nt_f64_of(1.2);
	snapshot->self_rss_bytes = nt_u64_of(18 * MB);
}

static struct nt_snapshot *shop(nt_time age_ns, double scale)
{
	struct nt_snapshot *snapshot = fixture_new(age_ns);
	struct nt_process_snapshot *process = &snapshot->processes[0];
	fixture_shop_target(&process->target);
	shop_figures(&process->interval);
	process->total = process->interval;
	cover_span(&process->total, snapshot->t1 - snapshot->start);
	fixture_shop_series(process);
	shop_method_rows(process, scale);
	shop_collections(process, snapshot->t1);
	shop_sources(snapshot);
	fixture_shop_findings(process, snapshot->t1);
	fixture_add_jit(process, snapshot->t1);
	fixture_add_threads(process);
	fixture_add_askers(process);
	fixture_add_exceptions(process);
	fixture_add_throws(snapshot);
	fixture_add_code(snapshot);
	fixture_add_locks(process);
	fixture_add_lock_groups(process);
	fixture_add_waits(process);
	fixture_add_io(process);
	fixture_add_adjustments(process, snapshot->t1);
	fixture_add_pool_waits(process);
	fixture_add_allocations(process);
	fixture_add_allocation_sites(process);
	fixture_add_counters(process, snapshot->t1);
	fixture_add_stacks(process);
	return snapshot;
}

struct nt_snapshot *fixture_shop_at(nt_time age_ns)
{
	return shop(age_ns, 1);
}

struct nt_snapshot *fixture_shop(void)
{
	return shop(250 * NT_NS_PER_S, 1);
}

struct nt_snapshot *fixture_shop_later(void)
{
	struct nt_snapshot *snapshot = shop(251 * NT_NS_PER_S, 1);
	struct nt_method_row *methods = snapshot->processes[0].methods;
	methods[4].window_self_pct = 14.0;
	methods[4].self_samples_all += 700;
	methods[3].window_self_pct = 9.9; /* within 0.2 points of the row above: stays below it */
	snapshot->processes[0].samples_all += 5090;
	struct nt_jit_row *compiled = &snapshot->processes[0].jit_methods[1];
	compiled->count_all += compiled->count = 2;
	compiled->time_all_ns += compiled->time_ns = 31 * MS;
	struct nt_jit_group_row *of_module = &snapshot->processes[0].jit_groups[NT_JIT_BY_MODULE][1];
	nt_jit_sums_add(&of_module->all, &of_module->now);
	methods[9].fresh = true;
	methods[10].ended = true;
	snapshot->lost_count = 1243;
	snapshot->lost_growing = true;
	snapshot->sources[2].lost_count = 1243;
	snapshot->sources[2].lost_unknown = true;
	snapshot->sources[2].lost_growing = true;
	snapshot->sources[1].lag_ns = nt_u64_of(4 * NT_NS_PER_S);
	return snapshot;
}

struct nt_snapshot *fixture_wall(void)
{
	struct nt_snapshot *snapshot = shop(250 * NT_NS_PER_S, 1);
	struct nt_process_snapshot *process = &snapshot->processes[0];
	enum { FEW = 8 };
	size_t kept = 0;
	for (size_t i = 0; i < process->method_count && kept < FEW; i++)
		if (process->methods[i].kind == NT_CODE_JIT || process->methods[i].kind == NT_CODE_R2R)
			process->methods[kept++] = process->methods[i];
	process->method_count = kept;
	process->sample_kind = NT_SAMPLES_WALL;
	process->window_complete_pct.known = false;
	process->stacks = (struct nt_stack_tree){ .wanted = NT_STACKS_NONE };
	process->interval.cpu.samples.known = false;
	process->interval.wall = (struct nt_wall_figures){ .samples = NT_KNOWN(1480), .outside = NT_KNOWN(20511) };
	snapshot->sources[1] =
		(struct nt_source_row){ .id = NT_SOURCE_PERF,
					.state = NT_STATE_FORBIDDEN,
					.reason = "no CPU samples: kernel.perf_event_paranoid is 4 and nettop runs without CAP_PERFMON" };
	snapshot->sources[2] =
		(struct nt_source_row){ .id = NT_SOURCE_EVENTPIPE,
					.state = NT_STATE_DELIVERING,
					.brings = NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS | NT_WANT_JIT_EVENTS | NT_WANT_WALL_SAMPLES,
					.events_per_s = NT_KNOWN(22240) };
	return snapshot;
}

struct nt_snapshot *fixture_troubled(void)
{
	struct nt_snapshot *snapshot = shop(250 * NT_NS_PER_S, 1);
	struct nt_process_snapshot *process = &snapshot->processes[0];
	const struct nt_finding findings[] = {
		{ .kind = NT_FINDING_GC_STORM,
		  .headline = NT_SUBJECT_GC,
		  .screen = '2',
		  .lapsed_ns = 4 * NT_NS_PER_S,
		  .row_id = NT_KNOWN(process->collections[2]->id),
		  .text = "GC storm: paused 23.4% of the last 10s; gen2 1.8/s, reason LOH allocation",
		  .short_text = "GC storm: paused 23.4% of 10s, gen2 1.8/s by LOH",
		  .brief_text = "GC storm: gen2 1.8/s LOH" },
		{ .kind = NT_FINDING_JIT_STORM,
		  .headline = NT_SUBJECT_JIT,
		  .screen = '3',
		  .row_id = NT_KNOWN(process->jit_methods[1].id),
		  .text = "JIT storm: 412ms/s",
		  .short_text = "JIT storm: 412ms/s",
		  .brief_text = "JIT storm: 412ms/s" },
		{ .kind = NT_FINDING_SPINNING_THREAD,
		  .headline = NT_SUBJECT_CPU,
		  .screen = '1',
		  .row_id = NT_KNOWN(process->threads[1].hot[0].method_id),
		  .tid = process->threads[1].tid,
		  .text = "Spinning thread: t4790",
		  .short_text = "Spinning thread: t4790",
		  .brief_text = "Spins: t4790" },
		{ .kind = NT_FINDING_BLOCKED_THREAD,
		  .headline = NT_SUBJECT_THREADS,
		  .screen = '4',
		  .row_id = NT_KNOWN(process->threads[2].id),
		  .tid = process->threads[2].tid,
		  .text = "Blocked thread: t4802",
		  .short_text = "Blocked thread: t4802",
		  .brief_text = "Blocked: t4802" },
	};
	process->finding_count = sizeof(findings) / sizeof(findings[0]);
	process->findings = nt_realloc(process->findings, process->finding_count, sizeof(*process->findings));
	memcpy(process->findings, findings, sizeof(findings));
	return snapshot;
}

/* ---- what tries to break the screen ---- */

struct nt_snapshot *fixture_hostile(void)
{
	static const char *const names[] = {
		"日本語.名前空間.とても長い型の名前.とても長いメソッドの名前(引数, もう一つの引数)",
		"Evil\x1b[2J\x1b]0;owned\x07.Method()",
		"Bidi.\xe2\x80\xaegnp.exe(int)",
		"Cafe\xcc\x81.Re\xcc\x81sume\xcc\x81.Za\xcc\xa7lgo(int)",
		"Invalid.\xff\xfe\xc3(\xe2\x82)",
		"Two\nLines\tand\ra tab",
		"",
		"A.B.C.D.E.F.G.H.I.J.K.L.M.N.O.P.Q.R.S.T.U.V.W.X.Y.Z.VeryLongTypeNameThatDoesNotEnd.AndAMethodToMatchIt<T1, T2, T3>(T1, "
		"T2, T3)",
		"%s%n%d {0} \\x1b",
	};
	enum { COUNT = sizeof(names) / sizeof(names[0]) };
	struct nt_snapshot *snapshot = shop(250 * NT_NS_PER_S, 1);
	struct nt_process_snapshot *process = &snapshot->processes[0];
	process->target.name = "sh\x1b[31mop\n名前名前名前名前名前名前名前名前名前";
	process->target.runtime = "10\x07.0";
	process->interval.cpu.hottest_name = "\x1b[5m";
	process->interval.exceptions.top_type = "Ns.\x1b[0mEx\xe2\x80\xae";
	process->method_count = COUNT;
	for (size_t i = 0; i < COUNT; i++) {
		process->methods[i] = (struct nt_method_row){
			.id = i + 1,
			.name = names[i],
			.module = names[COUNT - 1 - i],
			.kind = NT_CODE_UNKNOWN,
			.reason = names[(i + 1) % COUNT],
			.naming = NT_NAMING_STRIPPED,
			.window_self = (10.0 - (double)i) * 509,
			.window_self_pct = 10.0 - (double)i,
			.window_total_pct = 10.0 - (double)i,
		};
	}
	fixture_add_deep_stacks(process, names, COUNT);
	for (size_t i = 0; i < process->jit_method_count; i++) {
		process->jit_methods[i].name = names[i % COUNT];
		process->jit_methods[i].module = names[(i + 1) % COUNT];
	}
	for (int g = 0; g < NT_JIT_GROUPINGS; g++)
		for (size_t i = 0; i < process->jit_group_count[g]; i++)
			process->jit_groups[g][i].name = names[(i + 1) % COUNT];
	for (size_t i = 0; i < process->jit_caller_count; i++) {
		process->jit_callers[i].site = names[i % COUNT];
		process->jit_callers[i].via = process->jit_callers[i].compiled = names[(i + 1) % COUNT];
	}
	for (size_t i = 0; i < process->jit_startup.count; i++) {
		process->jit_startup.items[i].name = names[i % COUNT];
		process->jit_startup.items[i].module = names[(i + 1) % COUNT];
	}
	for (size_t i = 0; i < process->jit_startup.cause_count; i++)
		process->jit_startup.causes[i].module = names[i % COUNT];
	process->jit_now[0].name = names[1];
	for (size_t i = 0; i < process->exception_count; i++) {
		static const struct nt_call_frame frames[] = { { .name = "A\x1b[2J", .module = "b\n" },
							       { .name = "", .module = "" },
							       { .name = "日本語", .module = NULL } };
		static const struct nt_call_stack stack = { .frames = frames, .count = 3, .site = 2 };
		struct nt_exception_row *row = &process->exceptions[i];
		row->type = names[i % COUNT];
		row->message = row->thrown_at = names[(i + 1) % COUNT];
		row->thrown_from = &stack;
	}
	for (size_t i = 0; i < process->lock_count; i++)
		process->locks[i].site = process->locks[i].owner_name = names[i % COUNT];
	fixture_name_throws(process, names, COUNT);
	fixture_name_io(process, names, COUNT);
	fixture_name_requests(process, names, COUNT);
	fixture_name_waits(process, names, COUNT);
	for (size_t i = 0; i < process->allocation_count; i++)
		process->allocations[i].type = process->allocations[i].site = names[i % COUNT];
	for (size_t i = 0; i < process->counter_count; i++) {
		struct nt_counter_row *row = &process->counters[i];
		row->provider = names[(i + 2) % COUNT];
		row->name = row->label = names[i % COUNT];
		row->display_name = row->unit = row->tags = names[(i + 1) % COUNT];
	}
	process->counters[COUNT].name = process->counters[COUNT].label = NULL;
	for (size_t i = 0; i < process->thread_count; i++) {
		static struct nt_hot_method hot[COUNT];
		hot[i % COUNT] = (struct nt_hot_method){ .method_id = i % 2 ? i + 1 : UINT64_MAX, .name = names[i % COUNT], .pct = 60 };
		process->threads[i].name = names[COUNT - 1 - i % COUNT];
		process->threads[i].hot = &hot[i % COUNT];
		process->threads[i].hot_count = 1;
		process->threads[i].samples = 100;
	}
	snapshot->sources[2].reason = "reason with \x1b[2J and a\nline feed";
	snapshot->sources[2].fix = "rm -rf \xe2\x80\xae/";
	return snapshot;
}

struct nt_snapshot *fixture_huge(void)
{
	struct nt_snapshot *snapshot = shop(250 * NT_NS_PER_S, 1);
	struct nt_process_snapshot *process = &snapshot->processes[0];
	struct nt_figures *figures = &process->interval;
	process->target.pid = UINT32_MAX;
	process->target.uptime_ns = nt_u64_of(UINT64_MAX - 1);
	process->target.cpu_count = nt_u64_of(1024);
	figures->cpu.usage_pct = nt_f64_of(102400);
	figures->cpu.hottest_tid = nt_u64_of(UINT32_MAX);
	figures->threads.blocked_count = figures->threads.count = figures->threads.running_count = nt_u64_of(UINT32_MAX);
	figures->gc.alloc_bytes = figures->gc.heap_bytes = figures->gc.loh_bytes = nt_u64_of(UINT64_MAX);
	figures->gc.pause_max_ns = nt_u64_of(UINT64_MAX);
	figures->jit.time_ns = figures->jit.method_count = figures->jit.backlog_count = nt_u64_of(UINT64_MAX);
	figures->pool.queue_count = figures->pool.worker_count = figures->pool.completed_count = nt_u64_of(UINT64_MAX);
	figures->exceptions.count = figures->locks.count = figures->locks.spent_ns = nt_u64_of(UINT64_MAX);
	for (size_t i = 0; i < process->jit_method_count; i++) {
		struct nt_jit_row *row = &process->jit_methods[i];
		row->count = row->count_all = row->time_ns = row->time_all_ns = row->max_ns = UINT64_MAX;
		row->il_bytes = row->native_bytes = UINT64_MAX;
	}
	for (size_t i = 0; i < process->jit_group_count[NT_JIT_BY_MODULE]; i++) {
		struct nt_jit_sums *sums = &process->jit_groups[NT_JIT_BY_MODULE][i].all;
		*sums = (struct nt_jit_sums){ UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
		process->jit_groups[NT_JIT_BY_MODULE][i].now = *sums;
	}
	process->jit_recent = figures->jit;
	for (size_t i = 0; i < process->exception_count; i++)
		process->exceptions[i].count = process->exceptions[i].count_all = UINT64_MAX;
	for (size_t i = 0; i < process->lock_count; i++) {
		struct nt_lock_row *row = &process->locks[i];
		row->count = row->count_all = row->spent_ns = row->spent_all_ns = UINT64_MAX;
		row->window_per_s = row->window_spent = 1e300;
		row->p50_ns = row->p99_ns = row->max_ns = nt_u64_of(UINT64_MAX);
		row->waiting_count = row->owner_tid = UINT32_MAX;
	}
	for (size_t i = 0; i < process->allocation_count; i++) {
		struct nt_alloc_sums *sums = &process->allocations[i].figures.window;
		sums->bytes = sums->objects = sums->large_bytes = sums->variance = sums->samples = i % 2 ? 1e300 : 1e20;
	}
	process->alloc_sampling.figures.window = process->allocations[1].figures.window;
	for (size_t i = 0; i < process->counter_count; i++) {
		struct nt_counter_row *row = &process->counters[i];
		row->value = row->rate_per_s = row->greatest = row->p50 = row->p95 = row->p99 = nt_f64_of(i % 2 ? 1e300 : 1e20);
		row->least = nt_f64_of(-1e300);
	}
	process->counters_hidden = SIZE_MAX;
	process->counters_hidden_at_least = true;
	for (size_t i = 0; i < process->thread_count; i++) {
		struct nt_thread_row *row = &process->threads[i];
		row->tid = row->lock_owner_tid = UINT32_MAX;
		row->cpu_pct = nt_f64_of(1e300);
		row->state_ns = UINT64_MAX;
		row->lock_ns = nt_u64_of(UINT64_MAX);
	}
	snapshot->lost_count = UINT64_MAX;
	snapshot->lost_unknown = true;
	snapshot->self_pct = nt_f64_of(100);
	for (size_t i = 0; i < process->collection_count; i++) {
		struct nt_gc_row *row = fixture_collection(process, i);
		*row = (struct nt_gc_row){
			.id = UINT64_MAX - i, .generation = UINT32_MAX, .reason = NT_KNOWN(UINT64_MAX), .start = 0, .end = 0
		};
		row->suspend_ns = row->pause_ns = row->before_bytes = row->after_bytes = row->promoted_bytes = row->pinned_count =
			nt_u64_of(UINT64_MAX);
		row->survived_pct = row->fragmentation_pct = nt_f64_of(1e300);
		row->finished = true;
	}
	return snapshot;
}
