// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/side.h"

#include "nettop/thread_row.h"
#include "ui/draw/table.h"
#include "ui/screen/page.h"

#include <inttypes.h>
#include <stdlib.h>

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

static void fill_stack(const struct nt_ui *ui, const struct nt_thread_row *row, struct nt_page *page)
{
	const struct nt_call_stack *stack = row->wait_from;
	bool any = false;
	for (uint32_t i = 0; stack && i < stack->count; i++) {
		bool site = i == stack->site;
		if (stack->frames[i].native && !ui->native)
			continue;
		any = true;
		nt_page_text(page, site ? NT_STYLE_FRESH : NT_STYLE_PLAIN, site ? " > " : "   ", stack->frames[i].name);
	}
	if (!any)
		nt_page_text(page, NT_STYLE_DIM, " ", no_stack(row));
	else if (row->wait_partial)
		nt_page_text(page, NT_STYLE_DIM, " ", "callers are missing");
}

static void draw_stack(const struct nt_ui *ui, struct nt_grid *side)
{
	const struct nt_thread_row *row = nt_ui_selected_row(ui);
	struct nt_page page;
	nt_grid_fill(side, 0, 0, side->width, NT_STYLE_TITLE, " ");
	if (!row)
		return;
	nt_grid_printf(side, 1, 0, side->width - 1, NT_STYLE_TITLE, "STACK OF THREAD %" PRIu32, row->tid);
	nt_page_init(&page, side->width - 1);
	fill_stack(ui, row, &page);
	nt_page_draw(&page, side, 1, side->height - 1, 0);
	nt_page_fini(&page);
}

/* By time, as on their own screen; of threads that wait for work nobody wants to know here. */
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
	const void **rows = nt_table_top(view->table, &context, &count);
	for (size_t i = 0; i < count && y < side->height; i++) {
		const struct nt_table_row row = { .row = rows[i] };
		if (!view->hidden(rows[i], 0))
			nt_table_row_draw(view, &placement, &context, &row, side, y++);
	}
	free(rows);
	if (y > 1)
		return;
	struct nt_page page;
	struct nt_nothing nothing = { 0 };
	view->nothing(&context, &nothing);
	nt_page_init(&page, side->width - 1);
	nt_page_text(&page, NT_STYLE_DIM, " ", nothing.says);
	if (nothing.reason)
		nt_page_text(&page, NT_STYLE_DIM, " Why: ", nothing.reason);
	nt_page_draw(&page, side, 1, side->height - 1, 0);
	nt_page_fini(&page);
}

void nt_side_draw(const struct nt_ui *ui, struct nt_grid *grid, int x, int y)
{
	struct nt_grid side;
	if (!ui->has_process)
		return;
	nt_grid_init(&side, grid->width - x, ui->layout.context_y - y);
	if (ui->view == NT_VIEW_THREADS)
		draw_stack(ui, &side);
	else
		draw_waits(ui, &side);
	nt_grid_copy(&side, 0, grid, x, y);
	nt_grid_fini(&side);
}
