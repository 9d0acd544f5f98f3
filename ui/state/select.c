// SPDX-License-Identifier: GPL-2.0-only
#include "ui/state/select.h"

/* The order stands still for a while after the cursor was moved: one is looking for a row, or at one. */
#define STILL_NS (2 * NT_NS_PER_S)

static void set_cursor(struct nt_table_state *table, size_t index)
{
	table->cursor = index;
	table->cursor_id = index < table->rows.count ? table->rows.refs[index].id : 0;
}

/* Scroll so that the cursor is on the screen and no line is empty while there are rows for it. */
static void scroll(struct nt_table_state *table, size_t height)
{
	size_t count = table->rows.count;
	if (table->cursor < table->top)
		table->top = table->cursor;
	if (table->cursor >= table->top + height)
		table->top = table->cursor - height + 1;
	if (table->top + height > count)
		table->top = count > height ? count - height : 0;
}

/* The row that the cursor is on until somebody moves it. */
static size_t home(const struct nt_ui *ui)
{
	const struct nt_view *view = nt_ui_view(ui);
	size_t index = view->home && ui->has_process ? nt_ui_rows_find(&nt_ui_table(ui)->rows, view->home(&ui->process)) : 0;
	return index == SIZE_MAX ? 0 : index;
}

/* Of rows in the order of their ids, the place of one that is no longer there. */
static size_t first_after(const struct nt_ui_rows *rows, uint64_t id)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->refs[i].id > id)
			return i;
	return SIZE_MAX;
}

/* Where the cursor is now, after the rows changed: on its row, with that on its line of the screen. */
static void settle(struct nt_ui *ui)
{
	struct nt_table_state *table = nt_ui_mutable_table(ui);
	size_t height = (size_t)nt_ui_rows_height(ui), line = table->moved ? table->cursor - table->top : height / 2;
	size_t index = table->moved ? nt_ui_rows_find(&table->rows, table->cursor_id) : home(ui);
	if (index == SIZE_MAX && nt_ui_view(ui)->follows_end)
		index = first_after(&table->rows, table->cursor_id);
	if (index == SIZE_MAX)
		index = table->cursor < table->rows.count ? table->cursor : table->rows.count ? table->rows.count - 1 : 0;
	set_cursor(table, index);
	table->top = index > line ? index - line : 0;
	scroll(table, height);
}

/* The rows of the call tree anew. */
static void build_calls(struct nt_ui *ui)
{
	const struct nt_table_state *table = &ui->tables[NT_VIEW_CALLS];
	const struct nt_column_context context = nt_ui_context(ui);
	const struct nt_calls_order order = { .sort = table->sort, .ascending = table->ascending, .context = &context };
	if (!ui->calls.method.name || !ui->has_process)
		return;
	nt_calls_build(&ui->calls, &ui->process.stacks, table->hide, &order);
	ui->process.calls = ui->calls.rows;
	ui->process.call_count = ui->calls.count;
}

/* Beside something else the table is that of a narrower screen. */
static void place(struct nt_ui *ui, const struct nt_view *view, uint64_t columns)
{
	struct nt_layout layout = ui->layout;
	int side = nt_ui_side_width(ui);
	if (side) {
		layout.width -= side + 1;
		layout.wide = false;
	}
	nt_table_place(view, columns, &layout, &ui->placement);
}

void nt_select_refresh(struct nt_ui *ui, bool anew, nt_time now)
{
	const struct nt_view *view = nt_ui_view(ui);
	struct nt_table_state *table = nt_ui_mutable_table(ui);
	if (ui->view == NT_VIEW_CALLS)
		build_calls(ui);
	const struct nt_column_context context = nt_ui_context(ui);
	place(ui, view, table->columns);
	if (!nt_ui_has_rows(ui))
		return;
	const struct nt_row_query query = {
		.table = view->table,
		.context = &context,
		.sort = table->sort,
		.ascending = table->ascending,
		.filter = &table->filter,
		.hidden = view->hidden,
		.hide = table->hide,
		.follow = table->follow,
		.followed = table->cursor_id,
		.still = table->moved && now < ui->cursor_moved_at + STILL_NS,
		.anew = anew,
	};
	nt_ui_rows_update(&table->rows, &query);
	settle(ui);
}

static void move_to(struct nt_ui *ui, size_t index, nt_time now)
{
	struct nt_table_state *table = nt_ui_mutable_table(ui);
	if (!table->rows.count)
		return;
	set_cursor(table, index < table->rows.count ? index : table->rows.count - 1);
	table->moved = table->cursor > 0 || table->follow || nt_ui_view(ui)->home;
	if (nt_ui_view(ui)->follows_end && table->cursor + 1 == table->rows.count)
		table->moved = false;
	ui->cursor_moved_at = now;
	scroll(table, (size_t)nt_ui_rows_height(ui));
}

void nt_select_move(struct nt_ui *ui, long rows, nt_time now)
{
	size_t cursor = nt_ui_table(ui)->cursor;
	move_to(ui, rows < 0 && cursor < (size_t)-rows ? 0 : cursor + (size_t)rows, now);
}

void nt_select_first(struct nt_ui *ui, nt_time now)
{
	move_to(ui, 0, now);
}

void nt_select_last(struct nt_ui *ui, nt_time now)
{
	move_to(ui, SIZE_MAX, now);
}

void nt_select_filter(struct nt_ui *ui, const char *text, nt_time now)
{
	nt_filter_set(&nt_ui_mutable_table(ui)->filter, text, nt_ui_view(ui)->table->row_field);
	nt_select_refresh(ui, true, now);
}

bool nt_select_id(struct nt_ui *ui, uint64_t id, nt_time now)
{
	struct nt_table_state *table = nt_ui_mutable_table(ui);
	if (nt_ui_rows_find(&table->rows, id) == SIZE_MAX) {
		table->hide = 0;
		nt_select_filter(ui, "", now);
	}
	size_t index = nt_ui_rows_find(&table->rows, id);
	if (index == SIZE_MAX)
		return false;
	move_to(ui, index, now);
	table->moved = true; /* at the top, too: this row is meant, not the first one */
	return true;
}

bool nt_select_match(struct nt_ui *ui, int direction, nt_time now)
{
	const struct nt_table_state *table = nt_ui_table(ui);
	const struct nt_view *view = nt_ui_view(ui);
	size_t count = table->rows.count;
	for (size_t step = 1; step <= count; step++) {
		size_t index = (table->cursor + (direction > 0 ? step : count - step)) % count;
		const struct nt_row_ref *ref = &table->rows.refs[index];
		if (table->filter.active ? ref->matches : view->flags && view->flags(ref->row) & NT_ROW_MARKED) {
			move_to(ui, index, now);
			return true;
		}
	}
	return false;
}
