/* SPDX-License-Identifier: GPL-2.0-only */
/* Moments as people read them. */
#ifndef NT_OUTPUT_TIME_TEXT_H
#define NT_OUTPUT_TIME_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "nettop/clock.h"

/* The local time of a moment, to the millisecond, with the zone: `2026-11-27T04:31:37.250+0100`. The offset: as nt_clock_realtime_offset() gave it. */
void nt_time_print(FILE *out, nt_time time, int64_t realtime_offset_ns);

#endif
