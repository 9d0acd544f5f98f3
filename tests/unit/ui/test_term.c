// SPDX-License-Identifier: GPL-2.0-only
/* The terminal without one: curses writes into a file, and its own idea of the screen is read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/terminal/term.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 20, HEIGHT = 4 };

static FILE *out, *in;
static int in_pipe[2];
static struct nt_grid grid;

static int begin(void **state)
{
	(void)state;
	setenv("LINES", "4", 1);
	setenv("COLUMNS", "20", 1);
	unsetenv("NO_COLOR");
	out = tmpfile();
	if (!out || pipe(in_pipe) != 0)
		return -1;
	in = fdopen(in_pipe[0], "r");
	nt_grid_init(&grid, WIDTH, HEIGHT);
	return in ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	nt_grid_fini(&grid);
	fclose(out);
	fclose(in);
	close(in_pipe[1]);
	return 0;
}

static struct nt_term *enter(const char *type, bool ascii, enum nt_theme theme)
{
	const struct nt_term_config config = { .in = in, .out = out, .type = type, .ascii = ascii, .theme = theme };
	struct nt_term *term = NULL;
	struct nt_error err = { 0 };
	assert_int_equal(nt_term_enter(&config, &term, &err), NT_OK);
	return term;
}

/* Bytes written since `from`. */
static size_t written(long from, char *buf, size_t size)
{
	fflush(out);
	fseek(out, from, SEEK_SET);
	size_t length = fread(buf, 1, size - 1, out);
	buf[length] = '\0';
	fseek(out, 0, SEEK_END);
	return length;
}

static long position(void)
{
	fflush(out);
	return ftell(out);
}

static bool contains(long from, const char *part)
{
	static char bytes[65536];
	size_t length = written(from, bytes, sizeof(bytes));
	return memmem(bytes, length, part, strlen(part)) != NULL;
}

static void an_unknown_type_is_an_error_that_names_it(void **state)
{
	const struct nt_term_config config = { .in = in, .out = out, .type = "no-such-terminal" };
	struct nt_term *term = NULL;
	struct nt_error err = { 0 };
	(void)state;
	assert_int_equal(nt_term_enter(&config, &term, &err), NT_ERR_UNSUPPORTED);
	assert_null(term);
	assert_non_null(strstr(err.cause[0], "no-such-terminal"));
}

static void types_that_cannot_show_a_screen_are_refused(void **state)
{
	static const struct {
		const char *type, *why;
	} cases[] = {
		{ "no-such-terminal",
		  "the terminal type 'no-such-terminal' is not known here (if it is like an xterm: TERM=xterm-256color)" },
		{ "\033[2J", "the terminal type '\\x1b[2J' is not known here (if it is like an xterm: TERM=xterm-256color)" },
		{ "dumb", "the terminal type 'dumb' cannot move its cursor" },
		{ "", "TERM names no terminal" },
	};
	char why[128];
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(nt_term_refusal(cases[i].type, why, sizeof(why)), cases[i].why);
	assert_null(nt_term_refusal("vt100", why, sizeof(why)));
	/* Newer than this machine's terminfo. */
	assert_null(nt_term_refusal("xterm-not-yet-known", why, sizeof(why)));
	assert_string_equal(nt_term_type("xterm-not-yet-known"), "xterm-256color");
	assert_string_equal(nt_term_type("tmux-not-yet-known"), "screen-256color");
	assert_string_equal(nt_term_type("vt100"), "vt100");
}

static void entering_and_leaving_switch_the_screen(void **state)
{
	(void)state;
	struct nt_term *term = enter("xterm-256color", false, NT_THEME_AUTO);
	nt_term_blit(term, &grid);
	assert_true(contains(0, "\x1b[?1049h"));
	long before = position();
	nt_term_leave(term);
	assert_true(contains(before, "\x1b[?1049l"));
}

static void a_grid_is_shown(void **state)
{
	(void)state;
	struct nt_term *term = enter("xterm-256color", false, NT_THEME_AUTO);
	nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_PLAIN, "Größe 日本 e\xcc\x81 ●");
	nt_grid_put(&grid, 0, 1, WIDTH, NT_STYLE_MARK, "marked");
	nt_grid_put(&grid, WIDTH - 4, HEIGHT - 1, 4, NT_STYLE_PLAIN, "last");
	nt_term_blit(term, &grid);
	assert_true(contains(0, "Größe 日本 e\xcc\x81 ●"));
	assert_true(contains(0, "38;5;214m"));
	assert_true(contains(0, "las"));
	nt_term_leave(term);
}

static void only_what_changed_is_sent(void **state)
{
	(void)state;
	struct nt_term *term = enter("xterm-256color", false, NT_THEME_AUTO);
	for (int y = 0; y < HEIGHT; y++)
		nt_grid_put(&grid, 0, y, WIDTH, NT_STYLE_PLAIN, "some text of a row");
	nt_term_blit(term, &grid);
	long before = position();
	nt_term_blit(term, &grid);
	assert_int_equal(position(), before);
	nt_grid_put(&grid, 5, 2, 1, NT_STYLE_PLAIN, "X");
	nt_term_blit(term, &grid);
	assert_true(contains(before, "X"));
	assert_true(position() - before < 20);
	before = position();
	nt_term_repaint(term);
	nt_term_blit(term, &grid);
	assert_true(contains(before, "some text of a row"));
	nt_term_leave(term);
}

static void without_utf8_signs_become_ascii(void **state)
{
	(void)state;
	struct nt_term *term = enter("xterm-256color", true, NT_THEME_AUTO);
	assert_true(nt_term_is_ascii(term));
	nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_PLAIN, "●─…↓·日x");
	nt_term_blit(term, &grid);
	assert_true(contains(0, "*-$v.? x"));
	nt_term_leave(term);
}

static void colour_can_be_switched_off(void **state)
{
	(void)state;
	nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_MARK, "marked");
	setenv("NO_COLOR", "1", 1);
	struct nt_term *term = enter("xterm-256color", false, NT_THEME_AUTO);
	nt_term_blit(term, &grid);
	assert_false(contains(0, "38;5;"));
	assert_false(contains(0, "\x1b[33m"));
	nt_term_leave(term);
	unsetenv("NO_COLOR");
}

static void sixteen_colours_are_enough(void **state)
{
	(void)state;
	nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_MARK, "marked");
	struct nt_term *term = enter("xterm-256color", false, NT_THEME_TERMINAL);
	nt_term_blit(term, &grid);
	assert_false(contains(0, "38;5;"));
	assert_true(contains(0, "\x1b[33m") || contains(0, ";33m"));
	nt_term_leave(term);
}

static void a_plain_terminal_will_do(void **state)
{
	(void)state;
	nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_CURSOR, "selected");
	struct nt_term *term = enter("vt100", false, NT_THEME_AUTO);
	nt_term_blit(term, &grid);
	assert_true(contains(0, "selected"));
	nt_term_leave(term);
}

/* A picture of the last minutes moves on by a cell with each interval: the terminal moves it, where it can. */
static void a_row_that_moved_on_takes_a_few_bytes(void **state)
{
	static const char *const types[] = { "xterm-256color", "screen-256color", "vt100" };
	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct nt_term *term = enter(types[i], false, NT_THEME_AUTO);
		nt_grid_put(&grid, 0, 1, WIDTH, NT_STYLE_PLAIN, "▁▂▃▄▅▆▇█▁▂▃▄▅▆▇█▁▂▃▄");
		nt_term_blit(term, &grid);
		long before = position();
		nt_grid_put(&grid, 0, 1, WIDTH, NT_STYLE_PLAIN, "▂▃▄▅▆▇█▁▂▃▄▅▆▇█▁▂▃▄▅");
		nt_term_blit(term, &grid);
		bool moves = contains(before, "P"); /* delete character */
		assert_int_equal(moves, strcmp(types[i], "vt100") != 0);
		assert_in_range(position() - before, 8, moves ? 40 : 120);
		nt_term_leave(term);
	}
}

/* All at once, as a line that was slow brings them. */
static void the_mouse_is_told_in_its_order(void **state)
{
	static const char bytes[] = "\x1b[<0;3;2M\x1b[<0;3;2m\x1b[<0;3;2M\x1b[<0;9;4m\x1b[<64;1;1Mj\x1b[<65;1;1M";
	const struct nt_term_config config = { .in = in, .out = out, .type = "xterm-256color", .mouse = true };
	const nt_key keys[] = { nt_key_mouse(NT_MOUSE_CLICK, 2, 1),      nt_key_mouse(NT_MOUSE_RELEASE, 2, 1),
				nt_key_mouse(NT_MOUSE_CLICK, 2, 1),      nt_key_mouse(NT_MOUSE_RELEASE, 8, 3),
				nt_key_mouse(NT_MOUSE_WHEEL_UP, 0, 0),   'j',
				nt_key_mouse(NT_MOUSE_WHEEL_DOWN, 0, 0), NT_KEY_NONE };
	struct nt_term *term = NULL;
	struct nt_error err = { 0 };
	(void)state;
	assert_int_equal(nt_term_enter(&config, &term, &err), NT_OK);
	assert_int_equal(write(in_pipe[1], bytes, sizeof(bytes) - 1), (ssize_t)sizeof(bytes) - 1);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_int_equal(nt_term_key(term), keys[i]);
	nt_term_leave(term);
}

static void what_is_pasted_is_text(void **state)
{
	static const char pasted[] = "\x1b[200~q\x03\x1bOA\r\xc3\xa4\x1b]11;rgb:f/f/f\x07\x1b[201~q";
	static const nt_key keys[] = { 'q', 0xe4, ']', '1', '1', ';', 'r', 'g', 'b', ':', 'f', '/', 'f', '/', 'f' };
	(void)state;
	struct nt_term *term = enter("xterm-256color", false, NT_THEME_AUTO);
	assert_true(contains(0, "\x1b[?2004h"));
	assert_int_equal(write(in_pipe[1], pasted, sizeof(pasted) - 1), (ssize_t)sizeof(pasted) - 1);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_int_equal(nt_term_key(term), keys[i] | NT_KEY_PASTED);
	assert_int_equal(nt_term_key(term), 'q');
	long before = position();
	nt_term_suspend(term);
	assert_true(contains(before, "\x1b[?2004l"));
	before = position();
	nt_term_resume(term);
	assert_true(contains(before, "\x1b[?2004h"));
	nt_term_leave(term);
	before = position();
	term = enter("vt100", false, NT_THEME_AUTO);
	nt_term_leave(term);
	assert_false(contains(before, "2004"));
}

static void keys_are_told_apart(void **state)
{
	static const struct {
		const char *bytes;
		nt_key key;
	} cases[] = { { "q", 'q' },
		      { "\x03", 3 },
		      { "\r", NT_KEY_ENTER },
		      { "\n", NT_KEY_ENTER },
		      { "\x7f", NT_KEY_BACKSPACE },
		      { "\x1bOA", NT_KEY_UP },
		      { "\x1b[5~", NT_KEY_PAGE_UP },
		      { "\x1bOP", NT_KEY_F1 },
		      { "\x1b[Z", NT_KEY_BACKTAB },
		      { "\t", NT_KEY_TAB },
		      { "\xc3\xa4", 0xe4 },
		      { "\x1b", NT_KEY_ESCAPE } };
	(void)state;
	struct nt_term *term = enter("xterm-256color", false, NT_THEME_AUTO);
	assert_int_equal(nt_term_key(term), NT_KEY_NONE);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t length = strlen(cases[i].bytes);
		assert_int_equal(write(in_pipe[1], cases[i].bytes, length), (ssize_t)length);
		assert_int_equal(nt_term_key(term), cases[i].key);
		assert_int_equal(nt_term_key(term), NT_KEY_NONE);
	}
	nt_term_leave(term);
}

static void a_grid_of_another_size_is_cut(void **state)
{
	struct nt_grid large;
	(void)state;
	struct nt_term *term = enter("xterm-256color", false, NT_THEME_AUTO);
	nt_grid_init(&large, 3 * WIDTH, 3 * HEIGHT);
	nt_grid_fill(&large, 0, 0, 3 * WIDTH, NT_STYLE_PLAIN, "日");
	nt_grid_fill(&large, 1, 1, 3 * WIDTH - 1, NT_STYLE_PLAIN, "日");
	nt_term_blit(term, &large);
	nt_term_blit(term, &grid);
	nt_grid_fini(&large);
	int width, height;
	nt_term_size(term, &width, &height);
	assert_int_equal(width, WIDTH);
	assert_int_equal(height, HEIGHT);
	nt_term_suspend(term);
	nt_term_resume(term);
	nt_term_blit(term, &grid);
	nt_term_leave(term);
}

static int use_utf8(void **state)
{
	(void)state;
	return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

#define WITH_FILES(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_that_cannot_show_a_screen_are_refused),
		WITH_FILES(an_unknown_type_is_an_error_that_names_it),
		WITH_FILES(entering_and_leaving_switch_the_screen),
		WITH_FILES(a_grid_is_shown),
		WITH_FILES(only_what_changed_is_sent),
		WITH_FILES(without_utf8_signs_become_ascii),
		WITH_FILES(colour_can_be_switched_off),
		WITH_FILES(sixteen_colours_are_enough),
		WITH_FILES(a_plain_terminal_will_do),
		WITH_FILES(a_row_that_moved_on_takes_a_few_bytes),
		WITH_FILES(keys_are_told_apart),
		WITH_FILES(the_mouse_is_told_in_its_order),
		WITH_FILES(what_is_pasted_is_text),
		WITH_FILES(a_grid_of_another_size_is_cut),
	};
	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
