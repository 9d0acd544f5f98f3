// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/history.h"

#include <stdlib.h>

void nt_history_add(struct nt_history *history, nt_time time, double value)
{
	size_t cell = history->count++ % NT_HISTORY_CELLS;
	history->cells[cell].time = time;
	history->cells[cell].value = value;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

struct nt_f64 nt_history_median(const struct nt_history *history, nt_time now)
{
	double values[NT_HISTORY_CELLS];
	size_t used = 0, kept = history->count < NT_HISTORY_CELLS ? history->count : NT_HISTORY_CELLS;
	nt_time oldest = now;
	for (size_t i = 0; i < kept; i++) {
		if (history->cells[i].time + NT_HISTORY_NS < now)
			continue;
		values[used++] = history->cells[i].value;
		if (history->cells[i].time < oldest)
			oldest = history->cells[i].time;
	}
	if (!used || now - oldest < NT_HISTORY_LEAST_NS)
		return (struct nt_f64){ 0 };
	qsort(values, used, sizeof(*values), compare);
	return nt_f64_of(values[used / 2]);
}
