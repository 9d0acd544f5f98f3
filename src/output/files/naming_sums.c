// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/naming_sums.h"

void nt_naming_sum(const struct nt_process_snapshot *process, enum nt_window window, struct nt_naming_sums *out)
{
	*out = (struct nt_naming_sums){ 0 };
	for (size_t i = 0; i < process->method_count; i++) {
		const struct nt_method_row *row = &process->methods[i];
		const double samples[] = { row->window_self, (double)row->self_samples_all, (double)row->self_samples };
		out->samples += samples[window];
		out->of_naming[row->naming] += samples[window];
		out->of_class[nt_naming_entry(row->naming)->class] += samples[window];
	}
}

size_t nt_naming_order(const struct nt_naming_sums *sums, enum nt_naming order[NT_NAMING_COUNT])
{
	size_t count = 0;
	for (unsigned naming = 0; naming < NT_NAMING_COUNT; naming++) {
		if (nt_naming_entry(naming)->class != NT_NAMING_CLASS_REASON || sums->of_naming[naming] == 0)
			continue;
		size_t at = count++;
		for (; at && sums->of_naming[order[at - 1]] < sums->of_naming[naming]; at--)
			order[at] = order[at - 1];
		order[at] = naming;
	}
	return count;
}
