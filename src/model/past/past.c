// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/past.h"

#include "base/alloc.h"
#include "model/past/packing.h"
#include "model/past/raise.h"
#include "model/past/row_log.h"
#include "model/past/samples_fold.h"

#include <stdlib.h>
#include <string.h>

/* A chunk is closed when it has one of both: more have more in common, and take longer to look into. */
enum { CHUNK_INTERVALS = 32, CHUNK_BYTES = 3 << 20 };

/* Folding is worth it where the samples, each stack counted in each of its intervals, are such a part of a chunk. */
enum { FOLD_PART = 8 };

/* So many intervals are raised or packed again, for folding, with each that is added: each takes about a millisecond, as adding one does. */
enum { FOLD_STEPS = 3 };

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
	uint32_t oldest_logged; /* the lowest number of its rows that are in the log; 0 = there are none */
	size_t sample_bytes;    /* what the samples in it take that are not folded, if no two intervals had the same stacks */
	struct nt_packed packed;
};

/* Whoever goes back step by step looks into the same chunk again, before so many intervals were added. */
enum { UNASKED_MOST = 10 };

struct unpacked {
	const struct chunk *of; /* NULL = of none */
	struct nt_nodes nodes;
};

/*
 * The samples of a chunk that are being folded, and all of it packed anew: a few intervals with each that is added, so that no frame waits for all. Until then the chunk is as it was.
 */
struct folding {
	struct chunk *of; /* NULL = of none */
	struct interval intervals[CHUNK_INTERVALS];
	struct nt_snapshot
		*raised[CHUNK_INTERVALS]; /* owned: of those that are folded together the samples alone; all else is a megabyte of each */
	size_t first, end;                /* which these are, */
	size_t raised_to, packed_to;      /* and how far it has come */
	struct nt_packing packing;
};

struct nt_past {
	struct nt_past_config config;
	struct chunk *oldest, *newest; /* owned */
	size_t packed_bytes;           /* of all chunks, with what is said about them */
	struct nt_node_kinds kinds;    /* of all nodes */
	struct nt_row_log log;         /* of rows that are in the lists of many chunks */
	struct nt_packing open;
	struct interval open_intervals[CHUNK_INTERVALS];
	size_t open_count, open_sample_bytes;
	struct unpacked unpacked;
	unsigned unasked; /* intervals that were added since somebody looked into it */
	struct folding folding;
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
	past->open.nodes.kinds = past->unpacked.nodes.kinds = past->folding.packing.nodes.kinds = &past->kinds;
	nt_row_log_init(&past->log, &past->kinds);
	past->open.nodes.elsewhere = past->unpacked.nodes.elsewhere = past->folding.packing.nodes.elsewhere = &past->log.rows;
	return past;
}

static void forget_unpacked(struct nt_past *past)
{
	nt_nodes_fini(&past->unpacked.nodes);
	nt_row_log_pack(&past->log);
	past->unpacked.of = NULL;
}

static size_t bytes_of(const struct chunk *chunk)
{
	return sizeof(*chunk) + chunk->packed.size;
}

static void stop_folding(struct folding *folding)
{
	for (size_t i = folding->first; i < folding->raised_to; i++)
		nt_snapshot_release(folding->raised[i]);
	nt_packing_fini(&folding->packing);
	*folding = (struct folding){ .packing = folding->packing };
}

/* Rows that no interval has any more. */
static void forget_logged(struct nt_past *past)
{
	uint32_t oldest = past->open.nodes.oldest_elsewhere;
	for (const struct chunk *chunk = past->oldest; chunk; chunk = chunk->next)
		if (chunk->oldest_logged && (!oldest || chunk->oldest_logged < oldest))
			oldest = chunk->oldest_logged;
	nt_row_log_forget(&past->log, oldest ? oldest : past->log.next);
}

static void drop_oldest(struct nt_past *past)
{
	struct chunk *chunk = past->oldest;
	if (past->unpacked.of == chunk)
		forget_unpacked(past);
	if (past->folding.of == chunk)
		stop_folding(&past->folding);
	past->packed_bytes -= bytes_of(chunk);
	past->oldest = chunk->next;
	if (!past->oldest)
		past->newest = NULL;
	free(chunk->packed.bytes);
	free(chunk);
	forget_logged(past);
}

static void clear(struct nt_past *past)
{
	while (past->oldest)
		drop_oldest(past);
	nt_packing_forget(&past->open);
	nt_row_log_fini(&past->log);
	past->open_count = past->open_sample_bytes = 0;
}

void nt_past_free(struct nt_past *past)
{
	if (!past)
		return;
	clear(past);
	forget_unpacked(past);
	nt_packing_fini(&past->open);
	nt_node_kinds_fini(&past->kinds);
	free(past);
}

/* The open nodes become a chunk. */
static void close_chunk(struct nt_past *past)
{
	struct chunk *chunk = nt_alloc(sizeof(*chunk));
	chunk->oldest_logged = past->open.nodes.oldest_elsewhere;
	nt_packing_end(&past->open, &chunk->packed);
	chunk->count = past->open_count;
	chunk->sample_bytes = past->open_sample_bytes;
	memcpy(chunk->intervals, past->open_intervals, sizeof(chunk->intervals));
	*(past->newest ? &past->newest->next : &past->oldest) = chunk;
	past->newest = chunk;
	past->packed_bytes += bytes_of(chunk);
	past->open_count = past->open_sample_bytes = 0;
}

static size_t bytes_kept(const struct nt_past *past)
{
	return past->packed_bytes + nt_packing_bytes(&past->open) + nt_packing_bytes(&past->folding.packing) + nt_row_log_bytes(&past->log);
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
	uint32_t node = nt_packing_put(&past->open, &kept);
	free(kept.processes);
	return node;
}

/* ---- when there is no room ---- */

static void unpack(struct nt_past *past, const struct chunk *chunk)
{
	if (past->unpacked.of == chunk)
		return;
	forget_unpacked(past);
	nt_packed_open(&chunk->packed, &past->unpacked.nodes);
	past->unpacked.of = chunk;
}

static struct nt_snapshot *get_packed(struct nt_past *past, const struct chunk *chunk, const struct interval *interval)
{
	unpack(past, chunk);
	return nt_raise(&past->unpacked.nodes, interval->node);
}

static struct nt_snapshot *get_samples(struct nt_past *past, const struct chunk *chunk, const struct interval *interval)
{
	unpack(past, chunk);
	return nt_raise_samples(&past->unpacked.nodes, interval->node);
}

/* The oldest chunk of which folding would be worth it, and that is old enough; NULL = there is none. */
static struct chunk *to_fold(const struct nt_past *past, nt_time now)
{
	struct chunk *chunk = past->oldest;
	while (chunk && chunk->sample_bytes < chunk->packed.node_bytes / FOLD_PART)
		chunk = chunk->next;
	bool old = chunk && chunk->intervals[chunk->count - 1].t1 + past->config.span_ns / EXACT_PART <= now;
	return old ? chunk : NULL;
}

/* What all of it may come to until this chunk is folded: the open one fills, and this one is there twice. */
static size_t bytes_until_folded(const struct nt_past *past, const struct chunk *chunk)
{
	return past->packed_bytes + nt_row_log_bytes(&past->log) + nt_packing_most(CHUNK_BYTES) + nt_packing_most(chunk->packed.node_bytes);
}

static size_t end_of_fold(const struct chunk *chunk, size_t first)
{
	size_t end = first + 1;
	while (end < chunk->count && chunk->intervals[end].t1 - chunk->intervals[first].t0 <= NT_SAMPLES_FOLDED_NS)
		end++;
	return end;
}

static void begin_folding(struct folding *folding, struct chunk *chunk)
{
	folding->of = chunk;
	folding->first = folding->raised_to = folding->packed_to = 0;
	folding->end = end_of_fold(chunk, 0);
	memcpy(folding->intervals, chunk->intervals, sizeof(folding->intervals));
}

/* All that go together are there. */
static void fold(struct folding *folding)
{
	nt_samples_fold(folding->raised + folding->first, folding->end - folding->first);
	for (size_t i = folding->first; i < folding->end; i++) {
		folding->intervals[i].folded_from = folding->intervals[folding->first].t0;
		folding->intervals[i].folded_to = folding->intervals[folding->end - 1].t1;
	}
}

static void finish_folding(struct nt_past *past)
{
	struct folding *folding = &past->folding;
	struct chunk *chunk = folding->of;
	if (past->unpacked.of == chunk)
		forget_unpacked(past);
	past->packed_bytes -= bytes_of(chunk);
	free(chunk->packed.bytes);
	nt_packing_end(&folding->packing, &chunk->packed);
	memcpy(chunk->intervals, folding->intervals, sizeof(chunk->intervals));
	chunk->sample_bytes = 0;
	past->packed_bytes += bytes_of(chunk);
	stop_folding(folding);
}

/* Those that go together are packed. What is with the last of them is borrowed from the others: they are let go together. */
static void end_group(struct nt_past *past)
{
	struct folding *folding = &past->folding;
	for (size_t i = folding->first; i < folding->end; i++)
		nt_snapshot_release(folding->raised[i]);
	folding->first = folding->end;
	if (folding->end < folding->of->count)
		folding->end = end_of_fold(folding->of, folding->first);
	else
		finish_folding(past);
}

/* The interval as it was, but for its samples. */
static void pack_folded(struct nt_past *past, size_t number)
{
	struct folding *folding = &past->folding;
	const struct nt_snapshot *samples = folding->raised[number];
	struct nt_snapshot *whole = get_packed(past, folding->of, &folding->of->intervals[number]);
	for (size_t i = 0; i < whole->process_count; i++)
		whole->processes[i].interval_samples = samples->processes[i].interval_samples;
	folding->intervals[number].node = nt_packing_put(&folding->packing, whole);
	nt_snapshot_release(whole);
}

/* The samples of one interval are raised, or it is packed. False: that was dear, or all. */
static bool fold_step(struct nt_past *past)
{
	struct folding *folding = &past->folding;
	if (folding->raised_to < folding->end) {
		size_t number = folding->raised_to++;
		folding->raised[number] = get_samples(past, folding->of, &folding->of->intervals[number]);
		if (folding->raised_to < folding->end)
			return true;
		fold(folding);
		return false;
	}
	pack_folded(past, folding->packed_to++);
	if (folding->packed_to < folding->end)
		return true;
	end_group(past);
	return false;
}

/* Before there is no room: then no interval has to go for those that are folded. */
static void fold_some(struct nt_past *past, nt_time now)
{
	struct chunk *chunk = past->folding.of ? NULL : to_fold(past, now);
	if (chunk && bytes_until_folded(past, chunk) > past->config.limit_bytes)
		begin_folding(&past->folding, chunk);
	if (!past->folding.of)
		return;
	for (int steps = 0; steps < FOLD_STEPS && fold_step(past); steps++)
		;
}

static void drop_old(struct nt_past *past, nt_time now)
{
	while (past->oldest && past->oldest->intervals[past->oldest->count - 1].t1 + past->config.span_ns < now)
		drop_oldest(past);
	fold_some(past, now);
	if (!past->folding.of && ++past->unasked > UNASKED_MOST)
		forget_unpacked(past);
	while (past->oldest && bytes_kept(past) > past->config.limit_bytes) {
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
	if (past->open_count == CHUNK_INTERVALS || past->open.nodes.used >= CHUNK_BYTES)
		close_chunk(past);
	uint32_t node = put(past, snapshot);
	for (size_t i = 0; i < snapshot->process_count; i++)
		past->open_sample_bytes += bytes_of_samples(&snapshot->processes[i].interval_samples);
	past->open_intervals[past->open_count++] =
		(struct interval){ .sequence = snapshot->sequence, .t0 = snapshot->t0, .t1 = snapshot->t1, .node = node };
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
	past->unasked = 0;
	return chunk ? get_packed(past, chunk, interval) : nt_raise(&past->open.nodes, interval->node);
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
