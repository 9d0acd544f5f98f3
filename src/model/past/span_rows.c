// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_rows.h"

#include "base/alloc.h"
#include "model/past/row_copy.h"

#include <stdlib.h>

void nt_span_rows_fini(struct nt_span_rows *rows)
{
	for (size_t i = 0; i < NT_SPAN_LISTS; i++) {
		free(rows->parts[i].rows);
		free(rows->parts[i].standing);
		nt_index_fini(&rows->parts[i].by_id);
	}
	*rows = (struct nt_span_rows){ 0 };
}

/* ---- where a snapshot has them ---- */

static void set_rows(const struct nt_span_list *list, struct nt_process_snapshot *process, void *array, size_t count)
{
	memcpy((char *)process + list->rows, &array, sizeof(array));
	memcpy((char *)process + list->count, &count, sizeof(count));
}

static uint64_t id_of(const struct nt_span_list *list, const unsigned char *row)
{
	uint64_t id;
	memcpy(&id, row + list->id, sizeof(id));
	return id;
}

/* ---- members ---- */

static struct nt_u64 *u64_at(unsigned char *at)
{
	return (struct nt_u64 *)(void *)at;
}

static struct nt_f64 *f64_at(unsigned char *at)
{
	return (struct nt_f64 *)(void *)at;
}

static const struct nt_f64 *f64_of(const unsigned char *at)
{
	return (const struct nt_f64 *)(const void *)at;
}

static size_t bytes_of(const struct nt_span_member *member)
{
	static const size_t sizes[] = {
		[NT_SPAN_U64] = sizeof(uint64_t),
		[NT_SPAN_U32] = sizeof(uint32_t),
		[NT_SPAN_REAL] = sizeof(double),
		[NT_SPAN_KNOWN_U64] = sizeof(struct nt_u64),
		[NT_SPAN_KNOWN_F64] = sizeof(struct nt_f64),
		[NT_SPAN_BOOL] = sizeof(bool),
		[NT_SPAN_BYTES] = 1,
	};
	return member->count * sizes[member->type];
}

/* Only the cells of so many intervals are left: those before are not of the span. */
static void cut_trend(unsigned char *at, size_t intervals)
{
	struct nt_trend *trend = (struct nt_trend *)(void *)at;
	for (size_t i = 0; i + intervals < NT_TREND_CELLS; i++)
		trend->known &= (uint8_t) ~(1u << i);
}

/* A row that is new: nothing has been added yet. */
static void begin_member(const struct nt_span_member *member, unsigned char *row, bool standing)
{
	unsigned char *at = row + member->at;
	bool goes = member->way == NT_SPAN_UNTOLD || ((member->way == NT_SPAN_AT_END || member->way == NT_SPAN_TREND) && !standing);
	bool begins = member->way != NT_SPAN_AT_END && member->way != NT_SPAN_TREND;
	if (goes || begins)
		memset(at, 0, bytes_of(member));
	if (member->way != NT_SPAN_SUM && member->way != NT_SPAN_MEAN)
		return;
	if (member->type == NT_SPAN_KNOWN_U64)
		u64_at(at)->known = true;
	if (member->type == NT_SPAN_KNOWN_F64)
		f64_at(at)->known = true;
}

static void add_f64(struct nt_f64 *sum, const struct nt_f64 *more, double weight)
{
	*sum = sum->known && more->known ? nt_f64_of(sum->v + more->v * weight) : (struct nt_f64){ 0 };
}

/* One number of those that `member` is. */
static void add_number(enum nt_span_type type, unsigned char *at, const unsigned char *from, double weight)
{
	switch (type) {
	case NT_SPAN_U64:
		*(uint64_t *)(void *)at += *(const uint64_t *)(const void *)from;
		break;
	case NT_SPAN_U32:
		*(uint32_t *)(void *)at += *(const uint32_t *)(const void *)from;
		break;
	case NT_SPAN_REAL:
		*(double *)(void *)at += *(const double *)(const void *)from;
		break;
	case NT_SPAN_KNOWN_U64: {
		const struct nt_u64 *more = (const struct nt_u64 *)(const void *)from;
		*u64_at(at) = nt_u64_if(u64_at(at)->known && more->known, u64_at(at)->v + more->v);
		break;
	}
	case NT_SPAN_KNOWN_F64:
		add_f64(f64_at(at), f64_of(from), weight);
		break;
	case NT_SPAN_BOOL:
	case NT_SPAN_BYTES:
		break;
	}
}

static void take_extreme(struct nt_f64 *most, const struct nt_f64 *value, bool least)
{
	if (value->known && (!most->known || (least ? value->v < most->v : value->v > most->v)))
		*most = *value;
}

static void add_member(const struct nt_span_member *member, unsigned char *row, const unsigned char *from, nt_time length)
{
	unsigned char *at = row + member->at;
	size_t size = bytes_of(member) / member->count;
	switch (member->way) {
	case NT_SPAN_SUM:
		for (size_t i = 0; i < member->count; i++)
			add_number(member->type, at + i * size, from + member->at + i * size, 1);
		break;
	case NT_SPAN_MEAN:
		add_number(member->type, at, from + member->at, (double)length);
		break;
	case NT_SPAN_LEAST:
	case NT_SPAN_MOST:
		take_extreme(f64_at(at), f64_of(from + member->of), member->way == NT_SPAN_LEAST);
		break;
	case NT_SPAN_ANY:
	case NT_SPAN_OF:
		*at |= from[member->at];
		break;
	case NT_SPAN_AT_END:
	case NT_SPAN_UNTOLD:
	case NT_SPAN_TREND:
		break;
	}
}

static void end_member(const struct nt_span_member *member, unsigned char *row, const struct nt_span_rows *rows)
{
	unsigned char *at = row + member->at;
	if (member->way == NT_SPAN_MEAN)
		f64_at(at)->v /= (double)(rows->t1 - rows->t0);
	if (member->way == NT_SPAN_TREND)
		cut_trend(at, rows->intervals);
}

/* Is there anything in it? Not known is not 0. */
static bool has_any(const struct nt_span_list *list, const unsigned char *row)
{
	for (size_t i = 0; i < list->member_count; i++) {
		const struct nt_span_member *member = &list->members[i];
		const unsigned char *at = row + member->at;
		bool counts = member->way == NT_SPAN_SUM || member->way == NT_SPAN_MEAN || member->way == NT_SPAN_OF;
		bool told = member->type != NT_SPAN_KNOWN_F64 || f64_of(at)->v != 0;
		static const unsigned char none[sizeof(struct nt_u64)];
		size_t size = bytes_of(member) / member->count;
		/* Of numbers that may be unknown the value comes first. */
		if (member->type == NT_SPAN_KNOWN_U64)
			size = sizeof(uint64_t);
		for (size_t n = 0; counts && told && n < member->count; n++)
			if (member->type == NT_SPAN_KNOWN_F64 || memcmp(at + n * size, none, size) != 0)
				return true;
	}
	return false;
}

/* ---- adding ---- */

/* The place of a row that is new. */
static unsigned char *append(struct nt_span_rows *rows, size_t number, const unsigned char *from, enum nt_span_place place)
{
	const struct nt_span_list *list = &nt_span_lists[number];
	struct nt_span_part *part = &rows->parts[number];
	part->rows = nt_grow(part->rows, &part->capacity, part->count + 1, list->shape->size);
	part->standing = nt_grow(part->standing, &part->standing_capacity, part->count + 1, sizeof(*part->standing));
	unsigned char *row = memcpy(part->rows + part->count * list->shape->size, from, list->shape->size);
	if (place != NT_SPAN_LAST)
		nt_row_copy(list->shape, row, rows->arena);
	part->standing[part->count] = place == NT_SPAN_LAST;
	nt_index_put(&part->by_id, id_of(list, row), (uint32_t)part->count++);
	return row;
}

static void add_event(struct nt_span_rows *rows, size_t number, const struct nt_snapshot *interval, const unsigned char *from,
		      enum nt_span_place place)
{
	const struct nt_span_list *list = &nt_span_lists[number];
	struct nt_span_part *part = &rows->parts[number];
	if (list->time) {
		nt_time time = list->time(from, interval, place == NT_SPAN_LAST);
		if (time == NT_TIME_UNKNOWN || time < rows->t0 || time >= rows->t1)
			return;
	}
	if (nt_index_get(&part->by_id, id_of(list, from)) != NT_INDEX_NONE)
		return;
	if (part->count >= NT_SPAN_EVENTS_MOST) {
		nt_index_put(&part->by_id, id_of(list, from), 0);
		part->left_out++;
		return;
	}
	unsigned char *row = append(rows, number, from, place);
	if (list->set)
		list->set(row, interval, rows->t1);
}

static void add_row(struct nt_span_rows *rows, size_t number, const struct nt_snapshot *interval, const unsigned char *from,
		    enum nt_span_place place)
{
	const struct nt_span_list *list = &nt_span_lists[number];
	struct nt_span_part *part = &rows->parts[number];
	uint32_t at = nt_index_get(&part->by_id, id_of(list, from));
	unsigned char *row = at == NT_INDEX_NONE ? append(rows, number, from, place) : part->rows + at * list->shape->size;
	for (size_t i = 0; i < list->member_count; i++) {
		if (at == NT_INDEX_NONE)
			begin_member(&list->members[i], row, place == NT_SPAN_LAST);
		add_member(&list->members[i], row, from, interval->t1 - interval->t0);
	}
}

void nt_span_rows_add(struct nt_span_rows *rows, const struct nt_snapshot *interval, const struct nt_process_snapshot *process,
		      enum nt_span_place place, bool whole)
{
	for (size_t number = 0; number < NT_SPAN_LISTS; number++) {
		const struct nt_span_list *list = &nt_span_lists[number];
		size_t count = nt_span_list_count(list, process);
		for (size_t i = 0; i < count; i++) {
			const unsigned char *row = nt_span_list_row(list, process, i);
			if (list->of == NT_SPAN_EVENTS)
				add_event(rows, number, interval, row, place);
			else if (whole)
				add_row(rows, number, interval, row, place);
		}
	}
	rows->intervals += whole;
}

/* ---- filling ---- */

/* The rows that are of the span, at the beginning; returns how many. */
static size_t choose(const struct nt_span_rows *rows, size_t number)
{
	const struct nt_span_list *list = &nt_span_lists[number];
	const struct nt_span_part *part = &rows->parts[number];
	size_t size = list->shape->size, kept = 0;
	for (size_t i = 0; i < part->count; i++) {
		unsigned char *row = part->rows + i * size;
		for (size_t m = 0; m < list->member_count; m++)
			end_member(&list->members[m], row, rows);
		bool stays = list->of == NT_SPAN_EVENTS || (list->of == NT_SPAN_STANDING && part->standing[i]) || has_any(list, row);
		if (!stays)
			continue;
		if (kept != i)
			memcpy(part->rows + kept * size, row, size);
		kept++;
	}
	return kept;
}

static int by_id(const void *a, const void *b, void *argument)
{
	const struct nt_span_list *list = argument;
	uint64_t x = id_of(list, a), y = id_of(list, b);
	return (x < y ? -1 : x > y) * (list->oldest_first ? 1 : -1);
}

static void fill(const struct nt_span_rows *rows, size_t number, struct nt_process_snapshot *process)
{
	const struct nt_span_list *list = &nt_span_lists[number];
	const struct nt_span_part *part = &rows->parts[number];
	size_t size = list->shape->size, count = choose(rows, number);
	if (!count) {
		set_rows(list, process, NULL, 0);
		return;
	}
	unsigned char *array = memcpy(nt_arena_alloc(rows->arena, count * size), part->rows, count * size);
	if (list->of == NT_SPAN_EVENTS)
		qsort_r(array, count, size, by_id, (void *)(uintptr_t)list);
	if (!list->by_pointer) {
		set_rows(list, process, array, count);
		return;
	}
	void **pointers = nt_arena_alloc(rows->arena, count * sizeof(*pointers));
	for (size_t i = 0; i < count; i++)
		pointers[i] = array + i * size;
	set_rows(list, process, pointers, count);
}

void nt_span_rows_fill(struct nt_span_rows *rows, bool whole, struct nt_process_snapshot *process)
{
	for (size_t number = 0; number < NT_SPAN_LISTS; number++) {
		if (whole || nt_span_lists[number].of == NT_SPAN_EVENTS)
			fill(rows, number, process);
		else
			set_rows(&nt_span_lists[number], process, NULL, 0);
	}
}

size_t nt_span_rows_left_out(const struct nt_span_rows *rows, size_t list)
{
	for (size_t number = 0; number < NT_SPAN_LISTS; number++)
		if (nt_span_lists[number].rows == list)
			return rows->parts[number].left_out;
	return 0;
}
