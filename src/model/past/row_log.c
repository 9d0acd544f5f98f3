// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/row_log.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

/* Of a block. More are packed better, and take longer to look into for one. */
enum { BLOCK_ROWS = 128 };

/* The largest that is logged, or behind one. */
enum { ROW_BYTES = 4096 };

struct nt_logged_block {
	uint32_t first, count; /* number of its first row, and of how many */
	struct nt_packed packed;
	struct nt_nodes unpacked; /* no lists: it is not */
};

/* ---- is it the same row? ---- */

static uint64_t hash_row(const struct nt_shape *shape, const void *row);

static uint64_t join(uint64_t hash, uint64_t other)
{
	return nt_hash_mix(hash) + other;
}

static uint64_t hash_rows(const struct nt_shape *shape, const unsigned char *rows, size_t count)
{
	uint64_t hash = count;
	for (size_t i = 0; rows && i < count; i++)
		hash = join(hash, hash_row(shape, rows + i * shape->size));
	return hash;
}

static uint64_t hash_refs(const struct nt_shape *shape, const void *const *refs, size_t count)
{
	uint64_t hash = count;
	for (size_t i = 0; refs && i < count; i++)
		hash = join(hash, hash_row(shape, refs[i]));
	return hash;
}

static uint64_t hash_text(const char *text)
{
	return text ? nt_hash_bytes(text, strlen(text)) : 0;
}

static const void *take_pointer(unsigned char *at)
{
	const void *pointer;
	memcpy(&pointer, at, sizeof(pointer));
	memset(at, 0, sizeof(pointer));
	return pointer;
}

static uint64_t hash_parts(const struct nt_shape *shape, unsigned char *copy);

/* What the pointers of the part lead to, in place of where they point. */
static uint64_t hash_part(const struct nt_part *part, unsigned char *copy)
{
	unsigned char *at = copy + part->at;
	uint64_t hash = 0;
	switch (part->kind) {
	case NT_PART_TEXT:
		for (size_t i = 0; i < part->count; i++)
			hash = join(hash, hash_text(take_pointer(at + i * sizeof(char *))));
		break;
	case NT_PART_ROWS:
		return hash_rows(part->of, take_pointer(at), nt_part_count(part, copy));
	case NT_PART_REFS:
		return hash_refs(part->of, take_pointer(at), nt_part_count(part, copy));
	case NT_PART_FIXED:
		return hash_rows(part->of, take_pointer(at), part->count);
	case NT_PART_INSIDE:
		for (size_t i = 0; i < part->count; i++)
			hash = join(hash, hash_parts(part->of, at + i * part->of->size));
		break;
	case NT_PART_LEFT:
		take_pointer(at);
		memset(copy + part->count_at, 0, part->count_size);
		break;
	}
	return hash;
}

static uint64_t hash_parts(const struct nt_shape *shape, unsigned char *copy)
{
	uint64_t hash = 0;
	for (size_t i = 0; i < shape->part_count; i++)
		hash = join(hash, hash_part(&shape->parts[i], copy));
	return hash;
}

static uint64_t hash_row(const struct nt_shape *shape, const void *row)
{
	unsigned char copy[ROW_BYTES];
	nt_assert(shape->size <= sizeof(copy));
	memcpy(copy, row, shape->size);
	uint64_t behind = hash_parts(shape, copy);
	return join(behind, nt_hash_bytes(copy, shape->size));
}

/* ---- blocks ---- */

static size_t rows_kept(const struct nt_row_log *log)
{
	return log->next - log->first;
}

static uint32_t open_first(const struct nt_row_log *log)
{
	const struct nt_logged_block *newest = log->block_count ? &log->blocks[log->block_count - 1] : NULL;
	return newest ? newest->first + newest->count : log->first;
}

static void close_block(struct nt_row_log *log)
{
	log->blocks = nt_grow(log->blocks, &log->block_capacity, log->block_count + 1, sizeof(*log->blocks));
	struct nt_logged_block *block = &log->blocks[log->block_count];
	*block = (struct nt_logged_block){ .first = open_first(log), .unpacked.kinds = log->open.nodes.kinds };
	block->count = log->next - block->first;
	nt_packing_write(&log->open);
	nt_packing_end(&log->open, &block->packed);
	nt_packing_fini(&log->open); /* its buffers are larger than a block */
	log->block_count++;
}

static void free_block(struct nt_logged_block *block)
{
	free(block->packed.bytes);
	nt_nodes_fini(&block->unpacked);
}

size_t nt_row_log_bytes(const struct nt_row_log *log)
{
	size_t bytes = nt_packing_bytes(&log->open) + log->block_capacity * sizeof(*log->blocks) +
		       log->row_capacity * sizeof(*log->hashes) + log->node_capacity * sizeof(*log->nodes) +
		       log->by_hash.size * sizeof(*log->by_hash.slots);
	for (size_t i = 0; i < log->block_count; i++)
		bytes += log->blocks[i].packed.size;
	return bytes;
}

/* ---- rows ---- */

static uint32_t add(struct nt_row_log *log, const struct nt_shape *shape, const void *row, uint64_t hash)
{
	if (!log->next)
		log->first = log->next = 1;
	if (log->next - open_first(log) == BLOCK_ROWS)
		close_block(log);
	size_t at = rows_kept(log);
	log->hashes = nt_grow(log->hashes, &log->row_capacity, at + 1, sizeof(*log->hashes));
	log->nodes = nt_grow(log->nodes, &log->node_capacity, at + 1, sizeof(*log->nodes));
	log->hashes[at] = hash;
	log->nodes[at] = nt_nodes_put(&log->open.nodes, shape, row);
	nt_index_put(&log->by_hash, hash, log->next);
	return log->next++;
}

static uint32_t put(struct nt_rows_elsewhere *rows, const struct nt_shape *shape, const void *row)
{
	struct nt_row_log *log = (struct nt_row_log *)rows;
	uint64_t hash = join(hash_row(shape, row), (uintptr_t)shape);
	uint32_t number = nt_index_get(&log->by_hash, hash);
	return number != NT_INDEX_NONE ? number : add(log, shape, row, hash);
}

static struct nt_logged_block *block_of(const struct nt_row_log *log, uint32_t number)
{
	size_t low = 0, high = log->block_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (log->blocks[middle].first + log->blocks[middle].count <= number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < log->block_count ? &log->blocks[low] : NULL;
}

static const struct nt_nodes *find(struct nt_rows_elsewhere *rows, uint32_t number, uint32_t *node)
{
	struct nt_row_log *log = (struct nt_row_log *)rows;
	nt_assert(number >= log->first && number < log->next);
	struct nt_logged_block *block = block_of(log, number);
	*node = log->nodes[number - log->first];
	if (!block)
		return &log->open.nodes;
	if (!block->unpacked.list_count)
		nt_packed_open(&block->packed, &block->unpacked);
	return &block->unpacked;
}

/* ---- its life ---- */

void nt_row_log_init(struct nt_row_log *log, struct nt_node_kinds *kinds)
{
	*log = (struct nt_row_log){ .rows = { .put = put, .find = find }, .open.nodes.kinds = kinds };
}

void nt_row_log_fini(struct nt_row_log *log)
{
	for (size_t i = 0; i < log->block_count; i++)
		free_block(&log->blocks[i]);
	nt_packing_fini(&log->open);
	nt_index_fini(&log->by_hash);
	free(log->blocks);
	free(log->hashes);
	free(log->nodes);
	nt_row_log_init(log, log->open.nodes.kinds);
}

void nt_row_log_pack(struct nt_row_log *log)
{
	for (size_t i = 0; i < log->block_count; i++)
		nt_nodes_fini(&log->blocks[i].unpacked);
}

void nt_row_log_forget(struct nt_row_log *log, uint32_t below)
{
	size_t blocks = 0, rows = 0;
	while (blocks < log->block_count && log->blocks[blocks].first + log->blocks[blocks].count <= below) {
		rows += log->blocks[blocks].count;
		free_block(&log->blocks[blocks++]);
	}
	if (!blocks)
		return;
	for (size_t i = 0; i < rows; i++)
		nt_index_remove(&log->by_hash, log->hashes[i]);
	memmove(log->blocks, log->blocks + blocks, (log->block_count - blocks) * sizeof(*log->blocks));
	memmove(log->hashes, log->hashes + rows, (rows_kept(log) - rows) * sizeof(*log->hashes));
	memmove(log->nodes, log->nodes + rows, (rows_kept(log) - rows) * sizeof(*log->nodes));
	log->block_count -= blocks;
	log->first += (uint32_t)rows;
}
