// SPDX-License-Identifier: GPL-2.0-only
/* Counters that the target publishes. Their numbers are in whatever unit the program chose. */
#include "output/columns/cell.h"

static const struct nt_counter_row *of(const void *row)
{
	return row;
}

#define READ_TEXT(member)                                                                                                                  \
	static struct nt_cell member(const void *row, const struct nt_column_context *context)                                             \
	{                                                                                                                                  \
		(void)context;                                                                                                             \
		return nt_cell_text(of(row)->member);                                                                                      \
	}
#define READ_NUMBER(member)                                                                                                                \
	static struct nt_cell member(const void *row, const struct nt_column_context *context)                                             \
	{                                                                                                                                  \
		(void)context;                                                                                                             \
		return nt_cell_of_f64(of(row)->member);                                                                                    \
	}

READ_TEXT(provider)
READ_TEXT(name)
READ_TEXT(label)
READ_TEXT(display_name)
READ_TEXT(unit)
READ_TEXT(tags)
READ_TEXT(description)
READ_TEXT(instrument_tags)
READ_TEXT(meter_tags)
READ_NUMBER(value)
READ_NUMBER(change)
READ_NUMBER(rate_per_s)
READ_NUMBER(least)
READ_NUMBER(greatest)
READ_NUMBER(least_per_s)
READ_NUMBER(greatest_per_s)
READ_NUMBER(p50)
READ_NUMBER(p95)
READ_NUMBER(p99)

static struct nt_cell kind(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_counter_kind_name(of(row)->kind));
}

static struct nt_cell trend(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_trend(&of(row)->trend);
}

static const struct nt_column columns[] = {
	{ .key = "provider",
	  .title = "PROVIDER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 26,
	  .drop = 5,
	  .narrow = 12,
	  .ascending = true,
	  .screen = true,
	  .help = "the EventSource or Meter that publishes it",
	  .read = provider },
	{ .key = "counter",
	  .title = "COUNTER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 31,
	  .drop = 6,
	  .narrow = 26,
	  .default_sort = true,
	  .ascending = true,
	  .screen = true,
	  .help = "its name in the program, with its tags; the screen adds the unit, and of the tags has those that differ between series "
		  "of one instrument",
	  .read = label },
	{ .key = "value",
	  .title = "VALUE",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .screen = true,
	  .help = "a state as last told; of events their total (since nettop listens, where the program tells none); of a histogram the "
		  "median of its last period",
	  .read = value },
	{ .key = "rate_per_s",
	  .title = "/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .help = "change per second over its last period; of a histogram: measurements; blank for a state that tells no changes",
	  .read = rate_per_s },
	{ .key = "p50",
	  .title = "P50",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 7,
	  .screen = true,
	  .help = "median of a histogram's last period that had measurements, of this series alone; blank: it is none",
	  .read = p50 },
	{ .key = "p95",
	  .title = "P95",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 8,
	  .screen = true,
	  .help = "95th percentile, likewise",
	  .read = p95 },
	{ .key = "p99",
	  .title = "P99",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 9,
	  .screen = true,
	  .help = "99th percentile, likewise",
	  .read = p99 },
	{ .key = "trend",
	  .title = "TREND",
	  .unit = NT_UNIT_TREND,
	  .align = NT_ALIGN_LEFT,
	  .width = NT_TREND_CELLS,
	  .drop = 2,
	  .screen = true,
	  .help = "of the last intervals: the value of a state, the rate of events, the p99 of a histogram",
	  .read = trend },
	{ .key = "min",
	  .title = "MIN",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 3,
	  .screen = true,
	  .help = "least VALUE since nettop listens; of a histogram the least p50; blank for events, whose total only grows",
	  .read = least },
	{ .key = "max",
	  .title = "MAX",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 4,
	  .screen = true,
	  .help = "greatest VALUE since nettop listens; of a histogram the greatest p99; blank for events, whose total only grows",
	  .read = greatest },
	{ .key = "min_per_s",
	  .title = "MIN/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "least change per second (/s) since nettop listens; blank for a state that tells no changes",
	  .read = least_per_s },
	{ .key = "max_per_s",
	  .title = "MAX/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 1,
	  .screen = true,
	  .help = "greatest change per second (/s) since nettop listens; blank for a state that tells no changes",
	  .read = greatest_per_s },
	{ .key = "name",
	  .title = "NAME",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .ascending = true,
	  .help = "its name without the tags",
	  .read = name },
	{ .key = "unit",
	  .title = "UNIT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 8,
	  .ascending = true,
	  .help = "as the program names it; blank: it does not",
	  .read = unit },
	{ .key = "tags",
	  .title = "TAGS",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .ascending = true,
	  .help = "the tags of this row, key=value; blank: none",
	  .read = tags },
	{ .key = "display_name",
	  .title = "SAYS",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .ascending = true,
	  .help = "what the program calls it for people; blank: nothing else",
	  .read = display_name },
	{ .key = "description",
	  .title = "DESCRIPTION",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .ascending = true,
	  .help = "what it counts, as its Meter says when it is asked for the first time; blank: it does not",
	  .read = description },
	{ .key = "instrument_tags",
	  .title = "ITS TAGS",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .ascending = true,
	  .help = "tags of the instrument itself, which all its series have; blank: none, or not said",
	  .read = instrument_tags },
	{ .key = "meter_tags",
	  .title = "METER TAGS",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .ascending = true,
	  .help = "likewise of its Meter",
	  .read = meter_tags },
	{ .key = "kind",
	  .title = "KIND",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 9,
	  .ascending = true,
	  .help = "gauge and up_down: a state; increment and total: events; histogram: measurements",
	  .read = kind },
	{ .key = "change",
	  .title = "CHANGE",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "change told in the interval; blank for a state that tells no changes",
	  .read = change },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->label;
}

static bool in_interval(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return !of(row)->ended;
}

const struct nt_table nt_table_counters = {
	.key = "counters",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(counters, counter_count),
	.row_in_interval = in_interval,
	.row_id = row_id,
	.row_name = row_name,
};
