/* SPDX-License-Identifier: GPL-2.0-only */
/* A rundown: the runtime's own list of its methods, which the target was asked for because of code that nothing else names. */
#ifndef NETTOP_RUNDOWN_H
#define NETTOP_RUNDOWN_H

#include "nettop/clock.h"

#include <stddef.h>
#include <stdint.h>

struct nt_rundown {
	uint64_t count; /* of rundowns so far; 0: nothing below is known */
	uint32_t method_count;
	uint32_t left_out; /* methods for which there was no more room */
	uint64_t stream_bytes;
	nt_time took_ns;    /* from the request to the end of the list */
	const char *reason; /* why it is not whole; NULL = it is */
};

/* What it was and what it cost, in a sentence of less than `size` bytes. Returns `out`. */
const char *nt_rundown_text(const struct nt_rundown *rundown, char *out, size_t size);

#endif
