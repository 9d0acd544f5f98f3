/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF program of last_look.h. */
#ifndef NT_SOURCE_LAST_LOOK_PROGRAM_H
#define NT_SOURCE_LAST_LOOK_PROGRAM_H

#include "source/perf/perf_filter.h"

/*
 * Load it. `ring`: the descriptor of the ring that it writes to; `major`: of the runtime's version. Returns a descriptor, or -1 with errno.
 */
int nt_last_look_program_load(const struct nt_perf_filter *process, int ring, unsigned major);

#endif
