// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/body_page.h"

#include "ui/draw/dump_page.h"
#include "ui/draw/heap_page.h"
#include "ui/draw/help.h"
#include "ui/draw/log_page.h"
#include "ui/draw/memory_page.h"
#include "ui/draw/purposes_page.h"
#include "ui/draw/stacks_page.h"
#include "ui/draw/time_page.h"
#include "ui/screen/line.h"

#include <string.h>

enum { TEXT = 4096, LABEL = 16 }; /* bytes of a value; cells before the values of a detail */

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

/* The row of screen 1 that a row of the call tree is about, whose detail is shown in place of its own; NULL = there is none. */
static const struct nt_method_row *method_of(const struct nt_process_snapshot *process, const struct nt_call_row *row)
{
	for (size_t i = 0; i < process->method_count; i++)
		if (row->frame->sort == NT_FRAME_CODE && process->methods[i].id == row->frame->id)
			return &process->methods[i];
	return NULL;
}

/* The call stack behind a row, its site marked; why there is none when it is NULL. `native`: with frames of native code. */
static void fill_stack(struct nt_page *page, const struct nt_call_stack *stack, bool native, const struct nt_why *why)
{
	nt_page_line(page, NT_STYLE_PLAIN, "");
	if (!stack) {
		nt_page_text(page, NT_STYLE_DIM, "  STACK         ",
			     why->reason ? why->reason : "not known; stacks are asked for only while the screen is open");
		if (why->fix)
			nt_page_text(page, NT_STYLE_DIM, "  FIX           ", why->fix);
		return;
	}
	bool first = true;
	for (uint32_t i = 0; i < stack->count; i++) {
		bool site = i == stack->site;
		struct nt_line label = { 0 };
		if (stack->frames[i].native && !native)
			continue;
		nt_line_add(&label, "  %-*s%c ", LABEL - 4, first ? "STACK" : "", site ? '>' : ' ');
		first = false;
		nt_page_text(page, site ? NT_STYLE_FRESH : NT_STYLE_PLAIN, label.text, stack->frames[i].name);
	}
}

static void fill_detail(const struct nt_ui *ui, struct nt_page *page)
{
	const struct nt_view *view = nt_ui_view(ui);
	struct nt_column_context context = nt_ui_context(ui);
	const void *row = nt_ui_selected_row(ui);
	const struct nt_method_row *method = row && ui->view == NT_VIEW_CALLS ? method_of(&ui->process, row) : NULL;
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
			if (first == (pass == 0) && !view->own_detail && column->unit != NT_UNIT_BAR && column->unit != NT_UNIT_TREND)
				column_line(ui, &context, column, row, page);
		}
	if (view->detail)
		view->detail(&context, row, page);
	if (!view->stack)
		return;
	const struct nt_call_stack *stack = view->stack(&context, row);
	const struct nt_why *why = view->no_stack ? view->no_stack(&context, row) : view->lacks(&context);
	if (stack || why)
		fill_stack(page, stack, ui->native || !nt_ui_has_waiting_stacks(ui), why);
}

int nt_ui_page(const struct nt_ui *ui, struct nt_page *page)
{
	nt_page_init(page, ui->layout.width - 1);
	if (ui->overlay == NT_OVERLAY_HELP)
		nt_help_fill(ui, page);
	else if (ui->overlay == NT_OVERLAY_LOG)
		nt_log_page_fill(ui, page);
	else if (ui->overlay == NT_OVERLAY_STACKS)
		nt_stacks_page_fill(ui, page);
	else if (ui->overlay == NT_OVERLAY_PURPOSES)
		nt_purposes_page_fill(ui, page);
	else if (ui->overlay == NT_OVERLAY_TIME)
		nt_time_page_fill(ui, page);
	else if (ui->overlay == NT_OVERLAY_MEMORY)
		nt_memory_page_fill(ui, page);
	else if (ui->overlay == NT_OVERLAY_HEAP)
		nt_heap_page_fill(ui, page);
	else if (ui->overlay == NT_OVERLAY_DUMP)
		nt_dump_page_fill(ui, page);
	else
		fill_detail(ui, page);
	int last_top = (int)page->line_count - ui->layout.body_height, end = last_top > 0 ? last_top : 0;
	bool at_end = ui->overlay == NT_OVERLAY_LOG && ui->log_at_end;
	/* With each snapshot a page may have become shorter than it was when somebody scrolled. */
	return at_end || ui->page_top > end ? end : ui->page_top;
}

nt_key nt_body_page_key_at(const struct nt_ui *ui, int x, int y)
{
	struct nt_page page;
	int line = y - ui->layout.body_y;
	if (!nt_ui_has_page(ui) || ui->prompt != NT_PROMPT_NONE || line < 0 || line >= ui->layout.body_height)
		return NT_KEY_NONE;
	size_t top = (size_t)nt_ui_page(ui, &page);
	nt_key key = nt_page_key_at(&page, top + (size_t)line, x);
	nt_page_fini(&page);
	return key;
}

void nt_body_page_draw(const struct nt_ui *ui, struct nt_grid *grid, const char *title)
{
	struct nt_page page;
	int top = nt_ui_page(ui, &page);
	nt_body_title(ui, grid, title);
	nt_page_draw(&page, grid, ui->layout.body_y, ui->layout.body_height, top);
	nt_page_fini(&page);
}
