// SPDX-License-Identifier: GPL-2.0-only
/* Cells for people. */
#include "nettop/column.h"

#include "base/numbers.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BAR_CELLS = 32 };

/* How long ago, for how long: seconds with one decimal, so that a column of them does not change its unit while it is short. */
static void format_age(nt_time ns, int digits, char *buf, size_t size)
{
	double seconds = (double)ns / (double)NT_NS_PER_S;
	if (seconds < 59.95)
		snprintf(buf, size, "%.*fs", digits == NT_NUMBER_DIGITS, seconds);
	else
		nt_number_long_duration(ns, buf, size);
	/* With fewer digits the largest unit alone. */
	if (digits < NT_NUMBER_DIGITS && strspn(buf, "0123456789") < strlen(buf))
		buf[strspn(buf, "0123456789") + 1] = '\0';
}

/* A fixed number of decimals, so that points stand under each other; where that is too wide, a suffix. */
static void format_fixed(double value, int decimals, unsigned width, int digits, char *buf, size_t size)
{
	if (!isfinite(value)) {
		buf[0] = '\0';
		return;
	}
	snprintf(buf, size, "%.*f", decimals, value);
	if (width && strlen(buf) > width)
		snprintf(buf, size, "%.0f", value);
	if (width && strlen(buf) > width)
		nt_number_count(value, digits, buf, size);
}

static void format_integer(uint64_t value, unsigned width, int digits, char *buf, size_t size)
{
	snprintf(buf, size, "%" PRIu64, value);
	if (width && strlen(buf) > width)
		nt_number_whole(value, digits, buf, size);
}

/* A fraction as full blocks; what was measured but rounds to nothing is a dot. */
static void format_bar(double fraction, unsigned width, char *buf, size_t size)
{
	unsigned cells = width && width < BAR_CELLS ? width : BAR_CELLS;
	double clamped = fraction >= 1 ? 1 : fraction > 0 ? fraction : 0;
	unsigned full = (unsigned)lround(clamped * cells);
	size_t used = 0;
	if (!full) {
		snprintf(buf, size, "%s", "·");
		return;
	}
	buf[0] = '\0';
	for (unsigned i = 0; i < full && used + strlen("█") < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "█");
}

static void format_number(const struct nt_column *column, struct nt_cell cell, int digits, char *buf, size_t size)
{
	switch (column->unit) {
	case NT_UNIT_TEXT:
	case NT_UNIT_TREND:
		break;
	case NT_UNIT_COUNT:
		nt_number_whole(cell.u, digits, buf, size);
		break;
	case NT_UNIT_BYTES:
		nt_number_bytes(cell.u, digits, buf, size);
		break;
	case NT_UNIT_NS_AS_MS:
		format_fixed((double)cell.u / (double)NT_NS_PER_MS, 1, column->width, digits, buf, size);
		break;
	case NT_UNIT_NS_AS_US:
		nt_number_real((double)cell.u / (double)NT_NS_PER_US, digits, buf, size);
		break;
	case NT_UNIT_AGE:
		format_age(cell.u, digits, buf, size);
		break;
	case NT_UNIT_PCT:
		format_fixed(cell.f, 1, column->width, digits, buf, size);
		break;
	case NT_UNIT_PCT_WHOLE:
		format_fixed(cell.f, 0, column->width, digits, buf, size);
		break;
	case NT_UNIT_PER_S:
		nt_number_count(cell.f, digits, buf, size);
		break;
	case NT_UNIT_REAL:
		nt_number_real(cell.f, digits, buf, size);
		break;
	case NT_UNIT_INTEGER:
		format_integer(cell.u, column->width, digits, buf, size);
		break;
	case NT_UNIT_HEX:
		snprintf(buf, size, "%" PRIx64, cell.u);
		break;
	case NT_UNIT_BAR:
		format_bar(cell.f, column->width, buf, size);
		break;
	}
}

size_t nt_cell_format(const struct nt_column *column, struct nt_cell cell, char *buf, size_t size)
{
	char text[4 * BAR_CELLS] = "", *number = cell.known && cell.at_least ? text + 1 : text;
	struct nt_column fitted = *column;
	text[0] = number > text ? '>' : '\0';
	/* The mark takes a cell from a number that would fill its column, too. */
	if (number > text && fitted.width > 1)
		fitted.width--;
	if (cell.known && column->unit == NT_UNIT_TEXT)
		return nt_text_escape(cell.text ? cell.text : "", cell.text ? strlen(cell.text) : 0, buf, size);
	for (int digits = NT_NUMBER_DIGITS; cell.known && digits > 0; digits--) {
		format_number(&fitted, cell, digits, number, sizeof(text) - 1);
		if (!column->width || strlen(text) <= column->width || column->unit == NT_UNIT_BAR)
			break;
	}
	return nt_text_escape(text, strlen(text), buf, size);
}
