/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/report: the report of `nettop report`. */
/*
 * All that was seen of a process, or in a span of the past that was chosen, as one text that people paste, or one page: findings with their evidence, tiles, the first rows of each table, what its threads do, what is missing,
 * with what it was started. It says nothing of its own: it reads what screen, frames and JSON read.
 */
#ifndef NT_OUTPUT_REPORT_WRITE_H
#define NT_OUTPUT_REPORT_WRITE_H

#include <stdio.h>

#include "nettop/snapshot.h"
#include "output/jit/jit_report.h"
#include "output/stacks/stacks_write.h"

/* Everything is borrowed. */
struct nt_report {
	/*
	 * The final one: what was seen since attach, and the findings that held before. While watching goes on any other one: what was seen until its end, with the findings of then. A span of
	 * the past (model/past/past_span.h): what was in it, and nothing that is since attach.
	 */
	const struct nt_snapshot *whole;
	bool is_span;
	const struct nt_snapshot *last; /* the last interval in which everything was open; `whole` where there was none, and of a span */
	const struct nt_jit_report *started_with; /* of it only the settings */
	const char *version;                      /* nettop's */
	const struct nt_stacks *stacks;           /* of its CPU samples: for the flame graph of a page; NULL = none, */
	const char *no_stacks;                    /* and why, in a sentence; NULL = there were no samples */
	size_t rows;                              /* of each table at most */
	int64_t realtime_offset_ns;               /* nt_clock_realtime_offset(), for times */
};

enum nt_report_form {
	NT_REPORT_TEXT,
	NT_REPORT_MARKDOWN, /* with headings, and everything else that may hold texts of the target as code, which no sign in them ends */
	NT_REPORT_HTML,     /* one page that needs nothing else, with the flame graph in it */
};

/* For people. Control characters are escaped in each form. Write errors stay in the stream (ferror). */
void nt_report_write(FILE *out, const struct nt_report *report, enum nt_report_form form);

#endif
