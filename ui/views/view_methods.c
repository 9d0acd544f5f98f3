// SPDX-License-Identifier: GPL-2.0-only
/* Screen 1: the hot methods. */
#include "nettop/source.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER = 32, COMPACT_KIND = 4 };

static const struct nt_method_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(of(row)->marked, of(row)->ended, of(row)->fresh);
}

static bool hidden(const void *row, unsigned hide)
{
	bool kernel = of(row)->kind == NT_CODE_KERNEL;
	return (hide & NT_HIDE_KERNEL && kernel) || (hide & NT_HIDE_USER && !kernel) || (hide & NT_HIDE_FOREIGN && !of(row)->own);
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	if (strcmp(column->key, "module") == 0)
		return nt_view_module_cell(of(row)->module, room, out, size);
	if (strcmp(column->key, "name") == 0 && !(context->raw_names && of(row)->raw_name)) {
		nt_view_name_and_reason(of(row)->name, of(row)->reason, room, out, size);
	} else if (strcmp(column->key, "kind") == 0 && room <= COMPACT_KIND) {
		snprintf(out, size, "%s", nt_view_short_kind(of(row)->kind));
	} else {
		return false;
	}
	return true;
}

static uint64_t method(const void *row)
{
	return of(row)->kind == NT_CODE_KERNEL ? 0 : of(row)->id;
}

static bool part(const void *row, enum nt_part part, struct nt_restriction *out)
{
	*out = (struct nt_restriction){ .part = part, .kind = of(row)->kind };
	nt_restriction_name(out, of(row)->module);
	return part == NT_PART_MODULE || part == NT_PART_KIND;
}

/* Call chains that lack their outer frames, and why TOTAL% has a `>` then. */
static void add_chains(const struct nt_column_context *context, struct nt_line *out)
{
	bool recent = context->window != NT_WINDOW_ATTACH;
	struct nt_f64 complete = recent ? context->process->window_complete_pct : context->process->all_complete_pct;
	struct nt_f64 cut = recent ? context->process->window_cut_pct : context->process->all_cut_pct;
	if (!complete.known || complete.v > 99)
		return;
	if (cut.known && cut.v >= 1)
		nt_line_add(out, "  %.0f%% cut", cut.v);
	if (!cut.known || 100 - complete.v - cut.v >= 1)
		nt_line_add(out, "  chains %.0f%%", complete.v);
}

/* What the CPU time of the rows is for. NULL: not known, or of another kind of samples, or not of these rows: of a part of the samples. */
static const struct nt_f64 *shares_of(const struct nt_column_context *context)
{
	const struct nt_process_snapshot *process = context->process;
	const struct nt_f64 *pct = context->window != NT_WINDOW_ATTACH ? process->window_purpose_pct : process->total.cpu.purposes.pct;
	bool all = process->sample_kind == NT_SAMPLES_CPU && !process->is_part;
	return all && pct[NT_PURPOSE_PROGRAM].known ? pct : NULL;
}

static void before_scope(const struct nt_column_context *context, int cells, struct nt_line *out)
{
	char text[NT_PURPOSES_BYTES] = "";
	if (shares_of(context))
		nt_purposes_text(shares_of(context), cells, text);
	nt_line_add(out, "%s", text);
}

static void scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	char number[NUMBER];
	uint64_t samples =
		context->window != NT_WINDOW_ATTACH ? context->process->window_samples_milli / 1000 : context->process->samples_all;
	if (wide && !shares_of(context))
		nt_line_add(out, ", %s samples", nt_format_whole(samples, number, sizeof(number)));
	add_chains(context, out);
}

static void known_without_samples(const struct nt_column_context *context, struct nt_line *out)
{
	const struct nt_figures *figures = &context->process->interval;
	if (!figures->cpu.usage_pct.known)
		return;
	nt_line_add(out, "%.0f%% CPU", figures->cpu.usage_pct.v);
	if (figures->threads.count.known)
		nt_line_add(out, ", %" PRIu64 " threads", figures->threads.count.v);
	nt_line_add(out, " (from /proc)");
}

static bool is_sampling(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *eventpipe = nt_snapshot_source(snapshot, NT_SOURCE_EVENTPIPE);
	return eventpipe && eventpipe->brings & NT_WANT_WALL_SAMPLES && eventpipe->state == NT_STATE_DELIVERING;
}

/* Of a span nothing comes any more: it had no samples, or nobody knows. */
static const char *nothing_in_span(const struct nt_figures *span)
{
	if (!span->cpu.samples.known)
		return "The CPU samples of this span were not kept.";
	if (nt_is_partial(span->cpu.samples_covered_ns, span->lived_ns))
		return "No CPU samples are kept of this span, which is known in part only.";
	return "No CPU samples in this span: the process did not run, or for some milliseconds only.";
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_source_row *perf = nt_snapshot_source(context->snapshot, NT_SOURCE_PERF);
	if (context->is_span) {
		out->says = nothing_in_span(&context->process->interval);
		return;
	}
	if (is_sampling(context->snapshot)) {
		out->says = "No wall samples yet: no thread ran managed code.";
		return;
	}
	if (perf && perf->state == NT_STATE_DELIVERING) {
		out->says = "No CPU samples yet: the process did not run.";
		return;
	}
	if (!perf || perf->state == NT_STATE_STARTING) {
		out->says = "Waiting for the first CPU samples.";
		return;
	}
	out->says = "No CPU samples.";
	out->reason = perf->reason;
	out->fix = perf->fix;
	out->instead = "nettop --wall, or keys 8 and v, shows where all threads are by looks from outside. On .NET 8 and 9 --wall asks "
		       "for the runtime's own sampler: managed code only. It stops all managed threads " NT_PRICE_WALL_SAMPLES ".";
	known_without_samples(context, &out->known);
}

static void detail(const struct nt_column_context *context, const void *row, struct nt_page *page)
{
	uint64_t all = 0;
	(void)context;
	for (int tier = 0; of(row)->tier_samples && tier < NT_TIER_COUNT; tier++)
		all += of(row)->tier_samples[tier];
	if (of(row)->kind != NT_CODE_JIT || !all)
		return;
	nt_page_line(page, NT_STYLE_PLAIN, "");
	nt_page_line(page, NT_STYLE_DIM, "  Samples by tier since attach");
	for (int tier = 0; tier < NT_TIER_COUNT; tier++) {
		struct nt_line line = { 0 };
		char number[NUMBER];
		const char *name = nt_tier_name((enum nt_tier)tier);
		if (!of(row)->tier_samples[tier])
			continue;
		nt_line_add(&line, "  %-11s %6.1f%% %8s", *name ? name : "not known", 100.0 * of(row)->tier_samples[tier] / (double)all,
			    nt_format_whole(of(row)->tier_samples[tier], number, sizeof(number)));
		nt_page_line(page, NT_STYLE_PLAIN, line.text);
	}
}

static const char *const compact[] = { "self_pct", "kind", "name", NULL };

const struct nt_view nt_view_methods = {
	.action = NT_DO_VIEW_1,
	.subject = &nt_subject_cpu,
	.table = &nt_table_methods,
	.first_x = 1,
	.wide_gaps = true,
	.least_rest = 30,
	.compact = compact,
	.has_window = true,
	.of_samples = true,
	.has_raw_names = true,
	.flags = flags,
	.hidden = hidden,
	.method = method,
	.part = part,
	.cell = cell,
	.scope = scope,
	.before_scope = before_scope,
	.nothing = nothing,
	.detail = detail,
};
