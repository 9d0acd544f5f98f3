// SPDX-License-Identifier: GPL-2.0-only
#include "base/numbers.h"

#include "nettop/column.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The suffixes of counts and bytes, the first for the value as it is. */
static const char *const decimal_suffixes[] = { "", "k", "M", "G", "T", "P", "E", NULL };
static const char *const binary_suffixes[] = { "", "K", "M", "G", "T", "P", "E", NULL };

/*
 * `value` with `digits` significant digits and the suffix (steps of `base`) that leaves it below 1000.
 * The borders are those where rounding would give a digit more.
 */
static void scaled(double value, double base, const char *const *suffixes, int digits, char *buf, size_t size)
{
	while (value >= 999.5 && suffixes[1]) {
		value /= base;
		suffixes++;
	}
	int whole = value < 9.995 ? 1 : value < 99.95 ? 2 : 3;
	snprintf(buf, size, "%.*f%s", digits > whole ? digits - whole : 0, value, *suffixes);
}

void nt_number_bytes(uint64_t bytes, int digits, char *buf, size_t size)
{
	if (bytes < 1000)
		snprintf(buf, size, "%" PRIu64, bytes);
	else
		scaled((double)bytes / 1024, 1024, binary_suffixes + 1, digits, buf, size);
}

void nt_number_whole(uint64_t count, int digits, char *buf, size_t size)
{
	if (count < 1000)
		snprintf(buf, size, "%" PRIu64, count);
	else
		scaled((double)count / 1000, 1000, decimal_suffixes + 1, digits, buf, size);
}

void nt_number_count(double count, int digits, char *buf, size_t size)
{
	if (!isfinite(count))
		snprintf(buf, size, "%s", "");
	else if (fabs(count) < 99.95)
		snprintf(buf, size, "%.*f", digits > 2 ? 1 : 0, count);
	else
		scaled(count, 1000, decimal_suffixes, digits, buf, size);
}

void nt_number_real(double value, int digits, char *buf, size_t size)
{
	const double largest = 999e18; /* that has a suffix */
	double magnitude = fabs(value);
	if (!isfinite(value)) {
		buf[0] = '\0';
		return;
	}
	if (magnitude >= 999.5 && magnitude < largest) {
		int used = snprintf(buf, size, "%s", value < 0 ? "-" : "");
		scaled(magnitude, 1000, decimal_suffixes, digits, buf + used, size - (size_t)used);
	} else if (magnitude < 999.5 && magnitude == (double)(int)magnitude) {
		snprintf(buf, size, "%d", (int)value);
	} else {
		snprintf(buf, size, "%.*g", digits, value);
	}
}

const char *nt_format_bytes(uint64_t bytes, char *buf, size_t size)
{
	nt_number_bytes(bytes, NT_NUMBER_DIGITS, buf, size);
	return buf;
}

const char *nt_format_count(double count, char *buf, size_t size)
{
	nt_number_count(count, NT_NUMBER_DIGITS, buf, size);
	return buf;
}

const char *nt_format_real(double value, char *buf, size_t size)
{
	nt_number_real(value, NT_NUMBER_DIGITS, buf, size);
	return buf;
}

const char *nt_format_whole(uint64_t count, char *buf, size_t size)
{
	nt_number_whole(count, NT_NUMBER_DIGITS, buf, size);
	return buf;
}

const char *nt_number_long_duration(nt_time ns, char *buf, size_t size)
{
	uint64_t seconds = ns / NT_NS_PER_S + (ns % NT_NS_PER_S >= NT_NS_PER_S / 2);
	uint64_t minutes = seconds / 60, hours = minutes / 60, days = hours / 24;
	if (minutes < 60)
		snprintf(buf, size, "%" PRIu64 "m%02" PRIu64 "s", minutes, seconds % 60);
	else if (hours < 24)
		snprintf(buf, size, "%" PRIu64 "h%02" PRIu64 "m", hours, minutes % 60);
	else
		snprintf(buf, size, "%" PRIu64 "d%02" PRIu64 "h", days, hours % 24);
	return buf;
}

const char *nt_format_duration(nt_time ns, char *buf, size_t size)
{
	static const struct {
		const char *suffix;
		double ns;
	} units[] = { { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	if (ns < 1000) {
		snprintf(buf, size, "%" PRIu64 "%s", ns, ns ? "ns" : "ms");
		return buf;
	}
	if (ns >= UINT64_C(59500000000))
		return nt_number_long_duration(ns, buf, size);
	size_t unit = 0;
	while (unit < 2 && (double)ns / units[unit].ns >= 999.5)
		unit++;
	double value = (double)ns / units[unit].ns;
	snprintf(buf, size, "%.*f%s", value < 9.95 ? 1 : 0, value, units[unit].suffix);
	return buf;
}
