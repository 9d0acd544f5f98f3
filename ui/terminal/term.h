/* SPDX-License-Identifier: GPL-2.0-only */
/* Room ui/terminal: the terminal; curses and terminfo. */
/*
 * The terminal: entered once, left once, shows grids, gives keys. The only part that knows curses (term_curses.c).
 *
 * The terminal is in raw mode while entered: Ctrl-C and Ctrl-Z come as keys, not as signals. Whoever owns the loop takes SIGWINCH (through a
 * signalfd: block it before) and then calls nt_term_size(). setlocale(LC_CTYPE) must have been called.
 */
#ifndef NT_UI_TERM_H
#define NT_UI_TERM_H

#include <stdbool.h>
#include <stdio.h>

#include "nettop/status.h"
#include "ui/screen/grid.h"
#include "ui/screen/keys.h"

struct nt_term;

struct nt_term_config {
	FILE *in, *out;      /* the terminal; stay the caller's */
	const char *type;    /* NULL = $TERM */
	enum nt_theme theme; /* AUTO: mono with NO_COLOR set and not empty, else by the background */
	bool mouse;          /* clicks and the wheel come as keys (nt_key_mouse()); the terminal then selects text with Shift only */
	bool slow;           /* at most NT_LINE_BYTES_PER_S are sent, and ASCII only */
	bool ascii;          /* ASCII only; also when the locale is not UTF-8 */
};

/* The type to take it for (NULL: $TERM): itself, or where terminfo does not know it but its name is that of an xterm's like, a type that it does. NULL = none is named. */
const char *nt_term_type(const char *type);

/* Why a terminal of this type (NULL: $TERM) cannot show a screen, in buf; NULL when it can. */
const char *nt_term_refusal(const char *type, char *buf, size_t size);

/*
 * Take the terminal over: alternate screen, raw mode, no echo. UNSUPPORTED when its type is not known. On success *out is the caller's. A pseudoterminal with 256 colours is
 * asked for its background where the theme depends on it; an answer within a second chooses the colours, a later one is passed over, and no part of either is given as a key. A serial line is not asked.
 */
enum nt_status nt_term_enter(const struct nt_term_config *config, struct nt_term **out, struct nt_error *err);

/* Give it back as it was. NULL is allowed. */
void nt_term_leave(struct nt_term *term);

/* Give it back for a while (Ctrl-Z: then stop yourself), and take it again; the next blit paints everything. */
void nt_term_suspend(struct nt_term *term);
void nt_term_resume(struct nt_term *term);

/* Other colours from now on; all is painted again. */
void nt_term_set_theme(struct nt_term *term, enum nt_theme theme);

/* The size now, asked from the kernel and told to curses. Call at start and on SIGWINCH. At least 1x1. */
void nt_term_size(struct nt_term *term, int *width, int *height);

/* The next key that was typed, NT_KEY_NONE when there is none. Waits only after an Escape, at most 25 ms: that pause tells a lone one from the
 * start of a longer key. Call until NONE when the input is readable. */
nt_key nt_term_key(struct nt_term *term);

/* Show the grid: sends only what changed. False: on a slow line not all of that yet; call again soon. A grid of another size than the terminal's is cut or leaves blanks. */
bool nt_term_blit(struct nt_term *term, const struct nt_grid *grid);

/* The terminal's content is unknown (Ctrl-L): the next blit paints everything. */
void nt_term_repaint(struct nt_term *term);

/* True when only ASCII is shown (ui/screen/ascii.h). */
bool nt_term_is_ascii(const struct nt_term *term);

#endif
