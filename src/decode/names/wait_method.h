/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Methods and functions in which threads wait. A wait has many frames that say how it is done, and a few that say what for and where: the first frame that is
 * no means of waiting is the place, and the outermost means says what is waited for (Task.Wait, not the futex below it).
 */
#ifndef NT_DECODE_WAIT_METHOD_H
#define NT_DECODE_WAIT_METHOD_H

#include <stdbool.h>

#include "nettop/wait.h"

enum nt_wait_part {
	NT_WAIT_PART_NONE,  /* has nothing to do with waiting */
	NT_WAIT_PART_MEANS, /* a means of waiting: the place is further out */
	NT_WAIT_PART_FINAL, /* likewise; whatever lies further out, that is what is waited for: a collection, a page */
	NT_WAIT_PART_LOOP,  /* waits for work: who waits in it has nothing to do */
};

struct nt_wait_method {
	enum nt_wait_part part;
	enum nt_wait_kind kind; /* NT_WAIT_UNKNOWN: it does not say for what */
};

/* `name` as people read it: `System.Threading.Tasks.Task<int>.GetResultCore(bool)`, `futex_wait_queue`; NULL is allowed. Pure. */
struct nt_wait_method nt_wait_method_of(const char *name);

#endif
