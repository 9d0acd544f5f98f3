/* SPDX-License-Identifier: GPL-2.0-only */
/* The full screen: terminal, keys, frames. */
#ifndef NT_APP_SCREEN_H
#define NT_APP_SCREEN_H

#include "app/session.h"

/* Run until the person quits. Returns the exit status of the program. The terminal is restored on every way out (a crash: by the keeper). */
int nt_screen_run(struct nt_session_setup *setup, struct nt_error *err);

#endif
