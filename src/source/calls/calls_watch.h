/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls of one process that read, write, open and connect, while somebody looks: the sums of calls_program.h are read now and then, and what they have grown by becomes CALLS events. Of some of them it is told where they came from: CALLER.
 */
#ifndef NT_SOURCE_CALLS_WATCH_H
#define NT_SOURCE_CALLS_WATCH_H

#include "source/common/outbox.h"
#include "target/process/target.h"

struct nt_calls_watch;

/* From now on. `target` is borrowed, `config` for the call. An error: it cannot be had here, the sentence says why. */
enum nt_status nt_calls_watch_new(const struct nt_target *target, const struct nt_source_config *config, struct nt_calls_watch **out,
				  struct nt_error *err);
void nt_calls_watch_free(struct nt_calls_watch *watch); /* NULL is allowed */

/*
 * Tell of what was counted since the call before: CALLS, CALLER and CALLS_TOLD. `dir_fd` is of /proc/PID, cpu_ns the target's CPU time so far. `last`: there is no later one; else it rests so long that it costs no more than 0.5 % of a CPU, and tells nothing meanwhile.
 */
void nt_calls_watch_tell(struct nt_calls_watch *watch, int dir_fd, uint64_t cpu_ns, bool last, struct nt_outbox *box);

/* Does it cost the target more than it may, as of the last nt_calls_watch_tell()? Says so as reason and fix. */
bool nt_calls_watch_is_too_dear(const struct nt_calls_watch *watch, struct nt_probe *out);

/* What it has cost the target so far, an estimate. NULL is allowed. */
uint64_t nt_calls_watch_paid_ns(const struct nt_calls_watch *watch);

/* Add what is used for it beside this thread. NULL is allowed. */
void nt_calls_watch_cost(const struct nt_calls_watch *watch, struct nt_source_stats *out);

#endif
