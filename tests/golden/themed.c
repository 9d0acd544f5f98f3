// SPDX-License-Identifier: GPL-2.0-only
#include "themed.h"

#include "ui/terminal/term.h"

#include <stdlib.h>
#include <string.h>

enum { ESCAPE = 27 };

static void set_size(const char *variable, int cells)
{
	char text[16];
	snprintf(text, sizeof(text), "%d", cells);
	setenv(variable, text, 1);
}

/* Is it what sends the cursor somewhere: digits and a semicolon, then H or d? */
static bool jumps(const char *sequence)
{
	const char *end = sequence + 1 + strspn(sequence + 1, "0123456789;");
	return *sequence == '[' && (*end == 'H' || *end == 'd');
}

static void write_visibly(const char *bytes, FILE *out)
{
	bool begun = false;
	for (const char *at = bytes; *at; at++) {
		if (*at == ESCAPE && jumps(at + 1) && begun)
			fputc('\n', out);
		begun = true;
		if (*at == ESCAPE)
			fputs("\\e", out);
		else if (*at == '\r')
			fputs("\\r", out);
		else
			fputc(*at, out);
	}
	fputc('\n', out);
}

static char *rest_of(FILE *sent, long from)
{
	fflush(sent);
	long end = ftell(sent);
	char *bytes = calloc(1, (size_t)(end - from) + 1);
	fseek(sent, from, SEEK_SET);
	if (!bytes || fread(bytes, 1, (size_t)(end - from), sent) != (size_t)(end - from))
		abort();
	return bytes;
}

void write_themed(const struct nt_ui *ui, enum nt_theme theme, FILE *out)
{
	struct nt_grid grid;
	struct nt_term *term = NULL;
	struct nt_error err = { 0 };
	nt_grid_init(&grid, 1, 1);
	nt_ui_render(ui, &grid);
	set_size("LINES", grid.height);
	set_size("COLUMNS", grid.width);
	FILE *sent = tmpfile(), *in = fopen("/dev/null", "r");
	const struct nt_term_config config = { .in = in, .out = sent, .type = "xterm-256color", .theme = theme };
	if (!sent || !in || nt_term_enter(&config, &term, &err) != NT_OK)
		abort();
	fflush(sent);
	long from = ftell(sent);
	nt_term_blit(term, &grid);
	char *bytes = rest_of(sent, from);
	write_visibly(bytes, out);
	free(bytes);
	nt_term_leave(term);
	nt_grid_fini(&grid);
	fclose(sent);
	fclose(in);
}
