// SPDX-License-Identifier: GPL-2.0-only
#include "base/when.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { DAY_S = 24 * 3600, MINUTE_S = 60, HOUR_S = 3600, MONTHS = 12, YEAR_LEAST = 1970, YEAR_MOST = 2200, NS_DIGITS = 9 };

/* A number of so many digits, at most. Returns what comes behind it; NULL: there is none, or it is more than `most`. */
static const char *take_number(const char *text, int digits, int64_t most, int64_t *out)
{
	const char *at = text;
	for (*out = 0; isdigit((unsigned char)*at) && at - text < digits; at++)
		*out = 10 * *out + (*at - '0');
	return at == text || isdigit((unsigned char)*at) || *out > most ? NULL : at;
}

/* ".25", if it is there; of more than nine digits the others are nothing. */
static const char *take_fraction(const char *text, int64_t *ns)
{
	*ns = 0;
	if (*text != '.' || !isdigit((unsigned char)text[1]))
		return text;
	int64_t unit = (int64_t)NT_NS_PER_S;
	for (text++; isdigit((unsigned char)*text); text++)
		*ns += (*text - '0') * (unit /= 10);
	return text;
}

/* 13:04 or 13:04:05.25, as ns. */
static const char *take_time_of_day(const char *text, int64_t *ns)
{
	int64_t hour, minute, second = 0, fraction = 0;
	const char *at = take_number(text, 2, 23, &hour);
	at = at && *at == ':' ? take_number(at + 1, 2, 59, &minute) : NULL;
	if (at && *at == ':') {
		at = take_number(at + 1, 2, 60, &second);
		at = at ? take_fraction(at, &fraction) : NULL;
	}
	if (at)
		*ns = (hour * HOUR_S + minute * MINUTE_S + second) * (int64_t)NT_NS_PER_S + fraction;
	return at;
}

/* Z, +0100 or +01:00 behind a time: how far east, in s. `*there`: it is. */
static const char *take_zone(const char *text, int64_t *east_s, bool *there)
{
	*there = *text != '\0';
	*east_s = 0;
	if (*text == 'Z')
		return text + 1;
	if (*text != '+' && *text != '-')
		return text;
	int64_t hours, minutes;
	char digits[3] = { text[1], text[1] ? text[2] : '\0', '\0' };
	if (strlen(digits) < 2 || !take_number(digits, 2, 23, &hours))
		return NULL;
	const char *at = take_number(text + 3 + (text[3] == ':'), 2, 59, &minutes);
	*east_s = (hours * HOUR_S + minutes * MINUTE_S) * (*text == '-' ? -1 : 1);
	return at;
}

static bool parse_date(const char *text, struct nt_when *out)
{
	int64_t year, month, day, ns, east_s;
	bool zone;
	const char *at = take_number(text, 4, YEAR_MOST, &year);
	at = at && *at == '-' ? take_number(at + 1, 2, MONTHS, &month) : NULL;
	at = at && *at == '-' ? take_number(at + 1, 2, 31, &day) : NULL;
	at = at && (*at == 'T' || *at == ' ') ? take_time_of_day(at + 1, &ns) : NULL;
	at = at ? take_zone(at, &east_s, &zone) : NULL;
	if (!at || *at || year < YEAR_LEAST || !month || !day)
		return false;
	struct tm parts = { .tm_year = (int)year - 1900, .tm_mon = (int)month - 1, .tm_mday = (int)day, .tm_isdst = -1 };
	parts.tm_hour = (int)(ns / (int64_t)NT_NS_PER_S / HOUR_S);
	parts.tm_min = (int)(ns / (int64_t)NT_NS_PER_S / MINUTE_S % MINUTE_S);
	parts.tm_sec = (int)(ns / (int64_t)NT_NS_PER_S % MINUTE_S);
	int64_t seconds = zone ? (int64_t)timegm(&parts) - east_s : (int64_t)mktime(&parts);
	*out = (struct nt_when){ .sort = NT_WHEN_OF_DATE, .ns = seconds * (int64_t)NT_NS_PER_S + ns % (int64_t)NT_NS_PER_S };
	return true;
}

bool nt_when_parse(const char *text, struct nt_when *out)
{
	int64_t ns, fraction;
	*out = (struct nt_when){ .sort = NT_WHEN_NEVER };
	if (*text == '+') {
		const char *at = take_number(text + 1, NS_DIGITS, INT64_MAX, &ns);
		at = at ? take_fraction(at, &fraction) : NULL;
		if (!at || *at)
			return false;
		*out = (struct nt_when){ .sort = NT_WHEN_SINCE_BEGIN, .ns = ns * (int64_t)NT_NS_PER_S + fraction };
		return true;
	}
	const char *at = take_time_of_day(text, &ns);
	if (!at || *at)
		return parse_date(text, out);
	*out = (struct nt_when){ .sort = NT_WHEN_OF_DAY, .ns = ns };
	return true;
}

/* Of the clock of the wall: that time of the day of `begin`, or of the day after. */
static int64_t next_of_day(int64_t ns, int64_t begin)
{
	const int64_t second = (int64_t)NT_NS_PER_S;
	time_t seconds = (time_t)(begin / second);
	struct tm parts;
	localtime_r(&seconds, &parts);
	for (int days = 0; days < 2; days++) {
		struct tm then = parts;
		then.tm_mday += days;
		then.tm_hour = (int)(ns / second / HOUR_S);
		then.tm_min = (int)(ns / second / MINUTE_S % MINUTE_S);
		then.tm_sec = (int)(ns / second % MINUTE_S);
		then.tm_isdst = -1;
		int64_t at = (int64_t)mktime(&then) * second + ns % second;
		if (at >= begin / second * second)
			return at;
	}
	return begin;
}

nt_time nt_when_in(const struct nt_when *when, nt_time start, int64_t realtime_offset_ns)
{
	int64_t begin = (int64_t)start + realtime_offset_ns;
	int64_t at = when->sort == NT_WHEN_SINCE_BEGIN ? begin + when->ns
		     : when->sort == NT_WHEN_OF_DAY    ? next_of_day(when->ns, begin)
						       : when->ns;
	return at > begin ? (nt_time)(at - realtime_offset_ns) : start;
}
