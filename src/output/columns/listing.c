// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/listing.h"

#include "base/text.h"

#include <stdlib.h>

enum { CELL = 4096, PER_LEVEL = 2 };

void nt_listing_add_column(struct nt_listing *listing, const struct nt_column *column)
{
	if (column->unit == NT_UNIT_BAR || column->unit == NT_UNIT_TREND)
		return;
	nt_assert(listing->column_count < NT_LISTING_COLUMNS);
	listing->columns[listing->column_count++] = column;
}

void nt_listing_fini(struct nt_listing *listing)
{
	free(listing->rows);
	free(listing->heading);
	*listing = (struct nt_listing){ 0 };
}

static const char *cell_text(const struct nt_listing *listing, size_t column, size_t row, char buf[CELL])
{
	const struct nt_column *described = listing->columns[column];
	nt_cell_format(described, described->read(listing->rows[row].row, &listing->context), buf, CELL);
	return buf;
}

/* Cells of a column; 0 = it is the last one and not padded. */
static size_t width_of(const struct nt_listing *listing, size_t column)
{
	size_t width = listing->columns[column]->width;
	char text[CELL];
	if (!listing->fitted || !width)
		return width;
	for (size_t row = 0; row < listing->row_count; row++) {
		size_t cells = (size_t)nt_text_cells(cell_text(listing, column, row, text));
		width = cells > width ? cells : width;
	}
	return width;
}

/* `blanks`: those owed before the next text; a line does not end with blanks. */
static void put_cell(FILE *out, int *blanks, enum nt_align align, size_t width, const char *text)
{
	size_t cells = (size_t)nt_text_cells(text);
	int room = width > cells ? (int)(width - cells) : 0;
	if (align == NT_ALIGN_RIGHT || !*text)
		*blanks += room;
	if (!*text)
		return;
	fprintf(out, "%*s%s", *blanks, "", text);
	*blanks = align == NT_ALIGN_RIGHT ? 0 : room;
}

/* Rows of a tree; listings of rows of other sorts have no table. */
static int indent_of(const struct nt_listing *listing, size_t row)
{
	const struct nt_table *table = listing->table;
	return table && table->depth ? PER_LEVEL * (int)table->depth(listing->rows[row].row) : 0;
}

void nt_listing_write(const struct nt_listing *listing, FILE *out)
{
	size_t widths[NT_LISTING_COLUMNS];
	char text[CELL];
	int blanks = 0;
	if (listing->heading)
		fputs(listing->heading, out);
	for (size_t c = 0; c < listing->column_count; c++) {
		widths[c] = width_of(listing, c);
		blanks++;
		put_cell(out, &blanks, listing->columns[c]->align, widths[c], listing->columns[c]->title);
	}
	fputc('\n', out);
	for (size_t r = 0; r < listing->row_count; r++) {
		fputc(listing->rows[r].lead, out);
		blanks = 0;
		for (size_t c = 0; c < listing->column_count; c++) {
			blanks += c > 0;
			if (!listing->columns[c]->width)
				blanks += indent_of(listing, r);
			put_cell(out, &blanks, listing->columns[c]->align, widths[c], cell_text(listing, c, r, text));
		}
		fputc('\n', out);
	}
}
