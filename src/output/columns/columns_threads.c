// SPDX-License-Identifier: GPL-2.0-only
/* The threads of the target. */
#include "output/columns/cell.h"

static const struct nt_thread_row *of(const void *row)
{
	return row;
}

/* Does this row stand for several threads here? */
static bool is_several(const void *row, const struct nt_column_context *context)
{
	return context && context->folds && of(row)->alike.count > 1;
}

static struct nt_cell tid(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->tid);
}

static struct nt_cell name(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->name);
}

static struct nt_cell role(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_role_name(of(row)->role));
}

static struct nt_cell cpu_pct(const void *row, const struct nt_column_context *context)
{
	return nt_cell_of_f64(is_several(row, context) ? of(row)->alike.cpu_pct : of(row)->cpu_pct);
}

static struct nt_cell trend(const void *row, const struct nt_column_context *context)
{
	return is_several(row, context) ? nt_cell_unknown() : nt_cell_trend(&of(row)->trend);
}

static struct nt_cell user_pct(const void *row, const struct nt_column_context *context)
{
	return nt_cell_of_f64(is_several(row, context) ? of(row)->alike.user_pct : of(row)->user_pct);
}

static struct nt_cell kernel_pct(const void *row, const struct nt_column_context *context)
{
	return nt_cell_of_f64(is_several(row, context) ? of(row)->alike.kernel_pct : of(row)->kernel_pct);
}

static struct nt_cell allocated_per_s(const void *row, const struct nt_column_context *context)
{
	struct nt_f64 rate = of(row)->allocated_per_s;
	return rate.known && !is_several(row, context) ? nt_cell_u((uint64_t)rate.v) : nt_cell_unknown();
}

static struct nt_cell allocated_bytes(const void *row, const struct nt_column_context *context)
{
	return is_several(row, context) ? nt_cell_unknown() : nt_cell_of_u64(of(row)->allocated_bytes);
}

/* What it waits for, in the width of the column. */
static const char *word_of_wait(enum nt_wait_kind wait)
{
	switch (wait) {
	case NT_WAIT_MONITOR:
		return "lock";
	case NT_WAIT_PROCESS:
		return "child";
	case NT_WAIT_STOPPED:
		return "stop";
	default:
		return nt_wait_kind_name(wait);
	}
}

/* The letters of /proc/PID/task/TID/stat, proc(5). */
static struct nt_cell state(const void *row, const struct nt_column_context *context)
{
	static const struct {
		char letter;
		const char *name;
	} states[] = { { 'R', "run" },   { 'S', "sleep" },  { 'D', "disk" }, { 'T', "stop" },
		       { 't', "trace" }, { 'Z', "zombie" }, { 'I', "idle" } };
	(void)context;
	if (of(row)->ended)
		return nt_cell_text("ended");
	if (of(row)->lock_ns.known)
		return nt_cell_text("lock");
	if (of(row)->waits && of(row)->wait != NT_WAIT_UNKNOWN)
		return nt_cell_text(word_of_wait(of(row)->wait));
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (states[i].letter == of(row)->state)
			return nt_cell_text(states[i].name);
	return nt_cell_unknown();
}

static struct nt_cell state_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	if (of(row)->lock_ns.known)
		return nt_cell_u(of(row)->lock_ns.v);
	if (of(row)->waits)
		return nt_cell_of_u64(of(row)->wait_ns);
	if (of(row)->state == 'R')
		return of(row)->busy_ns ? nt_cell_u(of(row)->busy_ns) : nt_cell_unknown();
	/* Readings see it sleep each time, though it may have run in between. One that never ran since nettop came has slept for longer than that. */
	if (!of(row)->state_ns || !of(row)->idle_ns.known)
		return nt_cell_unknown();
	return nt_cell_u(of(row)->state_ns < of(row)->idle_ns.v ? of(row)->state_ns : of(row)->idle_ns.v);
}

/* Where it runs. Where a thread waits its samples do not say: they are of the time before, or of the kernel that puts it to sleep. */
static struct nt_cell at(const void *row, const struct nt_column_context *context)
{
	static const double least_pct = 5; /* of a CPU: who uses less is as good as not running */
	bool sleeps = of(row)->state && of(row)->state != 'R' && of(row)->cpu_pct.known && of(row)->cpu_pct.v < least_pct;
	(void)context;
	if (of(row)->waits)
		return nt_cell_text(of(row)->wait == NT_WAIT_IDLE ? NULL : of(row)->wait_at);
	if (sleeps)
		return nt_cell_unknown();
	return of(row)->samples && of(row)->hot_count ? nt_cell_text(of(row)->hot[0].name) : nt_cell_unknown();
}

static struct nt_cell lock_owner_tid(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->lock_owner_tid ? nt_cell_u(of(row)->lock_owner_tid) : nt_cell_unknown();
}

static struct nt_cell samples(const void *row, const struct nt_column_context *context)
{
	return nt_cell_u(is_several(row, context) ? of(row)->alike.samples : of(row)->samples);
}

static const struct nt_column columns[] = {
	{ .key = "tid",
	  .title = "TID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .ascending = true,
	  .screen = true,
	  .help = "thread id, as seen from nettop",
	  .read = tid },
	{ .key = "name",
	  .title = "NAME",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 16,
	  .ascending = true,
	  .screen = true,
	  .help = "name of the thread as the kernel keeps it (15 characters); threads of EventPipe, which serve nettop's sessions and "
		  "others', are one row on the screen, with their number",
	  .read = name },
	{ .key = "role",
	  .title = "ROLE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 5,
	  .drop = 3,
	  .ascending = true,
	  .screen = true,
	  .help = "pool, gc, jit, fin (finalizer), rt (other threads of the runtime), app; from its name and the runtime's word (procfs; "
		  "lttng or eventpipe)",
	  .read = role },
	{ .key = "cpu_pct",
	  .title = "CPU%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_CPU,
	  .help = "CPU time in this interval, 100 = one CPU (procfs)",
	  .read = cpu_pct },
	{ .key = "trend",
	  .title = "TREND",
	  .unit = NT_UNIT_TREND,
	  .scale = NT_SCALE_PCT,
	  .least_full = 100,
	  .align = NT_ALIGN_LEFT,
	  .width = NT_TREND_CELLS,
	  .drop = 2,
	  .screen = true,
	  .help = "CPU time in the last intervals, the newest at the right; blank: not known",
	  .read = trend },
	{ .key = "state",
	  .title = "STATE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 6,
	  .ascending = true,
	  .screen = true,
	  .help = "run, sleep, disk, stop, trace, zombie, ended (procfs); lock: waits for one (lttng or eventpipe)",
	  .read = state },
	{ .key = "state_ns",
	  .title = "FOR",
	  .unit = NT_UNIT_AGE,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 4,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "how long it has been busy, or waits without having run; blank: not known, or since before nettop came",
	  .read = state_ns },
	{ .key = "allocated_bytes_per_s",
	  .title = "ALLOC/s",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 1,
	  .screen = true,
	  .sort_key = NT_SORT_BY_MEMORY,
	  .help = "bytes that it allocates in a second, by the runtime's own counter of the thread, read from outside (.NET 10); blank: "
		  "not known, or it runs no managed code",
	  .read = allocated_per_s },
	{ .key = "allocated_bytes",
	  .title = "ALLOCATED",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .help = "the same since the thread began: what GC.GetAllocatedBytesForCurrentThread() tells it",
	  .read = allocated_bytes },
	{ .key = "user_pct",
	  .title = "USER%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "of CPU% in user mode",
	  .read = user_pct },
	{ .key = "kernel_pct",
	  .title = "KERN%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "of CPU% in the kernel",
	  .read = kernel_pct },
	{ .key = "samples",
	  .title = "SAMPLES",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "samples in this interval (perf; of the runtime's own sampler those in managed code)",
	  .read = samples },
	{ .key = "lock_owner_tid",
	  .title = "OWNER",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .ascending = true,
	  .help = "thread that holds the lock it waits for; blank: it waits for none, or the owner is not known (lttng or eventpipe)",
	  .read = lock_owner_tid },
	{ .key = "at",
	  .title = "IN",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "method that waits, or else that most of its samples are in; blank: it waits for work, or neither is known",
	  .read = at },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->name;
}

static bool row_marked(const void *row)
{
	return of(row)->marked;
}

const struct nt_table nt_table_threads = {
	.key = "threads",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(threads, thread_count),
	.row_id = row_id,
	.row_name = row_name,
	.row_marked = row_marked,
};
