/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long to wait before the next attempt to connect: at once after a connection that worked, then doubling up to a limit that keeps "delivers
 * again within 3 s of the daemon's return" true.
 */
#ifndef NT_SOURCE_LTTNG_PACE_H
#define NT_SOURCE_LTTNG_PACE_H

enum { NT_LTTNG_PACE_FIRST_MS = 50, NT_LTTNG_PACE_LIMIT_MS = 1000 };

struct nt_lttng_pace {
	unsigned next_ms; /* 0 = at once */
};

/* The connection worked: the next failure is a new one. */
static inline void nt_lttng_pace_reset(struct nt_lttng_pace *pace)
{
	pace->next_ms = 0;
}

/* Milliseconds to wait now, before the next attempt. */
static inline unsigned nt_lttng_pace_next(struct nt_lttng_pace *pace)
{
	unsigned now_ms = pace->next_ms;
	unsigned next_ms = now_ms ? 2 * now_ms : NT_LTTNG_PACE_FIRST_MS;
	pace->next_ms = next_ms < NT_LTTNG_PACE_LIMIT_MS ? next_ms : NT_LTTNG_PACE_LIMIT_MS;
	return now_ms;
}

#endif
