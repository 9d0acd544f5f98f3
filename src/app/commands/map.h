/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop map -p PID -o FILE`: a perf map of all managed code of a process, for tools that read such maps. */
#ifndef NT_APP_MAP_H
#define NT_APP_MAP_H

#include "app/common/options.h"

/* Writes it once. Never the map that the process itself writes. Returns the exit status. */
int nt_map(struct nt_options *options, struct nt_error *err);

#endif
