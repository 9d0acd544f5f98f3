/* SPDX-License-Identifier: GPL-2.0-only */
/* The screen's state machine on snapshots that a test makes, keys that it presses, and the lines that it finds. Everything is static, because each test is one program. */
#ifndef TEST_UI_PRESSED_H
#define TEST_UI_PRESSED_H

#include "build.h"

#include "ui/act/ui.h"

#include <locale.h>
#include <string.h>

enum { WIDTH = 80, HEIGHT = 24, FIRST_ROW = 8 };

static struct nt_ui *ui;
static struct nt_grid grid;
static nt_time now;
static unsigned next_sequence;

static inline int begin(void **state)
{
	const struct nt_ui_config config = { .pid = 4711, .name = "shop", .interval_ns = NT_NS_PER_S };
	(void)state;
	ui = nt_ui_new(&config);
	nt_grid_init(&grid, 1, 1);
	now = START;
	next_sequence = 1;
	return 0;
}

static inline int end(void **state)
{
	(void)state;
	nt_ui_free(ui);
	nt_grid_fini(&grid);
	return 0;
}

static inline void show_taken(struct nt_snapshot *snapshot)
{
	now += 5 * NT_NS_PER_S; /* longer than the order stands still after a move */
	assert_int_equal(nt_ui_snapshot(ui, snapshot, now), NT_UI_REDRAW);
	nt_snapshot_release(snapshot);
}

#define SHOW(...) show_taken(SNAPSHOT(next_sequence++, __VA_ARGS__))

static inline unsigned press(nt_key key)
{
	return nt_ui_handle(ui, key, now);
}

static inline void type(const char *keys)
{
	while (*keys)
		press((nt_key)(unsigned char)*keys++);
}

static inline const char *line(int y)
{
	static char text[4096];
	nt_ui_render(ui, &grid);
	return nt_grid_row_text(&grid, y, text, sizeof(text));
}

static inline bool has(int y, const char *part)
{
	return strstr(line(y), part) != NULL;
}

static inline bool selected(int row)
{
	nt_ui_render(ui, &grid);
	return nt_grid_row(&grid, FIRST_ROW + row)[0].style == NT_STYLE_CURSOR;
}

static inline int use_utf8(void **state)
{
	(void)state;
	return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

#define WITH_UI(test) cmocka_unit_test_setup_teardown(test, begin, end)

#endif
