/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What single requests, and work items of the thread pool, cost the target is bounded, each for itself: --max-target-cost percent of the CPU time that it uses without them, where they cost more than 1 % of a CPU. By
 * prices (source/common/price.h): an estimate. Two looks in a row decide, so that a late piece of the stream ends nothing.
 */
#ifndef NT_SOURCE_EVENTPIPE_LIMIT_H
#define NT_SOURCE_EVENTPIPE_LIMIT_H

#include <stdbool.h>

#include "nettop/clock.h"
#include "nettop/source.h"

/* All zero is one that has not looked yet, and is within the limit. */
struct nt_eventpipe_limit {
	nt_time looked;           /* 0 = never */
	uint64_t paid_ns, cpu_ns; /* as of that look */
	unsigned over_count;      /* looks in a row that found more */
	double dear_pct;          /* over the limit: what they cost then; 0 = within it */
};

/* What has been paid so far, and the target's CPU time so far: looked at once a second. True: they are over the limit from now on, until it is all zero again. */
bool nt_eventpipe_limit_look(struct nt_eventpipe_limit *limit, uint64_t paid_ns, uint64_t cpu_ns, unsigned most_pct, nt_time now);

/* CPU time of a process so far, from its clock; one that cannot be read has used none. */
uint64_t nt_eventpipe_limit_cpu_ns(uint32_t pid);

/* The same of a process. */
bool nt_eventpipe_limit_is_over(struct nt_eventpipe_limit *limit, uint64_t paid_ns, uint32_t pid, unsigned most_pct, nt_time now);

/* UNSUPPORTED: events that somebody has named were ended for that. `over`: by which way, " over LTTng", or "". Only when over the limit. */
enum nt_status nt_eventpipe_limit_refuse(const struct nt_eventpipe_limit *limit, const char *over, struct nt_error *err);

/* Why they (`what`: "single requests") are asked for no longer, and what to do, as sentences. Only when over the limit. */
void nt_eventpipe_limit_tell(const struct nt_eventpipe_limit *limit, const char *what, struct nt_probe *out);

#endif
