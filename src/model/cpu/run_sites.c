// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/run_sites.h"

#include "base/alloc.h"

struct nt_run_site *nt_run_sites(const struct nt_cpu *cpu, size_t *count)
{
	const struct nt_rows *rows = &cpu->rows;
	struct nt_run_site *sites = NULL;
	size_t capacity = 0;
	*count = 0;
	for (uint32_t i = 0; i < rows->count; i++) {
		const struct nt_row *row = &rows->items[i];
		if (!row->own_all)
			continue;
		const struct nt_row_window *window = nt_row_window(rows, row);
		const struct nt_key *key = nt_resolver_key(cpu->resolver, i);
		sites = nt_grow(sites, &capacity, *count + 1, sizeof(*sites));
		sites[(*count)++] = (struct nt_run_site){ .name = key->name,
							  .module = key->module,
							  .interval = window ? window->own_interval : 0,
							  .all = row->own_all,
							  .window = window ? window->own : 0 };
	}
	return sites;
}
