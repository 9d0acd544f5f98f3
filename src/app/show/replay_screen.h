/* SPDX-License-Identifier: GPL-2.0-only */
/* The full screen of a recording (`nettop replay`). */
#ifndef NT_APP_REPLAY_SCREEN_H
#define NT_APP_REPLAY_SCREEN_H

#include "app/common/options.h"
#include "app/keeper/keeper.h"
#include "app/session/replayed.h"

/*
 * Before the recording is opened, and when the rights are gone: the keeper, which is there for the terminal alone, has no more of them than whoever reads the file then. The guard ends a nettop that a
 * recording keeps busy. *keeper is the caller's for nt_replay_screen_end() also after an error; NULL when there is none.
 */
enum nt_status nt_replay_screen_begin(struct nt_keeper **keeper, struct nt_error *err);
void nt_replay_screen_end(struct nt_keeper *keeper); /* NULL is allowed */

/*
 * Show a recording that has settings, at its own pace times the speed, until the person quits; at its end it stands still. *replayed stays the caller's: when somebody goes back to what is no longer kept, it is that recording opened again. `keeper` gives the terminal back after a crash; borrowed.
 * Returns the error of a terminal that cannot be had; that of a recording is said on the screen, too.
 */
enum nt_status nt_replay_screen_run(const struct nt_options *options, struct nt_replayed **replayed, struct nt_keeper *keeper,
				    struct nt_error *err);

#endif
