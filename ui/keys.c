// SPDX-License-Identifier: GPL-2.0-only
#include "ui/keys.h"

#include "nettop/source.h"

#define CTRL(letter) ((nt_key)((letter)&0x1f))

const struct nt_key_entry nt_key_table[] = {
	{ { NT_KEY_UP, 'k' }, NT_DO_UP, NT_KEYS_MOVE, "Up k", NULL, "row up", "One row up." },
	{ { NT_KEY_DOWN, 'j' }, NT_DO_DOWN, NT_KEYS_MOVE, "Dn j", NULL, "row down", "One row down." },
	{ { NT_KEY_PAGE_UP, 'b', CTRL('b') }, NT_DO_PAGE_UP, NT_KEYS_MOVE, "PgUp b", NULL, "page up", "One page up." },
	{ { NT_KEY_PAGE_DOWN, 'f', CTRL('f') }, NT_DO_PAGE_DOWN, NT_KEYS_MOVE, "PgDn f", NULL, "page down", "One page down." },
	{ { NT_KEY_HOME, 'g' },
	  NT_DO_FIRST,
	  NT_KEYS_MOVE,
	  "Home g",
	  NULL,
	  "first row",
	  "To the first row, which is then always the worst one." },
	{ { NT_KEY_END, 'G' }, NT_DO_LAST, NT_KEYS_MOVE, "End G", NULL, "last row", "To the last row." },
	{ { NT_KEY_ENTER, NT_KEY_RIGHT },
	  NT_DO_IN,
	  NT_KEYS_MOVE,
	  "Enter",
	  "Enter detail",
	  "detail",
	  "Of a method: its call tree; of a thread: its hot methods; of a process: watch it; else everything known of the row." },
	{ { NT_KEY_ESCAPE, NT_KEY_LEFT, NT_KEY_BACKSPACE },
	  NT_DO_OUT,
	  NT_KEYS_MOVE,
	  "Esc",
	  NULL,
	  "out",
	  "Out of what is open: prompt, menu, detail, then the filter, then the restriction." },

	{ { '1' }, NT_DO_VIEW_1, NT_KEYS_SCREENS, "1", NULL, "methods", "The hot methods." },
	{ { '2' }, NT_DO_VIEW_2, NT_KEYS_SCREENS, "2", NULL, "collections", "The garbage collections." },
	{ { '3' }, NT_DO_VIEW_3, NT_KEYS_SCREENS, "3", NULL, "compilations", "The methods that the JIT compiled." },
	{ { '4' }, NT_DO_VIEW_4, NT_KEYS_SCREENS, "4", NULL, "threads", "The threads and the thread pool." },
	{ { '5' },
	  NT_DO_VIEW_5,
	  NT_KEYS_SCREENS,
	  "5",
	  NULL,
	  "allocations",
	  "Allocations by type. The target samples them as long as this screen is open." },
	{ { '6' }, NT_DO_VIEW_6, NT_KEYS_SCREENS, "6", NULL, "exceptions", "The exceptions by type, and where they are thrown." },
	{ { '7' }, NT_DO_VIEW_7, NT_KEYS_SCREENS, "7", NULL, "locks", "The waits for locks by the place that waits." },
	{ { '0' }, NT_DO_VIEW_0, NT_KEYS_SCREENS, "0", NULL, "sources", "The sources: what each delivers, and why one does not." },
	{ { 'c' },
	  NT_DO_VIEW_COUNTERS,
	  NT_KEYS_SCREENS,
	  "c",
	  NULL,
	  "counters",
	  "The counters that the program and its libraries publish." },
	{ { NT_KEY_TAB }, NT_DO_NEXT_VIEW, NT_KEYS_SCREENS, "Tab", NULL, "next", "The next screen; among instructions, the next hot one." },
	{ { NT_KEY_BACKTAB }, NT_DO_PREVIOUS_VIEW, NT_KEYS_SCREENS, "S-Tab", NULL, "previous", "The previous screen." },
	{ { '!' },
	  NT_DO_FINDING,
	  NT_KEYS_SCREENS,
	  "!",
	  NULL,
	  "what is wrong",
	  "To the row that the finding line is about; again: to that of the next finding." },

	{ { '/', NT_KEY_F3 },
	  NT_DO_FILTER,
	  NT_KEYS_TABLE,
	  "/",
	  "/ filter",
	  "filter",
	  "Show only rows of which a text matches an extended regular expression; case counts when it has a capital. Percentages stay as "
	  "they are." },
	{ { 'n' },
	  NT_DO_NEXT_MATCH,
	  NT_KEYS_TABLE,
	  "n",
	  NULL,
	  "next match",
	  "The next row that matches the filter; without one, the next row out of its range." },
	{ { 'N' }, NT_DO_PREVIOUS_MATCH, NT_KEYS_TABLE, "N", NULL, "previous", "The previous one." },
	{ { 's', NT_KEY_F6 }, NT_DO_SORT_MENU, NT_KEYS_TABLE, "s", "s sort", "sort menu", "Choose the column to sort by." },
	{ { '<' }, NT_DO_SORT_LEFT, NT_KEYS_TABLE, "<", NULL, "sort left", "Sort by the column to the left." },
	{ { '>' }, NT_DO_SORT_RIGHT, NT_KEYS_TABLE, ">", NULL, "sort right", "Sort by the column to the right." },
	{ { 'R' }, NT_DO_REVERSE, NT_KEYS_TABLE, "R", NULL, "reverse", "Reverse the order; blank values stay last." },
	{ { 'C' },
	  NT_DO_COLUMNS,
	  NT_KEYS_TABLE,
	  "C",
	  NULL,
	  "columns",
	  "Choose the columns of this screen; narrow screens still leave some out." },
	{ { 'o' },
	  NT_DO_WINDOW,
	  NT_KEYS_TABLE,
	  "o",
	  "o window",
	  "window",
	  "What the figures are over: the last intervals, or since attach." },
	{ { 'x' },
	  NT_DO_RESTRICT,
	  NT_KEYS_TABLE,
	  "x",
	  "x restrict",
	  "restrict",
	  "Then t, m or k: only the methods of the selected row's thread, module or kind, with shares of that; in a call tree also s: only "
	  "what is "
	  "below the row; x: all again." },
	{ { 'K' }, NT_DO_HIDE_KERNEL, NT_KEYS_TABLE, "K", NULL, "no kernel", "Hide the kernel's functions; percentages stay as they are." },
	{ { 'U' }, NT_DO_HIDE_USER, NT_KEYS_TABLE, "U", NULL, "no user", "Hide all but the kernel's functions." },
	{ { 'r' },
	  NT_DO_RAW_NAMES,
	  NT_KEYS_TABLE,
	  "r",
	  NULL,
	  "raw names",
	  "Names of methods as the runtime or the image has them, with what is left out for people. Again: readable." },
	{ { 'a' },
	  NT_DO_ANNOTATE,
	  NT_KEYS_TABLE,
	  "a",
	  "a code",
	  "annotate",
	  "The instructions of the selected method, and at which of them the samples were; n and Tab go to the next hot one. Esc: back." },
	{ { 'F' }, NT_DO_FOLLOW, NT_KEYS_TABLE, "F", NULL, "follow", "Keep the selected row in view, even when a filter hides it." },
	{ { 'P' },
	  NT_DO_WRITE,
	  NT_KEYS_TABLE,
	  "P",
	  "P write",
	  "write",
	  "Write this screen as text to a new file in the current folder: header, then all rows that the filter leaves, nothing cut; with "
	  "a "
	  "call tree also a flame graph of all stacks." },

	{ { '+' }, NT_DO_EXPAND, NT_KEYS_TREE, "+", "+/- one", "open", "Show what was called from the row." },
	{ { '-' }, NT_DO_COLLAPSE, NT_KEYS_TREE, "-", NULL, "close", "Hide it." },
	{ { 'e' }, NT_DO_BRANCH, NT_KEYS_TREE, "e", "e branch", "branch", "Open the row and all below it; again: close it." },
	{ { 'v' },
	  NT_DO_TURN,
	  NT_KEYS_TREE,
	  "v",
	  "v callers",
	  "callers",
	  "Who called the method, in place of whom it called; again: whom it called." },
	{ { 'E' }, NT_DO_ALL_BRANCHES, NT_KEYS_TREE, "E", "E all", "all", "Open all rows; again: close them." },
	{ { 'u' },
	  NT_DO_UNFOLD,
	  NT_KEYS_TREE,
	  "u",
	  "u unfold",
	  "unfold",
	  "Show what the runtime's own code calls of itself, too; else its first function stands for it." },

	{ { ' ', 'p' },
	  NT_DO_PAUSE,
	  NT_KEYS_TIME,
	  "Space p",
	  "Space pause",
	  "pause",
	  "The figures freeze; sorting, filtering and measuring go on. Again: live." },
	{ { 'd' }, NT_DO_DELAY, NT_KEYS_TIME, "d", NULL, "interval", "Set the length of an interval in seconds." },
	{ { 'z' }, NT_DO_ZERO, NT_KEYS_TIME, "z", NULL, "zero", "Count from now on what is shown since attach." },

	{ { 'S' },
	  NT_DO_SAMPLER,
	  NT_KEYS_PROGRAM,
	  "S",
	  NULL,
	  "sampler",
	  "Where perf gives no CPU samples: asks, then starts the runtime's own sampler (wall time, managed code only), which stops all "
	  "managed threads " NT_PRICE_WALL_SAMPLES ". Again: end it." },
	{ { 'h', '?', NT_KEY_F1 }, NT_DO_HELP, NT_KEYS_PROGRAM, "? h", "? help", "help", "Keys and columns." },
	{ { 'L' },
	  NT_DO_LOG,
	  NT_KEYS_PROGRAM,
	  "L",
	  NULL,
	  "log",
	  "The log: the commands that bring what is missing, what nettop said, and what a program wrote that nettop run has started." },
	{ { 'B' },
	  NT_DO_HEADER,
	  NT_KEYS_PROGRAM,
	  "B",
	  NULL,
	  "header",
	  "The header in full, in three lines, in one line; without it the size of the terminal decides." },
	{ { 'O' },
	  NT_DO_LIST,
	  NT_KEYS_PROGRAM,
	  "O",
	  NULL,
	  "processes",
	  "To the list of all .NET processes; Enter opens one of them, q ends." },
	{ { CTRL('l') }, NT_DO_REPAINT, NT_KEYS_PROGRAM, "Ctrl-L", NULL, "redraw", "Paint the whole screen again." },
	{ { CTRL('z') }, NT_DO_SUSPEND, NT_KEYS_PROGRAM, "Ctrl-Z", NULL, "suspend", "Give the terminal back to the shell until fg." },
	{ { 'q', NT_KEY_F10, CTRL('c') },
	  NT_DO_QUIT,
	  NT_KEYS_PROGRAM,
	  "q F10",
	  "q quit",
	  "quit",
	  "Restore the terminal and end; of a process that was opened from the list, go back there." },
};
const size_t nt_key_table_count = sizeof(nt_key_table) / sizeof(nt_key_table[0]);

enum nt_action nt_key_action(nt_key key)
{
	if (!key)
		return NT_DO_NOTHING;
	for (size_t i = 0; i < nt_key_table_count; i++)
		for (size_t k = 0; k < NT_KEYS_PER_ENTRY; k++)
			if (nt_key_table[i].keys[k] == key)
				return nt_key_table[i].action;
	return NT_DO_NOTHING;
}

bool nt_key_is_of_a_process(enum nt_action action)
{
	static const enum nt_action of_a_process[] = {
		NT_DO_VIEW_1,   NT_DO_VIEW_2,        NT_DO_VIEW_3,    NT_DO_VIEW_4,        NT_DO_VIEW_5,       NT_DO_VIEW_6,   NT_DO_VIEW_7,
		NT_DO_VIEW_0,   NT_DO_VIEW_COUNTERS, NT_DO_NEXT_VIEW, NT_DO_PREVIOUS_VIEW, NT_DO_FINDING,      NT_DO_ANNOTATE, NT_DO_WINDOW,
		NT_DO_RESTRICT, NT_DO_HIDE_KERNEL,   NT_DO_HIDE_USER, NT_DO_RAW_NAMES,     NT_DO_ZERO,         NT_DO_HEADER,   NT_DO_LIST,
		NT_DO_SAMPLER,  NT_DO_EXPAND,        NT_DO_COLLAPSE,  NT_DO_BRANCH,        NT_DO_ALL_BRANCHES, NT_DO_TURN,     NT_DO_UNFOLD,
	};
	for (size_t i = 0; i < sizeof(of_a_process) / sizeof(of_a_process[0]); i++)
		if (of_a_process[i] == action)
			return true;
	return false;
}

const char *nt_key_group_name(enum nt_key_group group)
{
	static const char *const names[NT_KEY_GROUP_COUNT] = { "MOVE", "SCREENS", "TABLE", "TREE", "TIME", "PROGRAM" };
	return names[group];
}
