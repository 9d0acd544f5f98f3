/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF program of last_look.h. */
#ifndef NT_SOURCE_LAST_LOOK_PROGRAM_H
#define NT_SOURCE_LAST_LOOK_PROGRAM_H

#include "source/perf/perf_filter.h"

/*
 * Load it. `ring`: the descriptor of the ring that it writes to; `code_at`: offset of an exception's field _xcode. Returns a descriptor, or -1 with errno.
 */
int nt_last_look_program_load(const struct nt_perf_filter *process, int ring, unsigned code_at);

#endif
