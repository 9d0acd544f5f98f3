// SPDX-License-Identifier: GPL-2.0-only
#include "output/metrics/metric_rows.h"

#include "base/text.h"
#include "nettop/column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counters are of columns whose cell since attach only grows. */
const struct nt_row_family nt_row_families[] = {
	{ .family = { .name = "nettop_exceptions_by_type",
		      .unit = "",
		      .type = NT_METRIC_COUNTER,
		      .help = "exceptions thrown, by type (since nettop came; the 50 types with most)" },
	  .table = "exceptions",
	  .column = "count",
	  .form = NT_METRIC_WHOLE,
	  .labels = { { "type", "type" } } },
	{ .family = { .name = "nettop_requests_by_route",
		      .unit = "",
		      .type = NT_METRIC_COUNTER,
		      .help = "requests that ended, by what was asked for and what came of it (since nettop came; the 50 with most)" },
	  .table = "requests",
	  .column = "count",
	  .form = NT_METRIC_WHOLE,
	  .labels = { { "way", "way" }, { "method", "method" }, { "route", "route" }, { "status", "status" } } },
	{ .family = { .name = "nettop_requests_by_route_p99_seconds",
		      .unit = "seconds",
		      .type = NT_METRIC_GAUGE,
		      .help = "99th percentile of the durations in the last second in which some of them ended; those of several cannot be "
			      "added" },
	  .table = "requests",
	  .column = "p99_ns",
	  .form = NT_METRIC_NANOSECONDS,
	  .labels = { { "way", "way" }, { "method", "method" }, { "route", "route" }, { "status", "status" } } },
	{ .family = { .name = "nettop_allocated_by_type_bytes",
		      .unit = "bytes",
		      .type = NT_METRIC_COUNTER,
		      .help = "bytes allocated while that was sampled, by type: an estimate (with --with allocations; the 50 with most)" },
	  .table = "allocations",
	  .column = "bytes",
	  .form = NT_METRIC_WHOLE,
	  .labels = { { "type", "type" } } },
	{ .family = { .name = "nettop_cpu_samples_by_method",
		      .unit = "",
		      .type = NT_METRIC_COUNTER,
		      .help = "samples of CPU time in a method itself, not in what it calls (with --with samples; the 50 with most)" },
	  .table = "methods",
	  .column = "self_samples",
	  .form = NT_METRIC_WHOLE,
	  .labels = { { "method", "name" }, { "module", "module" } } },
};
const size_t nt_row_family_count = sizeof(nt_row_families) / sizeof(nt_row_families[0]);

/* As it is written. */
static bool is_same_text(const char *a, const char *b)
{
	char safe_a[NT_METRIC_LABEL_BYTES], safe_b[NT_METRIC_LABEL_BYTES];
	nt_text_escape(a, strlen(a), safe_a, sizeof(safe_a));
	nt_text_escape(b, strlen(b), safe_b, sizeof(safe_b));
	return strcmp(safe_a, safe_b) == 0;
}

static bool is_same(const struct nt_row_point *a, const struct nt_row_point *b, size_t label_count)
{
	size_t i = 0;
	while (i < label_count && is_same_text(a->values[i], b->values[i]))
		i++;
	return i == label_count;
}

static void add(const struct nt_row_family *of, const struct nt_row_point *point, size_t label_count, struct nt_row_point *points,
		size_t *count)
{
	for (size_t i = 0; i < *count; i++) {
		if (!is_same(&points[i], point, label_count))
			continue;
		if (of->family.type == NT_METRIC_COUNTER)
			points[i].value.whole += point->value.whole;
		return;
	}
	points[(*count)++] = *point;
}

/* False: it is not known. */
static bool read_value(const struct nt_row_family *of, const struct nt_column *column, struct nt_cell cell, struct nt_metric_value *out)
{
	bool is_real = column->unit == NT_UNIT_PCT || column->unit == NT_UNIT_PCT_WHOLE || column->unit == NT_UNIT_PER_S ||
		       column->unit == NT_UNIT_REAL;
	if (!cell.known || (is_real && !(isfinite(cell.f) && cell.f >= 0)))
		return false;
	*out = (struct nt_metric_value){ .form = of->form, .whole = is_real ? (uint64_t)cell.f : cell.u };
	return true;
}

size_t nt_row_points(const struct nt_row_family *of, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process,
		     struct nt_row_point points[NT_METRIC_ROWS_MAX])
{
	const struct nt_table *table = nt_table_called(of->table);
	const struct nt_column *column = nt_table_column(table, of->column), *labels[NT_METRIC_LABELS_MAX];
	const struct nt_column_context context = { .snapshot = snapshot, .process = process, .window = NT_WINDOW_ATTACH };
	size_t label_count = 0, count = 0, row_count;
	for (; of->labels[label_count].key; label_count++)
		labels[label_count] = nt_table_column(table, of->labels[label_count].value);
	const void **rows = nt_table_top(table, &context, &row_count);
	for (size_t r = 0; r < row_count && count < NT_METRIC_ROWS_MAX; r++) {
		struct nt_row_point point;
		if (!read_value(of, column, column->read(rows[r], &context), &point.value))
			continue;
		for (size_t i = 0; i < label_count; i++) {
			const struct nt_cell cell = labels[i]->read(rows[r], &context);
			point.values[i] = cell.known ? cell.text : "";
		}
		add(of, &point, label_count, points, &count);
	}
	free(rows);
	return count;
}
