// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/body.h"

#include "ui/draw/body_page.h"
#include "ui/draw/menu.h"
#include "ui/draw/scope.h"
#include "ui/draw/side.h"
#include "ui/draw/table.h"
#include "ui/draw/trend_scales.h"
#include "ui/screen/line.h"
#include "ui/screen/page.h"
#include "ui/views/view_cells.h"

enum { SCOPE_GAP = 3, PART_GAP = 2 };

/* `Why:` and `Fix:` lines, each left out when NULL. */
static void put_why(struct nt_page *page, const char *reason, const char *fix)
{
	if (reason)
		nt_page_text(page, NT_STYLE_PLAIN, "   Why:  ", reason);
	if (fix)
		nt_page_text(page, NT_STYLE_PLAIN, "   Fix:  ", fix);
}

static void put_nothing(const struct nt_view *view, const struct nt_column_context *context, struct nt_page *page)
{
	struct nt_nothing nothing = { 0 };
	struct nt_line line = { 0 };
	nt_view_nothing(view, context, &nothing);
	nt_line_add(&line, "   %s", nothing.says);
	nt_page_line(page, NT_STYLE_PLAIN, line.text);
	if (nothing.more)
		nt_page_text(page, NT_STYLE_DIM, "   ", nothing.more);
	if (nothing.start)
		nt_page_text(page, NT_STYLE_PLAIN, "   Start: ", nothing.start);
	put_why(page, nothing.reason, nothing.fix);
	if (nothing.instead)
		nt_page_text(page, NT_STYLE_PLAIN, "   ", nothing.instead);
	if (nothing.known.used)
		nt_page_text(page, NT_STYLE_PLAIN, "   Known without them:  ", nothing.known.text);
}

/* All rows are left out by one of the keys K, U and y: Esc does not bring them back, that key does. */
static const char *hidden_text(unsigned hide)
{
	return hide & NT_HIDE_FOREIGN  ? "   No method here is the program's own.   y shows all"
	       : hide & NT_HIDE_KERNEL ? "   All methods here are the kernel's.   K shows all"
				       : "   No method here is the kernel's.   U shows all";
}

static const char not_all_told[] = "not all of this time has been told, or events were lost";

/* Nothing of a part was sampled; of the pauses it may be that nobody told of them. */
static void put_empty_part(const struct nt_ui *ui, struct nt_page *page)
{
	const struct nt_why *why = &ui->process.interval.gc.why;
	if (!nt_part_is_of_pauses(ui->restriction.part) || ui->process.pause_samples.told) {
		nt_page_line(page, NT_STYLE_PLAIN, "   No samples of it in this time.   Esc goes back");
		return;
	}
	nt_page_line(page, NT_STYLE_PLAIN, "   When the program was paused is not known.   Esc goes back");
	put_why(page, why->reason ? why->reason : not_all_told, why->fix);
}

static void draw_empty(const struct nt_ui *ui, struct nt_grid *grid, int y, int height)
{
	const struct nt_view *view = nt_ui_view(ui);
	const struct nt_table_state *table = nt_ui_table(ui);
	const struct nt_column_context context = nt_ui_context(ui);
	struct nt_page page;
	nt_page_init(&page, grid->width - 1);
	if (table->rows.all_count)
		nt_page_line(&page, NT_STYLE_PLAIN, "   No row matches.   Esc shows all");
	else if (table->hide && context.process->method_count)
		nt_page_line(&page, NT_STYLE_PLAIN, hidden_text(table->hide));
	else if (nt_ui_is_restricted(ui) && ui->process.method_count)
		put_empty_part(ui, &page);
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
	nt_line_add(scope, "%s+%zu more ↓", scope->used ? "  " : "", table->rows.count - shown);
}

/*
 * Below a tree of one side of the pauses: whether the method ran there at all, and what is on neither side. The rest is of a time of which not all pauses were
 * told, or of threads that were too many to keep.
 */
static void put_side_lacks(const struct nt_ui *ui, struct nt_page *page)
{
	static const double worth_saying_pct = 0.05;
	const struct nt_stack_tree *stacks = &ui->process.stacks;
	const struct nt_why *why = &ui->process.interval.gc.why;
	enum nt_pause_side side = nt_part_side(ui->calls.restricted.part);
	double untold_pct = stacks->samples > 0 ? 100 * stacks->side_samples[NT_SIDE_NOT_TOLD] / stacks->samples : 0;
	struct nt_line line = { 0 };
	if (ui->process.call_count == 1 && !ui->process.calls->total)
		nt_page_line(page, NT_STYLE_PLAIN,
			     side == NT_IN_PAUSES ? "   No call stack in pauses has the method since this screen was opened"
						  : "   No call stack outside pauses has the method since this screen was opened");
	if (untold_pct < worth_saying_pct)
		return;
	nt_line_add(&line, "%.1f%% of the samples are on neither side", untold_pct);
	nt_page_text(page, NT_STYLE_PLAIN, "   Left out: ", line.text);
	if (!ui->process.pause_samples.told)
		put_why(page, why->reason ? why->reason : not_all_told, why->fix);
	else
		put_why(page, "not all pauses of their time were told, or their threads were too many to keep", NULL);
}

/* Below the rows, where there is room: why some columns of theirs are blank. */
static void draw_lacks(const struct nt_ui *ui, const struct nt_column_context *context, struct nt_grid *grid, int y, int height)
{
	const struct nt_view *view = nt_ui_view(ui);
	bool of_side = ui->view == NT_VIEW_CALLS && nt_part_is_of_pauses(ui->calls.restricted.part) && context->process->stacks.node_count;
	struct nt_page page;
	if (height <= 0 || (!of_side && (!view->lacks || !view->lacks(context)->reason)))
		return;
	nt_page_init(&page, grid->width - 1);
	if (of_side)
		put_side_lacks(ui, &page);
	else
		put_why(&page, view->lacks(context)->reason, view->lacks(context)->fix);
	nt_page_draw(&page, grid, y, height, 0);
	nt_page_fini(&page);
}

/* The title of the tree in so many cells: `CALLEES OF Shop.Cart.Total()`. */
static void tree_title(const struct nt_calls *calls, int room, struct nt_line *out)
{
	char name[NT_LINE_BYTES];
	nt_line_add(out, "%s OF ", calls->callers ? "CALLERS" : "CALLEES");
	nt_view_method_cell(calls->method.name, room - nt_text_cells(out->text), name, sizeof(name));
	nt_line_add(out, "%s", name);
}

/* Half of the column, but for what the most important part of the scope needs, which is the last one. */
static int least_title(int width, const char *scope)
{
	enum { TITLE_LEAST = 16 };
	const char *part = scope;
	for (const char *next; (next = strstr(part, "  "));)
		part = next + 2;
	int beside = width - nt_text_cells(part) - PART_GAP, least = beside < width / 2 ? beside : width / 2;
	return least > TITLE_LEAST ? least : TITLE_LEAST;
}

static void draw_titles(const struct nt_ui *ui, const struct nt_placement *scaled, const char *scope, struct nt_grid *grid, int y)
{
	const struct nt_table_state *table = nt_ui_table(ui);
	struct nt_placement placement = *scaled;
	struct nt_line title = { 0 }, before = { 0 };
	if (ui->view == NT_VIEW_CALLS) {
		struct nt_placed *last = &placement.items[placement.count - 1];
		int beside = last->width - nt_text_cells(scope) - SCOPE_GAP, least = least_title(last->width, scope);
		tree_title(&ui->calls, beside > least ? beside : least, &title);
		last->title = title.text;
	}
	const struct nt_title_gap gap = nt_table_titles(&placement, table->sort, table->ascending, scope, grid, y);
	if (!nt_ui_view(ui)->before_scope || !nt_ui_has_rows(ui) || gap.cells <= 2 * PART_GAP)
		return;
	const struct nt_column_context context = nt_ui_context(ui);
	nt_ui_view(ui)->before_scope(&context, gap.cells - 2 * PART_GAP, &before);
	nt_grid_put_right(grid, gap.x, y, gap.cells - PART_GAP, NT_STYLE_TITLE, before.text);
}

/* Below the panel, from line `y` on. */
static void draw_table(const struct nt_ui *ui, const char *scope, struct nt_grid *grid, int y)
{
	const struct nt_view *view = nt_ui_view(ui);
	const struct nt_table_state *table = nt_ui_table(ui);
	const struct nt_column_context context = nt_ui_context(ui);
	struct nt_placement placement = ui->placement;
	struct nt_trend_titles titles;
	int height = ui->layout.context_y - y - 1;
	if (nt_ui_has_rows(ui))
		nt_trend_scales(&table->rows, &context, &titles, &placement);
	draw_titles(ui, &placement, scope, grid, y);
	y++;
	if (!table->rows.count && nt_ui_has_rows(ui))
		draw_empty(ui, grid, y, height);
	for (int i = 0; i < height && table->top + (size_t)i < table->rows.count; i++) {
		size_t index = table->top + (size_t)i;
		const struct nt_row_ref *ref = &table->rows.refs[index];
		const struct nt_table_row row = { .row = ref->row, .selected = index == table->cursor, .kept = ref->kept };
		nt_table_row_draw(view, &placement, &context, &row, grid, y + i);
	}
	int below = table->rows.count > table->top ? (int)(table->rows.count - table->top) + 1 : height;
	if (nt_ui_has_rows(ui))
		draw_lacks(ui, &context, grid, y + below, height - below);
}

/* The panel as wide as the screen; then the table, and what stands beside it where there is room. */
static void draw_screen(const struct nt_ui *ui, struct nt_grid *grid)
{
	int panel = nt_ui_panel_height(ui), side = nt_ui_side_width(ui), y = ui->layout.title_y;
	const struct nt_column_context context = nt_ui_context(ui);
	struct nt_line scope = { 0 };
	if (panel && nt_ui_has_rows(ui))
		nt_ui_view(ui)->panel(&context, nt_ui_selected_row(ui), grid, y);
	y += panel;
	nt_ui_scope(ui, &scope);
	if (nt_ui_view(ui)->tells_rest)
		add_rest(nt_ui_table(ui), ui->layout.context_y - y - 1, &scope);
	if (!side) {
		draw_table(ui, scope.text, grid, y);
		return;
	}
	struct nt_grid table;
	bool is_beside = nt_ui_view(ui)->stack_beside; /* there is more room for it there */
	nt_grid_init(&table, grid->width - side - 1, ui->layout.context_y);
	draw_table(ui, is_beside ? "" : scope.text, &table, y);
	nt_grid_copy(&table, y, grid, 0, y);
	nt_grid_fini(&table);
	nt_side_draw(ui, is_beside ? scope.text : "", grid, grid->width - side, y);
}

void nt_body_draw(const struct nt_ui *ui, struct nt_grid *grid)
{
	if (ui->overlay == NT_OVERLAY_HELP)
		nt_body_page_draw(ui, grid, "HELP");
	else if (ui->overlay == NT_OVERLAY_LOG)
		nt_body_page_draw(ui, grid, "LOG");
	else if (ui->overlay == NT_OVERLAY_STACKS)
		nt_body_page_draw(ui, grid, ui->is_span ? "STACKS OF ALL THREADS AT THE END OF THE SPAN" : "STACKS OF ALL THREADS");
	else if (ui->overlay == NT_OVERLAY_PURPOSES)
		nt_body_page_draw(ui, grid, "WHAT CPU TIME IS FOR");
	else if (ui->overlay == NT_OVERLAY_TIME)
		nt_body_page_draw(ui, grid, "THE LAST QUARTER OF AN HOUR");
	else if (ui->overlay == NT_OVERLAY_MEMORY)
		nt_body_page_draw(ui, grid, "WHAT THE MEMORY CONSISTS OF");
	else if (ui->overlay == NT_OVERLAY_HEAP)
		nt_body_page_draw(ui, grid, "HEAP BY TYPE");
	else if (ui->overlay == NT_OVERLAY_DUMP)
		nt_body_page_draw(ui, grid, "CORE DUMP");
	else if (ui->overlay != NT_OVERLAY_NONE)
		nt_menu_draw(ui, grid);
	else if (nt_ui_table(ui)->detail && nt_ui_table(ui)->rows.count)
		nt_body_page_draw(ui, grid, "DETAIL OF ONE ROW");
	else
		draw_screen(ui, grid);
}
