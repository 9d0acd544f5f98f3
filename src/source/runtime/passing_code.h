/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that may be freed (dynamic methods, assemblies that can be unloaded), look by look: two looks that find the same method say what lay there between them, one says nothing
 * of any time. A method that is freed and made again at the same place under the same name between two looks is taken for one.
 */
#ifndef NT_SOURCE_PASSING_CODE_H
#define NT_SOURCE_PASSING_CODE_H

#include "nettop/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Methods that are remembered; beyond, the one that was not looked at for the longest time is forgotten. */
enum { NT_PASSING_CODE_MOST = 4096 };

/* A method that a look has found. */
struct nt_passing_method {
	uint64_t start, size, name; /* of the name its hash */
	nt_time asked, answered;    /* the look was between these two */
};

struct nt_passing_code {
	struct nt_passing_method
		*known; /* owned; by start, none reaches into the next. `answered` of the first look that found it, `asked` of the newest */
	size_t count, capacity;
};

void nt_passing_code_fini(struct nt_passing_code *code);

/* A look has found it. Since when it is known to have been there, up to `asked`; NT_TIME_UNKNOWN: it is seen for the first time. */
nt_time nt_passing_code_saw(struct nt_passing_code *code, const struct nt_passing_method *method);

/* A look has found no method there. */
void nt_passing_code_missed(struct nt_passing_code *code, uint64_t address);

#endif
