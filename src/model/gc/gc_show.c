// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rows of collections in a snapshot. The newest ones are its own, because their stacks are; the others lie in blocks that snapshots share as long as nothing
 * in them changes: a copy of all in each interval was most of what a snapshot weighs.
 */
#include "model/gc/gc.h"

#include "base/alloc.h"
#include "base/row_block.h"

#include <stdlib.h>
#include <string.h>

/* What is where: the row `number`, counted from 0 since attach, is in the block number / NT_GC_BLOCK_ROWS. */
static const struct nt_gc_row *row_at(struct nt_gc *gc, size_t number)
{
	return nt_gc_row_newest(gc, gc->row_count - 1 - number);
}

static struct nt_gc_row *rows_in(struct nt_row_block *block)
{
	return (struct nt_gc_row *)(void *)block->rows;
}

static bool is_as_it_was(struct nt_gc *gc, struct nt_row_block *block, size_t from, size_t to)
{
	for (size_t number = from; number < to; number++)
		if (memcmp(&rows_in(block)[number % NT_GC_BLOCK_ROWS], row_at(gc, number), sizeof(struct nt_gc_row)) != 0)
			return false;
	return true;
}

/* The block with the rows [from, to), which has them as they are now. Borrowed. */
static struct nt_row_block *block_of(struct nt_gc *gc, size_t from, size_t to)
{
	size_t number = from / NT_GC_BLOCK_ROWS;
	struct nt_gc_block *kept = &gc->blocks[number % gc->block_limit];
	if (kept->block && kept->number == number && is_as_it_was(gc, kept->block, from, to))
		return kept->block;
	nt_row_block_release(kept->block);
	kept->number = number;
	kept->block = nt_row_block_new(NT_GC_BLOCK_ROWS * sizeof(struct nt_gc_row));
	for (size_t i = from; i < to; i++)
		memcpy(&rows_in(kept->block)[i % NT_GC_BLOCK_ROWS], row_at(gc, i), sizeof(struct nt_gc_row));
	return kept->block;
}

/* [first, row_count), with their stacks, in a block that nobody shares. */
static void show_own(struct nt_gc *gc, size_t first, struct nt_sites *sites, struct nt_snapshot *snapshot,
		     struct nt_process_snapshot *process)
{
	size_t count = gc->row_count - first;
	struct nt_row_block *block = nt_row_block_new(count * sizeof(struct nt_gc_row));
	process->collection_blocks[process->collection_block_count++] = block;
	for (size_t back = 0; back < count; back++) {
		struct nt_gc_row *row = nt_gc_row_newest(gc, back), *shown = &rows_in(block)[back];
		*shown = *row;
		nt_site_ref asker = *nt_gc_row_asker(gc, row);
		if (asker && back < NT_GC_WHOLE_STACKS)
			shown->asked_from = nt_sites_stack(sites, asker, snapshot);
		process->collections[back] = shown;
	}
}

static void show_shared(struct nt_gc *gc, size_t from, size_t to, struct nt_process_snapshot *process)
{
	struct nt_row_block *block = nt_row_block_retain(block_of(gc, from, to));
	process->collection_blocks[process->collection_block_count++] = block;
	for (size_t number = from; number < to; number++)
		process->collections[gc->row_count - 1 - number] = &rows_in(block)[number % NT_GC_BLOCK_ROWS];
}

void nt_gc_show(struct nt_gc *gc, struct nt_sites *sites, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	nt_gc_name_askers(gc, sites);
	nt_gc_heaps_show(&gc->heaps, process);
	size_t count = gc->row_count < gc->limit ? gc->row_count : gc->limit, first = gc->row_count - count;
	size_t own = gc->row_count > NT_GC_WHOLE_STACKS ? gc->row_count - NT_GC_WHOLE_STACKS : 0;
	own -= own % NT_GC_BLOCK_ROWS;
	if (own < first)
		own = first;
	process->collection_total = gc->row_count;
	process->collection_count = count;
	process->collections = nt_realloc(NULL, count, sizeof(*process->collections));
	process->collection_blocks = nt_realloc(NULL, gc->block_limit + 1, sizeof(struct nt_row_block *));
	if (count)
		show_own(gc, own, sites, snapshot, process);
	for (size_t from = first, to; from < own; from = to) {
		to = from - from % NT_GC_BLOCK_ROWS + NT_GC_BLOCK_ROWS;
		show_shared(gc, from, to, process);
	}
}

void nt_gc_blocks_init(struct nt_gc *gc)
{
	gc->block_limit = gc->limit / NT_GC_BLOCK_ROWS + 2; /* begun and ended in the midst of one */
	gc->blocks = nt_alloc(gc->block_limit * sizeof(*gc->blocks));
}

void nt_gc_blocks_fini(struct nt_gc *gc)
{
	for (size_t i = 0; i < gc->block_limit; i++)
		nt_row_block_release(gc->blocks[i].block);
	free(gc->blocks);
	gc->blocks = NULL;
	gc->block_limit = 0;
}
