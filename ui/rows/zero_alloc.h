/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocations counted from a chosen moment: what zero.h is about, for the rows of screen 5. */
#ifndef NT_UI_ZERO_ALLOC_H
#define NT_UI_ZERO_ALLOC_H

#include "nettop/snapshot.h"

struct nt_zero_alloc;

/* Remember the sums of a process now. */
struct nt_zero_alloc *nt_zero_alloc_new(const struct nt_process_snapshot *process);
void nt_zero_alloc_free(struct nt_zero_alloc *zero); /* NULL is allowed */

/* Take them from the sums since attach in `out`. Its rows are then owned by `zero` and hold until the next call. */
void nt_zero_alloc_apply(struct nt_zero_alloc *zero, struct nt_process_snapshot *out);

#endif
