// SPDX-License-Identifier: GPL-2.0-only
/* Terminal types, as terminfo knows them. Apart from term_curses.c: <term.h> defines macros with everyday names. */
#include "ui/terminal/term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#include "base/text.h"

enum { NAME = 64 };

/* Of a capability that is text; terminfo says -1 for one that is none. */
static bool has(const char *capability)
{
	const char *text = tigetstr(capability);
	return text && text != (char *)-1;
}

static bool is_known(const char *type)
{
	int known;
	if (setupterm(type, STDOUT_FILENO, &known) != 0)
		return false;
	del_curterm(cur_term);
	return true;
}

/* Names that newer terminals have given themselves, and the types that they do all of; many a server's terminfo is older than they are. */
static const struct {
	const char *start, *types[2];
} families[] = {
	{ "tmux", { "screen-256color", "xterm-256color" } },
	{ "screen", { "screen-256color", "xterm-256color" } },
	{ "xterm", { "xterm-256color", "xterm" } },
	{ "alacritty", { "xterm-256color", "xterm" } },
	{ "contour", { "xterm-256color", "xterm" } },
	{ "foot", { "xterm-256color", "xterm" } },
	{ "ghostty", { "xterm-256color", "xterm" } },
	{ "gnome", { "xterm-256color", "xterm" } },
	{ "iterm", { "xterm-256color", "xterm" } },
	{ "kitty", { "xterm-256color", "xterm" } },
	{ "konsole", { "xterm-256color", "xterm" } },
	{ "mintty", { "xterm-256color", "xterm" } },
	{ "ms-terminal", { "xterm-256color", "xterm" } },
	{ "rio", { "xterm-256color", "xterm" } },
	{ "st-", { "xterm-256color", "xterm" } },
	{ "vte", { "xterm-256color", "xterm" } },
	{ "wezterm", { "xterm-256color", "xterm" } },
};

const char *nt_term_type(const char *type)
{
	if (!type)
		type = getenv("TERM");
	if (!type || !*type || is_known(type))
		return type;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		for (size_t t = 0; t < 2 && strncmp(type, families[i].start, strlen(families[i].start)) == 0; t++)
			if (is_known(families[i].types[t]))
				return families[i].types[t];
	return type;
}

const char *nt_term_refusal(const char *type, char *buf, size_t size)
{
	char name[NAME];
	int known;
	type = nt_term_type(type);
	if (!type || !*type) {
		snprintf(buf, size, "TERM names no terminal");
		return buf;
	}
	nt_text_escape(type, strlen(type), name, sizeof(name));
	if (setupterm(type, STDOUT_FILENO, &known) != 0) {
		snprintf(buf, size, "the terminal type '%s' is not known here (if it is like an xterm: TERM=xterm-256color)", name);
		return buf;
	}
	bool moves = has("cup");
	del_curterm(cur_term);
	if (moves)
		return NULL;
	snprintf(buf, size, "the terminal type '%s' cannot move its cursor", name);
	return buf;
}
