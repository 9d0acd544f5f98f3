/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/perf: CPU samples, context switches, what else the kernel tells with a stack. */
/* What app/ may ask of the perf source beyond struct nt_source_ops. */
#ifndef NT_SOURCE_PERF_H
#define NT_SOURCE_PERF_H

#include "nettop/source.h"

/* Is it still being attached to the target, on a thread of its own? As long as this is so, what the target does is missed. */
bool nt_perf_is_attaching(struct nt_source *source);

#endif
