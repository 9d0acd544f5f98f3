// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/series.h"

#include <string.h>

struct nt_f64 nt_per_second(struct nt_u64 count, nt_time span_ns)
{
	if (!count.known || !span_ns)
		return (struct nt_f64){ 0 };
	return nt_f64_of((double)count.v * (double)NT_NS_PER_S / (double)span_ns);
}

/* The figure that a tile begins with. */
static struct nt_f64 headline_of(const struct nt_subject *subject, const struct nt_figures *figures)
{
	const char *at = (const char *)figures, *value = at + subject->headline;
	if (subject->headline_is_f64)
		return *(const struct nt_f64 *)(const void *)value;
	const struct nt_u64 *number = (const struct nt_u64 *)(const void *)value;
	if (!subject->headline_per_s)
		return (struct nt_f64){ .v = (double)number->v, .known = number->known };
	const struct nt_u64 *covered_ns = (const struct nt_u64 *)(const void *)(at + subject->covered_ns);
	struct nt_f64 rate = nt_per_second(*number, covered_ns->v);
	if (subject->headline_rate) {
		const struct nt_f64 *told = (const struct nt_f64 *)(const void *)(at + subject->headline_rate);
		rate = told->known ? *told : rate;
	}
	return (struct nt_f64){ .v = rate.v / subject->headline_per_s, .known = rate.known };
}

void nt_series_add(struct nt_series_state *state, const struct nt_figures *interval)
{
	if (!interval->span_ns)
		return;
	for (unsigned i = 0; i < NT_SUBJECT_TILES; i++) {
		struct nt_f64 *cells = state->series[i].cells;
		memmove(cells, cells + 1, (NT_SERIES_CELLS - 1) * sizeof(*cells));
		cells[NT_SERIES_CELLS - 1] = headline_of(nt_subjects[i], interval);
	}
}
