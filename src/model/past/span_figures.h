/* SPDX-License-Identifier: GPL-2.0-only */
/* The figures of a span of the past, by the table of subjects: counters as sums. */
#ifndef NT_MODEL_PAST_SPAN_FIGURES_H
#define NT_MODEL_PAST_SPAN_FIGURES_H

#include "nettop/snapshot.h"

/* Add the counters of an interval; `first`: there is none in it yet. One that is not known of one of them is not known. */
void nt_span_figures_add(struct nt_figures *sum, const struct nt_figures *interval, bool first);

/* What follows from the sums. */
void nt_span_figures_derive(struct nt_figures *sum, nt_time length);

/* What was so at the end of an interval. */
void nt_span_figures_take_states(struct nt_figures *figures, const struct nt_figures *interval);

/* Whose figures are not known has this reason. */
void nt_span_figures_explain(struct nt_figures *figures, const char *reason);

#endif
