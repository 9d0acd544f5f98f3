// SPDX-License-Identifier: GPL-2.0-only
#include "model/process/process_list.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/index.h"
#include "model/common/trend_push.h"

#include <stdlib.h>
#include <string.h>

/* How long a process that ended stays. */
#define ENDED_NS (5 * NT_NS_PER_S)

static const char *copied(struct nt_arena *arena, const char *text)
{
	return text ? nt_arena_text(arena, text, strlen(text)) : NULL;
}

/* A row whose texts lie in the snapshot. */
static struct nt_process_row *add(struct nt_snapshot *snapshot, const struct nt_process_row *row)
{
	struct nt_process_row *added = &snapshot->listed[snapshot->listed_count++];
	*added = *row;
	added->name = copied(snapshot->arena, row->name);
	added->command = copied(snapshot->arena, row->command);
	added->runtime = copied(snapshot->arena, row->runtime);
	added->user = copied(snapshot->arena, row->user);
	for (size_t i = 0; i < NT_LISTED_SOURCES; i++)
		added->usable[i].why = copied(snapshot->arena, row->usable[i].why);
	return added;
}

/* NULL: it was not there, or had ended (and is another one with the same id, which cannot be told apart). */
static const struct nt_process_row *find(const struct nt_snapshot *previous, const struct nt_index *index, uint64_t id)
{
	uint32_t at = nt_index_get(index, id);
	return at != NT_INDEX_NONE && previous->listed[at].ended_at == NT_TIME_UNKNOWN ? &previous->listed[at] : NULL;
}

static struct nt_f64 share(const struct nt_process_row *before, const struct nt_process_row *row, nt_time elapsed_ns)
{
	if (!before || !before->cpu_ns.known || !row->cpu_ns.known || row->cpu_ns.v < before->cpu_ns.v || !elapsed_ns)
		return (struct nt_f64){ 0 };
	return nt_f64_of(100.0 * (double)(row->cpu_ns.v - before->cpu_ns.v) / (double)elapsed_ns);
}

static void add_seen(struct nt_snapshot *snapshot, const struct nt_process_row *seen, const struct nt_process_row *before)
{
	struct nt_process_row *row = add(snapshot, seen);
	row->ended_at = NT_TIME_UNKNOWN;
	row->cpu_pct = share(before, row, snapshot->t1 - snapshot->t0);
	row->trend = before ? before->trend : (struct nt_trend){ 0 };
	nt_trend_push(&row->trend, row->cpu_pct);
}

static void add_ended(struct nt_snapshot *snapshot, const struct nt_process_row *before)
{
	nt_time ended_at = before->ended_at == NT_TIME_UNKNOWN ? snapshot->t1 : before->ended_at;
	if (snapshot->t1 - ended_at >= ENDED_NS)
		return;
	struct nt_process_row *row = add(snapshot, before);
	row->ended_at = ended_at;
	row->cpu_pct = (struct nt_f64){ 0 };
	nt_trend_push(&row->trend, row->cpu_pct);
}

/* By id, where the rows are. */
static struct nt_index index_of(const struct nt_process_row *rows, size_t count)
{
	struct nt_index index = { 0 };
	for (size_t i = 0; i < count; i++)
		nt_index_put(&index, rows[i].id, (uint32_t)i);
	return index;
}

struct nt_snapshot *nt_process_list_next(const struct nt_snapshot *previous, const struct nt_process_row *seen, size_t count, nt_time at)
{
	struct nt_snapshot *snapshot = nt_alloc(sizeof(*snapshot));
	size_t before_count = previous ? previous->listed_count : 0;
	struct nt_index before = index_of(previous ? previous->listed : NULL, before_count), now = index_of(seen, count);
	snapshot->refs = 1;
	snapshot->arena = nt_arena_new();
	snapshot->sequence = previous ? previous->sequence + 1 : 1;
	snapshot->t0 = previous ? previous->t1 : at;
	snapshot->start = previous ? previous->start : at;
	snapshot->t1 = at;
	snapshot->listed = nt_realloc(NULL, count + before_count + 1, sizeof(*snapshot->listed));
	for (size_t i = 0; i < count; i++)
		add_seen(snapshot, &seen[i], previous ? find(previous, &before, seen[i].id) : NULL);
	for (size_t i = 0; i < before_count; i++)
		if (nt_index_get(&now, previous->listed[i].id) == NT_INDEX_NONE)
			add_ended(snapshot, &previous->listed[i]);
	nt_index_fini(&before);
	nt_index_fini(&now);
	return snapshot;
}
