// SPDX-License-Identifier: GPL-2.0-only
#include "fixture_rows.h"

#include <string.h>

/* As the rows have it. */
void fixture_purposes(struct nt_process_snapshot *process)
{
	static const double pct[NT_PURPOSE_COUNT] = { 31.2, 17.6, 29.1, 0.9, 1.1, 9.4, 9.8, 0.4, 0.5 };
	struct nt_purpose_figures *interval = &process->interval.cpu.purposes, *total = &process->total.cpu.purposes;
	for (int i = 0; i < NT_PURPOSE_COUNT; i++) {
		process->window_purpose_pct[i] = interval->pct[i] = total->pct[i] = nt_f64_of(pct[i]);
		interval->samples[i] = nt_u64_of((uint64_t)(pct[i] * 50.9));
		total->samples[i] = nt_u64_of((uint64_t)(pct[i] * 12725));
	}
	for (size_t i = 0; i < process->method_count; i++) {
		const char *module = process->methods[i].module;
		process->methods[i].own = module && strncmp(module, "Shop", 4) == 0;
	}
}
