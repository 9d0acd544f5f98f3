/* SPDX-License-Identifier: GPL-2.0-only */
/* What there is of several processes that are watched: each of them, and the sources that have it. For src/app/many/ only. */
#ifndef NT_APP_MANY_TARGETS_H
#define NT_APP_MANY_TARGETS_H

#include "app/common/options.h"
#include "app/loop/loop.h"
#include "app/session/handover.h"
#include "nettop/event.h"
#include "nettop/source.h"
#include "target/process/target.h"

/* A process that the sources have. */
struct nt_many_target {
	struct nt_target *target;                /* owned; lent to the sources */
	nt_time gone;                            /* since when it is missed; 0 = it is there */
	bool wants_requests, wants_compilations; /* as its snapshot says; of the second only now */
	bool named;                              /* the sources that name its code have it, too */
	double load;                             /* its CPU samples, those of each interval half as much in the next one */
	enum nt_source_state lttng;              /* as LTTng says of it; UNUSED = it has not got it */
	struct nt_handover lttng_carries;        /* is that relied on? */
	unsigned demand;                         /* what EventPipe is asked for of it */
};

struct nt_many_sources {
	struct nt_source_config config;
	const struct nt_options *options;           /* borrowed */
	struct nt_source *sources[NT_SOURCE_COUNT]; /* owned; NULL = it is not used, or not yet */
	struct nt_many_target *targets;             /* owned */
	size_t target_count, target_capacity;
	struct nt_ev_self closed; /* what sources have cost that are closed: it stays in the sum */
	bool samples;             /* somebody looks at what runs (many_samples.h) */
	bool end_missed;          /* one has ended, and what came last before that was not had */
	struct nt_loop *loop;     /* borrowed; NULL = nobody watches the descriptors */
};

/* Where the process with this id is among the targets; target_count = it is not watched. */
static inline size_t nt_many_target_place(const struct nt_many_sources *sources, uint32_t pid)
{
	size_t i = 0;
	while (i < sources->target_count && sources->targets[i].target->pid != pid)
		i++;
	return i;
}

#endif
