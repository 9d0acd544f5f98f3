/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop replay`: a recording, given to a model again. */
#ifndef NT_APP_REPLAY_COMMAND_H
#define NT_APP_REPLAY_COMMAND_H

#include "app/common/options.h"

/* Frames, or lines of JSON, as they were when it was recorded. Returns the exit status: FAILURE also for a recording that is damaged, when what comes before has been shown. */
int nt_replay_command(struct nt_options *options, struct nt_error *err);

#endif
