/* SPDX-License-Identifier: GPL-2.0-only */
/* What nettop asks the kernel for at most and at least to sample CPU: the source keeps to it, the prerequisites are judged by it. */
#ifndef NT_TARGET_PERF_LIMITS_H
#define NT_TARGET_PERF_LIMITS_H

enum {
	NT_PERF_DESCRIPTORS_MAX = 4096,      /* one for each thread and CPU, where events of CPUs are not allowed */
	NT_PERF_DESCRIPTORS_SPARE = 128,     /* for everything else that nettop opens */
	NT_PERF_RING_LEAST_BYTES = 16 << 10, /* nettop takes no smaller one */
};

#endif
