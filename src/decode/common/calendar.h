/* SPDX-License-Identifier: GPL-2.0-only */
/* Dates that files tell by the calendar, in UTC. Without the C library's timegm(), which may open the files of time zones. */
#ifndef NT_DECODE_CALENDAR_H
#define NT_DECODE_CALENDAR_H

#include <stdint.h>

struct nt_calendar_time {
	unsigned year, month, day; /* month and day from 1 on */
	unsigned hour, minute, second;
};

/*
 * The time since 1970, with `rest_ns` (less than a second) added, in ns. 0: it is no time of the years from 1970 to 2199; a second may be the 60th.
 */
int64_t nt_calendar_unix_ns(const struct nt_calendar_time *time, uint64_t rest_ns);

#endif
