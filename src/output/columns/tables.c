// SPDX-License-Identifier: GPL-2.0-only
/* All tables, and where a snapshot has their rows. */
#include "nettop/column.h"

#include <string.h>

const struct nt_table *const nt_tables[] = {
	&nt_table_methods,
	&nt_table_calls,
	&nt_table_instructions,
	&nt_table_gc,
	&nt_table_generations,
	&nt_table_gc_heaps,
	&nt_table_jit,
	&nt_table_threads,
	&nt_table_adjustments,
	&nt_table_pool_waits,
	&nt_table_exceptions,
	&nt_table_allocations,
	&nt_table_locks,
	&nt_table_counters,
	&nt_table_sources,
	&nt_table_processes,
	&nt_table_watched,
	&nt_table_relayed,
	&nt_table_waits,
	&nt_table_wait_reasons,
	&nt_table_wait_threads,
	&nt_table_wall,
	&nt_table_io,
	&nt_table_requests,
	&nt_table_single_requests,
	&nt_table_request_times,
	&nt_table_jit_modules,
	&nt_table_jit_namespaces,
	&nt_table_jit_tiers,
	&nt_table_jit_triggers,
	&nt_table_lock_objects,
	&nt_table_lock_owners,
	&nt_table_allocation_sites,
	&nt_table_allocation_threads,
	&nt_table_throw_sites,
	&nt_table_thrown,
	&nt_table_events,
	&nt_table_event_rates,
	&nt_table_jit_callers,
	&nt_table_jit_startup,
	&nt_table_jit_causes,
	&nt_table_differences,
	NULL,
};

size_t nt_table_rows_of(const struct nt_table *table, const struct nt_process_snapshot *process, const struct nt_snapshot *snapshot,
			const void **first)
{
	const char *part = table->rows.of_process ? (const char *)process : (const char *)snapshot;
	size_t count;
	if (table->rows.in_place)
		*first = part + table->rows.array;
	else
		memcpy(first, part + table->rows.array, sizeof(*first));
	memcpy(&count, part + table->rows.count, sizeof(count));
	return count;
}

const struct nt_column *nt_table_column(const struct nt_table *table, const char *key)
{
	for (size_t i = 0; key && i < table->column_count; i++)
		if (strcmp(table->columns[i].key, key) == 0)
			return &table->columns[i];
	return NULL;
}
