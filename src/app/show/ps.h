/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop ps`: all .NET processes that can be seen from here, and what nettop would see of each. */
#ifndef NT_APP_PS_H
#define NT_APP_PS_H

#include <stdio.h>

#include "app/common/options.h"
#include "nettop/snapshot.h"

/* Writes to standard output. Returns the exit status: 0, or 1 with the reason in *err, also when there is no such process. */
int nt_ps_run(const struct nt_options *options, struct nt_error *err);

/* The rows as text, in the usual order of that table of processes: nt_table_processes or nt_table_watched. */
void nt_ps_print(const struct nt_snapshot *snapshot, const struct nt_table *table, FILE *out);

#endif
