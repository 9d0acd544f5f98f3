// SPDX-License-Identifier: GPL-2.0-only
/* Screen c: the counters that the target publishes. */
#include "ui/shorten.h"
#include "ui/view.h"

#include "base/numbers.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER = 64, LEAST_NAME = 12 };

static const struct nt_counter_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return (of(row)->ended ? NT_ROW_ENDED : 0) | (of(row)->fresh ? NT_ROW_FRESH : 0);
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

static bool quantiles_cell(const struct nt_counter_row *row, int room, char *out, size_t size)
{
	const struct scale *scale = scale_of(row);
	char p50[NUMBER], p95[NUMBER], p99[NUMBER];
	out[0] = '\0';
	for (int digits = NT_NUMBER_DIGITS; row->p99.known && digits > 0; digits--) {
		format(scale, row->p50.v, digits, p50);
		format(scale, row->p95.v, digits, p95);
		format(scale, row->p99.v, digits, p99);
		snprintf(out, size, "%s %s %s", p50, p95, p99);
		if ((int)strlen(out) <= room)
			break;
	}
	return true;
}

/* `{gen0,blocking}`: of tags only the values, which tell rows apart. */
static void add_tag_values(struct nt_line *out, const char *tags)
{
	const char *between = "{";
	while (*tags) {
		size_t length = strcspn(tags, ","), key = strcspn(tags, "=");
		struct nt_line value = { 0 };
		key = key < length ? key + 1 : 0;
		nt_line_add(&value, "%.*s", (int)(length - key), tags + key);
		nt_line_add(out, "%s", between);
		nt_line_add_safe(out, value.text);
		between = ",";
		tags += length + (tags[length] == ',');
	}
	nt_line_add(out, "}");
}

/* Name and tags; where there is no room for all of both, initials of the name and values of the tags. */
static void label_text(const struct nt_counter_row *row, int room, char *out, size_t size)
{
	struct nt_line label = { 0 }, values = { 0 };
	char name[NT_LINE_BYTES];
	nt_line_add_safe(&label, row->label);
	if (row->tags && nt_text_cells(label.text) > room) {
		add_tag_values(&values, row->tags);
		int left = room - nt_text_cells(values.text);
		nt_view_module_cell(row->name, left > LEAST_NAME ? left : LEAST_NAME, name, sizeof(name));
		label = (struct nt_line){ 0 };
		nt_line_add(&label, "%s%s", name, values.text);
		nt_shorten_tail(label.text, room, out, size);
	} else {
		nt_shorten_module(label.text, room, out, size);
	}
}

/* `checkout.duration p50 p95 p99 ms`: what the value is stays when the name is cut. */
static bool name_cell(const struct nt_counter_row *row, int room, char *out, size_t size)
{
	struct nt_line behind = { 0 };
	if (row->kind == NT_COUNTER_HISTOGRAM)
		nt_line_add(&behind, " p50 p95 p99");
	add_unit(&behind, row);
	int left = room - nt_text_cells(behind.text);
	if (left < LEAST_NAME) {
		label_text(row, room, out, size);
		return true;
	}
	label_text(row, left, out, size);
	size_t used = strlen(out);
	snprintf(out + used, size - used, "%s", behind.text);
	return true;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "counter") == 0)
		return name_cell(of(row), room, out, size);
	if (strcmp(column->key, "provider") == 0)
		return nt_view_module_cell(of(row)->provider, room, out, size);
	if (strcmp(column->key, "value") == 0 && of(row)->kind == NT_COUNTER_HISTOGRAM)
		return quantiles_cell(of(row), room, out, size);
	if (strcmp(column->key, "value") == 0)
		return number_cell(of(row), of(row)->value, room, out, size);
	if (strcmp(column->key, "min") == 0)
		return number_cell(of(row), of(row)->least, room, out, size);
	if (strcmp(column->key, "max") == 0)
		return number_cell(of(row), of(row)->greatest, room, out, size);
	/* The rate of measurements is in measurements, whatever they measure. */
	if (strcmp(column->key, "rate_per_s") == 0 && of(row)->kind != NT_COUNTER_HISTOGRAM && scale_of(row))
		return number_cell(of(row), of(row)->rate_per_s, room, out, size);
	return false;
}

/* ---- around the rows ---- */

static void beyond(const struct nt_process_snapshot *process, struct nt_line *out)
{
	if (process->counters_hidden || process->counters_hidden_at_least)
		nt_line_add(out, "+%zu%s hidden", process->counters_hidden, process->counters_hidden_at_least ? " or more" : "");
}

static void empty(const struct nt_column_context *context, struct nt_page *page)
{
	const struct nt_source_row *source = nt_view_source(context->snapshot, NT_SOURCE_EVENTPIPE);
	if (source && source->state == NT_STATE_DELIVERING) {
		nt_page_line(page, NT_STYLE_PLAIN, "   No counters yet: the first are told one interval after they were asked for.");
		return;
	}
	nt_page_line(page, NT_STYLE_PLAIN, "   No counters.");
	if (source && source->reason)
		nt_view_why(page, source->reason, source->fix);
	else
		nt_view_why(page, "they come over EventPipe, which is not in use", NULL);
}

static const char *const compact[] = { "value", "counter", NULL };

const struct nt_view nt_view_counters = {
	.action = NT_DO_VIEW_COUNTERS,
	.tab = "c Counters",
	.tab_short = "c Ctr",
	.table = &nt_table_counters,
	.first_x = 1,
	.compact = compact,
	.demand = NT_WANT_COUNTERS,
	.announcement = "The target is asked for its counters as long as this screen is open",
	.tells_rest = true,
	.flags = flags,
	.cell = cell,
	.beyond = beyond,
	.empty = empty,
};
