// SPDX-License-Identifier: GPL-2.0-only
/* Waits for locks, told of the threads that wait. */
#include "model/contention.h"

/* Rows of living threads by tid. */
static void index_rows(const struct nt_process_snapshot *process, struct nt_index *rows)
{
	for (size_t i = 0; i < process->thread_count; i++)
		if (!process->threads[i].ended)
			nt_index_put(rows, process->threads[i].tid, (uint32_t)i);
}

void nt_contention_fill_threads(const struct nt_contention *contention, nt_time t1, struct nt_process_snapshot *process)
{
	struct nt_index rows = { 0 };
	if (contention->waiting_count)
		index_rows(process, &rows);
	for (size_t i = 0; i < contention->waiting_count; i++) {
		const struct nt_waiting *waiting = &contention->waiting[i];
		uint32_t row = nt_index_get(&rows, nt_waiting_tid(waiting));
		if (row == NT_INDEX_NONE || waiting->since >= t1 || !waiting->counts)
			continue;
		process->threads[row].lock_ns = nt_u64_of(t1 - waiting->since);
		if (nt_index_get(&rows, waiting->wait.owner_tid) != NT_INDEX_NONE)
			process->threads[row].lock_owner_tid = waiting->wait.owner_tid;
	}
	nt_index_fini(&rows);
}
