// SPDX-License-Identifier: GPL-2.0-only
#include "rows.h"

#include "ui/screen/ascii.h"

enum { ROW_BYTES = 16384 };

/* As curses puts it: a cell that a wide character covers stays blank. */
static void write_ascii_row(const struct nt_grid *grid, int y, FILE *out)
{
	char text[ROW_BYTES];
	int length = 0;
	for (int x = 0; x < grid->width && x < ROW_BYTES; x++) {
		text[x] = nt_ascii_of(nt_grid_row(grid, y)[x].text);
		length = text[x] == ' ' ? length : x + 1;
	}
	fprintf(out, "%.*s\n", length, text);
}

static void write_style_row(const struct nt_grid *grid, int y, FILE *out)
{
	static const char letters[NT_STYLE_COUNT + 1] = ".d!AsTS>xf";
	for (int x = 0; x < grid->width; x++)
		fputc(letters[nt_grid_row(grid, y)[x].style], out);
	fputc('\n', out);
}

void write_row(const struct nt_grid *grid, int y, enum form form, FILE *out)
{
	char text[ROW_BYTES];
	if (form == ASCII)
		write_ascii_row(grid, y, out);
	else if (form == STYLES)
		write_style_row(grid, y, out);
	else
		fprintf(out, "%s\n", nt_grid_row_text(grid, y, text, sizeof(text)));
}
