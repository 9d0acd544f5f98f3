/* SPDX-License-Identifier: GPL-2.0-only */
/* A time of a recording, as a person names it. */
#ifndef NT_BASE_WHEN_H
#define NT_BASE_WHEN_H

#include <stdbool.h>
#include <stdint.h>

#include "nettop/clock.h"

struct nt_when {
	enum { NT_WHEN_NEVER, NT_WHEN_SINCE_BEGIN, NT_WHEN_OF_DAY, NT_WHEN_OF_DATE } sort; /* NEVER: none was named */
	int64_t ns; /* since the begin; since midnight; since 1970, of the clock of the wall */
};

/*
 * +90 and +1.5 are seconds since the begin; 13:04 and 13:04:05.25 the first such time of day, of this machine's zone, in or after the recording; 2026-11-29T13:04:05 of this zone, with +01:00 or Z of that one.
 * False: it is none of these.
 */
bool nt_when_parse(const char *text, struct nt_when *out);

/* As a time of the recording that begins at `start`; `realtime_offset_ns`: what to add to get that of the wall. Not before `start`. */
nt_time nt_when_in(const struct nt_when *when, nt_time start, int64_t realtime_offset_ns);

#endif
