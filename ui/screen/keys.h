/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keys: what the terminal gives, what each one does, and where. One table (keys.c): the screen, the help overlay and the man page read it.
 */
#ifndef NT_UI_KEYS_H
#define NT_UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A Unicode character (control characters as they are: Ctrl-C is 3), or one of enum nt_key_code, which lie above all characters. */
typedef uint32_t nt_key;

enum nt_key_code {
	NT_KEY_NONE = 0x110000, /* nothing was typed */
	NT_KEY_UP,
	NT_KEY_DOWN,
	NT_KEY_LEFT,
	NT_KEY_RIGHT,
	NT_KEY_PAGE_UP,
	NT_KEY_PAGE_DOWN,
	NT_KEY_HOME,
	NT_KEY_END,
	NT_KEY_BACKTAB, /* Shift-Tab */
	NT_KEY_F1,
	NT_KEY_F2,
	NT_KEY_F3,
	NT_KEY_F4,
	NT_KEY_F5,
	NT_KEY_F6,
	NT_KEY_F7,
	NT_KEY_F8,
	NT_KEY_F9,
	NT_KEY_F10,
	NT_KEY_OTHER,       /* a key that nettop has no use for */
	NT_KEY_PASTE_BEGIN, /* what comes now was not typed, until */
	NT_KEY_PASTE_END,   /* now: ui/terminal/term_paste.h */
};

enum { NT_KEY_TAB = '\t', NT_KEY_ENTER = '\r', NT_KEY_ESCAPE = 27, NT_KEY_BACKSPACE = 127 };

static inline nt_key nt_key_ctrl(char letter)
{
	return (nt_key)(letter & 0x1f);
}

/* What the mouse did, as a key: this bit, then what, and where (from 0, at most 16383). */
#define NT_KEY_MOUSE ((nt_key)1 << 31)
enum nt_mouse { NT_MOUSE_CLICK, NT_MOUSE_WHEEL_UP, NT_MOUSE_WHEEL_DOWN, NT_MOUSE_RELEASE };

static inline nt_key nt_key_mouse(enum nt_mouse kind, int x, int y)
{
	return NT_KEY_MOUSE | (nt_key)kind << 28 | (nt_key)(y & 0x3fff) << 14 | (nt_key)(x & 0x3fff);
}

static inline enum nt_mouse nt_key_mouse_kind(nt_key key)
{
	return (enum nt_mouse)(key >> 28 & 7);
}

static inline int nt_key_mouse_x(nt_key key)
{
	return (int)(key & 0x3fff);
}

static inline int nt_key_mouse_y(nt_key key)
{
	return (int)(key >> 14 & 0x3fff);
}

/* A character that was pasted, and not typed: it is text, whatever key has it. */
#define NT_KEY_PASTED ((nt_key)1 << 30)

static inline bool nt_key_is_pasted(nt_key key)
{
	return (key & (NT_KEY_MOUSE | NT_KEY_PASTED)) == NT_KEY_PASTED;
}

enum nt_action {
	NT_DO_NOTHING,
	NT_DO_QUIT,
	NT_DO_HELP,
	NT_DO_REPAINT,
	NT_DO_SUSPEND,
	NT_DO_UP,
	NT_DO_DOWN,
	NT_DO_PAGE_UP,
	NT_DO_PAGE_DOWN,
	NT_DO_FIRST,
	NT_DO_LAST,
	NT_DO_IN,
	NT_DO_OUT,
	NT_DO_VIEW_1,
	NT_DO_VIEW_2,
	NT_DO_VIEW_3,
	NT_DO_VIEW_4,
	NT_DO_VIEW_5,
	NT_DO_VIEW_6,
	NT_DO_VIEW_7,
	NT_DO_VIEW_8,
	NT_DO_VIEW_9,
	NT_DO_VIEW_0,
	NT_DO_VIEW_COUNTERS,
	NT_DO_VIEW_IO,
	NT_DO_VIEW_REQUESTS,
	NT_DO_NEXT_VIEW,
	NT_DO_PREVIOUS_VIEW,
	NT_DO_FINDING,
	NT_DO_PAUSE,
	NT_DO_SLOWER, /* of a recording */
	NT_DO_FASTER,
	NT_DO_BACK, /* in time: an interval, a minute */
	NT_DO_ON,
	NT_DO_MINUTE_BACK,
	NT_DO_MINUTE_ON,
	NT_DO_TO_TIME,
	NT_DO_MINUTES,
	NT_DO_DIFFERENCE,
	NT_DO_FILTER,
	NT_DO_NEXT_MATCH,
	NT_DO_PREVIOUS_MATCH,
	NT_DO_SORT_MENU,
	NT_DO_SORT_LEFT,
	NT_DO_SORT_RIGHT,
	NT_DO_SORT_CPU,
	NT_DO_SORT_MEMORY,
	NT_DO_SORT_TIME,
	NT_DO_REVERSE,
	NT_DO_COLUMNS,
	NT_DO_WINDOW,
	NT_DO_HIDE_KERNEL,
	NT_DO_HIDE_USER,
	NT_DO_MY_CODE,
	NT_DO_RESTRICT,
	NT_DO_RAW_NAMES,
	NT_DO_ANNOTATE,
	NT_DO_EXPAND,
	NT_DO_COLLAPSE,
	NT_DO_BRANCH,
	NT_DO_ALL_BRANCHES,
	NT_DO_TURN,
	NT_DO_TURN_BACK,
	NT_DO_UNFOLD,
	NT_DO_FOLLOW,
	NT_DO_HEADER,
	NT_DO_LOG,
	NT_DO_STACKS,
	NT_DO_NATIVE,
	NT_DO_HEAP,
	NT_DO_DUMP,
	NT_DO_WRITE,
	NT_DO_DELAY,
	NT_DO_ZERO,
	NT_DO_LIST,
	NT_DO_BEFORE,
	NT_DO_SAVE,
	NT_DO_THEMES,
	NT_DO_LATER, /* of every key that has a meaning in a later version only: says so */
};

enum nt_key_group {
	NT_KEYS_MOVE,
	NT_KEYS_SCREENS,
	NT_KEYS_TABLE,
	NT_KEYS_TREE,
	NT_KEYS_TIME,
	NT_KEYS_PROGRAM,
	NT_KEYS_RESERVED, /* of NT_DO_LATER */
	NT_KEY_GROUP_COUNT
};

enum { NT_KEYS_PER_ENTRY = 6 };

struct nt_key_entry {
	nt_key keys[NT_KEYS_PER_ENTRY]; /* unused ones are 0 */
	enum nt_action action;
	enum nt_key_group group;
	const char *caps; /* as people write them: "PgUp b Ctrl-B" */
	const char *hint; /* for the context line: "/ filter"; NULL = not there */
	const char *word; /* for the help overlay */
	const char *help; /* one sentence: for the man page */
	/* What brings the meaning that the key does not have yet: everywhere of NT_DO_LATER, else where the action has none; NULL = it has all. */
	const char *comes_with;
};

/* The table, in the order of help and context line. */
extern const struct nt_key_entry nt_key_table[];
extern const size_t nt_key_table_count;

/* The entry of a key; NULL when it has no meaning. */
const struct nt_key_entry *nt_key_entry(nt_key key);

/* The key that a word means: the first one of its name, or of its hint; NT_KEY_NONE: it is none. */
nt_key nt_key_called(const char *word, size_t length);

/* What a key does; NT_DO_NOTHING when it has no meaning. */
enum nt_action nt_key_action(nt_key key);

/* Has an action a meaning only where one process is shown, and none in the list of them? */
bool nt_key_is_of_a_process(enum nt_action action);

const char *nt_key_group_name(enum nt_key_group group);

#endif
