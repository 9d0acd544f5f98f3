// SPDX-License-Identifier: GPL-2.0-only
#include "ui/screen/keys.h"

#include <string.h>

#define CTRL(letter) ((nt_key)((letter)&0x1f))

#define LATER(key_, word_, help_, comes_with_)                                                                                             \
	{                                                                                                                                  \
		{ key_ }, NT_DO_LATER, NT_KEYS_RESERVED, (const char[]){ key_, '\0' }, NULL, word_, help_, comes_with_                     \
	}

const struct nt_key_entry nt_key_table[] = {
	{ { NT_KEY_UP, 'k', CTRL('p'), CTRL('k'), CTRL('y') }, NT_DO_UP, NT_KEYS_MOVE, "Up k", NULL, "row up", "One row up.", NULL },
	{ { NT_KEY_DOWN, 'j', CTRL('n'), CTRL('e') }, NT_DO_DOWN, NT_KEYS_MOVE, "Dn j", NULL, "row down", "One row down.", NULL },
	{ { NT_KEY_PAGE_UP, 'b', CTRL('b') }, NT_DO_PAGE_UP, NT_KEYS_MOVE, "PgUp b", NULL, "page up", "One page up.", NULL },
	{ { NT_KEY_PAGE_DOWN, 'f', CTRL('f'), CTRL('v') },
	  NT_DO_PAGE_DOWN,
	  NT_KEYS_MOVE,
	  "PgDn f",
	  NULL,
	  "page down",
	  "One page down.",
	  NULL },
	{ { NT_KEY_HOME, 'g' },
	  NT_DO_FIRST,
	  NT_KEYS_MOVE,
	  "Home g",
	  NULL,
	  "first row",
	  "To the first row, which is then always the worst one.",
	  NULL },
	{ { NT_KEY_END, 'G' }, NT_DO_LAST, NT_KEYS_MOVE, "End G", NULL, "last row", "To the last row.", NULL },
	{ { NT_KEY_ENTER, NT_KEY_RIGHT },
	  NT_DO_IN,
	  NT_KEYS_MOVE,
	  "Enter",
	  "Enter detail",
	  "detail",
	  "Of a method: its call tree, of its callers where it calls nothing; of a thread: its hot methods; of a process: watch it; else "
	  "everything known of the row.",
	  NULL },
	{ { NT_KEY_ESCAPE, NT_KEY_LEFT, NT_KEY_BACKSPACE },
	  NT_DO_OUT,
	  NT_KEYS_MOVE,
	  "Esc",
	  NULL,
	  "out",
	  "Out of what is open: prompt, menu, detail, then the filter, then the restriction.",
	  NULL },

	{ { '1' }, NT_DO_VIEW_1, NT_KEYS_SCREENS, "1", NULL, "methods", "The hot methods.", NULL },
	{ { '2' }, NT_DO_VIEW_2, NT_KEYS_SCREENS, "2", NULL, "collections", "The garbage collections.", NULL },
	{ { '3' }, NT_DO_VIEW_3, NT_KEYS_SCREENS, "3", NULL, "compilations", "The methods that the JIT compiled.", NULL },
	{ { '4' }, NT_DO_VIEW_4, NT_KEYS_SCREENS, "4", NULL, "threads", "The threads and the thread pool.", NULL },
	{ { '5' },
	  NT_DO_VIEW_5,
	  NT_KEYS_SCREENS,
	  "5",
	  NULL,
	  "allocations",
	  "Allocations by type, by place, by thread (key v). The target samples them as long as this screen is open.",
	  NULL },
	{ { '6' },
	  NT_DO_VIEW_6,
	  NT_KEYS_SCREENS,
	  "6",
	  NULL,
	  "exceptions",
	  "The exceptions by type, by the place that throws, and the last ones (key v).",
	  NULL },
	{ { '7' },
	  NT_DO_VIEW_7,
	  NT_KEYS_SCREENS,
	  "7",
	  NULL,
	  "locks",
	  "The waits for locks by the place that waits, by lock, by owner (key v).",
	  NULL },
	{ { '8' },
	  NT_DO_VIEW_8,
	  NT_KEYS_SCREENS,
	  "8",
	  NULL,
	  "waits",
	  "What threads wait for that do not run, by place; threads that wait for work are only counted.",
	  NULL },
	{ { '9' },
	  NT_DO_VIEW_9,
	  NT_KEYS_SCREENS,
	  "9",
	  NULL,
	  "events",
	  "Events one by one, the newest last: those that nettop has anyway, or those that e chooses, for which the target pays as long as "
	  "this "
	  "screen is open.",
	  NULL },
	{ { '0' }, NT_DO_VIEW_0, NT_KEYS_SCREENS, "0", NULL, "sources", "The sources: what each delivers, and why one does not.", NULL },
	{ { 'c' },
	  NT_DO_VIEW_COUNTERS,
	  NT_KEYS_SCREENS,
	  "c",
	  NULL,
	  "counters",
	  "The counters that the program and its libraries publish.",
	  NULL },
	{ { 'i' },
	  NT_DO_VIEW_IO,
	  NT_KEYS_SCREENS,
	  "i",
	  NULL,
	  "I/O",
	  "What the program reads and writes, what it has open, and which threads are blocked in that.",
	  NULL },
	{ { 'R' },
	  NT_DO_VIEW_REQUESTS,
	  NT_KEYS_SCREENS,
	  "R",
	  NULL,
	  "requests",
	  "Requests that the program serves, by route and status, and makes, by peer. As long as this screen is open the target tells of "
	  "each that it serves, for 5 us or more of its CPU time, and what another tool has set for that gives way; v: those in flight and "
	  "the "
	  "slowest; then which of them CPU time is for.",
	  NULL },
	{ { 'S' },
	  NT_DO_STACKS,
	  NT_KEYS_SCREENS,
	  "S",
	  NULL,
	  "stacks",
	  "What every thread does: its stack, what it waits for, who holds that; threads that do the same are said once.",
	  NULL },
	{ { 'H' },
	  NT_DO_HEAP,
	  NT_KEYS_SCREENS,
	  "H",
	  NULL,
	  "heap",
	  "All objects by type, and what grew since the first time. What it does to the process is said first, and Enter begins, or v, "
	  "which "
	  "also tells who holds them: it stands still for a full collection.",
	  NULL },
	{ { 'D' },
	  NT_DO_DUMP,
	  NT_KEYS_SCREENS,
	  "D",
	  NULL,
	  "dump",
	  "A core dump, or a report of all threads, that the runtime writes of itself. 1 to 5 choose what is in it; what it does to the "
	  "process is said first, and Enter begins: it stands still until the file is written.",
	  NULL },
	{ { 'l' },
	  NT_DO_NATIVE,
	  NT_KEYS_SCREENS,
	  "l",
	  NULL,
	  "native frames",
	  "In stacks of threads that wait (S; Enter on 8): frames of native code, too, while such a page is open. The target does nothing "
	  "for "
	  "it; nettop copies 32 KB of a thread's stack, once as long as that waits. Again: without.",
	  NULL },
	{ { NT_KEY_TAB },
	  NT_DO_NEXT_VIEW,
	  NT_KEYS_SCREENS,
	  "Tab",
	  NULL,
	  "next",
	  "The next screen; among instructions, the next hot one.",
	  NULL },
	{ { NT_KEY_BACKTAB }, NT_DO_PREVIOUS_VIEW, NT_KEYS_SCREENS, "S-Tab", NULL, "previous", "The previous screen.", NULL },
	{ { '!' },
	  NT_DO_FINDING,
	  NT_KEYS_SCREENS,
	  "!",
	  NULL,
	  "what is wrong",
	  "To the row that the finding line is about; again: to that of the next finding.",
	  NULL },

	{ { '/', '\\', '&', NT_KEY_F3, NT_KEY_F4 },
	  NT_DO_FILTER,
	  NT_KEYS_TABLE,
	  "/",
	  "/ filter",
	  "filter",
	  "Show only rows of which a text matches an extended regular expression; case counts when it has a capital. Percentages stay as "
	  "they are. Events: also what a field has to be, PauseNs>1000 thread=4711 activity=..., with = != < <= > >=.",
	  NULL },
	{ { 'n' },
	  NT_DO_NEXT_MATCH,
	  NT_KEYS_TABLE,
	  "n",
	  NULL,
	  "next match",
	  "The next row that matches the filter; without one, the next row out of its range.",
	  NULL },
	{ { 'N' }, NT_DO_PREVIOUS_MATCH, NT_KEYS_TABLE, "N", NULL, "previous", "The previous one.", NULL },
	{ { 's', NT_KEY_F6 }, NT_DO_SORT_MENU, NT_KEYS_TABLE, "s", "s sort", "sort menu", "Choose the column to sort by.", NULL },
	{ { '<' }, NT_DO_SORT_LEFT, NT_KEYS_TABLE, "<", NULL, "sort left", "Sort by the column to the left.", NULL },
	{ { '>' }, NT_DO_SORT_RIGHT, NT_KEYS_TABLE, ">", NULL, "sort right", "Sort by the column to the right.", NULL },
	{ { 'I' }, NT_DO_REVERSE, NT_KEYS_TABLE, "I", NULL, "reverse", "Reverse the order; blank values stay last.", NULL },
	{ { 'P' },
	  NT_DO_SORT_CPU,
	  NT_KEYS_TABLE,
	  "P",
	  NULL,
	  "by CPU",
	  "Sort by CPU, as in top: the column that says so below; a screen without one says that.",
	  NULL },
	{ { 'M' }, NT_DO_SORT_MEMORY, NT_KEYS_TABLE, "M", NULL, "by memory", "Likewise by memory.", NULL },
	{ { 'T' }, NT_DO_SORT_TIME, NT_KEYS_TABLE, "T", NULL, "by time", "Likewise by time.", NULL },
	{ { 'C' },
	  NT_DO_COLUMNS,
	  NT_KEYS_TABLE,
	  "C",
	  NULL,
	  "columns",
	  "Choose the columns of this screen; narrow screens still leave some out.",
	  NULL },
	{ { 'o' },
	  NT_DO_WINDOW,
	  NT_KEYS_TABLE,
	  "o",
	  "o window",
	  "window",
	  "What the figures are over: the last intervals, or since attach.",
	  NULL },
	{ { 'v' },
	  NT_DO_TURN,
	  NT_KEYS_TABLE,
	  "v",
	  "v group",
	  "group by",
	  "The next grouping of the rows. Methods: what CPU time is for, in sums. GC: what the memory consists of, the settings "
	  "of the GC and what is odd about them. Waits: by place, all "
	  "threads' wall time by method, by "
	  "thread, by reason. JIT: by method, module, namespace, tier, trigger, caller. Threads: each, and how long work items of the pool "
	  "wait. Allocations: by type, by the place that allocates, "
	  "by "
	  "thread. Exceptions: by type, by the place that throws, the last "
	  "ones "
	  "with who catches them. Locks: by place, by lock, by owner. Requests: by route, each, which CPU time is for. In a call tree: "
	  "who called the method, in place of whom it called. Events: each, how many of each kind.",
	  "groupings of rows" },
	{ { 'V' }, NT_DO_TURN_BACK, NT_KEYS_TABLE, "V", NULL, "group before", "The grouping before.", "groupings of rows" },
	{ { 'x' },
	  NT_DO_RESTRICT,
	  NT_KEYS_TABLE,
	  "x",
	  "x restrict",
	  "restrict",
	  "Then t, m or k: only the methods of the selected row's thread, module or kind, with shares of that; p or o: only what ran in "
	  "pauses for "
	  "collections, or outside of them, from any row; in a call tree also s: only what is below the row; x: all again.",
	  NULL },
	{ { 'K' },
	  NT_DO_HIDE_KERNEL,
	  NT_KEYS_TABLE,
	  "K",
	  NULL,
	  "no kernel",
	  "Hide the kernel's functions; percentages stay as they are.",
	  NULL },
	{ { 'U' }, NT_DO_HIDE_USER, NT_KEYS_TABLE, "U", NULL, "no user", "Hide all but the kernel's functions.", NULL },
	{ { 'y' },
	  NT_DO_MY_CODE,
	  NT_KEYS_TABLE,
	  "y",
	  NULL,
	  "my code",
	  "Only the program's own methods, by TOTAL%: what they call of .NET, libraries and the kernel counts for them, in the calls of "
	  "each as its own. Again: all, by SELF%.",
	  NULL },
	{ { 'r' },
	  NT_DO_RAW_NAMES,
	  NT_KEYS_TABLE,
	  "r",
	  NULL,
	  "raw names",
	  "Names of methods as the runtime or the image has them, with what is left out for people. Again: readable.",
	  NULL },
	{ { 'a' },
	  NT_DO_ANNOTATE,
	  NT_KEYS_TABLE,
	  "a",
	  "a code",
	  "annotate",
	  "The instructions of the selected method, and at which of them the samples were; n and Tab go to the next hot one. Esc: back.",
	  NULL },
	{ { 'F' },
	  NT_DO_FOLLOW,
	  NT_KEYS_TABLE,
	  "F",
	  NULL,
	  "follow",
	  "Keep the selected row in view, even when a filter hides it. Events: the newest one again, as End.",
	  NULL },
	{ { 'w' },
	  NT_DO_WRITE,
	  NT_KEYS_TABLE,
	  "w",
	  "w write",
	  "write",
	  "What to write, then the name of the file: this screen as text, header and all rows that the filter leaves, nothing cut; a "
	  "report "
	  "of the time shown, since attach until then or of a span, as text, Markdown or a page; with a call tree or a span also all "
	  "stacks, as a flame graph (SVG), folded, for speedscope or pprof; all of the process from now on, until w ends it, and what "
	  "--flight keeps of it, as recordings for nettop replay. A file that is there stays.",
	  NULL },

	{ { '+' },
	  NT_DO_EXPAND,
	  NT_KEYS_TREE,
	  "+",
	  "+/- one",
	  "open",
	  "Show what was called from the row. Counters: choose which EventSources and Meters the target is asked for.",
	  NULL },
	{ { '-' }, NT_DO_COLLAPSE, NT_KEYS_TREE, "-", NULL, "close", "Hide it.", NULL },
	{ { 'e' },
	  NT_DO_BRANCH,
	  NT_KEYS_TREE,
	  "e",
	  "e branch",
	  "branch",
	  "Open the row and all below it; again: close it. Events: choose which, by the words that -e of nettop events takes (clr/GC*, "
	  "lttng/GC*, Shop-Orders/Taken, log:Shop.Cart=Debug), with blanks between them; none: those that nettop has anyway.",
	  NULL },
	{ { 'E', '*' }, NT_DO_ALL_BRANCHES, NT_KEYS_TREE, "E", "E all", "all", "Open all rows; again: close them.", NULL },
	{ { 'u' },
	  NT_DO_UNFOLD,
	  NT_KEYS_TREE,
	  "u",
	  "u unfold",
	  "unfold",
	  "Show what the runtime's own code calls of itself, too; else its first function stands for it.",
	  NULL },

	{ { ' ', 'p' },
	  NT_DO_PAUSE,
	  NT_KEYS_TIME,
	  "Space p",
	  "Space pause",
	  "pause",
	  "The figures freeze; sorting, filtering and measuring go on. Again: live.",
	  NULL },
	{ { '[' },
	  NT_DO_BACK,
	  NT_KEYS_TIME,
	  "[",
	  NULL,
	  "back",
	  "Back by an interval, as it was on every screen: up to a quarter of an hour. Measuring goes on; Space is live again.",
	  NULL },
	{ { ']' }, NT_DO_ON, NT_KEYS_TIME, "]", NULL, "on", "On by an interval.", NULL },
	{ { '{' }, NT_DO_MINUTE_BACK, NT_KEYS_TIME, "{", NULL, "minute back", "Back by a minute.", NULL },
	{ { '}' }, NT_DO_MINUTE_ON, NT_KEYS_TIME, "}", NULL, "minute on", "On by a minute.", NULL },
	{ { 't' },
	  NT_DO_TO_TIME,
	  NT_KEYS_TIME,
	  "t",
	  NULL,
	  "to a time",
	  "To the interval of a time: HH:MM:SS, or +SEC since the begin. A recording (nettop replay) is gone through up to there, or anew "
	  "from its begin; else that is of the last quarter of an hour.",
	  NULL },
	{ { 'm' },
	  NT_DO_MINUTES,
	  NT_KEYS_TIME,
	  "m",
	  NULL,
	  "minutes",
	  "The last quarter of an hour on one axis; Left and Right, [ ] { } go to an interval, Enter leads to the screens, which show that "
	  "one; from where x was pressed to there is a span, which all of them show then. Up and Down choose a part of an interval.",
	  NULL },
	{ { '=' },
	  NT_DO_DIFFERENCE,
	  NT_KEYS_TIME,
	  "=",
	  NULL,
	  "difference",
	  "Of two spans that are chosen among the minutes (m): the first = keeps one, the second one shows what is not in the other as it "
	  "was, beyond what each of both scatters by itself: CPU time of methods, types allocated, routes of requests, exceptions, waits "
	  "for "
	  "locks, methods compiled.",
	  NULL },
	{ { ',' }, NT_DO_SLOWER, NT_KEYS_TIME, ",", NULL, "slower", "A recording (nettop replay) at half its speed.", NULL },
	{ { '.' }, NT_DO_FASTER, NT_KEYS_TIME, ".", NULL, "faster", "At twice its speed.", NULL },
	{ { 'd' }, NT_DO_DELAY, NT_KEYS_TIME, "d", NULL, "interval", "Set the length of an interval in seconds.", NULL },
	{ { 'z' }, NT_DO_ZERO, NT_KEYS_TIME, "z", NULL, "zero", "Count from now on what is shown since attach.", NULL },

	{ { 'h', '?', NT_KEY_F1 }, NT_DO_HELP, NT_KEYS_PROGRAM, "? h", "? help", "help", "Keys and columns.", NULL },
	{ { 'L' },
	  NT_DO_LOG,
	  NT_KEYS_PROGRAM,
	  "L",
	  NULL,
	  "log",
	  "The log: the commands that bring what is missing, what nettop said, and what a program wrote that nettop run has started.",
	  NULL },
	{ { 'B', '#' },
	  NT_DO_HEADER,
	  NT_KEYS_PROGRAM,
	  "B",
	  NULL,
	  "header",
	  "The header in full, in three lines, in one line; without it the size of the terminal decides.",
	  NULL },
	{ { 'O' },
	  NT_DO_LIST,
	  NT_KEYS_PROGRAM,
	  "O",
	  NULL,
	  "processes",
	  "To the list of all .NET processes; Enter opens one of them, q ends.",
	  NULL },
	{ { 'Z' },
	  NT_DO_THEMES,
	  NT_KEYS_PROGRAM,
	  "Z",
	  NULL,
	  "colours",
	  "Choose the colours: by the terminal's background, dark, light, of high contrast, the terminal's own 16, none.",
	  NULL },
	{ { 'Y' },
	  NT_DO_BEFORE,
	  NT_KEYS_PROGRAM,
	  "Y",
	  NULL,
	  "before",
	  "The last screen of the process that was watched before this one and has ended, when this one has taken its place; again: back.",
	  NULL },
	{ { 'W' },
	  NT_DO_SAVE,
	  NT_KEYS_PROGRAM,
	  "W",
	  NULL,
	  "save",
	  "Keep what is chosen on the screens for the next time: columns, orders, groupings, window, header and the like; nettop config "
	  "shows all of it. "
	  "A file that somebody changed meanwhile is written at the second W.",
	  NULL },
	{ { CTRL('l'), CTRL('r') }, NT_DO_REPAINT, NT_KEYS_PROGRAM, "Ctrl-L", NULL, "redraw", "Paint the whole screen again.", NULL },
	{ { CTRL('z') }, NT_DO_SUSPEND, NT_KEYS_PROGRAM, "Ctrl-Z", NULL, "suspend", "Give the terminal back to the shell until fg.", NULL },
	{ { 'q', 'Q', NT_KEY_F10, CTRL('c') },
	  NT_DO_QUIT,
	  NT_KEYS_PROGRAM,
	  "q F10",
	  "q quit",
	  "quit",
	  "Restore the terminal and end; of a process that was opened from the list, go back there.",
	  NULL },

	/* Nothing else may take these, nor `:`, which is kept for commands by name. */
	LATER('J', "jumps", "Where a jump leads.", "jumps in the code of a method"),
	LATER('A', "alarm", "A mark and the bell when a figure passes a limit.", "alarms"),
	LATER('X', "source", "A source switched on or off.", "switching sources"),
};
const size_t nt_key_table_count = sizeof(nt_key_table) / sizeof(nt_key_table[0]);

const struct nt_key_entry *nt_key_entry(nt_key key)
{
	if (!key)
		return NULL;
	for (size_t i = 0; i < nt_key_table_count; i++)
		for (size_t k = 0; k < NT_KEYS_PER_ENTRY; k++)
			if (nt_key_table[i].keys[k] == key)
				return &nt_key_table[i];
	return NULL;
}

/* The first word of a text. */
static bool begins_with(const char *text, const char *word, size_t length)
{
	return text && strcspn(text, " ") == length && strncmp(text, word, length) == 0;
}

nt_key nt_key_called(const char *word, size_t length)
{
	for (size_t i = 0; i < nt_key_table_count; i++)
		if (begins_with(nt_key_table[i].caps, word, length) || begins_with(nt_key_table[i].hint, word, length))
			return nt_key_table[i].keys[0];
	return length == strlen("Ctrl-U") && strncmp(word, "Ctrl-", strlen("Ctrl-")) == 0 ? nt_key_ctrl(word[length - 1]) : NT_KEY_NONE;
}

enum nt_action nt_key_action(nt_key key)
{
	const struct nt_key_entry *entry = nt_key_entry(key);
	return entry ? entry->action : NT_DO_NOTHING;
}

bool nt_key_is_of_a_process(enum nt_action action)
{
	static const enum nt_action of_a_process[] = {
		NT_DO_VIEW_1,        NT_DO_VIEW_2,      NT_DO_VIEW_3,        NT_DO_VIEW_4,       NT_DO_VIEW_5,        NT_DO_VIEW_6,
		NT_DO_VIEW_7,        NT_DO_VIEW_8,      NT_DO_VIEW_9,        NT_DO_VIEW_0,       NT_DO_VIEW_COUNTERS, NT_DO_VIEW_IO,
		NT_DO_VIEW_REQUESTS, NT_DO_NEXT_VIEW,   NT_DO_PREVIOUS_VIEW, NT_DO_FINDING,      NT_DO_ANNOTATE,      NT_DO_WINDOW,
		NT_DO_RESTRICT,      NT_DO_HIDE_KERNEL, NT_DO_HIDE_USER,     NT_DO_MY_CODE,      NT_DO_RAW_NAMES,     NT_DO_ZERO,
		NT_DO_TO_TIME,       NT_DO_HEADER,      NT_DO_LIST,          NT_DO_LATER,        NT_DO_STACKS,        NT_DO_NATIVE,
		NT_DO_EXPAND,        NT_DO_COLLAPSE,    NT_DO_BRANCH,        NT_DO_ALL_BRANCHES, NT_DO_TURN,          NT_DO_TURN_BACK,
		NT_DO_UNFOLD,        NT_DO_HEAP,        NT_DO_DUMP,          NT_DO_BEFORE,       NT_DO_SLOWER,        NT_DO_FASTER,
		NT_DO_BACK,          NT_DO_ON,          NT_DO_MINUTE_BACK,   NT_DO_MINUTE_ON,    NT_DO_MINUTES,       NT_DO_DIFFERENCE,
	};
	for (size_t i = 0; i < sizeof(of_a_process) / sizeof(of_a_process[0]); i++)
		if (of_a_process[i] == action)
			return true;
	return false;
}

const char *nt_key_group_name(enum nt_key_group group)
{
	static const char *const names[NT_KEY_GROUP_COUNT] = { "MOVE", "SCREENS", "TABLE", "TREE", "TIME", "PROGRAM", "RESERVED" };
	return names[group];
}
