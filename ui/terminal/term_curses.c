// SPDX-License-Identifier: GPL-2.0-only
/* The only file that knows curses: what a grid becomes on a terminal, and what a terminal's keys become. */
#include "ui/terminal/term.h"

#include "base/alloc.h"
#include "ui/screen/ascii.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <wchar.h>

enum { ESCAPE_PAUSE_MS = 25 };

struct nt_term {
	struct nt_term_config config;
	SCREEN *screen;
	bool ascii;
	enum nt_palette palette;
	attr_t attributes[NT_STYLE_COUNT]; /* of each style, with its colour pair in pairs[] */
	short pairs[NT_STYLE_COUNT];
	struct nt_grid shown; /* what curses was given last: a row that is equal is not given again */
	bool shown_valid;
	cchar_t *line; /* owned: one row as curses wants it */
	size_t line_capacity;
};

/* ---- looks ---- */

static enum nt_palette choose_palette(const struct nt_term_config *config)
{
	const char *no_color = getenv("NO_COLOR");
	enum nt_color wish = config->color;
	if (wish == NT_COLOR_AUTO && no_color && *no_color)
		wish = NT_COLOR_MONO;
	/* COLORS is known only after start_color(). */
	if (wish == NT_COLOR_MONO || !has_colors() || start_color() == ERR || use_default_colors() == ERR)
		return NT_PALETTE_MONO;
	if (COLORS >= 256 && wish != NT_COLOR_16)
		return NT_PALETTE_256;
	return COLORS >= 8 ? NT_PALETTE_16 : NT_PALETTE_MONO;
}

static attr_t attributes_of(const struct nt_look *look)
{
	attr_t attributes = A_NORMAL;
	if (look->attributes & NT_BOLD)
		attributes |= A_BOLD;
	if (look->attributes & NT_DIM)
		attributes |= A_DIM;
	if (look->attributes & NT_REVERSE)
		attributes |= A_REVERSE;
	if (look->attributes & NT_UNDERLINE)
		attributes |= A_UNDERLINE;
	return attributes;
}

static void prepare_styles(struct nt_term *term)
{
	term->palette = choose_palette(&term->config);
	for (int style = 0; style < NT_STYLE_COUNT; style++) {
		const struct nt_look *look = nt_theme_look(term->palette, (enum nt_style)style);
		term->attributes[style] = attributes_of(look);
		if (term->palette != NT_PALETTE_MONO && (look->foreground >= 0 || look->background >= 0)) {
			term->pairs[style] = (short)(style + 1);
			init_pair(term->pairs[style], look->foreground, look->background);
		}
	}
}

/* ---- life ---- */

/* A press is told at once: whoever waits for a second one to make a double click delays each. */
static void take_mouse(void)
{
	mouseinterval(0);
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
}

static void set_modes(const struct nt_term *term)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	typeahead(-1); /* a frame a second need not look for keys at every few lines */
	leaveok(stdscr, FALSE);
	curs_set(0);
	if (term->config.mouse)
		take_mouse();
}

/*
 * Until a screen has been left once, ncurses 6.4 sends every movement of the cursor by itself: 70 writes, and as many packets over a network, for one
 * frame. Leaving it before there is a colour restores nothing of the user's palette.
 */
static void send_frames_whole(void)
{
	endwin();
	refresh();
}

enum nt_status nt_term_enter(const struct nt_term_config *config, struct nt_term **out, struct nt_error *err)
{
	struct nt_term *term = nt_alloc(sizeof(*term));
	term->config = *config;
	term->ascii = config->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	term->screen = newterm(nt_term_type(config->type), config->out, config->in);
	if (!term->screen) {
		const char *type = config->type ? config->type : getenv("TERM");
		free(term);
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "the terminal type '%s' is not known here: set TERM to one that is, or use -b",
				    type ? type : "");
	}
	set_escdelay(ESCAPE_PAUSE_MS);
	send_frames_whole();
	set_modes(term);
	prepare_styles(term);
	nt_grid_init(&term->shown, 1, 1);
	*out = term;
	return NT_OK;
}

/* A terminal without a second screen keeps the last frame; the line that the shell writes on next is cleared. */
static void give_back(struct nt_term *term)
{
	set_term(term->screen);
	move(LINES - 1, 0);
	clrtoeol();
	refresh();
	endwin();
}

void nt_term_leave(struct nt_term *term)
{
	if (!term)
		return;
	give_back(term);
	delscreen(term->screen);
	nt_grid_fini(&term->shown);
	free(term->line);
	free(term);
}

void nt_term_suspend(struct nt_term *term)
{
	give_back(term);
}

void nt_term_resume(struct nt_term *term)
{
	set_term(term->screen);
	set_modes(term);
	nt_term_repaint(term);
}

void nt_term_repaint(struct nt_term *term)
{
	set_term(term->screen);
	term->shown_valid = false;
	clearok(curscr, TRUE);
}

void nt_term_size(struct nt_term *term, int *width, int *height)
{
	struct winsize size;
	set_term(term->screen);
	if (ioctl(fileno(term->config.out), TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row &&
	    (size.ws_col != COLS || size.ws_row != LINES)) {
		resizeterm(size.ws_row, size.ws_col);
		term->shown_valid = false;
	}
	*width = COLS > 0 ? COLS : 1;
	*height = LINES > 0 ? LINES : 1;
}

bool nt_term_is_ascii(const struct nt_term *term)
{
	return term->ascii;
}

/* ---- keys ---- */

static nt_key of_function_key(wint_t code)
{
	static const struct {
		wint_t code;
		nt_key key;
	} keys[] = {
		{ KEY_UP, NT_KEY_UP },
		{ KEY_DOWN, NT_KEY_DOWN },
		{ KEY_LEFT, NT_KEY_LEFT },
		{ KEY_RIGHT, NT_KEY_RIGHT },
		{ KEY_PPAGE, NT_KEY_PAGE_UP },
		{ KEY_NPAGE, NT_KEY_PAGE_DOWN },
		{ KEY_HOME, NT_KEY_HOME },
		{ KEY_END, NT_KEY_END },
		{ KEY_A1, NT_KEY_HOME },
		{ KEY_C1, NT_KEY_END },
		{ KEY_BTAB, NT_KEY_BACKTAB },
		{ KEY_ENTER, NT_KEY_ENTER },
		{ KEY_BACKSPACE, NT_KEY_BACKSPACE },
		{ KEY_F(1), NT_KEY_F1 },
		{ KEY_F(3), NT_KEY_F3 },
		{ KEY_F(6), NT_KEY_F6 },
		{ KEY_F(10), NT_KEY_F10 },
	};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].code == code)
			return keys[i].key;
	return NT_KEY_OTHER;
}

static nt_key of_mouse(void)
{
	MEVENT event;
	if (getmouse(&event) == ERR || event.x < 0 || event.y < 0)
		return NT_KEY_OTHER;
	if (event.bstate & BUTTON1_PRESSED)
		return nt_key_mouse(NT_MOUSE_CLICK, event.x, event.y);
	if (event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED))
		return nt_key_mouse(event.bstate & BUTTON4_PRESSED ? NT_MOUSE_WHEEL_UP : NT_MOUSE_WHEEL_DOWN, event.x, event.y);
	return NT_KEY_OTHER;
}

nt_key nt_term_key(struct nt_term *term)
{
	wint_t code;
	set_term(term->screen);
	for (;;) {
		int kind = get_wch(&code);
		if (kind == ERR)
			return NT_KEY_NONE;
		/* resizeterm() queues this one; the resize has been dealt with then. */
		if (kind == KEY_CODE_YES && code == KEY_RESIZE)
			continue;
		if (kind == KEY_CODE_YES && code == KEY_MOUSE) {
			nt_key key = of_mouse();
			if (key == NT_KEY_OTHER)
				continue; /* a button's release is no key */
			return key;
		}
		if (kind == KEY_CODE_YES)
			return of_function_key(code);
		if (code == '\n')
			return NT_KEY_ENTER;
		return code == '\b' ? NT_KEY_BACKSPACE : (nt_key)code;
	}
}

/* ---- picture ---- */

/* The wide characters of a cell: itself and what combines with it. */
static void wide_text(const struct nt_term *term, const struct nt_grid_cell *cell, wchar_t out[CCHARW_MAX + 1])
{
	const char *text = cell->text;
	mbstate_t state = { 0 };
	size_t used = 0, left = strlen(text);
	bool plain = left == 1 && (unsigned char)*text < 0x80;
	if (term->ascii || plain) {
		out[0] = (wchar_t)(plain ? *text : nt_ascii_of(text));
		out[1] = 0;
		return;
	}
	while (left && used < CCHARW_MAX) {
		size_t length = mbrtowc(&out[used], text, left, &state);
		if (length == 0 || length > left)
			break;
		text += length;
		left -= length;
		used++;
	}
	if (!used)
		out[used++] = L'?';
	out[used] = 0;
}

/* The cells [from, to) of a row. */
static void show_cells(struct nt_term *term, const struct nt_grid *grid, int y, int from, int to)
{
	const struct nt_grid_cell *row = nt_grid_row(grid, y);
	int width = grid->width < COLS ? grid->width : COLS, count = 0;
	term->line = nt_grow(term->line, &term->line_capacity, (size_t)width, sizeof(*term->line));
	for (int x = from; x < to && x < width; x++) {
		wchar_t text[CCHARW_MAX + 1];
		const struct nt_grid_cell *cell = &row[x];
		bool covered = cell->width == 0, cut = cell->width == 2 && x + 1 >= width;
		/* Without UTF-8 a wide character is one sign, so its second cell must be filled. */
		if (covered && !term->ascii)
			continue;
		wide_text(term, cell, text);
		if (cut || covered)
			wcscpy(text, L" ");
		setcchar(&term->line[count++], text, term->attributes[cell->style], term->pairs[cell->style], NULL);
	}
	mvadd_wchnstr(y, from, term->line, count);
}

/*
 * From the first cell that differs to the last. Neither begins or ends within a wide character, of what is shown or what will be: where one comes or goes, both its cells
 * differ.
 */
static void show_row(struct nt_term *term, const struct nt_grid *grid, int y)
{
	const struct nt_grid_cell *row = nt_grid_row(grid, y), *shown = nt_grid_row(&term->shown, y);
	int from = 0, to = grid->width;
	if (term->shown_valid) {
		while (from < to && memcmp(&row[from], &shown[from], sizeof(*row)) == 0)
			from++;
		while (to > from && memcmp(&row[to - 1], &shown[to - 1], sizeof(*row)) == 0)
			to--;
		while (from > 0 && from < to && (!row[from].width || !shown[from].width))
			from--;
	}
	if (from < to)
		show_cells(term, grid, y, from, to);
}

void nt_term_blit(struct nt_term *term, const struct nt_grid *grid)
{
	set_term(term->screen);
	if (term->shown.width != grid->width || term->shown.height != grid->height)
		term->shown_valid = false;
	if (!term->shown_valid) {
		/* erase(), never clear(): curses then sends only what differs from the terminal. */
		erase();
		nt_grid_resize(&term->shown, grid->width, grid->height);
	}
	for (int y = 0; y < grid->height && y < LINES; y++)
		show_row(term, grid, y);
	memcpy(term->shown.cells, grid->cells, (size_t)grid->width * (size_t)grid->height * sizeof(*grid->cells));
	term->shown_valid = true;
	refresh();
}
