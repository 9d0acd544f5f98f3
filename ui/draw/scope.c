// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/scope.h"

enum { NUMBER = 32 };

/* nt_table_titles() leaves parts out from the left. */
static void begin_part(struct nt_line *scope)
{
	nt_line_add(scope, "%s", scope->used ? "  " : "");
}

static void add_totals(const struct nt_ui *ui, struct nt_line *scope)
{
	char clock[NUMBER];
	if (nt_ui_is_from_zero(ui))
		nt_line_add(scope, "since %s", nt_ui_clock(ui, nt_zero_time(ui->zero), clock, sizeof(clock)));
	else
		nt_line_add(scope, "since attach");
}

/* The exponential window has three quarters of its weight in the last ten intervals: that is its name. */
static void add_window(const struct nt_ui *ui, struct nt_line *scope)
{
	const struct nt_column_context context = nt_ui_context(ui);
	nt_time recent_ns = 10 * ui->config.interval_ns;
	char number[NUMBER];
	if (context.window == NT_WINDOW_INTERVAL)
		nt_line_add(scope, "span of %s", nt_format_duration(ui->shown->t1 - ui->shown->t0, number, sizeof(number)));
	else if (context.window == NT_WINDOW_RECENT && recent_ns < 60 * NT_NS_PER_S)
		nt_line_add(scope, "last %.3gs", (double)recent_ns / (double)NT_NS_PER_S);
	else if (context.window == NT_WINDOW_RECENT)
		nt_line_add(scope, "last %s", nt_format_duration(recent_ns, number, sizeof(number)));
	else
		add_totals(ui, scope);
	/* Of long ago it is not known more exactly when samples were taken. */
	nt_time coarse_ns = ui->process.stacks.coarse_ns;
	if (coarse_ns && nt_ui_tab(ui) == NT_VIEW_METHODS && (context.window == NT_WINDOW_INTERVAL || ui->view == NT_VIEW_CALLS))
		nt_line_add(scope, ", to %s", nt_format_duration(coarse_ns, number, sizeof(number)));
}

/* Of a thread, and of the pauses, no more methods are known. */
static bool shows_the_hottest_only(const struct nt_ui *ui)
{
	return nt_ui_is_restricted(ui) && nt_part_is_hottest(ui->restriction.part) && ui->restricted.process.method_count == NT_HOT_METHODS;
}

static void add_restriction(const struct nt_ui *ui, struct nt_line *scope)
{
	bool of_stacks = ui->view == NT_VIEW_CALLS;
	const struct nt_restriction *restriction = of_stacks ? &ui->calls.restricted : &ui->restriction;
	if (!nt_ui_is_restricted(ui) && (!of_stacks || restriction->part == NT_PART_ALL))
		return;
	const struct nt_side_shares shares =
		of_stacks ? nt_side_shares_of_stacks(&ui->process.stacks) : nt_side_shares_of_methods(&ui->process.pause_samples);
	begin_part(scope);
	nt_restriction_text(restriction, &shares, ui->layout.wide, scope);
}

void nt_ui_scope(const struct nt_ui *ui, struct nt_line *scope)
{
	const struct nt_table_state *table = nt_ui_table(ui);
	if (table->follow)
		nt_line_add(scope, "following");
	if (table->filter.active || table->filter.invalid) {
		begin_part(scope);
		nt_line_add(scope, "filter: ");
		nt_line_add_safe(scope, table->filter.text);
	}
	static const char *const words[] = { "no kernel", "no user", "my code" };
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!(table->hide & 1u << i))
			continue;
		begin_part(scope);
		nt_line_add(scope, "%s", words[i]);
	}
	if (!ui->has_process)
		return;
	if (nt_ui_view(ui)->has_raw_names && ui->raw_names) {
		begin_part(scope);
		nt_line_add(scope, "raw names");
	}
	if (shows_the_hottest_only(ui)) {
		begin_part(scope);
		nt_line_add(scope, "%d hottest", NT_HOT_METHODS);
	}
	if (nt_ui_view(ui)->has_window) {
		begin_part(scope);
		add_window(ui, scope);
	} else if (nt_ui_view(ui)->has_totals) {
		begin_part(scope);
		if (ui->is_span)
			add_window(ui, scope);
		else
			add_totals(ui, scope);
	}
	if (nt_ui_view(ui)->scope) {
		const struct nt_column_context context = nt_ui_context(ui);
		nt_ui_view(ui)->scope(&context, ui->layout.wide, scope);
	}
	if (nt_ui_tab(ui) == NT_VIEW_METHODS && ui->process.sample_kind == NT_SAMPLES_WALL) {
		begin_part(scope);
		nt_line_add(scope, ui->layout.compact ? "wall, managed only" : "wall time, managed only");
	}
	add_restriction(ui, scope);
	if (ui->view == NT_VIEW_CALLS && ui->calls.zoomed) {
		begin_part(scope);
		nt_line_add(scope, "subtree");
	}
}
