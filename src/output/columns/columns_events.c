// SPDX-License-Identifier: GPL-2.0-only
/* Events one by one, and how many of each kind came. */
#include "nettop/told_row.h"
#include "base/told_text.h"
#include "output/columns/cell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- the list ---- */

static const struct nt_told_row *of(const void *row)
{
	return row;
}

static struct nt_cell time_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->time);
}

static struct nt_cell tid(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return (struct nt_cell){ .known = of(row)->tid != 0, .u = of(row)->tid };
}

static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->count);
}

static struct nt_cell event(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->event);
}

static struct nt_cell activity(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->activity);
}

static struct nt_cell payload_bytes(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return (struct nt_cell){ .known = of(row)->payload_bytes != 0, .u = of(row)->payload_bytes };
}

static struct nt_cell fields(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->fields);
}

/* ---- the kinds ---- */

static const struct nt_told_kind_row *kind(const void *row)
{
	return row;
}

static struct nt_cell kind_per_s(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_f64(kind(row)->per_s);
}

static struct nt_cell kind_count(const void *row, const struct nt_column_context *context)
{
	return nt_cell_u(context->window == NT_WINDOW_INTERVAL ? kind(row)->count : kind(row)->count_all);
}

static struct nt_cell kind_bytes(const void *row, const struct nt_column_context *context)
{
	uint64_t bytes = context->window == NT_WINDOW_INTERVAL ? kind(row)->bytes : kind(row)->bytes_all;
	return (struct nt_cell){ .known = kind(row)->bytes_all != 0, .u = bytes };
}

static struct nt_cell kind_trend(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_trend(&kind(row)->trend);
}

static struct nt_cell kind_event(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(kind(row)->event);
}

/* clang-format off */
#define NUMBER(key_, title_, unit_, width_, help_) \
	.key = (key_), .title = (title_), .unit = (unit_), .align = NT_ALIGN_RIGHT, .width = (width_), .help = (help_)
#define NAME(key_, title_, width_, help_) \
	.key = (key_), .title = (title_), .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .width = (width_), .ascending = true, .help = (help_)

static const struct nt_column columns[] = {
	{ NUMBER("time_ns", "TIME", NT_UNIT_INTEGER, 12, "when it happened: on the screen the time of day, in JSON CLOCK_MONOTONIC in ns"), .drop = 3, .ascending = true, .screen = true, .read = time_ns },
	{ NUMBER("tid", "TID", NT_UNIT_INTEGER, 7, "the thread, as the system that nettop is on numbers it; blank: none"), .drop = 2, .ascending = true, .screen = true, .read = tid },
	{ NUMBER("count", "COUNT", NT_UNIT_COUNT, 6, "1; of a line that is no event, how many it stands for: not shown one by one, or lost"), .read = count },
	{ NUMBER("payload_bytes", "BYTES", NT_UNIT_BYTES, 5, "size of its payload; blank: it is not in its provider's form"), .read = payload_bytes },
	{ NAME("event", "EVENT", 30, "provider and event; clr is the runtime. Before something is chosen: who brought it, and what nettop calls it; NOT SHOWN, LOST: no event, but how many are missing here"), .narrow = 20, .drop = 1, .screen = true, .read = event },
	{ NAME("activity", "ACTIVITY", 36, "the activity that the thread worked for, an id of the runtime's; blank: none"), .drop = 1, .read = activity },
	{ NAME("fields", "FIELDS", 0, "its payload, by the names of the fields"), .screen = true, .read = fields },
};

static const struct nt_column rate_columns[] = {
	{ NUMBER("per_s", "/s", NT_UNIT_PER_S, 7, "in a second, over the last interval"), .default_sort = true, .screen = true, .sort_key = NT_SORT_BY_TIME, .tie = "count", .read = kind_per_s },
	{ NUMBER("count", "COUNT", NT_UNIT_COUNT, 7, "since it was chosen what is told; in JSON of the interval"), .screen = true, .read = kind_count },
	{ NUMBER("bytes", "BYTES", NT_UNIT_BYTES, 7, "of their payloads, likewise; blank: they are not in their provider's form"), .drop = 2, .screen = true, .sort_key = NT_SORT_BY_MEMORY, .read = kind_bytes },
	{ .key = "trend", .title = "TREND", .unit = NT_UNIT_TREND, .scale = NT_SCALE_COUNT, .align = NT_ALIGN_LEFT, .width = 8, .drop = 1, .screen = true, .help = "in a second, over the last intervals", .read = kind_trend },
	{ NAME("event", "EVENT", 0, "provider and event, as in the list"), .screen = true, .read = kind_event },
};
/* clang-format on */

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->event;
}

static bool row_in_interval(const void *row, const struct nt_column_context *context)
{
	return of(row)->id >= context->process->told.fresh_from;
}

/* Besides its payload what stands beside it. */
static bool own_field(const struct nt_told_row *row, const char *name, char *out, size_t size)
{
	if (strcasecmp(name, "thread") == 0 || strcasecmp(name, "tid") == 0)
		snprintf(out, size, "%" PRIu32, row->tid);
	else if (strcasecmp(name, "event") == 0)
		snprintf(out, size, "%s", row->event);
	else if (strcasecmp(name, "activity") == 0)
		snprintf(out, size, "%s", row->activity ? row->activity : "");
	else
		return false;
	return true;
}

static bool row_field(const void *row, const char *name, char *out, size_t size)
{
	struct nt_told_line line;
	if (of(row)->kind != NT_TOLD_ROW_EVENT)
		return false;
	if (nt_told_find(of(row)->lines, name, strlen(name), &line)) {
		snprintf(out, size, "%.*s", (int)line.value_length, line.value);
		return true;
	}
	return own_field(of(row), name, out, size);
}

static uint64_t kind_id(const void *row)
{
	return kind(row)->id;
}

static const char *kind_name(const void *row)
{
	return kind(row)->event;
}

static bool kind_in_interval(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return kind(row)->count != 0;
}

const struct nt_table nt_table_events = {
	.key = "events",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_POINTERS_OF_PROCESS(told.rows, told.row_count),
	.row_id = row_id,
	.row_name = row_name,
	.row_in_interval = row_in_interval,
	.row_field = row_field,
};

const struct nt_table nt_table_event_rates = {
	.key = "event_rates",
	.columns = rate_columns,
	.column_count = sizeof(rate_columns) / sizeof(rate_columns[0]),
	.rows = NT_ROWS_OF_PROCESS(told.kinds, told.kind_count),
	.row_id = kind_id,
	.row_name = kind_name,
	.row_in_interval = kind_in_interval,
};
