/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Batches as text, completely: every event on a line with every field by its name in include/nettop/event.h. For bug reports, for looking at one
 * source alone, and as what tests compare. Equal batches give equal text; nothing in it depends on the machine or the time of printing.
 *
 *   4094.406686021 lttng contention-stop v1 pid=4711 tid=4733 lock_id=0x0 ... duration_ns=1834 flags=0 duration_known=1
 */
#ifndef NT_OUTPUT_DETAILS_H
#define NT_OUTPUT_DETAILS_H

#include <stdio.h>

#include "nettop/event.h"

struct nt_details;

/* A writer keeps the texts and chains that its batches announced, so the batches of a source must all come through the same one, in order. */
struct nt_details *nt_details_new(FILE *out);     /* `out` is borrowed for the writer's life */
void nt_details_free(struct nt_details *details); /* NULL is allowed */

/* Write one line per event. An id that was never announced prints as `?ID`. */
void nt_details_write(struct nt_details *details, const struct nt_batch *batch);

#endif
