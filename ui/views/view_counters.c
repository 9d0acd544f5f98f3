// SPDX-License-Identifier: GPL-2.0-only
/* Screen c: the counters that the target publishes. */
#include "nettop/shorten.h"
#include "ui/views/counter_label.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"

#include "base/numbers.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER = 64 };

static const struct nt_counter_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(false, of(row)->ended, of(row)->fresh);
}

/* ---- units ---- */

/* Units whose numbers are shown in another way than as they are. */
static const struct scale {
	const char *unit;  /* as programs write it */
	const char *shown; /* on the screen */
	double factor;
	bool bytes; /* in steps of 1024 */
} scales[] = {
	{ "s", "ms", 1000, false },
	{ "By", "B", 1, true },
	{ "B", "B", 1, true },
	{ "bytes", "B", 1, true },
};

static const struct scale *scale_of(const struct nt_counter_row *row)
{
	for (size_t i = 0; row->unit && i < sizeof(scales) / sizeof(scales[0]); i++)
		if (strcmp(scales[i].unit, row->unit) == 0)
			return &scales[i];
	return NULL;
}

/* OpenTelemetry writes words for people in braces: {request}. */
static void add_unit(struct nt_line *out, const struct nt_counter_row *row)
{
	const struct scale *scale = scale_of(row);
	const char *unit = scale ? scale->shown : row->unit;
	size_t length = unit ? strlen(unit) : 0;
	struct nt_line words = { 0 };
	bool braces = length > 2 && unit[0] == '{' && unit[length - 1] == '}';
	if (!length)
		return;
	nt_line_add(&words, "%.*s", (int)(braces ? length - 2 : length), unit + braces);
	nt_line_add(out, " ");
	nt_line_add_safe(out, words.text);
}

/* ---- cells ---- */

static void format(const struct scale *scale, double value, int digits, char number[NUMBER])
{
	double scaled = scale ? scale->factor * value : value;
	if (scale && scale->bytes && scaled >= 0 && scaled < 0x1p63)
		nt_number_bytes((uint64_t)scaled, digits, number, NUMBER);
	else
		nt_number_real(scaled, digits, number, NUMBER);
}

/* With as many digits as there is room for. */
static bool number_cell(const struct nt_counter_row *row, struct nt_f64 value, int room, char *out, size_t size)
{
	char number[NUMBER] = "";
	for (int digits = NT_NUMBER_DIGITS; value.known && digits > 0; digits--) {
		format(scale_of(row), value.v, digits, number);
		if ((int)strlen(number) <= room)
			break;
	}
	nt_shorten_tail(number, room, out, size);
	return true;
}

/* `checkout.duration ms`: what the value is in stays when the name is cut. */
static bool name_cell(const struct nt_process_snapshot *process, const struct nt_counter_row *row, int room, char *out, size_t size)
{
	struct nt_line behind = { 0 };
	add_unit(&behind, row);
	int left = room - nt_text_cells(behind.text);
	if (left < NT_COUNTER_LEAST_NAME) {
		nt_counter_label(process, row, room, out, size);
		return true;
	}
	nt_counter_label(process, row, left, out, size);
	size_t used = strlen(out);
	snprintf(out + used, size - used, "%s", behind.text);
	return true;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	if (strcmp(column->key, "counter") == 0)
		return name_cell(context->process, of(row), room, out, size);
	if (strcmp(column->key, "provider") == 0)
		return nt_view_module_cell(of(row)->provider, room, out, size);
	if (strcmp(column->key, "value") == 0)
		return number_cell(of(row), of(row)->value, room, out, size);
	if (strcmp(column->key, "min") == 0)
		return number_cell(of(row), of(row)->least, room, out, size);
	if (strcmp(column->key, "max") == 0)
		return number_cell(of(row), of(row)->greatest, room, out, size);
	if (strcmp(column->key, "p50") == 0)
		return number_cell(of(row), of(row)->p50, room, out, size);
	if (strcmp(column->key, "p95") == 0)
		return number_cell(of(row), of(row)->p95, room, out, size);
	if (strcmp(column->key, "p99") == 0)
		return number_cell(of(row), of(row)->p99, room, out, size);
	/* The rate of measurements is in measurements, whatever they measure. */
	if (of(row)->kind == NT_COUNTER_HISTOGRAM || !scale_of(row))
		return false;
	if (strcmp(column->key, "rate_per_s") == 0)
		return number_cell(of(row), of(row)->rate_per_s, room, out, size);
	if (strcmp(column->key, "min_per_s") == 0)
		return number_cell(of(row), of(row)->least_per_s, room, out, size);
	if (strcmp(column->key, "max_per_s") == 0)
		return number_cell(of(row), of(row)->greatest_per_s, room, out, size);
	return false;
}

/* ---- around the rows ---- */

static void beyond(const struct nt_process_snapshot *process, struct nt_line *out)
{
	if (process->counters_hidden || process->counters_hidden_at_least)
		nt_line_add(out, "+%zu%s hidden", process->counters_hidden, process->counters_hidden_at_least ? " or more" : "");
}

/* The tags one has to see to know it from the other series of its instrument. */
static void detail(const struct nt_column_context *context, const void *row, struct nt_page *page)
{
	struct nt_line tags = { 0 };
	(void)context;
	nt_counter_differing_tags(of(row), &tags);
	if (tags.used)
		nt_page_text(page, NT_STYLE_FRESH, "  DIFFERS BY    ", tags.text);
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_source_row *source = nt_snapshot_source(context->snapshot, NT_SOURCE_EVENTPIPE);
	if (source && source->state == NT_STATE_DELIVERING) {
		out->says = "No counters yet: the first are told one interval after they were asked for.";
		return;
	}
	out->says = "No counters.";
	nt_nothing_without_eventpipe(source, out);
}

static const char *const compact[] = { "value", "counter", NULL };

const struct nt_view nt_view_counters = {
	.action = NT_DO_VIEW_COUNTERS,
	.subject = &nt_subject_counters,
	.table = &nt_table_counters,
	.first_x = 1,
	.compact = compact,
	.demand = NT_WANT_COUNTERS,
	.announcement = "The target is asked for its counters as long as this screen is open",
	.tells_rest = true,
	.flags = flags,
	.cell = cell,
	.beyond = beyond,
	.detail = detail,
	.nothing = nothing,
};
