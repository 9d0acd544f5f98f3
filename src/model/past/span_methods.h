/* SPDX-License-Identifier: GPL-2.0-only */
/* The methods of a span of the past, from the samples that lie in it. */
#ifndef NT_MODEL_PAST_SPAN_METHODS_H
#define NT_MODEL_PAST_SPAN_METHODS_H

#include "base/index.h"
#include "nettop/snapshot.h"

/* All zero is one without samples. */
struct nt_span_methods {
	struct nt_method_row *rows; /* owned; their texts are not */
	uint64_t *counted;          /* owned: of each row, in which stack it last was */
	size_t count, capacity, counted_capacity;
	struct nt_index by_id;
	uint64_t stacks;  /* counted so far */
	uint64_t samples; /* all that lie in it */
};

void nt_span_methods_fini(struct nt_span_methods *methods);

/* So much later an interval may count a sample: one that waited for its method's name, or came late. */
#define NT_SPAN_LATE_NS (4 * NT_NS_PER_S)

/* Are all samples told that were taken in the interval? Of one that was sampled in part nobody knows in which: it is said that they are not. */
bool nt_span_samples_are_told(const struct nt_snapshot *interval, const struct nt_process_snapshot *process);

/* Count those of an interval's samples that were taken in [from, to). Intervals from the newest to the oldest: names are the newest. Texts are copied to `arena`. */
void nt_span_methods_add(struct nt_span_methods *methods, const struct nt_snapshot *interval, const struct nt_process_snapshot *process,
			 nt_time from, nt_time to, void *arena);

/* Let these be the process's methods: they lie in `arena`. */
void nt_span_methods_fill(const struct nt_span_methods *methods, void *arena, struct nt_process_snapshot *process);

#endif
