/* SPDX-License-Identifier: GPL-2.0-only */
/* Time: CLOCK_MONOTONIC nanoseconds everywhere inside nettop. Sources convert at their border. */
#ifndef NETTOP_CLOCK_H
#define NETTOP_CLOCK_H

#include <stdint.h>

typedef uint64_t nt_time; /* CLOCK_MONOTONIC, ns */

#define NT_TIME_UNKNOWN UINT64_MAX /* no time is known; sorts after every real time */
#define NT_NS_PER_US    UINT64_C(1000)
#define NT_NS_PER_MS    UINT64_C(1000000)
#define NT_NS_PER_S     UINT64_C(1000000000)

/* Now, ns. Only src/app/, src/serve/, src/source/ and src/target/ may call it: models and decoders get their time from events and ticks. */
nt_time nt_clock_now(void);

/* CPU time that the calling thread has used, ns. The same may call it: for what nettop itself costs. */
uint64_t nt_clock_thread_cpu(void);

/* Nanoseconds to add to a nt_time to get CLOCK_REALTIME ns, sampled now. For showing wall-clock times only. */
int64_t nt_clock_realtime_offset(void);

#endif
