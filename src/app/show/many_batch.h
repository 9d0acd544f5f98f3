/* SPDX-License-Identifier: GPL-2.0-only */
/* Batch mode of several processes: a table, or a line of JSON for each, every interval. */
#ifndef NT_APP_MANY_BATCH_H
#define NT_APP_MANY_BATCH_H

#include "app/many/many.h"

/*
 * Run until -n, --duration, a signal or a closed output. Fills in the sink. Returns the exit status: a failure also where none of those that are named is there at the start, and
 * none is waited for (--all).
 */
int nt_many_batch_run(struct nt_many_setup *setup, struct nt_error *err);

#endif
