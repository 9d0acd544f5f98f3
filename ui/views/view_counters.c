// SPDX-License-Identifier: GPL-2.0-only
/* Screen c: the counters that the target publishes. */
#include "nettop/shorten.h"
#include "ui/views/view.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"

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

/* Bytes in which both texts are the same; they may end within a character. */
static size_t common_bytes(const char *a, const char *b)
{
	size_t length = 0;
	while (a[length] && a[length] == b[length])
		length++;
	return length;
}

static bool same_name(const struct nt_counter_row *a, const struct nt_counter_row *b)
{
	return a->provider && b->provider && a->name && b->name && b->tags && strcmp(a->provider, b->provider) == 0 &&
	       strcmp(a->name, b->name) == 0;
}

/*
 * Where in `values` it differs from those of the row that is most like it: the rows are sorted by provider, name and tags, so that is one of the two beside it.
 * 0 = there is none of this name.
 */
static size_t differs_at(const struct nt_process_snapshot *process, const struct nt_counter_row *row, const char *values)
{
	size_t at = 0, index = process && row >= process->counters ? (size_t)(row - process->counters) : SIZE_MAX;
	if (!process || index >= process->counter_count)
		return 0;
	for (size_t other = index ? index - 1 : 1; other < process->counter_count && other <= index + 1; other += 2) {
		struct nt_line others = { 0 };
		if (!same_name(row, &process->counters[other]))
			continue;
		add_tag_values(&others, process->counters[other].tags);
		size_t common = common_bytes(values, others.text);
		at = common > at ? common : at;
	}
	return nt_utf8_cut(values, strlen(values), at);
}

/* The values made to fit so that byte `at` stays: what stands before it goes from the left, but for what fits in half of the room. */
static void shorten_values(const char *values, size_t at, int room, char *out, size_t size)
{
	struct nt_line before = { 0 }, rest = { 0 };
	size_t start = 0;
	uint32_t code;
	nt_line_add(&before, "%.*s", (int)at, values);
	int cells = nt_text_cells(before.text);
	if (cells < room - 2) { /* `at` is shown, also where an ellipsis ends the text */
		nt_shorten_tail(values, room, out, size);
		return;
	}
	for (int kept = (room - 2) / 2; start < at && cells > kept; cells -= nt_text_width(code))
		start += nt_utf8_decode(values + start, at - start, &code);
	nt_line_add(&rest, "{…%s", values + start);
	nt_shorten_tail(rest.text, room, out, size);
}

/* Name and tags; where there is no room for all of both, initials of the name and values of the tags, and of these what tells the row from those of the same name. */
static void label_text(const struct nt_process_snapshot *process, const struct nt_counter_row *row, int room, char *out, size_t size)
{
	struct nt_line label = { 0 }, values = { 0 };
	char name[NT_LINE_BYTES], shown[NT_LINE_BYTES];
	nt_line_add_safe(&label, row->label);
	if (row->tags && nt_text_cells(label.text) > room) {
		add_tag_values(&values, row->tags);
		int left = room - nt_text_cells(values.text);
		size_t at = left < LEAST_NAME ? differs_at(process, row, values.text) : 0;
		if (left < LEAST_NAME)
			left = at && room / 2 < LEAST_NAME ? room / 2 : LEAST_NAME;
		nt_view_module_cell(row->name, left, name, sizeof(name));
		shorten_values(values.text, at, room - nt_text_cells(name), shown, sizeof(shown));
		snprintf(out, size, "%s%s", name, shown);
	} else {
		nt_shorten_module(label.text, room, out, size);
	}
}

/* `checkout.duration p50 p95 p99 ms`: what the value is stays when the name is cut. */
static bool name_cell(const struct nt_process_snapshot *process, const struct nt_counter_row *row, int room, char *out, size_t size)
{
	struct nt_line behind = { 0 };
	if (row->kind == NT_COUNTER_HISTOGRAM)
		nt_line_add(&behind, " p50 p95 p99");
	add_unit(&behind, row);
	int left = room - nt_text_cells(behind.text);
	if (left < LEAST_NAME) {
		label_text(process, row, room, out, size);
		return true;
	}
	label_text(process, row, left, out, size);
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
	if (strcmp(column->key, "value") == 0 && of(row)->kind == NT_COUNTER_HISTOGRAM)
		return quantiles_cell(of(row), room, out, size);
	if (strcmp(column->key, "value") == 0)
		return number_cell(of(row), of(row)->value, room, out, size);
	if (strcmp(column->key, "min") == 0)
		return number_cell(of(row), of(row)->least, room, out, size);
	if (strcmp(column->key, "max") == 0)
		return number_cell(of(row), of(row)->greatest, room, out, size);
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
	.nothing = nothing,
};
