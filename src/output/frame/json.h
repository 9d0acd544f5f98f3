/* SPDX-License-Identifier: GPL-2.0-only */
/* Snapshots as JSON, one object per line: the names other tools rely on (README, "JSON"). Unknown is null, never 0. */
#ifndef NT_OUTPUT_JSON_H
#define NT_OUTPUT_JSON_H

#include <jansson.h>

#include "nettop/column.h"
#include "nettop/snapshot.h"

struct nt_json_options {
	size_t top;                           /* method rows in an interval line; the summary has all */
	const struct nt_column *const *sorts; /* as in struct nt_column_context; NULL = none */
	int replay_equal;                     /* summary: 1 = equal, 0 = not, -1 = not checked (member left out) */
};

/*
 * One line of JSON without line feed, for snapshot->processes[0]: "interval", or "summary" when snapshot->final. Owned by the caller (free).
 * NULL only when the snapshot has no process.
 */
char *nt_json_line(const struct nt_snapshot *snapshot, const struct nt_json_options *options);

/* A row of a list that is watched, with the figures of its process in the interval: "process". Without line feed; owned by the caller (free). */
char *nt_json_process_row(const struct nt_snapshot *snapshot, const struct nt_process_row *row);

/* The list of processes as one object, without line feed. Owned by the caller (free). */
char *nt_json_process_list(const struct nt_snapshot *snapshot);

/* The rows of a table as objects, the first `limit` of those that are of the time that the line is about. A new reference. */
json_t *nt_json_table(const struct nt_table *table, const struct nt_column_context *context, size_t limit);

/* Add the members that the table of subjects names, each in its section, with the reasons for what is not known. */
void nt_json_add_figures(json_t *line, const struct nt_figures *figures);

#endif
