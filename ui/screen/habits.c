// SPDX-License-Identifier: GPL-2.0-only
#include "ui/screen/habits.h"

#define CTRL(letter) ((nt_key)((letter)&0x1f))

static const char no_signals[] = "nettop sends no signals: kill PID in a shell";
static const char no_priorities[] = "nettop changes no priorities: renice in a shell";
static const char no_affinity[] = "The instructions of a method; nettop changes no affinity: taskset in a shell";

const struct nt_habit nt_habits[] = {
	{ 'q', "q", "top htop less", "quit", NT_DO_QUIT, NULL },
	{ 'Q', "Q", "less", "quit", NT_DO_QUIT, NULL },
	{ CTRL('c'), "Ctrl-C", "top htop", "quit", NT_DO_QUIT, NULL },
	{ NT_KEY_F10, "F10", "htop", "quit", NT_DO_QUIT, NULL },
	{ 'h', "h", "top htop less", "help", NT_DO_HELP, NULL },
	{ '?', "?", "top htop", "help", NT_DO_HELP, NULL },
	{ NT_KEY_F1, "F1", "htop", "help", NT_DO_HELP, NULL },
	{ NT_KEY_UP, "Up", "top htop less", "one row up", NT_DO_UP, NULL },
	{ NT_KEY_DOWN, "Down", "top htop less", "one row down", NT_DO_DOWN, NULL },
	{ 'j', "j", "less", "one row down", NT_DO_DOWN, NULL },
	{ CTRL('n'), "Ctrl-N", "htop less", "one row down", NT_DO_DOWN, NULL },
	{ CTRL('p'), "Ctrl-P", "htop less", "one row up", NT_DO_UP, NULL },
	{ NT_KEY_PAGE_UP, "PgUp", "top htop less", "one page up", NT_DO_PAGE_UP, NULL },
	{ NT_KEY_PAGE_DOWN, "PgDn", "top htop less", "one page down", NT_DO_PAGE_DOWN, NULL },
	{ 'f', "f", "less", "one page down", NT_DO_PAGE_DOWN, NULL },
	{ 'b', "b", "less", "one page up", NT_DO_PAGE_UP, NULL },
	{ CTRL('f'), "Ctrl-F", "less", "one page down", NT_DO_PAGE_DOWN, NULL },
	{ CTRL('b'), "Ctrl-B", "less", "one page up", NT_DO_PAGE_UP, NULL },
	{ NT_KEY_HOME, "Home", "top htop less", "to the first row", NT_DO_FIRST, NULL },
	{ NT_KEY_END, "End", "top htop less", "to the last row", NT_DO_LAST, NULL },
	{ 'g', "g", "less", "to the first row", NT_DO_FIRST, NULL },
	{ 'G', "G", "less", "to the last row", NT_DO_LAST, NULL },
	{ '/', "/", "htop less", "find", NT_DO_FILTER, NULL },
	{ NT_KEY_F3, "F3", "htop", "find", NT_DO_FILTER, NULL },
	{ '\\', "\\", "htop", "filter", NT_DO_FILTER, NULL },
	{ NT_KEY_F4, "F4", "htop", "filter", NT_DO_FILTER, NULL },
	{ 'n', "n", "less", "the next match", NT_DO_NEXT_MATCH, NULL },
	{ 'N', "N", "less", "the match before", NT_DO_PREVIOUS_MATCH, NULL },
	{ NT_KEY_F6, "F6", "htop", "choose what to sort by", NT_DO_SORT_MENU, NULL },
	{ '<', "<", "top", "sort by the column to the left", NT_DO_SORT_LEFT, NULL },
	{ '>', ">", "top", "sort by the column to the right", NT_DO_SORT_RIGHT, NULL },
	{ 'P', "P", "top htop", "sort by CPU", NT_DO_SORT_CPU, NULL },
	{ 'M', "M", "top htop", "sort by memory", NT_DO_SORT_MEMORY, NULL },
	{ 'T', "T", "top htop", "sort by time", NT_DO_SORT_TIME, NULL },
	{ 'I', "I", "htop", "turn the order round", NT_DO_REVERSE, NULL },
	{ 'd', "d", "top", "set the interval", NT_DO_DELAY, NULL },
	{ 'Z', "Z", "top", "colours", NT_DO_THEMES, NULL },
	{ 'W', "W", "top", "keep what is chosen", NT_DO_SAVE, NULL },
	{ 'K', "K", "htop", "hide the kernel", NT_DO_HIDE_KERNEL, NULL },
	{ 'F', "F", "htop", "follow the row", NT_DO_FOLLOW, NULL },
	{ '+', "+", "htop", "open a branch", NT_DO_EXPAND, NULL },
	{ '-', "-", "htop", "close a branch", NT_DO_COLLAPSE, NULL },
	{ CTRL('l'), "Ctrl-L", "top htop less", "paint again", NT_DO_REPAINT, NULL },
	{ NT_KEY_F2, "F2", "htop", "set up", NT_DO_NOTHING, "C chooses columns, Z colours; W keeps them" },
	{ NT_KEY_F5, "F5", "htop", "tree", NT_DO_NOTHING, "Enter on a method opens its call tree" },
	{ 't', "t", "htop top", "tree; CPU meters", NT_DO_NOTHING, "Enter on a method opens its call tree; B changes the header" },
	{ NT_KEY_F7, "F7", "htop", "higher priority", NT_DO_NOTHING, no_priorities },
	{ NT_KEY_F8, "F8", "htop", "lower priority", NT_DO_NOTHING, no_priorities },
	{ NT_KEY_F9, "F9", "htop", "kill", NT_DO_NOTHING, no_signals },
	{ '\'', "'", "less", "to a mark", NT_DO_NOTHING, "No marks here: / filters, n goes on, F follows the selected row" },
	{ CTRL('d'), "Ctrl-D", "less", "half a page down", NT_DO_NOTHING, "PgDn: a page" },
	{ CTRL('u'), "Ctrl-U", "less", "half a page up", NT_DO_NOTHING, "PgUp: a page" },
	{ 'k', "k", "top htop", "kill", NT_DO_UP, no_signals },
	{ ' ', "Space", "top less htop", "look now; a page down; tag", NT_DO_PAUSE,
	  "PgDn is a page; figures come by themselves, Space holds them" },
	{ 'r', "r", "top", "renice", NT_DO_RAW_NAMES, no_priorities },
	{ 'R', "R", "top", "turn the order round", NT_DO_VIEW_REQUESTS, "I turns it round" },
	{ 'u', "u", "top htop", "one user's", NT_DO_UNFOLD, "O is the list of processes, / filters it" },
	{ 'H', "H", "top htop", "threads", NT_DO_HEAP, "4 shows the threads, x t one thread's methods" },
	{ 'V', "V", "top", "forest", NT_DO_TURN_BACK, "Enter on a method opens its call tree" },
	{ 'c', "c", "top", "command lines", NT_DO_VIEW_COUNTERS, "Enter on a row of the list (O) tells all of it" },
	{ 'a', "a", "htop", "CPU affinity", NT_DO_ANNOTATE, no_affinity },
	{ 's', "s", "htop", "calls of the system", NT_DO_SORT_MENU, "i counts them; nettop traces none" },
	{ 'l', "l", "htop top", "open files; load", NT_DO_NATIVE, "i has what is open, the tile HOST what the machine does" },
};
const size_t nt_habit_count = sizeof(nt_habits) / sizeof(nt_habits[0]);

const char *nt_habit_word(nt_key key)
{
	for (size_t i = 0; i < nt_habit_count; i++)
		if (nt_habits[i].key == key)
			return nt_habits[i].instead;
	return NULL;
}
