/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/findings: judgements. */
/*
 * Findings: what is out of its usual range. One table says when (findings.c), three files in which words (findings_text.c, requests_text.c, growth_text.c), one which rows are
 * concerned (findings_rows.c).
 *
 * A rule holds in a step when one of its conditions does; a quantity that is not known never does. A finding begins when its rule holds for 3 s
 * of the last 5 (two steps, if steps are longer) and ends when it has not held for 10 s, so that it does not flicker.
 */
#ifndef NT_MODEL_FINDINGS_H
#define NT_MODEL_FINDINGS_H

#include "model/findings/blame.h"
#include "model/findings/evidence.h"
#include "model/locks/lock_waits.h"

enum { NT_FINDING_TEXT = 1024, NT_FINDING_FORMS = 3 };

/* All of the limits hold, the first one is what is shown. */
struct nt_condition {
	enum nt_finding_kind kind;
	struct nt_limit {
		enum nt_quantity quantity;
		double at_least;
	} limits[NT_FINDING_LIMITS]; /* the rest: NT_QUANTITY_NONE */
};

struct nt_finding_state {
	uint32_t held;      /* bit n: it held n steps ago */
	nt_time held_since; /* begin of the first of them in this run */
	nt_time held_until; /* end of the last one */
	bool active, ever;
	struct nt_finding said;                        /* its texts lie here: */
	char texts[NT_FINDING_FORMS][NT_FINDING_TEXT]; /* long, short, brief */
	uint64_t thread_id;                            /* of the row that it is about; 0 = none */
};

struct nt_findings {
	const struct nt_lock_waits *waits;  /* borrowed */
	const struct nt_kept_figures *kept; /* borrowed */
	struct nt_evidence evidence;
	struct nt_finding_state states[NT_FINDING_KIND_COUNT];
	nt_time quiet_since;
	uint32_t checked; /* bits of the subjects (findings.c): known in the last step */
	bool looked;      /* there was one */
};

void nt_findings_init(struct nt_findings *findings, const struct nt_lock_waits *waits, const struct nt_kept_figures *kept, nt_time start);

/* An interval is over, and everything else is in the snapshot and in what is kept. Fills findings and quiet_since, and marks rows. */
void nt_findings_close(struct nt_findings *findings, const struct nt_span *span, struct nt_snapshot *snapshot,
		       struct nt_process_snapshot *process);

/* ---- for findings*.c only ---- */

/* What a finding is told by. */
struct nt_case {
	const struct nt_findings *findings;
	const struct nt_process_snapshot *process;
	const struct nt_step *step;
	const struct nt_condition *condition; /* that holds */
	const struct nt_thread_row *thread;   /* of a finding about one; NULL = it is about the process */
	size_t thread_count;                  /* to how many threads the same happens */
};

/* Write the three forms of the sentence; the others: of those about growth, and about requests. */
void nt_findings_tell(const struct nt_case *about, enum nt_finding_kind kind, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT]);

void nt_findings_tell_growth(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT]);
void nt_findings_tell_failures(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT]);
void nt_findings_tell_connection_pool(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT]);
void nt_findings_tell_connections(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT]);
void nt_findings_tell_slow(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT]);

/* The collections that a finding about them is about. */
struct nt_blame_gc nt_findings_gc(const struct nt_case *about);

/* The row to select on the finding's screen. */
struct nt_u64 nt_findings_row(const struct nt_case *about, enum nt_finding_kind kind);

/* Mark the rows that an active finding is about. */
void nt_findings_mark(const struct nt_finding_state *state, struct nt_process_snapshot *process);

#endif
