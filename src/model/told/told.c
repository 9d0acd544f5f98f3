// SPDX-License-Identifier: GPL-2.0-only
#include "model/told/told.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/row_block.h"
#include "base/text.h"
#include "base/told_text.h"
#include "model/common/series.h"
#include "model/common/trend_push.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char other_kinds[] = "(other kinds)", not_shown[] = "NOT SHOWN", lost[] = "LOST";
enum { SENTENCE = 96, NO_TEXT = UINT32_MAX };

/* Where the texts of a row begin among the block's bytes. */
struct nt_told_places {
	uint32_t event, fields, lines, activity;
};

/* ---- keeping and forgetting ---- */

void nt_told_init(struct nt_told_state *told)
{
	*told = (struct nt_told_state){ .next_id = 1, .fresh_from = 1 };
}

static void free_open(struct nt_told_open *open)
{
	free(open->rows);
	free(open->places);
	free(open->bytes);
	*open = (struct nt_told_open){ 0 };
}

static void forget(struct nt_told_state *told)
{
	for (size_t i = 0; i < told->block_count; i++)
		nt_row_block_release(told->blocks[i]);
	free_open(&told->open);
	free(told->kinds);
	free(told->stacks);
	nt_index_fini(&told->by_name);
	*told = (struct nt_told_state){ .next_id = told->next_id, .fresh_from = told->next_id };
}

void nt_told_fini(struct nt_told_state *told)
{
	forget(told);
}

void nt_told_turn_to(struct nt_told_state *told, nt_time time, const struct nt_ev_tell *tell, const char *patterns, const char *note)
{
	if (tell->what >= NT_TELL_COUNT)
		return;
	forget(told);
	told->what = (enum nt_tell_what)tell->what;
	told->patterns = told->what == NT_TELL_CHOSEN ? patterns : NULL;
	told->note = told->what == NT_TELL_CHOSEN ? note : NULL;
	told->with_stacks = told->what == NT_TELL_CHOSEN && tell->stacks;
	told->since = time;
}

static void drop_oldest(struct nt_told_state *told)
{
	told->row_count -= told->block_rows[0];
	told->gone_count += told->block_rows[0];
	told->byte_count -= told->blocks[0]->bytes;
	nt_row_block_release(told->blocks[0]);
	told->block_count--;
	memmove(told->blocks, told->blocks + 1, told->block_count * sizeof(struct nt_row_block *));
	memmove(told->block_rows, told->block_rows + 1, told->block_count * sizeof(*told->block_rows));
}

static struct nt_told_row *rows_in(struct nt_row_block *block)
{
	return (struct nt_told_row *)(void *)block->rows;
}

/* The open rows never change again: they become a block. */
static void seal(struct nt_told_state *told)
{
	struct nt_told_open *open = &told->open;
	if (!open->count)
		return;
	size_t row_bytes = open->count * sizeof(*open->rows);
	struct nt_row_block *block = nt_row_block_new(row_bytes + open->used);
	struct nt_told_row *rows = rows_in(block);
	const char *bytes = (const char *)memcpy(block->rows + row_bytes, open->bytes, open->used);
	memcpy(rows, open->rows, row_bytes);
	for (size_t i = 0; i < open->count; i++) {
		const struct nt_told_places *places = &open->places[i];
		rows[i].event = bytes + places->event;
		rows[i].fields = bytes + places->fields;
		rows[i].lines = bytes + places->lines;
		rows[i].activity = places->activity == NO_TEXT ? NULL : bytes + places->activity;
	}
	if (told->block_count == NT_TOLD_BLOCKS)
		drop_oldest(told);
	told->blocks[told->block_count] = block;
	told->block_rows[told->block_count++] = open->count;
	told->row_count += open->count;
	told->byte_count += block->bytes;
	open->count = open->used = 0;
	while (told->block_count > 1 && (told->row_count > NT_TOLD_ROWS || told->byte_count > NT_TOLD_KEPT_BYTES))
		drop_oldest(told);
}

static uint32_t put(struct nt_told_open *open, const char *text, size_t length)
{
	size_t place = open->used;
	open->bytes = nt_grow(open->bytes, &open->capacity, place + length + 1, 1);
	memcpy(open->bytes + place, text, length);
	open->bytes[place + length] = '\0';
	open->used += length + 1;
	return (uint32_t)place;
}

static void on_one_line(char *text)
{
	for (; *text; text++)
		if (*text == '\n')
			*text = ' ';
}

/* `row` without its texts. `lines` has `length` bytes. */
static void add(struct nt_told_state *told, const struct nt_told_row *row, const char *event, const char *lines, size_t length,
		const char *activity)
{
	struct nt_told_open *open = &told->open;
	if (open->count >= NT_TOLD_BLOCK_ROWS || open->used >= NT_TOLD_BLOCK_BYTES)
		seal(told);
	open->rows = nt_grow(open->rows, &open->row_capacity, open->count + 1, sizeof(*open->rows));
	open->places = nt_grow(open->places, &open->place_capacity, open->count + 1, sizeof(*open->places));
	open->rows[open->count] = *row;
	open->rows[open->count].id = told->next_id++;
	struct nt_told_places *places = &open->places[open->count++];
	places->event = put(open, event, strlen(event));
	places->lines = put(open, lines, length);
	places->fields = put(open, lines, length);
	on_one_line(open->bytes + places->fields);
	places->activity = activity ? put(open, activity, strlen(activity)) : NO_TEXT;
}

/* ---- counting ---- */

static struct nt_told_tally *kind_of(struct nt_told_state *told, const char *event)
{
	uint32_t index = nt_index_get(&told->by_name, (uint64_t)(uintptr_t)event);
	if (index != NT_INDEX_NONE)
		return &told->kinds[index];
	if (told->kind_count >= NT_TOLD_KINDS && event != other_kinds)
		return kind_of(told, other_kinds);
	told->kinds = nt_grow(told->kinds, &told->kind_capacity, told->kind_count + 1, sizeof(*told->kinds));
	nt_index_put(&told->by_name, (uint64_t)(uintptr_t)event, (uint32_t)told->kind_count);
	struct nt_told_tally *kind = &told->kinds[told->kind_count++];
	*kind = (struct nt_told_tally){ .row = { .id = told->kind_count, .event = event } };
	return kind;
}

static void count(struct nt_told_state *told, const char *event, uint64_t events, uint64_t bytes)
{
	struct nt_told_tally *kind = kind_of(told, event);
	kind->row.count += events;
	kind->row.count_all += events;
	kind->row.bytes += bytes;
	kind->row.bytes_all += bytes;
	told->count += events;
}

/* A row that is no event. `why`: of those that nobody has counted. */
static void note(struct nt_told_state *told, enum nt_told_row_kind kind, uint64_t events, const char *why, nt_time time)
{
	static const char *const words[] = { [NT_TOLD_ROW_MORE] = "events came too fast to be shown one by one; v counts all",
					     [NT_TOLD_ROW_LOST] = "events lost: the process had no room for them" };
	char sentence[SENTENCE];
	int length = events ? snprintf(sentence, sizeof(sentence), "%" PRIu64 " %s", events, words[kind])
			    : snprintf(sentence, sizeof(sentence), "%s", why);
	const struct nt_told_row row = { .kind = kind, .time = time, .count = events };
	add(told, &row, kind == NT_TOLD_ROW_LOST ? lost : not_shown, sentence, (size_t)length, NULL);
}

void nt_told_lost(struct nt_told_state *told, const struct nt_ev_lost *said, nt_time time)
{
	if (told->what != NT_TELL_CHOSEN)
		return;
	told->lost_count += said->count_known ? said->count : 0;
	told->lost_some |= !said->count_known;
	note(told, NT_TOLD_ROW_LOST, said->count_known ? said->count : 0, "events lost, nobody knows how many: LTTng had no room for them",
	     time);
}

/* ---- what was chosen ---- */

/* `clr/GCStart`, in the table. */
static const char *name_of(const struct nt_ids *ids, const struct nt_names *names, nt_str provider, nt_str name, uint32_t id)
{
	enum { NAME = 300 };
	char text[NAME], escaped[NAME];
	size_t length, used;
	const char *part = nt_heap_get(names->heap, nt_ids_text(ids, provider), &length);
	used = nt_text_escape(part, length, text, sizeof(text) / 2);
	part = nt_heap_get(names->heap, nt_ids_text(ids, name), &length);
	nt_text_escape(part, length, escaped, sizeof(escaped) / 2);
	used += (size_t)(length ? snprintf(text + used, sizeof(text) - used, "/%s", escaped)
				: snprintf(text + used, sizeof(text) - used, "/%" PRIu32, id));
	return nt_texts_intern(names->texts, text, used < sizeof(text) ? used : sizeof(text) - 1);
}

/* The lines of its fields; what a batch says that is damaged has none. */
static const char *lines_of(const struct nt_batch *batch, const struct nt_ev_told *said, size_t *length)
{
	*length = 0;
	if (!said->fields || said->fields > batch->line_count)
		return "";
	const struct nt_batch_line *line = &batch->lines[said->fields - 1];
	if (line->offset > batch->byte_count || line->length > batch->byte_count - line->offset)
		return "";
	*length = line->length;
	return batch->bytes + line->offset;
}

static void keep_stack(struct nt_told_state *told, uint64_t id, nt_site_ref stack)
{
	if (!stack || !told->with_stacks)
		return;
	if (!told->stacks)
		told->stacks = nt_alloc(NT_TOLD_STACKS * sizeof(*told->stacks));
	told->stacks[told->stacks_made++ % NT_TOLD_STACKS] = (struct nt_told_from){ .id = id, .stack = stack };
}

static void event(struct nt_told_state *told, const struct nt_batch *batch, const struct nt_event *event, nt_site_ref stack,
		  const struct nt_ids *ids, const struct nt_names *names)
{
	const struct nt_ev_told *said = &event->u.told;
	char activity[NT_GUID_TEXT];
	bool has_activity = said->activity[0] || said->activity[1];
	const char *name = name_of(ids, names, said->provider, said->name, said->id);
	size_t length;
	const char *lines = lines_of(batch, said, &length);
	const struct nt_told_row row = { .time = event->time,
					 .tid = event->tid,
					 .count = 1,
					 .payload_bytes = said->payload_bytes,
					 .number = said->number,
					 .cut = said->cut };
	keep_stack(told, told->next_id, stack);
	add(told, &row, name, lines, length, has_activity ? nt_guid_text(said->activity, activity) : NULL);
	count(told, name, 1, said->payload_bytes);
}

static void more(struct nt_told_state *told, const struct nt_event *event, const struct nt_ids *ids, const struct nt_names *names)
{
	const struct nt_ev_told_more *said = &event->u.told_more;
	told->more_count += said->count;
	count(told, name_of(ids, names, said->provider, said->name, said->id), said->count, said->payload_bytes);
	/* Of several kinds that come at once there is one row. */
	struct nt_told_row *last = told->open.count ? &told->open.rows[told->open.count - 1] : NULL;
	uint64_t before = last && last->kind == NT_TOLD_ROW_MORE ? last->count : 0;
	if (before) {
		told->open.count--;
		told->open.used = told->open.places[told->open.count].event;
		told->next_id--;
	}
	note(told, NT_TOLD_ROW_MORE, before + said->count, NULL, event->time);
}

static void telling(struct nt_told_state *told, const struct nt_event *event, const struct nt_ids *ids, const struct nt_names *names)
{
	const struct nt_ev_telling *said = &event->u.telling;
	if (said->state >= NT_TELLING_STATES)
		return;
	if (said->state == NT_TELLING_STARTING && told->state == NT_TELLING_ON)
		note(told, NT_TOLD_ROW_LOST, 0, "nettop did not read: what happened until here is not known", event->time);
	told->state = (enum nt_telling_state)said->state;
	told->why.reason = nt_names_keep(names, nt_ids_text(ids, said->reason));
	told->why.fix = nt_names_keep(names, nt_ids_text(ids, said->fix));
}

void nt_told_apply(struct nt_told_state *told, const struct nt_batch *batch, const struct nt_event *said, nt_site_ref stack,
		   const struct nt_ids *ids, const struct nt_names *names)
{
	if (told->what != NT_TELL_CHOSEN)
		return;
	if (said->kind == NT_EV_TOLD)
		event(told, batch, said, stack, ids, names);
	else if (said->kind == NT_EV_TOLD_MORE)
		more(told, said, ids, names);
	else
		telling(told, said, ids, names);
}

/* ---- what comes anyway ---- */

/* Something happened, and it is no sample of what happens all the time. */
static bool is_shown_anyway(enum nt_event_kind kind)
{
	return nt_event_is_of_runtime(kind) && nt_event_is_moment(kind) && kind != NT_EV_COUNTER && kind != NT_EV_WALL_SAMPLE &&
	       kind != NT_EV_ALLOC_SAMPLED;
}

void nt_told_see(struct nt_told_state *told, enum nt_source_id source, const struct nt_event *event, const struct nt_ids *ids,
		 const struct nt_names *names)
{
	enum { NAME = 64 };
	char text[NAME];
	if (told->what != NT_TELL_ANYWAY || event->beside || !is_shown_anyway(event->kind))
		return;
	int length = snprintf(text, sizeof(text), "%s/%s", nt_source_name(source), nt_event_kind_name(event->kind));
	const char *name = nt_texts_intern(names->texts, text, (size_t)length);
	count(told, name, 1, 0);
	if (told->anyway >= NT_TOLD_ANYWAY) {
		told->anyway_more++;
		told->anyway_until = event->time;
		return;
	}
	told->anyway++;
	char *lines = nt_told_anyway_lines(event, ids, names);
	const struct nt_told_row row = { .time = event->time, .tid = event->tid, .count = 1 };
	add(told, &row, name, lines, strlen(lines), NULL);
	free(lines);
}

/* ---- the snapshot ---- */

static void fill_rows(struct nt_told_state *told, struct nt_told *out)
{
	out->rows = nt_realloc(NULL, told->row_count, sizeof(*out->rows));
	out->block_count = told->block_count;
	out->blocks = nt_realloc(NULL, told->block_count, sizeof(*out->blocks));
	size_t filled = 0;
	for (size_t b = 0; b < told->block_count; b++) {
		out->blocks[b] = nt_row_block_retain(told->blocks[b]);
		for (size_t i = 0; i < told->block_rows[b]; i++)
			out->rows[filled++] = &rows_in(told->blocks[b])[i];
	}
	out->row_count = filled;
}

/* The last snapshot has the rows of the last interval alone: whoever writes down all intervals has the others. */
static void leave_out_earlier(struct nt_told *out)
{
	size_t first = 0;
	while (first < out->row_count && out->rows[first]->id < out->fresh_from)
		first++;
	out->row_count -= first;
	memmove(out->rows, out->rows + first, out->row_count * sizeof(*out->rows));
}

static void fill_kinds(struct nt_told_state *told, const struct nt_span *span, struct nt_told *out)
{
	out->kind_count = told->kind_count;
	out->kinds = nt_realloc(NULL, told->kind_count, sizeof(*out->kinds));
	nt_time from = told->since > span->t0 ? told->since : span->t0;
	for (size_t i = 0; i < told->kind_count; i++) {
		struct nt_told_tally *kind = &told->kinds[i];
		kind->row.per_s = nt_per_second(nt_u64_of(kind->row.count), span->t1 > from ? span->t1 - from : 0);
		nt_trend_push(&kind->row.trend, kind->row.per_s);
		kind->row.fresh = !kind->shown;
		kind->shown = true;
		out->kinds[i] = kind->row;
		kind->row.count = kind->row.bytes = 0;
	}
}

static void fill_figures(const struct nt_told_state *told, struct nt_figures *figures, uint64_t count, uint64_t more, uint64_t lost_events,
			 bool lost_some)
{
	bool chosen = told->what == NT_TELL_CHOSEN;
	figures->told.patterns = told->patterns;
	/* What comes anyway is counted by its subjects, and its loss by its sources. */
	figures->told.count = (struct nt_u64){ .known = chosen && (told->state == NT_TELLING_ON || count), .v = count };
	figures->told.more_count = (struct nt_u64){ .known = figures->told.count.known, .v = more };
	figures->told.lost_count = (struct nt_u64){ .known = figures->told.count.known && !lost_some, .v = lost_events };
	figures->told.lost_some = lost_some;
	if (chosen && told->state == NT_TELLING_NOT)
		figures->told.why = told->why;
}

/* Those that are kept are named again each time: a better name may have come. */
static void fill_stacks(struct nt_told_state *told, struct nt_sites *sites, struct nt_snapshot *snapshot, struct nt_told *out)
{
	size_t count = told->stacks_made < NT_TOLD_STACKS ? (size_t)told->stacks_made : NT_TOLD_STACKS;
	out->stacks = nt_arena_alloc(snapshot->arena, count * sizeof(*out->stacks));
	for (size_t i = 0; i < count; i++) {
		struct nt_told_from *from = &told->stacks[(told->stacks_made - count + i) % NT_TOLD_STACKS];
		nt_sites_keep(sites, &from->stack);
		const struct nt_call_stack *stack = nt_sites_stack(sites, from->stack, snapshot);
		if (stack)
			out->stacks[out->stack_count++] = (struct nt_told_stack){ .id = from->id, .stack = stack };
	}
}

void nt_told_close(struct nt_told_state *told, const struct nt_span *span, struct nt_sites *sites, struct nt_snapshot *snapshot,
		   struct nt_process_snapshot *process)
{
	struct nt_told *out = &process->told;
	if (told->anyway_more) {
		told->more_count += told->anyway_more;
		note(told, NT_TOLD_ROW_MORE, told->anyway_more, NULL, told->anyway_until);
	}
	told->anyway = 0;
	told->anyway_more = 0;
	seal(told);
	told->count_all += told->count;
	told->more_all += told->more_count;
	told->lost_all += told->lost_count;
	told->lost_some_all |= told->lost_some;
	*out = (struct nt_told){ .what = told->what,
				 .state = told->state,
				 .patterns = told->patterns,
				 .note = told->note,
				 .gone_count = told->gone_count,
				 .fresh_from = told->fresh_from,
				 .with_stacks = told->with_stacks,
				 .since = told->since };
	fill_rows(told, out);
	fill_stacks(told, sites, snapshot, out);
	if (span->final)
		leave_out_earlier(out);
	fill_kinds(told, span, out);
	fill_figures(told, &process->interval, told->count, told->more_count, told->lost_count, told->lost_some);
	fill_figures(told, &process->total, told->count_all, told->more_all, told->lost_all, told->lost_some_all);
	told->fresh_from = told->next_id;
	told->count = told->more_count = told->lost_count = 0;
	told->lost_some = false;
}

void nt_told_each_text(const struct nt_told_state *told, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < told->kind_count; i++)
		visit(told->kinds[i].row.event, context);
	visit(told->patterns, context);
	visit(told->note, context);
	visit(told->why.reason, context);
	visit(told->why.fix, context);
}
