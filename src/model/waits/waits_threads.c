// SPDX-License-Identifier: GPL-2.0-only
/* What threads wait for, in their rows. */
#include "model/waits/wait_place.h"
#include "model/waits/waits.h"

static void fill(const struct nt_wait_thread *thread, nt_time t1, struct nt_sites *stacks, struct nt_snapshot *snapshot,
		 struct nt_thread_row *row)
{
	row->waits = true;
	row->wait = thread->kind;
	row->wait_what = thread->what;
	if (thread->since != NT_TIME_UNKNOWN && t1 > thread->since)
		row->wait_ns = nt_u64_of(t1 - thread->since);
	row->wait_from = nt_sites_stack(stacks, thread->piece.stack, snapshot);
	if (!row->wait_from)
		return;
	struct nt_wait_place place = nt_wait_place_of(row->wait_from->frames, row->wait_from->count, row->wait_from->site);
	row->wait_means = place.means;
	row->wait_at = place.found ? row->wait_from->frames[place.site].name : NULL;
}

void nt_waits_fill_threads(const struct nt_waits *waits, nt_time t1, struct nt_sites *stacks, struct nt_snapshot *snapshot,
			   struct nt_process_snapshot *process)
{
	struct nt_index rows = { 0 };
	for (size_t i = 0; i < process->thread_count && waits->count; i++)
		if (!process->threads[i].ended)
			nt_index_put(&rows, process->threads[i].tid, (uint32_t)i);
	for (size_t i = 0; i < waits->count; i++) {
		const struct nt_wait_thread *thread = &waits->threads[i];
		uint32_t row = nt_index_get(&rows, thread->tid);
		if (row == NT_INDEX_NONE || !thread->waits)
			continue;
		fill(thread, t1, stacks, snapshot, &process->threads[row]);
		if (nt_index_get(&rows, thread->owner_tid) != NT_INDEX_NONE)
			process->threads[row].wait_owner_tid = thread->owner_tid;
	}
	nt_index_fini(&rows);
}
