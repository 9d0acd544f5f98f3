// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/snapshot.h"

#include "base/arena.h"
#include "base/row_block.h"
#include "base/texts.h"

#include <stdlib.h>

struct nt_snapshot *nt_snapshot_retain(struct nt_snapshot *snapshot)
{
	snapshot->refs++;
	return snapshot;
}

static void free_lists(struct nt_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->process_count; i++) {
		struct nt_process_snapshot *process = &snapshot->processes[i];
		free(process->methods);
		for (size_t b = 0; b < process->collection_block_count; b++)
			nt_row_block_release(process->collection_blocks[b]);
		free(process->collection_blocks);
		free(process->collections);
		free(process->gc_heaps);
		free(process->exceptions);
		free(process->requests);
		free(process->single_requests);
		free(process->request_times);
		for (size_t b = 0; b < process->told.block_count; b++)
			nt_row_block_release(process->told.blocks[b]);
		free(process->told.blocks);
		free(process->told.rows);
		free(process->told.kinds);
		free(process->locks);
		free(process->waits);
		free(process->wait_reasons);
		free(process->wait_threads);
		free(process->wall);
		free(process->io);
		free(process->allocations);
		free(process->threads);
		free(process->jit_methods);
		for (int g = 0; g < NT_JIT_GROUPINGS; g++)
			free(process->jit_groups[g]);
		free(process->jit_callers);
		free(process->jit_startup.items);
		free(process->jit_startup.causes);
		free(process->jit_now);
		free(process->instructions);
		free(process->counters);
		free(process->findings);
		free(process->questions);
	}
	free(snapshot->processes);
	free(snapshot->listed);
}

void nt_snapshot_release(struct nt_snapshot *snapshot)
{
	if (!snapshot || --snapshot->refs)
		return;
	if (!snapshot->whole)
		free_lists(snapshot);
	nt_arena_free(snapshot->arena);
	nt_texts_unpin(snapshot->texts);
	free(snapshot);
}

const struct nt_source_row *nt_snapshot_source(const struct nt_snapshot *snapshot, enum nt_source_id id)
{
	for (size_t i = 0; i < snapshot->source_count; i++)
		if (snapshot->sources[i].id == id)
			return &snapshot->sources[i];
	return NULL;
}

enum nt_source_id nt_snapshot_carrier(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *row = snapshot ? nt_snapshot_source(snapshot, NT_SOURCE_EVENTPIPE) : NULL;
	bool brings = row && row->brings & (NT_WANT_RUNTIME_EVENTS | NT_WANT_GC_EVENTS);
	return brings && row->state != NT_STATE_ABSENT && row->state != NT_STATE_FORBIDDEN ? NT_SOURCE_EVENTPIPE : NT_SOURCE_LTTNG;
}
