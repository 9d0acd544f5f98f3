/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counting from a chosen moment (key z): what the totals were then, and what they are without that. Only what the screen shows changes; the
 * figures that nettop measures go on as they are.
 */
#ifndef NT_UI_ZERO_H
#define NT_UI_ZERO_H

#include "nettop/snapshot.h"

struct nt_zero;

/* Remember the totals of a process now. */
struct nt_zero *nt_zero_new(const struct nt_process_snapshot *process, nt_time at);
void nt_zero_free(struct nt_zero *zero); /* NULL is allowed */

nt_time nt_zero_time(const struct nt_zero *zero);

/* Must see every snapshot: a row that was left out at the zero comes back with all it had before. */
void nt_zero_see(struct nt_zero *zero, const struct nt_process_snapshot *process);

/*
 * A copy of `process` whose since-attach figures of methods, compilations, exceptions, locks, allocations and generations count from the zero on. Those rows, but
 * the generations, are owned by `zero` and hold until the next call; everything else is borrowed from `process`.
 */
struct nt_process_snapshot nt_zero_apply(struct nt_zero *zero, const struct nt_process_snapshot *process);

#endif
