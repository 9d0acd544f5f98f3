/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When the runtime is asked for the list of its methods (a rundown): when code was sampled that only the list may name, once for each need and seldom, because the
 * target pays for it. A perf map that is about to come, and images that are about to be read, are waited for.
 */
#ifndef NT_MODEL_RUNDOWNS_H
#define NT_MODEL_RUNDOWNS_H

#include "model/common/span.h"
#include "nettop/snapshot.h"
#include "symbol/resolver.h"

struct nt_rundowns {
	nt_time needed_since; /* 0 = there is no need */
	nt_time next;         /* not before; 0 = none was asked for yet */
	nt_time pause_ns;     /* after the newest one */
	struct nt_rundown newest;
};

/* The end of one; `reason` is the table's. */
void nt_rundowns_ended(struct nt_rundowns *rundowns, const struct nt_ev_rundown *said, const char *reason);

/* Fill the snapshot's part, and add the question when it is time for it. */
void nt_rundowns_close(struct nt_rundowns *rundowns, const struct nt_span *span, struct nt_resolver *resolver, uint32_t pid,
		       struct nt_process_snapshot *process);

#endif
