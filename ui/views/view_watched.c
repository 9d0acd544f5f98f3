// SPDX-License-Identifier: GPL-2.0-only
/* The list of processes that are watched: the headline of every tile and its mark, and which one to open. */
#include "nettop/process_row.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"

#include <stdio.h>
#include <string.h>

static const struct nt_process_row *of(const void *row)
{
	return row;
}

static bool is_there(const struct nt_process_row *row)
{
	return row->ended_at == NT_TIME_UNKNOWN;
}

static unsigned flags(const void *row)
{
	bool marked = is_there(of(row)) && of(row)->process && of(row)->process->finding_count;
	return nt_row_flags(marked, !is_there(of(row)), false) | (of(row)->kind != NT_PROCESS_ROW ? NT_ROW_QUIET : 0);
}

/* Whose headline a column is. */
static const struct {
	const char *key;
	enum nt_subject_id subject;
} headlines[] = {
	{ "cpu_pct", NT_SUBJECT_CPU },
	{ "thread_count", NT_SUBJECT_THREADS },
	{ "gc_pause_pct", NT_SUBJECT_GC },
	{ "alloc_bytes_per_s", NT_SUBJECT_ALLOC },
	{ "jit_ns_per_s", NT_SUBJECT_JIT },
	{ "queue_count", NT_SUBJECT_POOL },
	{ "exceptions_per_s", NT_SUBJECT_EXCEPTIONS },
	{ "lock_ns_per_s", NT_SUBJECT_LOCKS },
	{ "requests_per_s", NT_SUBJECT_REQUESTS },
	{ "waited_ns_per_s", NT_SUBJECT_HOST },
};

static enum nt_subject_id subject_of(const char *key)
{
	for (size_t i = 0; i < sizeof(headlines) / sizeof(headlines[0]); i++)
		if (strcmp(headlines[i].key, key) == 0)
			return headlines[i].subject;
	return NT_SUBJECT_COUNT;
}

static bool is_marked(const struct nt_process_row *row, enum nt_subject_id subject)
{
	for (size_t i = 0; row->process && i < row->process->finding_count; i++)
		if (row->process->findings[i].headline == subject)
			return true;
	return false;
}

/* A headline that is out of its range has its tile's mark before it, where there is room for it beside the number; an estimate has its own. */
static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	enum nt_subject_id subject = subject_of(column->key);
	struct nt_cell value = column->read(row, context);
	char number[64];
	if (value.known && strcmp(column->key, "hot_method") == 0)
		return nt_view_share_cell(value.text, of(row)->hottest->window_self_pct, room, out, size);
	if (subject == NT_SUBJECT_COUNT || !value.known)
		return false;
	bool estimated = subject == NT_SUBJECT_ALLOC && of(row)->process && of(row)->process->interval.gc.alloc_estimated;
	const char *mark = is_marked(of(row), subject) ? "!" : estimated ? "~" : "";
	struct nt_column fitted = *column;
	fitted.width = (uint8_t)(room > 1 && *mark ? room - 1 : room);
	nt_cell_format(&fitted, value, number, sizeof(number));
	snprintf(out, size, "%s%s", (int)(strlen(number) + strlen(mark)) <= room ? mark : "", number);
	return true;
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	(void)context;
	out->says = "None of these processes is there.";
	out->more = "One that begins is taken up.";
}

static const char *const compact[] = { "pid", "cpu_pct", "gc_pause_pct", "name", NULL };

const struct nt_view nt_view_watched = {
	.tab = "Processes",
	.tab_short = "Proc",
	.table = &nt_table_watched,
	.first_x = 1,
	.least_rest = 12,
	.compact = compact,
	.flags = flags,
	.cell = cell,
	.nothing = nothing,
};
