/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is pasted, among the keys: the terminal says where it begins and ends (bracketed paste), so that no character of it is taken for a key. Whoever copied a line with `q` in it has not asked for the end. An
 * end that never comes does not keep the keyboard: a paste without a character of text for NT_PASTE_PAUSE_NS is over, whatever other keys are pressed. Pure.
 */
#ifndef NT_UI_TERM_PASTE_H
#define NT_UI_TERM_PASTE_H

#include "nettop/clock.h"
#include "ui/screen/keys.h"

#include <stdbool.h>

/* What switches it on and off, and what the terminal then sends around a paste. */
#define NT_PASTE_ON    "\033[?2004h"
#define NT_PASTE_OFF   "\033[?2004l"
#define NT_PASTE_BEGIN "\033[200~"
#define NT_PASTE_END   "\033[201~"

#define NT_PASTE_PAUSE_NS (5 * NT_NS_PER_S)

/* All zero: nothing is being pasted. */
struct nt_paste {
	nt_time at; /* of its last character */
};

enum nt_paste_step {
	NT_PASTE_IS_KEY,  /* it was typed */
	NT_PASTE_IS_TEXT, /* a character of a paste */
	NT_PASTE_DROPPED, /* begin or end of one, or what is none of a text in it: a control character, or one of the sequences that keys send */
};

/* The next key, or what stands for NT_PASTE_BEGIN and NT_PASTE_END. */
enum nt_paste_step nt_paste_take(struct nt_paste *paste, nt_key key, nt_time now);

#endif
