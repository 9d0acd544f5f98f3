// SPDX-License-Identifier: GPL-2.0-only
/* Call stacks of the shop: those of the screens' picture. */
#include "fixture.h"
#include "fixture_rows.h"

enum {
	GC,
	WORKER_A,
	WORKER_A_PAUSED, /* it collects for all */
	WORKER_B,
	START,
	RUN,
	MARK,
	WRITE,
	APPEND,
	APPEND_OSR,
	GROW,
	MEMSET,
	CLEAR,
	FORMAT,
	MEMMOVE,
	NEW,
	ALLOCATE,
	TOTAL,
	EVICTED
};
#define THREAD(place, tid_, name_, side_)                                                                                                  \
	{                                                                                                                                  \
		.sort = NT_FRAME_THREAD, .id = (uint64_t)((place) + 1) << 32 | (tid_), .tid = (tid_), .side = (side_), .name = (name_)     \
	}
#define CODE(id_, kind_, module_, name_)                                                                                                   \
	{                                                                                                                                  \
		.id = (id_), .kind = (kind_), .module = (module_), .name = (name_)                                                         \
	}
#define JITTED(id_, tier_, name_)                                                                                                          \
	{                                                                                                                                  \
		.id = (id_), .kind = NT_CODE_JIT, .tier = (tier_), .module = "Shop.Web", .name = (name_), .own = true                      \
	}

static const struct nt_stack_frame frames[] = {
	[GC] = THREAD(0, 4733, ".NET Server GC", NT_IN_PAUSES),
	[WORKER_A] = THREAD(1, 4790, ".NET TP Worker", NT_OUTSIDE_PAUSES),
	[WORKER_A_PAUSED] = THREAD(1, 4790, ".NET TP Worker", NT_IN_PAUSES),
	[WORKER_B] = THREAD(2, 4802, ".NET TP Worker", NT_SIDE_NOT_TOLD),
	[START] = CODE(900, NT_CODE_NATIVE, "libc.so.6", "start_thread"),
	[RUN] = CODE(901, NT_CODE_RUNTIME, "libcoreclr.so", "ManagedThreadBase_DispatchOuter"),
	[MARK] = CODE(100, NT_CODE_RUNTIME, "libcoreclr.so", "SVR::gc_heap::mark_object_simple1(uint8_t*, uint8_t*, int)"),
	[WRITE] = JITTED(108, NT_TIER_1, "Shop.Export.CsvExport.WriteAsync(Stream) async"),
	[APPEND] = JITTED(101, NT_TIER_1, "Shop.Export.CsvWriter.AppendRow(ref Row)"),
	[APPEND_OSR] = JITTED(101, NT_TIER_OSR, "Shop.Export.CsvWriter.AppendRow(ref Row)"),
	[GROW] = JITTED(104, NT_TIER_1, "Shop.Export.CsvWriter.Grow(int)"),
	[MEMSET] = CODE(102, NT_CODE_NATIVE, "libc.so.6", "__memset_avx512_unaligned_erms"),
	[CLEAR] = CODE(103, NT_CODE_KERNEL, "[kernel]", "clear_page_erms"),
	[FORMAT] = CODE(106, NT_CODE_R2R, "System.Private.CoreLib", "System.Number.TryFormatUInt64<char>(ulong, Span<char>, ref int)"),
	[MEMMOVE] = CODE(107, NT_CODE_R2R, "System.Private.CoreLib", "System.Buffer.Memmove(ref byte, ref byte, nuint)"),
	[NEW] = CODE(902, NT_CODE_RUNTIME, "libcoreclr.so", "JIT_NewArr1(CORINFO_CLASS_STRUCT_*, long)"),
	[ALLOCATE] = CODE(903, NT_CODE_RUNTIME, "libcoreclr.so", "SVR::gc_heap::allocate_more_space(alloc_context*, size_t, int)"),
	[TOTAL] = JITTED(109, NT_TIER_1, "Shop.Cart.Total(ref Cart)"),
	[EVICTED] = { .sort = NT_FRAME_EVICTED,
		      .name = "(evicted)",
		      .reason = "too many different call stacks to keep each",
		      .kind = NT_CODE_UNKNOWN },
};

/* Samples x 10 of each path are its share of the whole, 1000. */
static const struct nt_stack_node nodes[] = {
	{ NT_STACK_ROOT, GC, 0 },
	{ 0, START, 0 },
	{ 1, MARK, 179 },
	{ NT_STACK_ROOT, WORKER_A, 0 }, /* 3 */
	{ 3, START, 0 },
	{ 4, RUN, 0 },
	{ 5, WRITE, 21 }, /* 6 */
	{ 6, APPEND, 84 },
	{ 7, GROW, 61 }, /* 8 */
	{ 8, MEMSET, 98 },
	{ 9, CLEAR, 73 },
	{ 8, NEW, 4 },
	{ 7, FORMAT, 10 }, /* 12 */
	{ 12, MEMMOVE, 3 },
	{ 6, APPEND_OSR, 20 },
	{ NT_STACK_ROOT, WORKER_A_PAUSED, 0 }, /* 15 */
	{ 15, START, 0 },
	{ 16, RUN, 0 },
	{ 17, WRITE, 0 }, /* 18 */
	{ 18, APPEND, 0 },
	{ 19, GROW, 0 }, /* 20 */
	{ 20, NEW, 0 },
	{ 21, ALLOCATE, 13 },
	{ NT_STACK_ROOT, WORKER_B, 0 }, /* 23 */
	{ 23, START, 0 },
	{ 24, RUN, 0 },
	{ 25, WRITE, 10 }, /* 26 */
	{ 26, APPEND, 20 },
	{ 25, TOTAL, 26 }, /* 28 */
	{ 28, MEMMOVE, 36 },
	{ 25, EVICTED, 342 },
};

void fixture_add_stacks(struct nt_process_snapshot *process)
{
	process->window_complete_pct = nt_f64_of(99.3);
	process->stacks = (struct nt_stack_tree){ .wanted = NT_STACKS_WINDOW,
						  .frames = frames,
						  .frame_count = sizeof(frames) / sizeof(frames[0]),
						  .nodes = nodes,
						  .node_count = sizeof(nodes) / sizeof(nodes[0]),
						  .samples = 1000,
						  .evicted = 342,
						  .side_samples = { 434, 192, 374 } };
}

struct nt_snapshot *fixture_cut(void)
{
	struct nt_snapshot *snapshot = fixture_shop();
	snapshot->processes[0].window_complete_pct = nt_f64_of(57.9);
	snapshot->processes[0].window_cut_pct = nt_f64_of(41.2);
	return snapshot;
}

void fixture_add_deep_stacks(struct nt_process_snapshot *process, const char *const *names, size_t count)
{
	enum { NAMES = 32, DEPTH = 120 };
	static struct nt_stack_frame named[NAMES + 1];
	static struct nt_stack_node path[DEPTH];
	for (size_t i = 0; i < count && i < NAMES; i++)
		named[i] = (struct nt_stack_frame){ .id = i + 1,
						    .name = names[i],
						    .module = names[count - 1 - i],
						    .reason = names[(i + 1) % count],
						    .kind = NT_CODE_NATIVE };
	named[count] = (struct nt_stack_frame){ .sort = NT_FRAME_THREAD, .id = 1, .tid = 1, .name = names[0] };
	for (uint32_t i = 0; i < DEPTH; i++)
		path[i] = (struct nt_stack_node){ .parent = i - 1, .frame = i ? (i - 1) % (uint32_t)count : (uint32_t)count, .self = 1 };
	process->stacks = (struct nt_stack_tree){ .wanted = NT_STACKS_WINDOW,
						  .frames = named,
						  .frame_count = (uint32_t)count + 1,
						  .nodes = path,
						  .node_count = DEPTH,
						  .samples = DEPTH };
}
