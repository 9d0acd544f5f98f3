/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/lttng: the runtime's events over LTTng. */
/* What app/ may ask of the LTTng source beyond struct nt_source_ops. */
#ifndef NT_SOURCE_LTTNG_H
#define NT_SOURCE_LTTNG_H

#include "nettop/source.h"
#include "source/lttng/lttng_telling.h"
#include "target/launch/follow.h"

/*
 * Begin before there is a program to watch: `command` is a process of ours that waits to be executed. What becomes of it is traced from its first event
 * on. `follow` NULL: the program will run in the process of the command. Else it decides which process is the program; until then all processes of
 * the user that LTTng reaches write into the session, and what is not the program's is left out. `config` is borrowed, *out is the caller's.
 */
enum nt_status nt_lttng_open_early(const struct nt_source_config *config, const struct nt_target *command, struct nt_follow *follow,
				   struct nt_source **out, struct nt_error *err);

/* Has tracing begun, or will it never? Until then the command must wait. */
bool nt_lttng_is_ready(struct nt_source *source);

/* The program runs and is one that LTTng reaches: from now on its silence is a fault. */
void nt_lttng_target_runs(struct nt_source *source);

/*
 * A source that tells what is chosen by name, one event after the other, and enables nothing else. What it tells is taken from *telling, which is borrowed until the source is closed; its batches say
 * of the source itself only, and have to be given back. *out is the caller's.
 */
enum nt_status nt_lttng_open_told(const struct nt_source_config *config, const struct nt_lttng_chosen *chosen, struct nt_source **out,
				  struct nt_lttng_telling **telling, struct nt_error *err);

/*
 * CPU time, ns, that the LTTng daemons (session daemon, consumer, our relay) have used since they serve us. `source` must be one of
 * nt_source_lttng. Cheap: reads three files of /proc. *known is false before the daemons are there.
 */
uint64_t nt_lttng_daemons_cpu_ns(struct nt_source *source, bool *known);

#endif
