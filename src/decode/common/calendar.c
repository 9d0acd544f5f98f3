// SPDX-License-Identifier: GPL-2.0-only
#include "decode/common/calendar.h"

#include "nettop/clock.h"

#include <stdbool.h>

enum { FIRST_YEAR = 1970, LAST_YEAR = 2199 };

static bool is_leap(unsigned year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static unsigned days_of(unsigned year, unsigned month)
{
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	return days[month - 1] + (month == 2 && is_leap(year));
}

static bool is_one(const struct nt_calendar_time *time)
{
	return time->year >= FIRST_YEAR && time->year <= LAST_YEAR && time->month >= 1 && time->month <= 12 && time->day >= 1 &&
	       time->day <= days_of(time->year, time->month) && time->hour < 24 && time->minute < 60 && time->second <= 60;
}

int64_t nt_calendar_unix_ns(const struct nt_calendar_time *time, uint64_t rest_ns)
{
	if (!is_one(time) || rest_ns >= NT_NS_PER_S)
		return 0;
	uint64_t days = time->day - 1;
	for (unsigned year = FIRST_YEAR; year < time->year; year++)
		days += 365 + is_leap(year);
	for (unsigned month = 1; month < time->month; month++)
		days += days_of(time->year, month);
	return (int64_t)((((days * 24 + time->hour) * 60 + time->minute) * 60 + time->second) * NT_NS_PER_S + rest_ns);
}
