/* SPDX-License-Identifier: GPL-2.0-only */
/* Code with its name, as lines of a perf map (Linux, tools/perf/Documentation/jit-interface.txt), which perf, bcc and bpftrace read. */
#ifndef NETTOP_PERF_MAP_H
#define NETTOP_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_perf_map_line {
	uint64_t start, size; /* size > 0, start + size does not wrap */
	const char *name; /* as the runtime writes it; not NUL-terminated, any byte but newline; whose it is says the owner of the line */
	size_t length;    /* of the name */
	uint64_t offset;  /* of precompiled code: where it begins in its file */
	bool stub;        /* the runtime says more than its size: the next line may begin within it */
};

#endif
