/* SPDX-License-Identifier: GPL-2.0-only */
/* What was found in a span of the past, in any of its intervals; and what could be looked at in all of them. */
#ifndef NT_MODEL_PAST_SPAN_FINDINGS_H
#define NT_MODEL_PAST_SPAN_FINDINGS_H

#include "base/arena.h"
#include "nettop/snapshot.h"

/* All zero is one without findings. */
struct nt_span_findings {
	struct nt_finding *rows; /* owned; their texts lie in the arena */
	size_t count, capacity;
	const char *checked[NT_FINDING_SUBJECTS], *unchecked[NT_FINDING_SUBJECTS]; /* in all intervals; in one of them */
	size_t checked_count, unchecked_count;
	bool any;
};

void nt_span_findings_fini(struct nt_span_findings *findings);

/* Add those of an interval, from the newest to the oldest. `from`, `end`: of the span. */
void nt_span_findings_add(struct nt_span_findings *findings, const struct nt_snapshot *interval, const struct nt_process_snapshot *process,
			  nt_time from, nt_time end, struct nt_arena *arena);

/* Let these be the process's, the most important first: they lie in `arena`. */
void nt_span_findings_fill(struct nt_span_findings *findings, struct nt_arena *arena, struct nt_process_snapshot *process);

#endif
