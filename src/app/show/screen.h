/* SPDX-License-Identifier: GPL-2.0-only */
/* Room app/show: screens, frames. */
/* The full screen: terminal, keys, frames. */
#ifndef NT_APP_SCREEN_H
#define NT_APP_SCREEN_H

#include "app/session/session.h"
#include "app/show/frame.h"

/*
 * Show a process in a frame that was entered, until the person quits or wants the list of processes: `effects` of the frame has NT_UI_LIST then, and the
 * terminal stays taken; else it is given back. Returns the exit status of the program.
 */
int nt_screen_run(struct nt_session_setup *setup, struct nt_frame *frame, struct nt_error *err);

#endif
