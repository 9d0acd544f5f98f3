// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/pair_rows.h"

#include <stdlib.h>

static double number_in(const unsigned char *row, const struct nt_span_number *number)
{
	const void *at = row + number->at;
	switch (number->type) {
	case NT_SPAN_REAL:
		return *(const double *)at;
	case NT_SPAN_KNOWN_U64:
		return ((const struct nt_u64 *)at)->known ? (double)((const struct nt_u64 *)at)->v : 0;
	case NT_SPAN_BOOL:
		return *(const bool *)at;
	default:
		return (double)*(const uint64_t *)at;
	}
}

static void count(struct nt_span_pair *pair, enum nt_pair_side side, const struct nt_span_compared *compared, const unsigned char *row,
		  size_t batch)
{
	double any = 0;
	for (unsigned i = 0; i < compared->figure_count; i++)
		any += number_in(row, &compared->amounts[i]);
	if (any <= 0)
		return;
	char *name = compared->name(row);
	size_t place = nt_span_pair_row(pair, name, NULL);
	free(name);
	for (unsigned i = 0; i < compared->figure_count; i++) {
		double amount = number_in(row, &compared->amounts[i]);
		nt_span_pair_add(pair, side, place, i, batch, amount, number_in(row, &compared->counts[i]));
		pair->spans[side].totals[i][batch] += amount;
	}
}

void nt_pair_rows_read(struct nt_span_pair *pair, enum nt_pair_side side, const struct nt_span_list *list,
		       const struct nt_snapshot *interval, const struct nt_process_snapshot *process)
{
	struct nt_pair_span *span = &pair->spans[side];
	double told_s = list->compared->told_s(process);
	if (interval->t0 < span->from || interval->t1 > span->to || told_s <= 0)
		return;
	size_t batch = nt_pair_batch(span, interval->t0 + (interval->t1 - interval->t0) / 2);
	span->seconds[batch] += told_s;
	span->told_ns += (nt_time)(told_s * (double)NT_NS_PER_S);
	for (size_t i = 0; i < nt_span_list_count(list, process); i++) {
		const unsigned char *row = nt_span_list_row(list, process, i);
		if (!list->compared->is_counted || list->compared->is_counted(row, interval))
			count(pair, side, list->compared, row, batch);
	}
}
