// SPDX-License-Identifier: GPL-2.0-only
/* Terminal types, as terminfo knows them. Apart from term_curses.c: <term.h> defines macros with everyday names. */
#include "ui/term.h"

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

const char *nt_term_refusal(const char *type, char *buf, size_t size)
{
	char name[NAME];
	int known;
	if (!type)
		type = getenv("TERM");
	if (!type || !*type) {
		snprintf(buf, size, "TERM names no terminal");
		return buf;
	}
	nt_text_escape(type, strlen(type), name, sizeof(name));
	if (setupterm(type, STDOUT_FILENO, &known) != 0) {
		snprintf(buf, size, "the terminal type '%s' is not known here", name);
		return buf;
	}
	bool moves = has("cup");
	del_curterm(cur_term);
	if (moves)
		return NULL;
	snprintf(buf, size, "the terminal type '%s' cannot move its cursor", name);
	return buf;
}
