/* SPDX-License-Identifier: GPL-2.0-only */
/* The sources of several processes: each opened once, and given each process while it is there. */
#ifndef NT_APP_MANY_SOURCES_H
#define NT_APP_MANY_SOURCES_H

#include "app/many/many.h"
#include "app/session/inputs.h"
#include "app/session/self_cost.h"
#include "nettop/source.h"
#include "target/process/target.h"

/* A process that the sources have. */
struct nt_many_target {
	struct nt_target *target;                /* owned; lent to the sources */
	nt_time gone;                            /* since when it is missed; 0 = it is there */
	bool wants_requests, wants_compilations; /* as its snapshot says; of the second only now */
	bool named;                              /* the sources that name its code have it, too */
	double load;                             /* its CPU samples, those of each interval half as much in the next one */
};

struct nt_many_sources {
	struct nt_source_config config;
	const struct nt_options *options;           /* borrowed */
	struct nt_source *sources[NT_SOURCE_COUNT]; /* owned; NULL = it is not used, or not yet */
	struct nt_many_target *targets;             /* owned */
	size_t target_count, target_capacity;
	bool samples;         /* somebody looks at what runs (many_samples.h) */
	bool end_missed;      /* one has ended, and what came last before that was not had */
	struct nt_loop *loop; /* borrowed; NULL = nobody watches the descriptors */
};

void nt_many_sources_init(struct nt_many_sources *sources, const struct nt_many_setup *setup);

/* Waits for what would harm a process if it were cut off. */
void nt_many_sources_fini(struct nt_many_sources *sources);

/* Stop all sources and read them to their end, until `deadline`. Returns whether all of it was read. */
bool nt_many_sources_finish(struct nt_many_sources *sources, struct nt_inputs *inputs, nt_time deadline);

/* Let go of all processes, and say of each that it is not told of any more. They may be added again. */
void nt_many_sources_rest_all(struct nt_many_sources *sources, struct nt_inputs *inputs);

/* This process; NULL: it is not watched, though another one with its pid may be. */
struct nt_many_target *nt_many_sources_target(const struct nt_many_sources *sources, const struct nt_process_row *row);

/* Give it to all sources that can be had of it; why one cannot is a SOURCE_STATE in `inputs`. One with its pid that is missed is let go of at once. Takes the target. */
void nt_many_sources_add(struct nt_many_sources *sources, struct nt_target *target, struct nt_inputs *inputs);

/* Ask each process for what there may be of it, as one that is watched alone is asked. */
void nt_many_sources_want(struct nt_many_sources *sources, const struct nt_snapshot *known);

/* It is missed: the sources may still tell of its end, then they let go of it. */
void nt_many_sources_miss(struct nt_many_sources *sources, const struct nt_process_row *row, nt_time now);
void nt_many_sources_let_go(struct nt_many_sources *sources, nt_time now);

void nt_many_sources_drain(struct nt_many_sources *sources, struct nt_inputs *inputs);
void nt_many_sources_tick(struct nt_many_sources *sources, nt_time now, bool closing);
nt_time nt_many_sources_rest(const struct nt_many_sources *sources, nt_time period);
void nt_many_sources_pace(struct nt_many_sources *sources, nt_time interval_ns);
void nt_many_sources_pause(struct nt_many_sources *sources);

/* ---- between the files of this room: one source ---- */

/* Give it one process, opening it if it is not open; say why it brings nothing of it. */
void nt_many_sources_give(struct nt_many_sources *sources, const struct nt_source_ops *ops, const struct nt_target *target,
			  struct nt_inputs *inputs);
void nt_many_sources_state(struct nt_inputs *inputs, enum nt_source_id id, uint32_t pid, enum nt_source_state state, const char *reason,
			   const char *fix);
void nt_many_sources_close(struct nt_many_sources *sources, enum nt_source_id id);

/* What nettop's helpers, and the processes, have paid for them so far is added. */
void nt_many_sources_cost(const struct nt_many_sources *sources, struct nt_ev_self *out);

#endif
