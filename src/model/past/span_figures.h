/* SPDX-License-Identifier: GPL-2.0-only */
/* The figures of a span of the past, by the table of subjects. */
#ifndef NT_MODEL_PAST_SPAN_FIGURES_H
#define NT_MODEL_PAST_SPAN_FIGURES_H

#include "base/arena.h"
#include "nettop/snapshot.h"

/* Add an interval of so many ns; they come from the newest to the oldest, `first`: there is none in it yet. A sum is not known that is not known of one of them. Texts are copied to `arena`. */
void nt_span_figures_add(struct nt_figures *sum, const struct nt_figures *interval, nt_time length, bool first, struct nt_arena *arena);

/* What follows from the sums, when all are there. */
void nt_span_figures_derive(struct nt_figures *sum, nt_time length);

/* What was so at the end of an interval. */
void nt_span_figures_take_states(struct nt_figures *figures, const struct nt_figures *interval);

/* Whose figures are not known has this reason. */
void nt_span_figures_explain(struct nt_figures *figures, const char *reason);

#endif
