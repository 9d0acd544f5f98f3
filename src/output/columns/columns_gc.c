// SPDX-License-Identifier: GPL-2.0-only
/* The collections: one row each. */
#include "output/columns/cell.h"

static const struct nt_gc_row *of(const void *row)
{
	return row;
}

static struct nt_cell number(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->id);
}

/* Since its end; of one that still runs, since its start. */
static struct nt_cell ago_ns(const void *row, const struct nt_column_context *context)
{
	nt_time at = of(row)->finished ? of(row)->end : of(row)->start;
	if (at == NT_TIME_UNKNOWN)
		return nt_cell_unknown();
	return nt_cell_u(context->snapshot->t1 > at ? context->snapshot->t1 - at : 0);
}

static struct nt_cell generation(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->generation);
}

/* Ephemeral ones (gen0, gen1) always block; the word is kept for the blocking gen2. */
static struct nt_cell kind(const void *row, const struct nt_column_context *context)
{
	(void)context;
	switch (of(row)->type) {
	case 0:
		return nt_cell_text(of(row)->generation < 2 ? "eph" : "blk");
	case 1:
		return nt_cell_text("bg");
	case 2:
		return nt_cell_text("fg");
	default:
		return nt_cell_unknown();
	}
}

static struct nt_cell reason(const void *row, const struct nt_column_context *context)
{
	(void)context;
	struct nt_u64 value = of(row)->reason;
	if (!value.known)
		return nt_cell_unknown();
	return nt_cell_text(nt_gc_reason_name(value.v));
}

static struct nt_cell suspend_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->suspend_ns);
}

static struct nt_cell pause_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->pause_ns);
}

static struct nt_cell asked_by(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->asked_by);
}

static struct nt_cell pause_tracing_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->pause_tracing_ns);
}

/* Of the longest pause since attach, so that a bar keeps its length as rows come and go. */
static struct nt_cell pause_bar(const void *row, const struct nt_column_context *context)
{
	uint64_t longest_ns = 0;
	for (int i = 0; i < NT_GC_ROW_GENERATIONS; i++) {
		struct nt_u64 max_ns = context->process->generations[i].max_ns;
		if (max_ns.known && max_ns.v > longest_ns)
			longest_ns = max_ns.v;
	}
	if (!of(row)->pause_ns.known || !longest_ns)
		return nt_cell_unknown();
	return nt_cell_f((double)of(row)->pause_ns.v / (double)longest_ns);
}

static struct nt_cell before_bytes(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->before_bytes);
}

static struct nt_cell after_bytes(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->after_bytes);
}

static struct nt_cell loh_bytes(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->loh_bytes);
}

static struct nt_cell promoted_bytes(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->promoted_bytes);
}

static struct nt_cell survived_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_f64(of(row)->survived_pct);
}

static struct nt_cell fragmentation_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_f64(of(row)->fragmentation_pct);
}

#define READ(name, member) NT_CELL_OF_ROW(name, nt_cell_of_u64(of(row)->member))
READ(loh_freed_bytes, loh_freed_bytes)
READ(gen0_bytes, generation_bytes[0])
READ(gen1_bytes, generation_bytes[1])
READ(gen2_bytes, generation_bytes[2])
READ(poh_bytes, generation_bytes[NT_GC_POH])
READ(pinned_count, pinned_count)
READ(handle_count, handle_count)
READ(finalizable_count, finalizable_count)
READ(gen0_before_bytes, found_bytes[0])
READ(gen1_before_bytes, found_bytes[1])
READ(gen2_before_bytes, found_bytes[2])
READ(loh_before_bytes, found_bytes[3])
READ(poh_before_bytes, found_bytes[NT_GC_POH])
READ(gen0_budget_bytes, gen0_budget_bytes)
READ(loh_budget_bytes, loh_budget_bytes)
READ(heap_count, heap_count)
READ(heap_least_bytes, heap_least_bytes)
READ(heap_most_bytes, heap_most_bytes)
READ(memory_load_pct, memory_load_pct)
READ(mark_ns, step_ns[NT_GC_MARKING])
READ(plan_ns, step_ns[NT_GC_PLANNING])
READ(relocate_ns, step_ns[NT_GC_RELOCATING])
READ(compact_ns, step_ns[NT_GC_COMPACTING])
READ(sweep_ns, step_ns[NT_GC_SWEEPING])

static struct nt_cell way(const void *row, const struct nt_column_context *context)
{
	static const char *const words[] = { [NT_GC_WAY_UNKNOWN] = NULL, [NT_GC_WAY_COMPACT] = "compact", [NT_GC_WAY_SWEEP] = "sweep" };
	(void)context;
	return nt_cell_text(words[of(row)->way]);
}

static struct nt_cell condemned(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->condemned[0] ? of(row)->condemned : NULL);
}

/* Of one unit and width, for JSON and the detail. */
#define BYTES(key_, title_, help_)                                                                                                         \
	{                                                                                                                                  \
		.key = #key_, .title = title_, .unit = NT_UNIT_BYTES, .align = NT_ALIGN_RIGHT, .width = 8, .help = help_, .read = key_     \
	}
#define STEP(key_, title_, help_)                                                                                                          \
	{                                                                                                                                  \
		.key = #key_, .title = title_, .unit = NT_UNIT_NS_AS_MS, .align = NT_ALIGN_RIGHT, .width = 8, .help = help_, .read = key_  \
	}

static const struct nt_column columns[] = {
	{ .key = "number",
	  .title = "#",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .default_sort = true,
	  .screen = true,
	  .help = "number of the collection, as the runtime counts (lttng or eventpipe)",
	  .read = number },
	{ .key = "ago_ns",
	  .title = "AGO",
	  .unit = NT_UNIT_AGE,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .ascending = true,
	  .screen = true,
	  .help = "time since its end; of one that still runs, since its start; blank: not seen",
	  .read = ago_ns },
	{ .key = "generation",
	  .title = "GEN",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 3,
	  .screen = true,
	  .help = "condemned generation: this one and all younger ones were collected",
	  .read = generation },
	{ .key = "kind",
	  .title = "KIND",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 4,
	  .ascending = true,
	  .screen = true,
	  .help = "eph: gen0 or gen1, blk: blocking gen2, bg: background, fg: ephemeral during a background one; blank: its start was not "
		  "seen",
	  .read = kind },
	{ .key = "reason",
	  .title = "REASON",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 14,
	  .ascending = true,
	  .screen = true,
	  .help = "why the runtime collected; blank: not said",
	  .read = reason },
	{ .key = "suspend_ns",
	  .title = "SUSP",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 4,
	  .screen = true,
	  .help = "ms until all threads stood still; blank: not seen",
	  .read = suspend_ns },
	{ .key = "pause_ns",
	  .title = "PAUSE ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "ms that all threads stood still, as GC.GetTotalPauseDuration() counts",
	  .read = pause_ns },
	{ .key = "pause_bar",
	  .title = "",
	  .unit = NT_UNIT_BAR,
	  .align = NT_ALIGN_LEFT,
	  .width = 6,
	  .drop = 1,
	  .screen = true,
	  .help = "the pause, as a share of the longest since attach",
	  .read = pause_bar },
	{ .key = "before_bytes",
	  .title = "BEFORE",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 5,
	  .screen = true,
	  .help = "heap before the collection",
	  .read = before_bytes },
	{ .key = "after_bytes",
	  .title = "AFTER",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .sort_key = NT_SORT_BY_MEMORY,
	  .help = "heap after the collection",
	  .read = after_bytes },
	{ .key = "loh_bytes",
	  .title = "LOH",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 4,
	  .screen = true,
	  .help = "large object heap after the collection",
	  .read = loh_bytes },
	{ .key = "promoted_bytes",
	  .title = "PROMO",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 2,
	  .screen = true,
	  .help = "bytes that survived into an older generation",
	  .read = promoted_bytes },
	{ .key = "survived_pct",
	  .title = "SURV%",
	  .unit = NT_UNIT_PCT_WHOLE,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .help = "share of the collected bytes that survived",
	  .read = survived_pct },
	{ .key = "fragmentation_pct",
	  .title = "FRAG%",
	  .unit = NT_UNIT_PCT_WHOLE,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 3,
	  .screen = true,
	  .help = "free space within the heap after the collection",
	  .read = fragmentation_pct },
	{ .key = "asked_by",
	  .title = "ASKED BY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that allocated too much or called GC.Collect(); blank: not said, which LTTng never does",
	  .read = asked_by },
	{ .key = "pause_tracing_ns",
	  .title = "TRACING",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "ms of further stops that tracing causes in a background collection (mode F); not in PAUSE",
	  .read = pause_tracing_ns },
	{ .key = "gen0_bytes",
	  .title = "GEN0",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .help = "gen0 after the collection, free space included",
	  .read = gen0_bytes },
	{ .key = "gen1_bytes",
	  .title = "GEN1",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .help = "gen1 after the collection, free space included",
	  .read = gen1_bytes },
	{ .key = "gen2_bytes",
	  .title = "GEN2",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .help = "gen2 after the collection, free space included",
	  .read = gen2_bytes },
	{ .key = "poh_bytes",
	  .title = "POH",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .help = "pinned object heap after the collection, free space included; blank: not said",
	  .read = poh_bytes },
	{ .key = "pinned_count",
	  .title = "PINNED",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "objects that the collection could not move because something pins them",
	  .read = pinned_count },
	{ .key = "handle_count",
	  .title = "HANDLES",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "handles to objects (GCHandle, and the runtime's own)",
	  .read = handle_count },
	{ .key = "finalizable_count",
	  .title = "FINAL",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "objects kept alive because their finalizer has to run first",
	  .read = finalizable_count },
	BYTES(gen0_before_bytes, "GEN0 BEF", "gen0 before the collection, free space included; blank: its history was not told"),
	BYTES(gen1_before_bytes, "GEN1 BEF", "gen1 before the collection"),
	BYTES(gen2_before_bytes, "GEN2 BEF", "gen2 before the collection"),
	BYTES(loh_before_bytes, "LOH BEF", "large object heap before the collection"),
	BYTES(poh_before_bytes, "POH BEF", "pinned object heap before the collection"),
	BYTES(gen0_budget_bytes, "GEN0 BUD", "allocated in gen0 before the next collection; a background one sets none"),
	BYTES(loh_freed_bytes, "LOH FREED", "large objects that a collection of gen2 found dead"),
	BYTES(loh_budget_bytes, "LOH BUD", "allocated in the large object heap before gen2 is collected"),
	{ .key = "heap_count",
	  .title = "HEAPS",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .help = "heaps that were collected: one but with server GC; DATAS adapts them to the load",
	  .read = heap_count },
	BYTES(heap_least_bytes, "LEAST", "left in the smallest of the heaps"),
	BYTES(heap_most_bytes, "MOST", "left in the largest of the heaps"),
	{ .key = "memory_load_pct",
	  .title = "LOAD%",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .help = "memory in use of the machine or of the container's limit, as the collector saw it",
	  .read = memory_load_pct },
	{ .key = "way",
	  .title = "HOW",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 7,
	  .ascending = true,
	  .help = "compact: what survived was moved together; sweep: it stayed where it was",
	  .read = way },
	STEP(mark_ns, "MARK", "ms of marking what stays alive; of a background one its last stop alone"),
	STEP(plan_ns, "PLAN", "ms of planning where it goes; blank: not said, as of background ones"),
	STEP(relocate_ns, "RELOCATE", "ms of changing references to where it goes; blank: not done"),
	STEP(compact_ns, "COMPACT", "ms of moving it; blank: not done"),
	STEP(sweep_ns, "SWEEP", "ms of listing the free space; blank: not done, or in the background"),
	{ .key = "condemned",
	  .title = "CONDEMNED",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .ascending = true,
	  .help = "why this generation, as the heap says that asked for the oldest",
	  .read = condemned },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	(void)row;
	return ""; /* the number names it */
}

static bool in_interval(const void *row, const struct nt_column_context *context)
{
	const struct nt_snapshot *snapshot = context->snapshot;
	return of(row)->finished && of(row)->end >= snapshot->t0 && of(row)->end < snapshot->t1;
}

const struct nt_table nt_table_gc = {
	.key = "gc",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_POINTERS_OF_PROCESS(collections, collection_count),
	.row_in_interval = in_interval,
	.row_id = row_id,
	.row_name = row_name,
};
