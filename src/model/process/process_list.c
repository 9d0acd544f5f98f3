// SPDX-License-Identifier: GPL-2.0-only
#include "model/process/process_list.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/index.h"
#include "model/common/trend_push.h"

#include <stdlib.h>
#include <string.h>

/* Ids of the rows that are of no process: of nothing else, which are hashes, nearly certainly. */
enum { OTHERS_ID = 1, IDLE_ID = 2 };

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
	added->host = copied(snapshot->arena, row->host);
	added->session = copied(snapshot->arena, row->session);
	added->last_end_text = copied(snapshot->arena, row->last_end_text);
	added->process = NULL;
	added->hottest = NULL;
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

static bool is_text(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static bool is_ended(const struct nt_process_row *row)
{
	return row->ended_at != NT_TIME_UNKNOWN;
}

/*
 * Where a process of that command and user that has ended, if only since the look before, stands among the rows of before: the one that ended last of those whose place nobody has taken.
 * listed_count: there is none. now: ids of those that are there.
 */
static size_t predecessor(const struct nt_snapshot *previous, const struct nt_process_row *row, const bool *taken,
			  const struct nt_index *now)
{
	size_t found = previous->listed_count;
	for (size_t i = 0; i < previous->listed_count; i++) {
		const struct nt_process_row *before = &previous->listed[i];
		bool has_ended = is_ended(before) || nt_index_get(now, before->id) == NT_INDEX_NONE;
		if (before->kind != NT_PROCESS_ROW || !has_ended || taken[i] || !is_text(before->command, row->command) ||
		    !is_text(before->user, row->user))
			continue;
		if (found == previous->listed_count || before->ended_at >= previous->listed[found].ended_at)
			found = i;
	}
	return found;
}

/* NULL: it is not known, or not to be. */
static const struct nt_process_snapshot *known_of(const struct nt_snapshot *known, const struct nt_process_row *row)
{
	for (size_t i = 0; known && i < known->process_count; i++) {
		const struct nt_target_info *target = &known->processes[i].target;
		if (target->pid == row->pid && target->start_ticks == row->start_ticks)
			return &known->processes[i];
	}
	return NULL;
}

/* It has begun in the place of another one. */
static void take_up(struct nt_snapshot *snapshot, struct nt_process_row *row, const struct nt_process_row *before,
		    const struct nt_snapshot *known)
{
	const struct nt_process_snapshot *process = known_of(known, before);
	row->restarts = before->restarts + 1;
	row->last_end = is_ended(before) ? before->ended_at : snapshot->t1;
	row->last_end_text = process && process->target.ended ? copied(snapshot->arena, process->target.end_text)
			     : is_ended(before)               ? copied(snapshot->arena, before->last_end_text)
							      : NULL;
	row->trend = before->trend;
}

static struct nt_process_row *add_seen(struct nt_snapshot *snapshot, const struct nt_process_row *seen, const struct nt_process_row *before)
{
	struct nt_process_row *row = add(snapshot, seen);
	row->ended_at = NT_TIME_UNKNOWN;
	row->cpu_pct = share(before, row, snapshot->t1 - snapshot->t0);
	row->trend = before ? before->trend : (struct nt_trend){ 0 };
	if (before) {
		row->restarts = before->restarts;
		row->last_end = before->last_end;
		row->last_end_text = copied(snapshot->arena, before->last_end_text);
	}
	return row;
}

/* What is known of it may be forgotten before its row is. */
static void add_ended(struct nt_snapshot *snapshot, const struct nt_process_row *before, const struct nt_process_look *look)
{
	nt_time stays_ns = look->watched ? NT_PROCESS_ENDED_MOST_NS : NT_PROCESS_ENDED_NS;
	nt_time ended_at = is_ended(before) ? before->ended_at : snapshot->t1;
	if (snapshot->t1 - ended_at >= stays_ns)
		return;
	struct nt_process_row *row = add(snapshot, before);
	row->ended_at = ended_at;
	row->cpu_pct = (struct nt_f64){ 0 };
	const struct nt_process_snapshot *process = known_of(look->known, row);
	const char *how = process && process->target.ended ? process->target.end_text : NULL;
	if (how || !is_ended(before))
		row->last_end_text = copied(snapshot->arena, how);
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

static const struct nt_process_row *rest_before(const struct nt_snapshot *previous, uint64_t id)
{
	for (size_t i = 0; previous && i < previous->listed_count; i++)
		if (previous->listed[i].id == id && previous->listed[i].kind != NT_PROCESS_ROW)
			return &previous->listed[i];
	return NULL;
}

/* A clock that goes back for a moment, because its parts are read one after the other, has stood still. */
static void add_rest_row(struct nt_snapshot *snapshot, const struct nt_snapshot *previous, enum nt_process_row_kind kind,
			 struct nt_u64 cpu_ns)
{
	const struct nt_process_row row = { .id = kind == NT_PROCESS_ROW_IDLE ? IDLE_ID : OTHERS_ID,
					    .kind = kind,
					    .name = kind == NT_PROCESS_ROW_IDLE ? "(idle)" : "(all others)",
					    .cpu_ns = cpu_ns };
	const struct nt_process_row *before = rest_before(previous, row.id);
	struct nt_process_row *added = add_seen(snapshot, &row, before);
	if (before && !added->cpu_pct.known && before->cpu_ns.known && cpu_ns.known && snapshot->t1 > snapshot->t0)
		added->cpu_pct = nt_f64_of(0);
	nt_trend_push(&added->trend, added->cpu_pct);
}

/* What is left of the machine's time: others have what no row has. CPU time of a process that has ended since the look before is among theirs. */
static void add_rest(struct nt_snapshot *snapshot, const struct nt_snapshot *previous, const struct nt_process_look *look)
{
	uint64_t listed_ns = 0;
	for (size_t i = 0; i < snapshot->listed_count; i++)
		if (!is_ended(&snapshot->listed[i]))
			listed_ns += snapshot->listed[i].cpu_ns.v;
	struct nt_u64 others = { .known = look->busy_ns.known && look->busy_ns.v >= listed_ns, .v = look->busy_ns.v - listed_ns };
	struct nt_u64 idle = { .known = look->all_ns.known && look->busy_ns.known && look->all_ns.v >= look->busy_ns.v,
			       .v = look->all_ns.v - look->busy_ns.v };
	add_rest_row(snapshot, previous, NT_PROCESS_ROW_OTHERS, others);
	add_rest_row(snapshot, previous, NT_PROCESS_ROW_IDLE, idle);
}

struct nt_snapshot *nt_process_list_next(const struct nt_snapshot *previous, const struct nt_process_look *look)
{
	enum { REST_ROWS = 2 };
	struct nt_snapshot *snapshot = nt_alloc(sizeof(*snapshot));
	size_t before_count = previous ? previous->listed_count : 0;
	struct nt_index before = index_of(previous ? previous->listed : NULL, before_count), now = index_of(look->rows, look->count);
	bool *taken = nt_alloc(before_count + 1);
	snapshot->refs = 1;
	snapshot->arena = nt_arena_new();
	snapshot->sequence = previous ? previous->sequence + 1 : 1;
	snapshot->t0 = previous ? previous->t1 : look->at;
	snapshot->start = previous ? previous->start : look->at;
	snapshot->t1 = look->at;
	snapshot->listed = nt_realloc(NULL, look->count + before_count + REST_ROWS, sizeof(*snapshot->listed));
	for (size_t i = 0; i < look->count; i++) {
		const struct nt_process_row *same = previous ? find(previous, &before, look->rows[i].id) : NULL;
		struct nt_process_row *row = add_seen(snapshot, &look->rows[i], same);
		size_t place = look->watched && previous && !same ? predecessor(previous, row, taken, &now) : before_count;
		if (place < before_count) {
			taken[place] = true;
			take_up(snapshot, row, &previous->listed[place], look->known);
		}
		nt_trend_push(&row->trend, row->cpu_pct);
	}
	for (size_t i = 0; i < before_count; i++)
		if (previous->listed[i].kind == NT_PROCESS_ROW && !taken[i] && nt_index_get(&now, previous->listed[i].id) == NT_INDEX_NONE)
			add_ended(snapshot, &previous->listed[i], look);
	if (look->rest)
		add_rest(snapshot, previous, look);
	free(taken);
	nt_index_fini(&before);
	nt_index_fini(&now);
	return snapshot;
}

/* By what screen 1 of a process that is opened begins with; in the summary by all samples. Of samples of CPU time alone. */
static const struct nt_method_row *hottest_of(const struct nt_process_snapshot *process, bool final)
{
	const struct nt_method_row *hottest = NULL;
	double most = 0;
	for (size_t i = 0; i < process->method_count; i++) {
		const struct nt_method_row *row = &process->methods[i];
		double weight = final ? (double)row->self_samples_all : row->window_self;
		if (row->sample_kind != NT_SAMPLES_CPU || weight <= most)
			continue;
		most = weight;
		hottest = row;
	}
	return hottest;
}

/* Into its row, in a snapshot of the time that these are of. */
static void join(const struct nt_snapshot *known, const struct nt_process_snapshot *process, struct nt_process_row *row)
{
	struct nt_f64 usage_pct = (known->final ? &process->total : &process->interval)->cpu.usage_pct;
	row->process = process;
	row->hottest = known->final || !is_ended(row) ? hottest_of(process, known->final) : NULL;
	if (usage_pct.known && (known->final || !is_ended(row)))
		row->cpu_pct = usage_pct;
	if (is_ended(row) && process->target.end_text)
		row->last_end_text = copied(known->arena, process->target.end_text);
}

void nt_process_list_join(const struct nt_snapshot *list, struct nt_snapshot *known)
{
	known->listed = nt_realloc(NULL, list->listed_count + 1, sizeof(*known->listed));
	for (size_t i = 0; i < list->listed_count; i++) {
		struct nt_process_row *row = add(known, &list->listed[i]);
		const struct nt_process_snapshot *process = row->kind == NT_PROCESS_ROW ? known_of(known, row) : NULL;
		if (process)
			join(known, process, row);
	}
}
