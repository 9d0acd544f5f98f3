/* SPDX-License-Identifier: GPL-2.0-only */
/* The sources of several processes: each opened once, and given each process while it is there. */
#ifndef NT_APP_MANY_SOURCES_H
#define NT_APP_MANY_SOURCES_H

#include "app/many/many.h"
#include "app/many/many_targets.h"
#include "app/session/inputs.h"

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

/* It is missed: the sources may still tell of its end, then they let go of it. */
void nt_many_sources_miss(struct nt_many_sources *sources, const struct nt_process_row *row, nt_time now);
void nt_many_sources_let_go(struct nt_many_sources *sources, nt_time now);

void nt_many_sources_drain(struct nt_many_sources *sources, struct nt_inputs *inputs);
void nt_many_sources_tick(struct nt_many_sources *sources, nt_time now, bool closing);
nt_time nt_many_sources_rest(const struct nt_many_sources *sources, nt_time period);
void nt_many_sources_pace(struct nt_many_sources *sources, nt_time interval_ns);
void nt_many_sources_pause(struct nt_many_sources *sources);

/* ---- between the files of this room: one source ---- */

/* Give it one process, opening it if it is not open; say why it brings nothing of it. Returns whether it has it. */
bool nt_many_sources_give(struct nt_many_sources *sources, const struct nt_source_ops *ops, const struct nt_target *target,
			  struct nt_inputs *inputs);
void nt_many_sources_state(struct nt_inputs *inputs, enum nt_source_id id, uint32_t pid, enum nt_source_state state, const char *reason,
			   const char *fix);
void nt_many_sources_close(struct nt_many_sources *sources, enum nt_source_id id);

/* What nettop's helpers, and the processes, have paid for them so far is added. */
void nt_many_sources_cost(const struct nt_many_sources *sources, struct nt_ev_self *out);

#endif
