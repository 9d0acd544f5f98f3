/* SPDX-License-Identifier: GPL-2.0-only */
/* Room app/run: `nettop run`. */
/* `nettop run -- COMMAND...`: start a program with everything on that nettop needs, and watch it from its first event. */
#ifndef NT_APP_RUN_H
#define NT_APP_RUN_H

#include "app/show/watch.h"

/*
 * Returns the exit status: the program's, when it ended by itself or because of a signal that was passed on (128 + its number when a signal ended it, 127 and
 * 126 when it could not be executed), else nettop's.
 */
int nt_run_with(struct nt_options *options, const struct nt_show *show, struct nt_error *err);
int nt_run(struct nt_options *options, struct nt_error *err); /* shown as asked */

#endif
