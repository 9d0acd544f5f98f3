/* SPDX-License-Identifier: GPL-2.0-only */
/* Batch mode: text frames or JSON lines on a stream, until enough was seen. */
#ifndef NT_APP_BATCH_MODE_H
#define NT_APP_BATCH_MODE_H

#include "app/session/session.h"

/*
 * Run until -n, --duration, a signal, the target's end or a closed output. Returns the exit status of the program (0, 1 or 4). Opens and
 * finishes the session itself; `setup->sink` is filled in here.
 */
int nt_batch_run(struct nt_session_setup *setup, struct nt_error *err);

#endif
