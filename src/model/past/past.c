// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/past.h"

#include "base/alloc.h"
#include "nettop/status.h"
#include "model/past/node_columns.h"
#include "model/past/nodes.h"
#include "model/past/raise.h"
#include "model/past/samples_fold.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* A chunk is closed when it has one of both: more have more in common, and take longer to look into. */
enum { CHUNK_INTERVALS = 32, CHUNK_BYTES = 3 << 20, LEVEL = 3, WINDOW_LOG = 18, PACKED_FIRST = 64 << 10 };

/* Folding is worth it where the samples, each stack counted in each of its intervals, are such a part of a chunk. */
enum { FOLD_PART = 8 };

/* The newest third of the time is not folded: there people look most closely, and what is gained of the rest is most of it. */
enum { EXACT_PART = 3 };

#define SPAN_NS (900 * NT_NS_PER_S)
enum { LIMIT_BYTES = 32 << 20 };

struct interval {
	uint64_t sequence;
	nt_time t0, t1;
	nt_time folded_from, folded_to; /* as in its samples; 0 = they are not folded */
	uint32_t node;
};

struct chunk {
	struct chunk *next; /* newer */
	struct interval intervals[CHUNK_INTERVALS];
	size_t count;
	size_t byte_count;   /* of its nodes */
	size_t column_bytes; /* of them in columns, before they were packed */
	size_t sample_bytes; /* what the samples in it take that are not folded, if no two intervals had the same stacks */
	size_t packed_size;
	unsigned char *packed; /* owned */
};

/* Whoever goes back step by step looks into the same chunk again. */
struct unpacked {
	const struct chunk *of; /* NULL = of none */
	struct nt_nodes nodes;
};

struct nt_past {
	struct nt_past_config config;
	struct chunk *oldest, *newest; /* owned */
	size_t packed_bytes;           /* of all chunks, with what is said about them */
	struct nt_node_kinds kinds;    /* of all nodes */
	struct nt_nodes open;
	struct interval open_intervals[CHUNK_INTERVALS];
	size_t open_count, open_sample_bytes;
	/* The open nodes are written in columns and packed as they come, so that no frame waits for all. */
	struct nt_columns_writer columns;
	size_t column_bytes;
	ZSTD_CCtx *packer;     /* owned */
	unsigned char *packed; /* owned */
	size_t packed_size, packed_capacity;
	struct unpacked unpacked;
	bool crowded;
};

struct nt_past *nt_past_new(const struct nt_past_config *config)
{
	struct nt_past *past = nt_alloc(sizeof(*past));
	past->config = *config;
	if (!past->config.span_ns)
		past->config.span_ns = SPAN_NS;
	if (!past->config.limit_bytes)
		past->config.limit_bytes = LIMIT_BYTES;
	past->open.kinds = past->unpacked.nodes.kinds = &past->kinds;
	past->packer = ZSTD_createCCtx();
	nt_assert(past->packer);
	ZSTD_CCtx_setParameter(past->packer, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(past->packer, ZSTD_c_windowLog,
			       WINDOW_LOG); /* an interval: what it has in common with others is told by the columns */
	return past;
}

static void forget_unpacked(struct nt_past *past)
{
	nt_nodes_fini(&past->unpacked.nodes);
	past->unpacked.of = NULL;
}

static size_t bytes_of(const struct chunk *chunk)
{
	return sizeof(*chunk) + chunk->packed_size;
}

static void drop_oldest(struct nt_past *past)
{
	struct chunk *chunk = past->oldest;
	if (past->unpacked.of == chunk)
		forget_unpacked(past);
	past->packed_bytes -= bytes_of(chunk);
	past->oldest = chunk->next;
	if (!past->oldest)
		past->newest = NULL;
	free(chunk->packed);
	free(chunk);
}

/* Whatever was open is closed, or forgotten. */
static void begin_chunk(struct nt_past *past)
{
	nt_nodes_fini(&past->open);
	nt_columns_writer_fini(&past->columns);
	past->open_count = past->open_sample_bytes = past->column_bytes = past->packed_size = 0;
}

static void clear(struct nt_past *past)
{
	while (past->oldest)
		drop_oldest(past);
	ZSTD_CCtx_reset(past->packer, ZSTD_reset_session_only);
	begin_chunk(past);
}

void nt_past_free(struct nt_past *past)
{
	if (!past)
		return;
	clear(past);
	forget_unpacked(past);
	nt_node_kinds_fini(&past->kinds);
	ZSTD_freeCCtx(past->packer);
	free(past->packed);
	free(past);
}

/* Pack these bytes behind those that are packed. */
static void pack(struct nt_past *past, const void *bytes, size_t size, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = { .src = bytes, .size = size };
	size_t left;
	do {
		if (past->packed_capacity - past->packed_size < PACKED_FIRST)
			past->packed = nt_grow(past->packed, &past->packed_capacity, past->packed_size + PACKED_FIRST, 1);
		ZSTD_outBuffer out = { .dst = past->packed, .size = past->packed_capacity, .pos = past->packed_size };
		left = ZSTD_compressStream2(past->packer, &out, &in, how);
		nt_assert(!ZSTD_isError(left));
		past->packed_size = out.pos;
	} while (in.pos < in.size || (how == ZSTD_e_end && left));
}

static void pack_new(struct nt_past *past)
{
	nt_columns_write(&past->columns, &past->open);
	past->column_bytes += past->columns.used;
	pack(past, past->columns.bytes, past->columns.used, ZSTD_e_continue);
}

/* The open nodes become a chunk. */
static void close_chunk(struct nt_past *past)
{
	struct chunk *chunk = nt_alloc(sizeof(*chunk));
	pack(past, NULL, 0, ZSTD_e_end);
	chunk->count = past->open_count;
	chunk->byte_count = past->open.used;
	chunk->column_bytes = past->column_bytes;
	chunk->sample_bytes = past->open_sample_bytes;
	memcpy(chunk->intervals, past->open_intervals, sizeof(chunk->intervals));
	chunk->packed_size = past->packed_size;
	chunk->packed = memcpy(nt_realloc(NULL, past->packed_size, 1), past->packed, past->packed_size);
	*(past->newest ? &past->newest->next : &past->oldest) = chunk;
	past->newest = chunk;
	past->packed_bytes += bytes_of(chunk);
	begin_chunk(past);
}

static size_t bytes_kept(const struct nt_past *past)
{
	return past->packed_bytes + ZSTD_sizeof_CCtx(past->packer) + past->packed_capacity + nt_nodes_bytes(&past->open) +
	       nt_columns_writer_bytes(&past->columns);
}

/* Call trees follow from the samples (nt_past_add_stacks()), where these are kept: each interval has another one, of tens of thousands of nodes. */
static uint32_t put(struct nt_past *past, const struct nt_snapshot *snapshot)
{
	struct nt_snapshot kept = *snapshot;
	kept.processes = nt_realloc(NULL, snapshot->process_count + 1, sizeof(*kept.processes));
	for (size_t i = 0; i < snapshot->process_count; i++) {
		kept.processes[i] = snapshot->processes[i];
		if (kept.processes[i].interval_samples.kept)
			kept.processes[i].stacks = (struct nt_stack_tree){ 0 };
	}
	uint32_t node = nt_nodes_put(&past->open, &nt_snapshot_shape, &kept);
	free(kept.processes);
	return node;
}

/* ---- when there is no room ---- */

static void unpack(struct nt_past *past, const struct chunk *chunk)
{
	if (past->unpacked.of == chunk)
		return;
	forget_unpacked(past);
	unsigned char *columns = nt_realloc(NULL, chunk->column_bytes, 1);
	size_t made = ZSTD_decompress(columns, chunk->column_bytes, chunk->packed, chunk->packed_size);
	nt_assert(made == chunk->column_bytes);
	nt_columns_read(columns, made, &past->unpacked.nodes);
	free(columns);
	past->unpacked.of = chunk;
}

static struct nt_snapshot *get_packed(struct nt_past *past, const struct chunk *chunk, const struct interval *interval)
{
	unpack(past, chunk);
	return nt_raise(&past->unpacked.nodes, interval->node);
}

static void pack_again(struct nt_past *past, struct chunk *chunk, struct nt_snapshot *const *intervals)
{
	struct nt_nodes nodes = { .kinds = &past->kinds };
	struct nt_columns_writer columns = { 0 };
	for (size_t i = 0; i < chunk->count; i++)
		chunk->intervals[i].node = nt_nodes_put(&nodes, &nt_snapshot_shape, intervals[i]);
	nt_columns_write(&columns, &nodes);
	size_t room = ZSTD_compressBound(columns.used);
	unsigned char *packed = nt_realloc(NULL, room, 1);
	chunk->packed_size = ZSTD_compress(packed, room, columns.bytes, columns.used, LEVEL);
	nt_assert(!ZSTD_isError(chunk->packed_size));
	free(chunk->packed);
	chunk->packed = nt_realloc(packed, chunk->packed_size, 1);
	chunk->byte_count = nodes.used;
	chunk->column_bytes = columns.used;
	nt_nodes_fini(&nodes);
	nt_columns_writer_fini(&columns);
}

/* How many of its intervals from the one with this number on are folded together. */
static size_t fold_some(struct chunk *chunk, struct nt_snapshot *const *intervals, size_t first)
{
	size_t end = first + 1;
	while (end < chunk->count && chunk->intervals[end].t1 - chunk->intervals[first].t0 <= NT_SAMPLES_FOLDED_NS)
		end++;
	nt_samples_fold(intervals + first, end - first);
	for (size_t i = first; i < end; i++) {
		chunk->intervals[i].folded_from = chunk->intervals[first].t0;
		chunk->intervals[i].folded_to = chunk->intervals[end - 1].t1;
	}
	return end - first;
}

static void fold(struct nt_past *past, struct chunk *chunk)
{
	struct nt_snapshot *intervals[CHUNK_INTERVALS];
	unpack(past, chunk);
	past->packed_bytes -= bytes_of(chunk);
	for (size_t i = 0; i < chunk->count; i++)
		intervals[i] = get_packed(past, chunk, &chunk->intervals[i]);
	for (size_t i = 0; i < chunk->count;)
		i += fold_some(chunk, intervals, i);
	pack_again(past, chunk, intervals);
	for (size_t i = 0; i < chunk->count; i++)
		nt_snapshot_release(intervals[i]);
	forget_unpacked(past);
	chunk->sample_bytes = 0;
	past->packed_bytes += bytes_of(chunk);
}

/* False: there is nothing that would be worth it. */
static bool fold_oldest(struct nt_past *past, nt_time now)
{
	struct chunk *chunk = past->oldest;
	while (chunk && chunk->sample_bytes < chunk->byte_count / FOLD_PART)
		chunk = chunk->next;
	if (!chunk || chunk->intervals[chunk->count - 1].t1 + past->config.span_ns / EXACT_PART > now)
		return false;
	fold(past, chunk);
	return true;
}

static void drop_old(struct nt_past *past, nt_time now)
{
	while (past->oldest && past->oldest->intervals[past->oldest->count - 1].t1 + past->config.span_ns < now)
		drop_oldest(past);
	while (past->oldest && bytes_kept(past) > past->config.limit_bytes) {
		if (fold_oldest(past, now))
			continue;
		drop_oldest(past);
		past->crowded = true;
	}
}

static size_t bytes_of_samples(const struct nt_interval_samples *samples)
{
	size_t bytes = samples->row_count * sizeof(*samples->rows);
	for (uint32_t i = 0; i < samples->stack_count; i++)
		bytes += samples->stacks[i].count * sizeof(*samples->stacks->frames);
	return bytes;
}

void nt_past_add(struct nt_past *past, const struct nt_snapshot *snapshot)
{
	struct nt_past_reach reach = nt_past_reach(past);
	if (reach.last && snapshot->sequence != reach.last + 1)
		clear(past);
	if (past->open_count == CHUNK_INTERVALS || past->open.used >= CHUNK_BYTES)
		close_chunk(past);
	uint32_t node = put(past, snapshot);
	for (size_t i = 0; i < snapshot->process_count; i++)
		past->open_sample_bytes += bytes_of_samples(&snapshot->processes[i].interval_samples);
	past->open_intervals[past->open_count++] =
		(struct interval){ .sequence = snapshot->sequence, .t0 = snapshot->t0, .t1 = snapshot->t1, .node = node };
	pack_new(past);
	drop_old(past, snapshot->t1);
}

struct nt_past_reach nt_past_reach(const struct nt_past *past)
{
	struct nt_past_reach reach = { .crowded = past->crowded, .bytes = bytes_kept(past) };
	const struct interval *first = past->oldest ? past->oldest->intervals : past->open_count ? past->open_intervals : NULL;
	const struct interval *last = past->open_count ? &past->open_intervals[past->open_count - 1]
				      : past->newest   ? &past->newest->intervals[past->newest->count - 1]
						       : NULL;
	if (!first || !last)
		return reach;
	reach.first = first->sequence;
	reach.from = first->t1;
	reach.last = last->sequence;
	reach.to = last->t1;
	for (const struct chunk *chunk = past->oldest; chunk; chunk = chunk->next)
		if (chunk->intervals[0].folded_to)
			reach.exact_from = chunk->intervals[chunk->count - 1].t1;
	return reach;
}

static const struct interval *find(const struct interval *intervals, size_t count, uint64_t sequence)
{
	return count && sequence >= intervals[0].sequence && sequence - intervals[0].sequence < count
		       ? &intervals[sequence - intervals[0].sequence]
		       : NULL;
}

/* `chunk`: in which it is; NULL = it is open. NULL is returned when it is nowhere. */
static const struct interval *look_up(const struct nt_past *past, uint64_t sequence, const struct chunk **chunk)
{
	const struct interval *interval = find(past->open_intervals, past->open_count, sequence);
	*chunk = NULL;
	for (const struct chunk *at = past->oldest; at && !interval; at = at->next)
		if ((interval = find(at->intervals, at->count, sequence)))
			*chunk = at;
	return interval;
}

struct nt_snapshot *nt_past_get(struct nt_past *past, uint64_t sequence)
{
	const struct chunk *chunk;
	const struct interval *interval = look_up(past, sequence, &chunk);
	if (!interval)
		return NULL;
	if (chunk)
		return get_packed(past, chunk, interval);
	return nt_raise(&past->open, interval->node);
}

bool nt_past_times(const struct nt_past *past, uint64_t sequence, nt_time *t0, nt_time *t1)
{
	const struct chunk *chunk;
	const struct interval *interval = look_up(past, sequence, &chunk);
	if (interval) {
		*t0 = interval->t0;
		*t1 = interval->t1;
	}
	return interval != NULL;
}

bool nt_past_folded(const struct nt_past *past, uint64_t sequence, nt_time *from, nt_time *to)
{
	const struct chunk *chunk;
	const struct interval *interval = look_up(past, sequence, &chunk);
	bool folded = interval && interval->folded_to;
	if (folded) {
		*from = interval->folded_from;
		*to = interval->folded_to;
	}
	return folded;
}

static void look_for(const struct interval *intervals, size_t count, nt_time time, uint64_t *found)
{
	for (size_t i = 0; i < count; i++)
		if (intervals[i].t1 <= time || !*found)
			*found = intervals[i].sequence;
}

uint64_t nt_past_at(const struct nt_past *past, nt_time time)
{
	uint64_t found = 0;
	for (const struct chunk *chunk = past->oldest; chunk; chunk = chunk->next)
		look_for(chunk->intervals, chunk->count, time, &found);
	look_for(past->open_intervals, past->open_count, time, &found);
	return found;
}
