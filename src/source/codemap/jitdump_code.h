/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where in a jitdump the bytes of a piece of code are. The file is gone through again for each question, record by record: those are rare, and what a table of all
 * loads would take in memory is needed at all times.
 */
#ifndef NT_SOURCE_JITDUMP_CODE_H
#define NT_SOURCE_JITDUMP_CODE_H

#include "nettop/clock.h"

#include <stdbool.h>
#include <stddef.h>

/* The code at [start, end) as it was at a time. */
struct nt_jitdump_wanted {
	uint64_t start, end;
	nt_time time; /* CLOCK_MONOTONIC; NT_TIME_UNKNOWN = the newest */
};

struct nt_jitdump_code {
	uint64_t offset;      /* of its first byte in the file */
	size_t length;        /* end - start; 0: it is not in there */
	bool replaced;        /* other code was at this address later */
	const uint8_t *bytes; /* NULL until somebody reads them */
};

enum { NT_JITDUMP_CODE_BUFFER = 128 << 10 };

/*
 * Look through the first `size` bytes of `fd` by way of a buffer of NT_JITDUMP_CODE_BUFFER bytes. What is not found by the time `until` is not found. Blocks as reading the
 * file does.
 */
void nt_jitdump_code_find(int fd, uint64_t size, const struct nt_jitdump_wanted *wanted, char *buffer, nt_time until,
			  struct nt_jitdump_code *out);

#endif
