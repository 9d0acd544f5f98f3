/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of tables as metrics with labels of their own: types, routes, methods. Inside src/output/metrics/ only. */
#ifndef NT_OUTPUT_METRIC_ROWS_H
#define NT_OUTPUT_METRIC_ROWS_H

#include "output/metrics/metrics.h"

/* Of each table and process those with most since attach; what is beyond has no sample, and is what is left of the figure without these labels. */
enum { NT_METRIC_ROWS_MAX = 50 };

/* A family of rows: of one column of a table. */
struct nt_row_family {
	struct nt_metric_family family;
	const char *table, *column;                          /* their keys */
	enum nt_metric_form form;                            /* of what is in the column */
	struct nt_metric_label labels[NT_METRIC_LABELS_MAX]; /* key, and key of the column that has the value; ends with NULL */
};
extern const struct nt_row_family nt_row_families[];
extern const size_t nt_row_family_count;

struct nt_row_point {
	const char *values[NT_METRIC_LABELS_MAX]; /* of its labels; borrowed from the snapshot */
	struct nt_metric_value value;
};

/* The points of a process, at most NT_METRIC_ROWS_MAX, no two with labels that are written alike: of such counters are added up, of others the first holds. Returns how many. */
size_t nt_row_points(const struct nt_row_family *of, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process,
		     struct nt_row_point points[NT_METRIC_ROWS_MAX]);

#endif
