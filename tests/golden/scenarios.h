/* SPDX-License-Identifier: GPL-2.0-only */
/* Which golden screens there are. */
#ifndef NT_TESTS_GOLDEN_SCENARIOS_H
#define NT_TESTS_GOLDEN_SCENARIOS_H

#include "nettop/snapshot.h"
#include "nettop/theme_name.h"

enum { MOST_SNAPSHOTS = 3 };

/* Of each cell: its text, its style as a letter, its text on a terminal without UTF-8. Or of the tab bar all of that, and nothing else. In a theme, what is sent to a terminal. Or no screen: the report of `nettop report`, or what --plain says of one snapshot after the other. */
enum form {
	TEXT,
	STYLES,
	ASCII,
	TAB_BAR,
	REPORT,
	REPORT_MARKDOWN,
	PLAIN,
	RECORDS,      /* what is on the screen is recorded meanwhile */
	RECORDED,     /* a screen of a recording, four times as fast as it was */
	RECORDED_END, /* the same, at its end */
	THEMED,       /* and the theme: */
	IN_DARK = THEMED + NT_THEME_DARK,
	IN_LIGHT = THEMED + NT_THEME_LIGHT,
	IN_CONTRAST = THEMED + NT_THEME_CONTRAST,
	IN_TERMINAL = THEMED + NT_THEME_TERMINAL,
	IN_MONO = THEMED + NT_THEME_MONO,
};

struct scenario {
	const char *name; /* of the file, with the size appended */
	int width, height;
	struct nt_snapshot *(*snapshots[MOST_SNAPSHOTS])(void); /* shown one after the other */
	const char *keys; /* typed before the last snapshot; see key_of(). With P last: what is written, not the screen */
	enum form form;
};

struct scenario_table {
	const struct scenario *items;
	size_t count;
};

extern const struct scenario_table scenarios_of_screens; /* scenarios.c */
extern const struct scenario_table scenarios_of_files;   /* scenarios_written.c: what key w does */

#endif
