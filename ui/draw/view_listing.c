// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/view_listing.h"

#include "base/alloc.h"
#include "ui/draw/scope.h"
#include "ui/screen/grid.h"
#include "ui/screen/line.h"
#include "ui/state/state.h"

/* As wide as a panel is ever drawn. */
enum { PANEL_WIDTH = 240, ROW_BYTES = PANEL_WIDTH * 4 + 1 };

/* The fixed lines above the table, drawn on a grid of their own. */
static void add_panel(const struct nt_ui *ui, FILE *out)
{
	const struct nt_view *view = nt_ui_view(ui);
	const struct nt_column_context context = nt_ui_context(ui);
	struct nt_grid grid;
	char text[ROW_BYTES];
	if (!view->panel_lines)
		return;
	nt_grid_init(&grid, PANEL_WIDTH, view->panel_lines);
	view->panel(&context, nt_ui_selected_row(ui), &grid, 0);
	for (int y = 0; y < grid.height; y++)
		fprintf(out, "%s\n", nt_grid_row_text(&grid, y, text, sizeof(text)));
	nt_grid_fini(&grid);
}

/* ` methods: 51 of 318 rows by SELF% descending  filter: csv  last 10s`, then the panel. */
static char *heading(const struct nt_ui *ui)
{
	const struct nt_table_state *table = nt_ui_table(ui);
	struct nt_line scope = { 0 }, beyond = { 0 };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	nt_assert(out);
	nt_ui_scope(ui, &scope);
	fprintf(out, " %s: ", nt_ui_view(ui)->table->key);
	if (table->rows.count != table->rows.all_count)
		fprintf(out, "%zu of ", table->rows.count);
	fprintf(out, "%zu rows", table->rows.all_count);
	if (nt_ui_view(ui)->beyond)
		nt_ui_view(ui)->beyond(&ui->process, &beyond);
	if (beyond.used)
		fprintf(out, " %s", beyond.text);
	if (table->sort)
		fprintf(out, " by %s %s", table->sort->title, table->ascending ? "ascending" : "descending");
	fprintf(out, "%s%s\n", scope.used ? "  " : "", scope.text);
	add_panel(ui, out);
	fclose(out);
	return text;
}

static char lead_of(const struct nt_view *view, const void *row)
{
	unsigned flags = view->flags ? view->flags(row) : 0;
	return flags & NT_ROW_MARKED ? '!' : flags & NT_ROW_ENDED ? '.' : ' ';
}

void nt_ui_listing(const struct nt_ui *ui, struct nt_listing *out)
{
	const struct nt_view *view = nt_ui_view(ui);
	const struct nt_ui_rows *rows = &nt_ui_table(ui)->rows;
	const struct nt_column *columns[NT_PLACED_MAX];
	size_t count = nt_ui_columns(ui, columns);
	*out = (struct nt_listing){ .table = view->table, .context = nt_ui_context(ui), .row_count = rows->count, .fitted = true };
	for (size_t i = 0; i < count; i++)
		nt_listing_add_column(out, columns[i]);
	out->rows = nt_alloc((rows->count + 1) * sizeof(*out->rows));
	for (size_t i = 0; i < rows->count; i++)
		out->rows[i] = (struct nt_listing_row){ rows->refs[i].row, lead_of(view, rows->refs[i].row) };
	out->heading = heading(ui);
}
