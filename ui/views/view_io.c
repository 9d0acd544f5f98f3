// SPDX-License-Identifier: GPL-2.0-only
/* Screen i: what the process reads and writes, and what it has open. */
#include "nettop/source.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"

#include "base/numbers.h"

#include <inttypes.h>
#include <string.h>

enum { NUMBER = 32, DIGITS = 3 };

static const struct nt_io_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(false, of(row)->ended, of(row)->fresh);
}

/* read 12.0k/s 1.2M/s */
static void add_rate(struct nt_line *out, const char *word, struct nt_u64 count, struct nt_u64 bytes, struct nt_u64 covered_ns)
{
	char calls[NUMBER], amount[NUMBER];
	double seconds = (double)covered_ns.v / (double)NT_NS_PER_S;
	if (!count.known || !bytes.known || !covered_ns.known || !covered_ns.v)
		return;
	nt_number_real((double)count.v / seconds, DIGITS, calls, sizeof(calls));
	nt_number_bytes((uint64_t)((double)bytes.v / seconds), DIGITS, amount, sizeof(amount));
	nt_line_add(out, ", %s %s/s %sB/s", word, calls, amount);
}

/* What all its calls come to. */
static void scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	const struct nt_io_figures *figures = &context->process->interval.io;
	(void)wide;
	add_rate(out, "read", figures->read_count, figures->read_bytes, figures->covered_ns);
	add_rate(out, "written", figures->write_count, figures->write_bytes, figures->covered_ns);
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	return strcmp(column->key, "caller") == 0 && of(row)->caller_count &&
	       nt_view_share_cell(of(row)->callers[0].name, of(row)->callers[0].pct, room, out, size);
}

/* Who makes its calls, as far as that was looked at. */
static void detail(const struct nt_column_context *context, const void *row, struct nt_page *page)
{
	(void)context;
	if (!of(row)->caller_count)
		return;
	nt_page_line(page, NT_STYLE_PLAIN, "");
	for (uint32_t i = 0; i < of(row)->caller_count; i++) {
		const struct nt_io_caller *caller = &of(row)->callers[i];
		struct nt_line label = { 0 };
		nt_line_add(&label, "  %-8s%5.1f%% ", i ? "" : "BY", caller->pct);
		nt_page_text(page, NT_STYLE_PLAIN, label.text, caller->name);
	}
}

/* What is not in the rows, one after the other. */
static void add_beyond(struct nt_line *out, uint64_t count, const char *what)
{
	if (count)
		nt_line_add(out, "%s%" PRIu64 " %s", out->used ? ", " : "", count, what);
}

static void beyond(const struct nt_process_snapshot *process, struct nt_line *out)
{
	add_beyond(out, process->io_hidden, "more not looked at");
	if (!process->io_hidden && process->io_hidden_at_least)
		nt_line_add(out, "more not looked at");
	add_beyond(out, process->io_threads_hidden, "threads not asked");
	add_beyond(out, process->interval.io.call_lost_count.v, "calls not counted");
}

static const struct nt_why *lacks(const struct nt_column_context *context)
{
	const struct nt_io_figures *figures = &context->process->interval.io;
	return figures->calls_why.reason ? &figures->calls_why : &figures->calls_lack;
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	nt_nothing_by(&context->process->interval.io.open_why, "Nothing is open.", "What the process has open is not known.", out);
}

static const char *const compact[] = { "calls_per_s", "kind", "what", NULL };

const struct nt_view nt_view_io = {
	.action = NT_DO_VIEW_IO,
	.subject = &nt_subject_io,
	.table = &nt_table_io,
	.first_x = 1,
	.least_rest = 20,
	.compact = compact,
	.demand = NT_WANT_DESCRIPTORS | NT_WANT_CALLS,
	.announcement = "The kernel counts the target's calls as long as this screen is open: 0.2 us for each on this machine",
	.flags = flags,
	.cell = cell,
	.scope = scope,
	.beyond = beyond,
	.lacks = lacks,
	.nothing = nothing,
	.detail = detail,
};
