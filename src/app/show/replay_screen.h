/* SPDX-License-Identifier: GPL-2.0-only */
/* The full screen of a recording (`nettop replay`). */
#ifndef NT_APP_REPLAY_SCREEN_H
#define NT_APP_REPLAY_SCREEN_H

#include "app/common/options.h"
#include "app/session/replayed.h"

/*
 * Show a recording that has settings, at its own pace times the speed, until the person quits; at its end it stands still. The terminal is given back on every way out but a crash: there is no keeper, because
 * nothing is done to anybody that would have to be undone. Returns the error of a terminal that cannot be had; that of a recording is said on the screen, too.
 */
enum nt_status nt_replay_screen_run(const struct nt_options *options, struct nt_replayed *replayed, struct nt_error *err);

#endif
