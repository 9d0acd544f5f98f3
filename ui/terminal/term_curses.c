// SPDX-License-Identifier: GPL-2.0-only
/* The only file that knows curses: what a grid becomes on a terminal, and what a terminal's keys become. */
#include "ui/terminal/term.h"

#include "base/alloc.h"
#include "nettop/clock.h"
#include "ui/screen/ascii.h"
#include "ui/terminal/line_budget.h"
#include "ui/terminal/row_shift.h"
#include "ui/terminal/term_answer.h"
#include "ui/terminal/term_paste.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define ANSWER_NS    NT_NS_PER_S
#define INSIDE_NS    (2 * NT_NS_PER_S)
#define LAST_WAIT_NS (300 * NT_NS_PER_MS)

/* Codes that no key of curses has. */
enum { PASTE_BEGIN = KEY_MAX + 1, PASTE_END };

enum { ESCAPE_PAUSE_MS = 25, ANSWER_PAUSE_MS = 100, QUEUE = 4, MOUSE_EVENTS = 8 /* as many as curses keeps */ };

struct nt_term {
	struct nt_term_config config;
	SCREEN *screen;
	bool ascii;
	enum nt_palette palette;
	bool light;       /* the terminal says that its background is */
	nt_time asked_at; /* for its background; 0 = it was not, or has answered */
	struct nt_answer answer;
	nt_time inside_since;
	struct nt_paste paste;
	struct nt_line_budget budget; /* of a slow line, */
	int next_y;                   /* and the row that is next there */
	nt_key queue[QUEUE];          /* keys that are not given yet, in their order */
	size_t queued;
	nt_key mouse[MOUSE_EVENTS]; /* likewise, the next one last */
	size_t mouse_count;
	attr_t attributes[NT_STYLE_COUNT]; /* of each style, with its colour pair in pairs[] */
	short pairs[NT_STYLE_COUNT];
	struct nt_grid shown; /* what curses was given last: a row that is equal is not given again */
	bool shown_valid;
	cchar_t *line; /* owned: one row as curses wants it */
	size_t line_capacity;
};

/* ---- looks ---- */

/* COLORS is known only after start_color(). */
static int count_colors(void)
{
	return has_colors() && start_color() != ERR && use_default_colors() != ERR ? COLORS : 0;
}

/* Who asks for a theme wants it; NO_COLOR is for programs that nobody has told. */
static enum nt_palette choose_palette(const struct nt_term *term)
{
	const char *no_color = getenv("NO_COLOR");
	bool none = term->config.theme == NT_THEME_AUTO && no_color && *no_color;
	return nt_theme_palette(none ? NT_THEME_MONO : term->config.theme, none ? 0 : count_colors(), term->light);
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
	term->palette = choose_palette(term);
	for (int style = 0; style < NT_STYLE_COUNT; style++) {
		const struct nt_look *look = nt_theme_look(term->palette, (enum nt_style)style);
		term->attributes[style] = attributes_of(look);
		if (term->palette != NT_PALETTE_MONO && (look->foreground >= 0 || look->background >= 0)) {
			term->pairs[style] = (short)(style + 1);
			init_pair(term->pairs[style], look->foreground, look->background);
		} else {
			term->pairs[style] = 0;
		}
	}
}

/* ---- the background ---- */

/* What is no pseudoterminal may be a line on which every byte counts, and which nobody answers from. */
static bool can_be_asked(const struct nt_term *term)
{
	char name[64];
	bool by_background = term->palette == NT_PALETTE_DARK || term->palette == NT_PALETTE_LIGHT;
	return term->config.theme == NT_THEME_AUTO && by_background && !term->config.slow &&
	       ttyname_r(fileno(term->config.in), name, sizeof(name)) == 0 && strncmp(name, "/dev/pts/", strlen("/dev/pts/")) == 0;
}

static void ask_for_background(struct nt_term *term)
{
	static const char question[] = NT_ANSWER_QUESTION;
	if (can_be_asked(term) && write(fileno(term->config.out), question, sizeof(question) - 1) > 0)
		term->asked_at = nt_clock_now();
}

/* Where the theme becomes one that depends on it, the terminal may not have been asked yet. */
void nt_term_set_theme(struct nt_term *term, enum nt_theme theme)
{
	set_term(term->screen);
	term->config.theme = theme;
	prepare_styles(term);
	ask_for_background(term);
	nt_term_repaint(term);
}

/* What is on the screen is shown again in the new colours. One that comes late changes nothing under somebody's eyes. */
static void take_background(struct nt_term *term)
{
	bool known, light = nt_answer_is_light(&term->answer, &known), in_time = nt_clock_now() < term->asked_at + ANSWER_NS;
	if (!term->asked_at || !known || !in_time || light == term->light)
		return;
	term->light = light;
	prepare_styles(term);
	if (!term->shown_valid)
		return;
	struct nt_grid grid = { 0 };
	nt_grid_init(&grid, term->shown.width, term->shown.height);
	memcpy(grid.cells, term->shown.cells, (size_t)grid.width * (size_t)grid.height * sizeof(*grid.cells));
	nt_term_repaint(term);
	nt_term_blit(term, &grid);
	nt_grid_fini(&grid);
}

/* Whoever has the terminal after us does not get our answer: it is waited for, not for long. */
static void await_answer(struct nt_term *term)
{
	struct pollfd input = { .fd = fileno(term->config.in), .events = POLLIN };
	while (term->asked_at && nt_clock_now() < term->asked_at + LAST_WAIT_NS) {
		poll(&input, 1, 10);
		while (term->asked_at && nt_term_key(term) != NT_KEY_NONE)
			;
	}
	term->asked_at = 0;
}

/* ---- life ---- */

/* A press is told at once: whoever waits for a second one to make a double click delays each. */
static void take_mouse(void)
{
	mouseinterval(0);
	mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
}

/* Whose terminals tell of their mouse as xterms do know this, too; no other one is sent it. */
static bool tells_pastes(void)
{
	return key_defined("\033[M") == KEY_MOUSE || key_defined("\033[<") == KEY_MOUSE;
}

static void tell_pastes(const struct nt_term *term, const char *on_or_off)
{
	ssize_t written = tells_pastes() ? write(fileno(term->config.out), on_or_off, strlen(on_or_off)) : 0;
	(void)written;
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
	define_key(NT_PASTE_BEGIN, PASTE_BEGIN);
	define_key(NT_PASTE_END, PASTE_END);
	tell_pastes(term, NT_PASTE_ON);
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
	term->ascii = config->ascii || config->slow || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
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
	ask_for_background(term);
	*out = term;
	return NT_OK;
}

/* A terminal without a second screen keeps the last frame; the line that the shell writes on next is cleared. */
static void give_back(struct nt_term *term)
{
	set_term(term->screen);
	tell_pastes(term, NT_PASTE_OFF);
	await_answer(term);
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
		{ PASTE_BEGIN, NT_KEY_PASTE_BEGIN },
		{ PASTE_END, NT_KEY_PASTE_END },
	};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].code == code)
			return keys[i].key;
	/* F1 to F10 lie side by side in both. */
	return code >= KEY_F(1) && code <= KEY_F(10) ? NT_KEY_F1 + (code - KEY_F(1)) : NT_KEY_OTHER;
}

static nt_key of_mouse(const MEVENT *event)
{
	if (event->x < 0 || event->y < 0)
		return NT_KEY_OTHER;
	if (event->bstate & BUTTON1_PRESSED)
		return nt_key_mouse(NT_MOUSE_CLICK, event->x, event->y);
	if (event->bstate & BUTTON1_RELEASED)
		return nt_key_mouse(NT_MOUSE_RELEASE, event->x, event->y);
	if (event->bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED))
		return nt_key_mouse(event->bstate & BUTTON4_PRESSED ? NT_MOUSE_WHEEL_UP : NT_MOUSE_WHEEL_DOWN, event->x, event->y);
	return NT_KEY_OTHER;
}

/* Where one follows another at once, curses says so once for all, and gives the last one first. */
static void take_mouse_events(struct nt_term *term)
{
	MEVENT event;
	while (term->mouse_count < MOUSE_EVENTS && getmouse(&event) == OK) {
		nt_key key = of_mouse(&event);
		if (key != NT_KEY_OTHER)
			term->mouse[term->mouse_count++] = key;
	}
}

/* A key from curses; NT_KEY_NONE: there is none. What other buttons do is none, nor a resize, which has been dealt with when it comes. */
static nt_key next_key(struct nt_term *term)
{
	wint_t code;
	while (!term->mouse_count) {
		int kind = get_wch(&code);
		if (kind == ERR)
			return NT_KEY_NONE;
		if (kind == KEY_CODE_YES && code == KEY_RESIZE)
			continue;
		if (kind != KEY_CODE_YES)
			return (nt_key)code;
		if (code != KEY_MOUSE)
			return of_function_key(code);
		take_mouse_events(term);
	}
	return term->mouse[--term->mouse_count];
}

/* Within the begin of an answer that is due, a pause does not make an Escape of it: the network may have cut it in two. */
static nt_key next_of_answer(struct nt_term *term)
{
	nt_key key = next_key(term);
	if (key != NT_KEY_NONE || !term->asked_at)
		return key;
	timeout(ANSWER_PAUSE_MS);
	key = next_key(term);
	nodelay(stdscr, TRUE);
	return key;
}

static nt_key from_queue(struct nt_term *term)
{
	nt_key key = term->queue[0];
	memmove(&term->queue[0], &term->queue[1], --term->queued * sizeof(term->queue[0]));
	return key == '\n' ? NT_KEY_ENTER : key == '\b' ? NT_KEY_BACKSPACE : key;
}

/* What looked like the begin of an answer are keys. */
static void release_held(struct nt_term *term)
{
	char text[2];
	size_t count = nt_answer_held(&term->answer, text);
	for (size_t i = 0; i < count; i++)
		term->queue[term->queued++] = (nt_key)(unsigned char)text[i];
}

/* One more from curses: into the queue if it is a key. False: there is none. */
static bool take_key(struct nt_term *term)
{
	/* An answer that has no end is none: whoever types Alt-] can go on typing. */
	if (term->answer.state >= NT_ANSWER_KIND && nt_clock_now() > term->inside_since + INSIDE_NS)
		term->answer.state = NT_ANSWER_NONE;
	bool held = term->answer.state == NT_ANSWER_ESCAPE || term->answer.state == NT_ANSWER_BRACKET;
	nt_key key = held ? next_of_answer(term) : next_key(term);
	enum nt_paste_step pasted = key == NT_KEY_NONE ? NT_PASTE_IS_KEY : nt_paste_take(&term->paste, key, nt_clock_now());
	if (pasted != NT_PASTE_IS_KEY) {
		release_held(term);
		if (pasted == NT_PASTE_IS_TEXT)
			term->queue[term->queued++] = key | NT_KEY_PASTED;
		return true;
	}
	if (key == NT_KEY_NONE || key > NT_KEY_NONE) {
		release_held(term);
		if (key != NT_KEY_NONE)
			term->queue[term->queued++] = key;
		return term->queued;
	}
	if (held)
		term->inside_since = nt_clock_now();
	enum nt_answer_step step = nt_answer_take(&term->answer, key);
	if (step == NT_ANSWER_IS_KEY && held) {
		release_held(term);
		step = nt_answer_take(&term->answer, key);
	}
	if (step == NT_ANSWER_IS_KEY)
		term->queue[term->queued++] = key;
	else if (step == NT_ANSWER_COLOR)
		take_background(term);
	else if (step == NT_ANSWER_KNOWN)
		term->asked_at = 0;
	return true;
}

nt_key nt_term_key(struct nt_term *term)
{
	set_term(term->screen);
	while (!term->queued)
		if (!take_key(term))
			return NT_KEY_NONE;
	return from_queue(term);
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
 * From the first cell that differs to the last: *from == *to when none does. Neither begins or ends within a wide character, of what is shown or what will be: where one comes or goes,
 * both its cells differ.
 */
static void find_changes(const struct nt_term *term, const struct nt_grid *grid, int y, int *from, int *to)
{
	const struct nt_grid_cell *row = nt_grid_row(grid, y), *shown = nt_grid_row(&term->shown, y);
	*from = 0;
	*to = grid->width;
	if (!term->shown_valid)
		return;
	while (*from < *to && memcmp(&row[*from], &shown[*from], sizeof(*row)) == 0)
		++*from;
	while (*to > *from && memcmp(&row[*to - 1], &shown[*to - 1], sizeof(*row)) == 0)
		--*to;
	while (*from > 0 && *from < *to && (!row[*from].width || !shown[*from].width))
		--*from;
}

/* Rows that moved on by a cell are moved by the terminal: curses, which has to see that alone, then sends a few bytes. */
static void shift_rows(struct nt_term *term, const struct nt_grid *grid)
{
	bool any = false;
	for (int y = 0; y < grid->height && y < LINES; y++) {
		struct nt_grid_cell *shown = &term->shown.cells[(size_t)y * (size_t)grid->width];
		int at = nt_row_shift(nt_grid_row(grid, y), shown, grid->width);
		if (at < 0)
			continue;
		mvdelch(y, at);
		nt_row_shift_apply(shown, at, grid->width);
		any = true;
	}
	if (any)
		refresh();
}

static void show_all(struct nt_term *term, const struct nt_grid *grid)
{
	if (term->shown_valid && grid->width == COLS && has_ic())
		shift_rows(term, grid);
	for (int y = 0; y < grid->height && y < LINES; y++) {
		int from, to;
		find_changes(term, grid, y, &from, &to);
		if (from < to)
			show_cells(term, grid, y, from, to);
	}
	memcpy(term->shown.cells, grid->cells, (size_t)grid->width * (size_t)grid->height * sizeof(*grid->cells));
}

/* From where the last call ended, around to there, as far as the line bears it; what is left comes with the next call. Once all is shown it begins above again. */
static bool show_some(struct nt_term *term, const struct nt_grid *grid)
{
	int height = grid->height < LINES ? grid->height : LINES;
	nt_line_budget_pass(&term->budget, nt_clock_now());
	for (int i = 0, start = term->next_y; i < height; i++) {
		int from, to, y = (start + i) % height;
		find_changes(term, grid, y, &from, &to);
		if (from >= to)
			continue;
		int end = nt_line_budget_take(&term->budget, nt_grid_row(grid, y), from, to, term->ascii);
		if (from < end)
			show_cells(term, grid, y, from, end);
		memcpy(&term->shown.cells[y * grid->width + from], nt_grid_row(grid, y) + from,
		       (size_t)(end - from) * sizeof(*grid->cells));
		term->next_y = y;
		if (end < to)
			return false;
	}
	term->next_y = 0;
	return true;
}

bool nt_term_blit(struct nt_term *term, const struct nt_grid *grid)
{
	bool all = true;
	set_term(term->screen);
	if (term->shown.width != grid->width || term->shown.height != grid->height)
		term->shown_valid = false;
	if (!term->shown_valid) {
		/* erase(), never clear(): curses then sends only what differs from the terminal. */
		erase();
		nt_grid_resize(&term->shown, grid->width, grid->height);
		term->shown_valid = term->config.slow; /* as blank as that is the terminal's screen */
	}
	if (term->config.slow)
		all = show_some(term, grid);
	else
		show_all(term, grid);
	term->shown_valid = true;
	refresh();
	return all;
}
