/* SPDX-License-Identifier: GPL-2.0-only */
/* What is done when a condition of --on comes true. */
#ifndef NT_APP_TRIGGER_ACTS_H
#define NT_APP_TRIGGER_ACTS_H

#include "app/common/options.h"
#include "app/session/tape.h"

/* Saved intervals of one run, at most; and intervals in a row in which a condition is not judged before that is said. */
enum { NT_TRIGGER_SAVES_MAX = 100, NT_TRIGGER_UNKNOWN_FOR = 10 };

struct nt_trigger_acts {
	struct nt_trigger triggers[NT_TRIGGERS_MAX];
	size_t count;
	uint64_t top;         /* rows of methods in what is saved */
	struct nt_tape *tape; /* borrowed: what keeps the last minutes; NULL = nobody does */
	unsigned saved;
	bool ends;                      /* one of them said exit */
	bool unjudged[NT_TRIGGERS_MAX]; /* nobody judges it, as was said */
};

/* Those of the options; nothing holds yet. `tape` is borrowed. */
struct nt_trigger_acts nt_trigger_acts_of(const struct nt_options *options, struct nt_tape *tape);

/*
 * An interval: do what is to be done; in the final one, which is none of its own, if the process has ended. `say` is given a line for people for each that fires and marks, saves or records.
 */
void nt_trigger_acts_look(struct nt_trigger_acts *acts, const struct nt_snapshot *snapshot, void (*say)(void *context, const char *line),
			  void *context);

/* For somebody who looks on, after nt_trigger_acts_look(): `say` is given a line for each condition that has just become one that nobody judges, or is no longer. */
void nt_trigger_acts_watch(struct nt_trigger_acts *acts, void (*say)(void *context, const char *line), void *context);

/* At the end: `say` is given a line for each condition that nobody could judge, because its figure was never known. */
void nt_trigger_acts_end(const struct nt_trigger_acts *acts, void (*say)(void *context, const char *line), void *context);

#endif
