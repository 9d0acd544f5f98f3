// SPDX-License-Identifier: GPL-2.0-only
/* The sources: what each delivers, how fast, what was lost, and why one does not deliver. */
#include "nettop/source.h"
#include "output/columns/cell.h"

static const struct nt_source_row *of(const void *row)
{
	return row;
}

static struct nt_cell name(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_source_name(of(row)->id));
}

static struct nt_cell state(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_source_state_name(of(row)->state));
}

/* The words for a set of what a source brings, each behind a blank: one after the other, with it and without it. */
#define LINE(set, text)                                                                                                                    \
	{                                                                                                                                  \
		set, text                                                                                                                  \
	}
#define WITH_WALL(set, text)   LINE((set) | NT_WANT_WALL_SAMPLES, text " wall"), LINE(set, text)
#define WITH_STACKS(set, text) WITH_WALL((set) | NT_WANT_STACKS, text " stacks"), WITH_WALL(set, text)
#define WITH_POOL(set, text)   WITH_STACKS((set) | NT_WANT_POOL_EVENTS, text " pool"), WITH_STACKS(set, text)
#define WITH_LOCK(set, text)   WITH_POOL((set) | NT_WANT_LOCK_EVENTS, text " lock"), WITH_POOL(set, text)
#define WITH_EXC(set, text)    WITH_LOCK((set) | NT_WANT_EXCEPTIONS, text " exc"), WITH_LOCK(set, text)
#define WITH_JIT(set, text)    WITH_EXC((set) | NT_WANT_JIT_EVENTS, text " jit"), WITH_EXC(set, text)
#define WITH_GC(set, text)     WITH_JIT((set) | NT_WANT_GC_EVENTS, text " gc"), WITH_JIT(set, text)

/* Of a source that brings what it is asked for. */
static const char *brought(uint32_t brings)
{
	static const struct {
		uint32_t set;
		const char *words;
	} lines[] = { WITH_GC(0, "") };
	/* They come together, and who has them all needs not be told that there are stacks. */
	if (brings & NT_WANT_RUNTIME_EVENTS)
		brings = (brings & ~(uint32_t)NT_WANT_STACKS) | NT_WANT_GC_EVENTS | NT_WANT_LOCK_EVENTS | NT_WANT_POOL_EVENTS;
	size_t i = 0;
	while ((brings & lines[i].set) != lines[i].set) /* the last line is of nothing */
		i++;
	return *lines[i].words ? lines[i].words + 1 : NULL;
}

#undef WITH_GC
#undef WITH_JIT
#undef WITH_EXC
#undef WITH_LOCK
#undef WITH_POOL
#undef WITH_STACKS
#undef WITH_WALL
#undef LINE

/* What comes from it and from no other at the same time. */
static struct nt_cell owns(const void *row, const struct nt_column_context *context)
{
	static const char *const subjects[NT_SOURCE_COUNT] = {
		[NT_SOURCE_PROCFS] = "cpu thr",
		[NT_SOURCE_PERF] = "samples",
		[NT_SOURCE_LTTNG] = "gc jit lock",
		[NT_SOURCE_CODEMAP] = "names",
		[NT_SOURCE_RECORDING] = "all",
		[NT_SOURCE_APP] = "own cost",
		[NT_SOURCE_ALLOCATIONS] = "alloc by type",
	};
	(void)context;
	return nt_cell_text(of(row)->brings ? brought(of(row)->brings) : subjects[of(row)->id]);
}

static struct nt_cell events_per_s(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_f64(of(row)->events_per_s);
}

static struct nt_cell lag_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->lag_ns);
}

static struct nt_cell lost(const void *row, const struct nt_column_context *context)
{
	(void)context;
	/* Something was lost and nothing of it was counted: 0 would lie. */
	if (of(row)->lost_unknown && !of(row)->lost_count)
		return nt_cell_unknown();
	return nt_cell_u(of(row)->lost_count);
}

static struct nt_cell reason(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->reason);
}

static struct nt_cell fix(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->fix);
}

static struct nt_cell events(const void *row, const struct nt_column_context *context)
{
	bool all = context->window == NT_WINDOW_ATTACH;
	uint64_t count = all ? of(row)->events_all : of(row)->events;
	const struct nt_u64 covered_ns = all ? of(row)->covered_all_ns : of(row)->covered_ns;
	/* Some were delivered in a time that it does not answer for: at least those there were. */
	if (covered_ns.known && !covered_ns.v && count)
		return (struct nt_cell){ .known = true, .at_least = true, .u = count };
	return covered_ns.known ? nt_cell_counted(count, covered_ns, nt_cell_figures(context)->lived_ns) : nt_cell_u(count);
}

static struct nt_cell covered_ns(const void *row, const struct nt_column_context *context)
{
	return nt_cell_of_u64(context->window == NT_WINDOW_ATTACH ? of(row)->covered_all_ns : of(row)->covered_ns);
}

static struct nt_cell late(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->late_count);
}

static struct nt_cell duplicate(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->duplicate_count);
}

static struct nt_cell file_bytes(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->file_bytes);
}

static struct nt_cell file_growth(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->file_bytes_per_s);
}

static struct nt_cell rate_hz(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->rate_hz);
}

static struct nt_cell unknown(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->unknown_count);
}

static const struct nt_column columns[] = {
	{ .key = "name",
	  .title = "SOURCE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 10,
	  .ascending = true,
	  .screen = true,
	  .help = "where facts come from",
	  .read = name },
	{ .key = "state",
	  .title = "STATE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 11,
	  .ascending = true,
	  .screen = true,
	  .help = "delivering, starting, stalled (tries to come back), absent, forbidden, unused, ended",
	  .read = state },
	{ .key = "owns",
	  .title = "OWNS",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 15,
	  .drop = 3,
	  .ascending = true,
	  .screen = true,
	  .help = "what is known from this source",
	  .read = owns },
	{ .key = "events_per_s",
	  .title = "EV/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .help = "events per second in this interval, while it told of anything",
	  .read = events_per_s },
	{ .key = "lag_ns",
	  .title = "LAG ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 2,
	  .screen = true,
	  .help = "how far its newest word was behind the end of the interval; blank: it never spoke",
	  .read = lag_ns },
	{ .key = "lost",
	  .title = "LOST",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .help = "lost events since attach; > before it: more that nobody counted",
	  .read = lost },
	{ .key = "late",
	  .title = "LATE",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 1,
	  .screen = true,
	  .help = "events that came after their interval had closed, since attach; they count in the next one",
	  .read = late },
	{ .key = "duplicate",
	  .title = "DUPL",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 1,
	  .screen = true,
	  .help = "events dropped because another source owns their kind, since attach",
	  .read = duplicate },
	{ .key = "reason",
	  .title = "WHY, AND THE LEAST FIX",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "why it does not deliver, or not all, and what to do; Enter shows it in full",
	  .read = reason },
	{ .key = "fix",
	  .title = "FIX",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 40,
	  .ascending = true,
	  .help = "the least thing to do about it",
	  .read = fix },
	{ .key = "events",
	  .title = "EVENTS",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "events delivered; > before it: it told of a part of the time only",
	  .read = events },
	{ .key = "covered_ns",
	  .title = "TOLD ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "for how long it told of anything; blank: it does not say, and does so while it delivers",
	  .read = covered_ns },
	{ .key = "unknown",
	  .title = "UNKN",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .help = "events of the runtime that nettop has no entry for, since attach",
	  .read = unknown },
	{ .key = "rate_hz",
	  .title = "RATE",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .help = "CPU samples: at most so many in a second of each CPU",
	  .read = rate_hz },
	{ .key = "file_bytes",
	  .title = "FILE",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "size of the file that it follows: the perf map",
	  .read = file_bytes },
	{ .key = "file_growth",
	  .title = "FILE/s",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "growth of that file, bytes per second in this interval",
	  .read = file_growth },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return nt_source_name(of(row)->id);
}

const struct nt_table nt_table_sources = {
	.key = "sources",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_IN_SNAPSHOT(sources, source_count),
	.row_id = row_id,
	.row_name = row_name,
};
