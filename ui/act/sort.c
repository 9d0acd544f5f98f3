// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/sort.h"

#include "ui/screen/line.h"
#include "ui/state/message.h"
#include "ui/state/select.h"

unsigned nt_sort_by(struct nt_ui *ui, const struct nt_column *column, bool ascending, nt_time now)
{
	struct nt_table_state *table = nt_ui_mutable_table(ui);
	table->sort = column;
	table->ascending = ascending;
	nt_select_refresh(ui, true, now);
	return NT_UI_REDRAW;
}

/* Where the sorted column is among those shown; when it is not, where a step into `direction` lands on the first or last. */
static size_t sorted_index(const struct nt_ui *ui, const struct nt_column *const *columns, size_t count, int direction)
{
	for (size_t i = 0; i < count; i++)
		if (columns[i] == nt_ui_table(ui)->sort)
			return i;
	return direction > 0 ? count - 1 : 0;
}

unsigned nt_sort_step(struct nt_ui *ui, int direction, nt_time now)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	size_t count = nt_ui_sortable(ui, columns);
	if (!count)
		return 0;
	size_t index = (sorted_index(ui, columns, count, direction) + (direction > 0 ? 1 : count - 1)) % count;
	return nt_sort_by(ui, columns[index], columns[index]->ascending, now);
}

unsigned nt_sort_by_key(struct nt_ui *ui, enum nt_sort_key sort_key, nt_time now)
{
	static const char *const names[] = { [NT_SORT_BY_CPU] = "CPU", [NT_SORT_BY_MEMORY] = "memory", [NT_SORT_BY_TIME] = "time" };
	const struct nt_table *table = nt_ui_view(ui)->table;
	for (size_t i = 0; i < table->column_count; i++) {
		if (table->columns[i].sort_key != sort_key)
			continue;
		nt_ui_mutable_table(ui)->columns |= UINT64_C(1) << i;
		return nt_sort_by(ui, &table->columns[i], table->columns[i].ascending, now);
	}
	struct nt_line line = { 0 };
	nt_line_add(&line, "No column of %s here; s shows the columns to sort by", names[sort_key]);
	nt_ui_message(ui, now, line.text);
	return NT_UI_REDRAW;
}
