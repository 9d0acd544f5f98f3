// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/side.h"

#include "nettop/thread_row.h"
#include "ui/draw/table.h"
#include "ui/screen/page.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SCOPE_GAP = 3 };

/* Why there is no stack: it is said, or one would think that the thread does nothing. */
static const char *no_stack(const struct nt_thread_row *row)
{
	if (row->ended)
		return "It has ended.";
	if (row->waits)
		return "It waits; where from is not known, or no managed code is on its stack.";
	if (row->looked_at || row->state == 'R')
		return "It runs, or ran a moment ago; Enter shows its methods.";
	return "It is not looked at: what it waits for is not known.";
}

/* False: there is none to be shown. */
static bool put_frames(const struct nt_call_stack *stack, bool native, struct nt_page *page)
{
	bool any = false;
	for (uint32_t i = 0; stack && i < stack->count; i++) {
		bool site = i == stack->site;
		if (stack->frames[i].native && !native)
			continue;
		any = true;
		nt_page_text(page, site ? NT_STYLE_FRESH : NT_STYLE_PLAIN, site ? " > " : "   ", stack->frames[i].name);
	}
	return any;
}

static void fill_stack_of_thread(const struct nt_ui *ui, const struct nt_thread_row *row, struct nt_page *page)
{
	if (!put_frames(row->wait_from, ui->native, page))
		nt_page_text(page, NT_STYLE_DIM, " ", no_stack(row));
	else if (row->wait_partial)
		nt_page_text(page, NT_STYLE_DIM, " ", "callers are missing");
}

/* As in its detail (ui/draw/body_page.c). */
static void fill_stack_of_row(const struct nt_ui *ui, const void *row, struct nt_page *page)
{
	const struct nt_view *view = nt_ui_view(ui);
	const struct nt_column_context context = nt_ui_context(ui);
	bool native = ui->native || !nt_ui_is_of_waits(ui);
	if (put_frames(view->stack(&context, row), native, page))
		return;
	const struct nt_why *why = view->no_stack ? view->no_stack(&context, row) : view->lacks(&context);
	nt_page_text(page, NT_STYLE_DIM, " ", why && why->reason ? why->reason : "Its stack is not known.");
	if (why && why->fix)
		nt_page_text(page, NT_STYLE_DIM, " Fix: ", why->fix);
}

static void draw_stack(const struct nt_ui *ui, const char *scope, struct nt_grid *side)
{
	static const char title[] = "STACK OF THIS ROW";
	const void *row = nt_ui_selected_row(ui);
	bool of_thread = ui->view == NT_VIEW_THREADS;
	struct nt_page page;
	nt_grid_fill(side, 0, 0, side->width, NT_STYLE_TITLE, " ");
	nt_grid_put_right(side, 0, 0, side->width, NT_STYLE_TITLE, nt_table_scope(scope, side->width - (int)sizeof(title) - SCOPE_GAP));
	if (!row)
		return;
	nt_page_init(&page, side->width - 1);
	if (of_thread) {
		const struct nt_thread_row *thread = row;
		nt_grid_printf(side, 1, 0, side->width - 1, NT_STYLE_TITLE, "STACK OF THREAD %" PRIu32, thread->tid);
		fill_stack_of_thread(ui, thread, &page);
	} else {
		nt_grid_put(side, 1, 0, side->width - 1, NT_STYLE_TITLE, title);
		fill_stack_of_row(ui, row, &page);
	}
	nt_page_draw(&page, side, 1, side->height - 1, 0);
	nt_page_fini(&page);
}

/* By time, as on their own screen; of threads that wait for work nobody wants to know here. Owned. */
static const void **waits_beside(const struct nt_column_context *context, size_t *count)
{
	const void **rows = nt_table_top(nt_view_waits.table, context, count);
	size_t kept = 0;
	for (size_t i = 0; i < *count; i++)
		if (!nt_view_waits.hidden(rows[i], 0))
			rows[kept++] = rows[i];
	*count = kept;
	return rows;
}

static void draw_waits(const struct nt_ui *ui, struct nt_grid *side)
{
	const struct nt_view *view = &nt_view_waits;
	const struct nt_column_context context = nt_ui_context(ui);
	const struct nt_layout layout = { .width = side->width, .height = side->height };
	const struct nt_column *sort = nt_table_sorted_by(view->table, NULL);
	struct nt_placement placement;
	size_t count = 0;
	int y = 1;
	nt_table_place(view, nt_table_usual(view->table), &layout, &placement);
	nt_table_titles(&placement, sort, sort->ascending, "8 waits", side, 0);
	const void **rows = waits_beside(&context, &count);
	for (size_t i = 0; i < count && y < side->height; i++) {
		const struct nt_table_row row = { .row = rows[i] };
		nt_table_row_draw(view, &placement, &context, &row, side, y++);
	}
	free(rows);
	if (y > 1)
		return;
	struct nt_page page;
	struct nt_nothing nothing = { 0 };
	nt_view_nothing(view, &context, &nothing);
	nt_page_init(&page, side->width - 1);
	nt_page_text(&page, NT_STYLE_DIM, " ", nothing.says);
	if (nothing.reason)
		nt_page_text(&page, NT_STYLE_DIM, " Why: ", nothing.reason);
	nt_page_draw(&page, side, 1, side->height - 1, 0);
	nt_page_fini(&page);
}

void nt_side_draw(const struct nt_ui *ui, const char *scope, struct nt_grid *grid, int x, int y)
{
	struct nt_grid side;
	if (!ui->has_process)
		return;
	nt_grid_init(&side, grid->width - x, ui->layout.context_y - y);
	if (ui->view == NT_VIEW_METHODS)
		draw_waits(ui, &side);
	else
		draw_stack(ui, scope, &side);
	nt_grid_copy(&side, 0, grid, x, y);
	nt_grid_fini(&side);
}

size_t nt_side_leads_to(const struct nt_ui *ui, int y, uint64_t *id)
{
	const struct nt_column_context context = nt_ui_context(ui);
	int line = y - ui->layout.title_y - nt_ui_panel_height(ui);
	size_t count = 0;
	*id = 0;
	if (ui->view != NT_VIEW_METHODS || !ui->has_process || line < 0 || y >= ui->layout.context_y)
		return NT_VIEW_COUNT;
	const void **rows = waits_beside(&context, &count);
	if (line > 0 && (size_t)line <= count)
		*id = nt_view_waits.table->row_id(rows[line - 1]);
	free(rows);
	return line == 0 || *id ? NT_VIEW_WAITS : NT_VIEW_COUNT;
}
