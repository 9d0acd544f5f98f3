/* SPDX-License-Identifier: GPL-2.0-only */
/* One process of the list, examined: what is read of it seldom. Inside src/source/ only. */
#ifndef NT_SOURCE_PROCESS_EXAMINED_H
#define NT_SOURCE_PROCESS_EXAMINED_H

#include "nettop/process_row.h"
#include "source/common/hand.h"
#include "target/needs/facts.h"

struct nt_process_examined; /* owns the texts */

/* The errand of examining: may hang with the files of the process. */
struct nt_process_examination {
	struct nt_errand errand;
	char *proc_root; /* owned */
	uint32_t pid;
	unsigned perf_hz;                 /* 0 = no trial */
	struct nt_facts *machine;         /* owned copy: what does not depend on the process */
	struct nt_process_examined *done; /* owned; NULL when it is no .NET process, or gone */
};

/* Everything is copied. The caller's, until it is given to a hand that keeps it. */
struct nt_process_examination *nt_process_examination_new(const char *proc_root, uint32_t pid, unsigned perf_hz,
							  const struct nt_facts *machine);

void nt_process_examined_free(struct nt_process_examined *examined); /* NULL is allowed */

/* Whom it is of; borrowed. */
const struct nt_target *nt_process_examined_target(const struct nt_process_examined *examined);

/* Fill what it knows of a row, for `now`; the texts stay its own. */
void nt_process_examined_fill(const struct nt_process_examined *examined, nt_time now, struct nt_process_row *row);

#endif
