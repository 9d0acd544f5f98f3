// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/clock.h"

#include <time.h>

static nt_time read_clock(clockid_t id)
{
	struct timespec ts;
	clock_gettime(id, &ts);
	return (nt_time)ts.tv_sec * NT_NS_PER_S + (nt_time)ts.tv_nsec;
}

nt_time nt_clock_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t nt_clock_thread_cpu(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

int64_t nt_clock_realtime_offset(void)
{
	return (int64_t)(read_clock(CLOCK_REALTIME) - read_clock(CLOCK_MONOTONIC));
}
