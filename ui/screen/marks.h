/* SPDX-License-Identifier: GPL-2.0-only */
/* The signs on a screen, and what each means: one table. The help begins with it, doc/CARD.md has it. */
#ifndef NT_UI_MARKS_H
#define NT_UI_MARKS_H

#include <stddef.h>

struct nt_mark {
	const char *sign, *means;
};

extern const struct nt_mark nt_marks[];
extern const size_t nt_mark_count;

#endif
