// SPDX-License-Identifier: GPL-2.0-only
/* Who asked for each collection. */
#include "model/gc.h"

enum { WHOLE_STACKS = 64 }; /* of so many of the newest collections the whole stack is kept; of the others the name stands */

/* Collections that begin in it may still come. */
static void keep_stops(struct nt_gc *gc, struct nt_sites *sites)
{
	nt_sites_keep(sites, &gc->triggered);
	for (size_t i = 0; i < NT_GC_STOPS; i++)
		nt_sites_keep(sites, &gc->stops[i].asked_by);
}

void nt_gc_fill_askers(struct nt_gc *gc, struct nt_sites *sites, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	keep_stops(gc, sites);
	for (size_t back = 0; back < process->collection_count; back++) {
		struct nt_gc_row *row = nt_gc_row_newest(gc, back), *shown = &process->collections[back];
		nt_site_ref *asker = nt_gc_row_asker(gc, row);
		if (!*asker)
			continue;
		struct nt_site site = nt_sites_keep(sites, asker);
		row->asked_by = shown->asked_by = site.name;
		if (back < WHOLE_STACKS)
			shown->asked_from = nt_sites_stack(sites, *asker, snapshot);
		else if (!site.open)
			*asker = 0;
	}
}
