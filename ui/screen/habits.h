/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keys of top, htop and less: what who comes from there expects, and whether that happens. What does not is said: by the key itself where it has no other meaning, else at the end of the help. One table: the screen, doc/CARD.md
 * and the tests read it.
 */
#ifndef NT_UI_HABITS_H
#define NT_UI_HABITS_H

#include "ui/screen/keys.h"

struct nt_habit {
	nt_key key;
	const char *caps; /* as people write it */
	const char *of;   /* whose key it is: "top htop" */
	const char *expects;
	enum nt_action action; /* what it does here; NT_DO_NOTHING: it says `instead` */
	const char *instead;   /* what does what is expected, or why nothing does; NULL: the key does */
};

extern const struct nt_habit nt_habits[];
extern const size_t nt_habit_count;

/* What to say of a key that has no meaning here; NULL = nothing is known of it. */
const char *nt_habit_word(nt_key key);

#endif
