/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording from its begin to its end, for a command that otherwise looks at a process (--replay). */
#ifndef NT_APP_REPLAY_THROUGH_H
#define NT_APP_REPLAY_THROUGH_H

#include "app/common/options.h"
#include "app/session/replayed.h"
#include "nettop/status.h"

/* What is wished of a file of another tool. */
static inline struct nt_open_wish nt_replay_opening(const struct nt_options *options)
{
	return (struct nt_open_wish){ .process = options->replay_process, .names = options->replay_names };
}

/* What a stranger's recording makes of itself in memory ends somewhere, and rights that reading it does not need go. Once, before it is opened. */
void nt_replay_prepare(void);

/*
 * `take` is given each snapshot, which is borrowed, until it says that it has enough (false) or the recording is over. What snapshots do not show of it goes to standard error.
 * Errors: those of the recording. What came before one has been taken.
 */
enum nt_status nt_replay_through(const char *path, const struct nt_replayed_wish *wish,
				 bool (*take)(void *context, const struct nt_replayed *replayed, struct nt_snapshot *snapshot),
				 void *context, struct nt_error *err);

/* CPU time that a sample of the recording stands for, in ns; 0 = it does not say. */
uint64_t nt_replay_sample_ns(const struct nt_snapshot *snapshot);

/* For nt_replayed_tell_end(): a line on standard error. */
void nt_replay_say(void *context, const char *line);

#endif
