/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What runs in the processes of a list, while somebody looks at that: samples of CPU time, by one event a CPU for all of them, and names of their methods. Names take a thread and two helper processes
 * for each process, so they are read of some only: those that were seen to run most. A process is asked for nothing: names are read in its memory and its files.
 */
#ifndef NT_APP_MANY_SAMPLES_H
#define NT_APP_MANY_SAMPLES_H

#include "app/many/many_sources.h"

/* Of so many processes at a time code is named. */
enum { NT_MANY_NAMED_MOST = 16 };

/* Begin with it, or end. `inputs`: NULL = there is no process yet. */
void nt_many_samples_want(struct nt_many_sources *sources, bool wanted, struct nt_inputs *inputs);

/* By what an interval has: whose code is named from now on, and whose no more. */
void nt_many_samples_name(struct nt_many_sources *sources, const struct nt_snapshot *known, struct nt_inputs *inputs);

/* Is its code? */
bool nt_many_samples_has_names(const struct nt_many_sources *sources, const struct nt_process_row *row);

/* Put questions for names. None goes to a runtime, which would have to work for its answer. */
void nt_many_samples_ask(struct nt_many_sources *sources, const struct nt_question *questions, size_t count);

#endif
