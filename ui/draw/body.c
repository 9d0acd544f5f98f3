// SPDX-License-Identifier: GPL-2.0-only
/* The title row and the body: the table, or what is laid over it (detail, help, sort menu, the reason of an empty panel). */
#include "ui/act/go_calls.h"
#include "ui/draw/menu.h"
#include "ui/screen/line.h"
#include "ui/state/state.h"

#include <string.h>

enum { TEXT = 4096, LABEL = NT_VIEW_LABEL, NUMBER = 32, SCOPE_GAP = 3 };

/* ---- scope: what the figures are over ---- */

/* nt_table_titles() leaves parts out from the left. */
static void begin_part(struct nt_line *scope)
{
	nt_line_add(scope, "%s", scope->used ? "  " : "");
}

static void add_totals(const struct nt_ui *ui, struct nt_line *scope)
{
	char clock[NUMBER];
	if (ui->zero)
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
	if (context.window == NT_WINDOW_RECENT && recent_ns < 60 * NT_NS_PER_S)
		nt_line_add(scope, "last %.3gs", (double)recent_ns / (double)NT_NS_PER_S);
	else if (context.window == NT_WINDOW_RECENT)
		nt_line_add(scope, "last %s", nt_format_duration(recent_ns, number, sizeof(number)));
	else
		add_totals(ui, scope);
	if (nt_ui_view(ui)->scope)
		nt_ui_view(ui)->scope(&context, ui->layout.wide, scope);
}

/* Of a thread no more methods are known. */
static bool shows_the_hottest_only(const struct nt_ui *ui)
{
	return nt_ui_is_restricted(ui) && ui->restriction.part == NT_PART_THREAD && ui->restricted.process.method_count == NT_HOT_METHODS;
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
	for (unsigned bit = NT_HIDE_KERNEL; bit <= NT_HIDE_USER; bit <<= 1) {
		if (!(table->hide & bit))
			continue;
		begin_part(scope);
		nt_line_add(scope, bit == NT_HIDE_KERNEL ? "no kernel" : "no user");
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
		add_totals(ui, scope);
	}
	if (nt_ui_tab(ui) == NT_VIEW_METHODS && ui->process.sample_kind == NT_SAMPLES_WALL) {
		begin_part(scope);
		nt_line_add(scope, ui->layout.compact ? "wall, managed only" : "wall time, managed only");
	}
	const struct nt_restriction *restriction = ui->view == NT_VIEW_CALLS ? &ui->calls.restricted : &ui->restriction;
	if (nt_ui_is_restricted(ui) || (ui->view == NT_VIEW_CALLS && restriction->part != NT_PART_ALL)) {
		begin_part(scope);
		nt_restriction_text(restriction, ui->layout.wide, scope);
	}
	if (ui->view == NT_VIEW_CALLS && ui->calls.zoomed) {
		begin_part(scope);
		nt_line_add(scope, "subtree");
	}
}

/* ---- pages over the body ---- */

void nt_body_title(const struct nt_ui *ui, struct nt_grid *grid, const char *title)
{
	nt_grid_fill(grid, 0, ui->layout.title_y, grid->width, NT_STYLE_TITLE, " ");
	nt_grid_put(grid, 2, ui->layout.title_y, grid->width - 2, NT_STYLE_TITLE, title);
}

static void column_line(const struct nt_ui *ui, const struct nt_column_context *context, const struct nt_column *column, const void *row,
			struct nt_page *page)
{
	struct nt_column full = *column;
	struct nt_line line = { 0 };
	char value[TEXT];
	full.width = 0;
	nt_cell_format(&full, column->read(row, context), value, sizeof(value));
	/* Of a long title its first word: `WHY`, `PROVIDER`. */
	nt_line_add(&line, "  %-*.*s", LABEL - 2, (int)strcspn(column->title, strlen(column->title) > LABEL - 2 ? ", " : ","),
		    column->title);
	if (column->unit == NT_UNIT_TEXT && *value) {
		/* Already safe: nothing in it changes when it is made safe again. */
		nt_page_text(page, NT_STYLE_PLAIN, line.text, value);
		return;
	}
	nt_line_add(&line, "%-10s", value);
	nt_page_text(page, *value ? NT_STYLE_PLAIN : NT_STYLE_DIM, line.text, ui->layout.compact ? "" : column->help);
}

static void fill_detail(const struct nt_ui *ui, struct nt_page *page)
{
	const struct nt_view *view = nt_ui_view(ui);
	struct nt_column_context context = nt_ui_context(ui);
	const void *row = nt_ui_selected_row(ui);
	const struct nt_method_row *method = row && ui->view == NT_VIEW_CALLS ? nt_calls_method(&ui->process, row) : NULL;
	if (!row)
		return;
	if (method) {
		view = &nt_view_methods;
		row = method;
		context.window = ui->window;
	}
	/* The name stands first, it is what one looks for. */
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < view->table->column_count; i++) {
			const struct nt_column *column = &view->table->columns[i];
			bool first = strcmp(column->key, "name") == 0 || strcmp(column->key, "number") == 0;
			if (first == (pass == 0) && column->unit != NT_UNIT_BAR && column->unit != NT_UNIT_TREND)
				column_line(ui, &context, column, row, page);
		}
	if (view->detail)
		view->detail(&context, row, page);
	if (view->stack)
		nt_view_stack(page, view->stack(row), view->no_stacks(&context));
}

int nt_ui_page(const struct nt_ui *ui, struct nt_page *page)
{
	nt_page_init(page, ui->layout.width - 1);
	if (ui->overlay == NT_OVERLAY_HELP)
		nt_help_fill(ui, page);
	else if (ui->overlay == NT_OVERLAY_LOG)
		nt_log_page_fill(ui, page);
	else
		fill_detail(ui, page);
	int last_top = (int)page->line_count - ui->layout.body_height;
	bool at_end = ui->overlay == NT_OVERLAY_LOG && ui->log_at_end;
	return at_end ? last_top > 0 ? last_top : 0 : ui->page_top;
}

static void draw_page(const struct nt_ui *ui, struct nt_grid *grid, const char *title)
{
	struct nt_page page;
	int top = nt_ui_page(ui, &page);
	nt_body_title(ui, grid, title);
	nt_page_draw(&page, grid, ui->layout.body_y, ui->layout.body_height, top);
	nt_page_fini(&page);
}

/* ---- the table ---- */

static void put_nothing(const struct nt_view *view, const struct nt_column_context *context, struct nt_page *page)
{
	struct nt_nothing nothing = { 0 };
	struct nt_line line = { 0 };
	view->nothing(context, &nothing);
	nt_line_add(&line, "   %s", nothing.says);
	nt_page_line(page, NT_STYLE_PLAIN, line.text);
	if (nothing.more)
		nt_page_text(page, NT_STYLE_DIM, "   ", nothing.more);
	if (nothing.start)
		nt_page_text(page, NT_STYLE_PLAIN, "   Start: ", nothing.start);
	nt_view_why(page, nothing.reason, nothing.fix);
	if (nothing.instead)
		nt_page_text(page, NT_STYLE_PLAIN, "   ", nothing.instead);
	if (nothing.known.used)
		nt_page_text(page, NT_STYLE_PLAIN, "   Known without them:  ", nothing.known.text);
}

static void draw_empty(const struct nt_ui *ui, struct nt_grid *grid, int y, int height)
{
	const struct nt_view *view = nt_ui_view(ui);
	const struct nt_table_state *table = nt_ui_table(ui);
	const struct nt_column_context context = nt_ui_context(ui);
	struct nt_page page;
	nt_page_init(&page, grid->width - 1);
	if (table->rows.all_count || table->hide)
		nt_page_line(&page, NT_STYLE_PLAIN, "   No row matches.   Esc shows all");
	else if (nt_ui_is_restricted(ui) && ui->process.method_count)
		nt_page_line(&page, NT_STYLE_PLAIN, "   No samples of it in this time.   Esc goes back");
	else if (view->nothing)
		put_nothing(view, &context, &page);
	nt_page_draw(&page, grid, y, height, 0);
	nt_page_fini(&page);
}

static void add_rest(const struct nt_table_state *table, int height, struct nt_line *scope)
{
	size_t shown = table->top + (size_t)(height > 0 ? height : 0);
	if (table->rows.count <= shown)
		return;
	begin_part(scope);
	nt_line_add(scope, "+%zu more ↓", table->rows.count - shown);
}

/* Below the rows, where there is room: why their columns about call stacks are blank. */
static void draw_no_stacks(const struct nt_view *view, const struct nt_column_context *context, struct nt_grid *grid, int y, int height)
{
	struct nt_page page;
	if (height <= 0 || !view->no_stacks || !view->no_stacks(context)->reason)
		return;
	nt_page_init(&page, grid->width - 1);
	nt_view_why(&page, view->no_stacks(context)->reason, view->no_stacks(context)->fix);
	nt_page_draw(&page, grid, y, height, 0);
	nt_page_fini(&page);
}

static void draw_titles(const struct nt_ui *ui, const char *scope, struct nt_grid *grid, int y)
{
	const struct nt_table_state *table = nt_ui_table(ui);
	struct nt_placement placement = ui->placement;
	struct nt_line title = { 0 };
	if (ui->view == NT_VIEW_CALLS) {
		struct nt_placed *last = &placement.items[placement.count - 1];
		int beside = last->width - nt_text_cells(scope) - SCOPE_GAP, least = last->width / 2;
		nt_calls_title(&ui->calls, beside > least ? beside : least, &title);
		last->title = title.text;
	}
	nt_table_titles(&placement, table->sort, table->ascending, scope, grid, y);
}

static void draw_table(const struct nt_ui *ui, struct nt_grid *grid)
{
	const struct nt_view *view = nt_ui_view(ui);
	const struct nt_table_state *table = nt_ui_table(ui);
	const struct nt_column_context context = nt_ui_context(ui);
	struct nt_line scope = { 0 };
	int panel = nt_ui_panel_height(ui), y = ui->layout.title_y;
	if (panel && nt_ui_has_rows(ui))
		view->panel(&context, grid, y);
	y += panel;
	int height = ui->layout.context_y - y - 1;
	nt_ui_scope(ui, &scope);
	if (view->tells_rest)
		add_rest(table, height, &scope);
	draw_titles(ui, scope.text, grid, y);
	y++;
	if (!table->rows.count && nt_ui_has_rows(ui))
		draw_empty(ui, grid, y, height);
	for (int i = 0; i < height && table->top + (size_t)i < table->rows.count; i++) {
		size_t index = table->top + (size_t)i;
		const struct nt_row_ref *ref = &table->rows.refs[index];
		const struct nt_table_row row = { .row = ref->row, .selected = index == table->cursor, .kept = ref->kept };
		nt_table_row_draw(view, &ui->placement, &context, &row, grid, y + i);
	}
	int below = table->rows.count > table->top ? (int)(table->rows.count - table->top) + 1 : height;
	if (nt_ui_has_rows(ui))
		draw_no_stacks(view, &context, grid, y + below, height - below);
}

void nt_body_draw(const struct nt_ui *ui, struct nt_grid *grid)
{
	if (ui->overlay == NT_OVERLAY_HELP)
		draw_page(ui, grid, "HELP");
	else if (ui->overlay == NT_OVERLAY_LOG)
		draw_page(ui, grid, "LOG");
	else if (ui->overlay != NT_OVERLAY_NONE)
		nt_menu_draw(ui, grid);
	else if (nt_ui_table(ui)->detail && nt_ui_table(ui)->rows.count)
		draw_page(ui, grid, "DETAIL OF ONE ROW");
	else
		draw_table(ui, grid);
}
