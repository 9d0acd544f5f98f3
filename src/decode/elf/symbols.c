// SPDX-License-Identifier: GPL-2.0-only
#include "decode/elf/symbols.h"

#include "base/alloc.h"
#include "base/radix_sort.h"
#include "base/starts.h"
#include "decode/names/method_name.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

enum { RANGES_MAX = 4 << 20, NAMES_MAX_BYTES = 256 << 20, NAME_MAX_BYTES = NT_RAW_NAME_MAX };

struct range {
	uint64_t start; /* first: they are sorted by it */
	uint32_t size;
	uint32_t name; /* offset into names */
	uint32_t rank;
};

struct nt_symbols {
	struct range *ranges;
	size_t count, capacity;
	char *names; /* each NUL-terminated */
	size_t name_bytes, name_capacity;
	bool finished;
};

struct nt_symbols *nt_symbols_new(void)
{
	return nt_alloc(sizeof(struct nt_symbols));
}

void nt_symbols_free(struct nt_symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->ranges);
	free(symbols->names);
	free(symbols);
}

void nt_symbols_add(struct nt_symbols *symbols, uint64_t start, uint64_t size, unsigned rank, const char *name, size_t length)
{
	nt_assert(!symbols->finished);
	if (!size || size > UINT32_MAX || start > UINT64_MAX - size || !length || length > NAME_MAX_BYTES)
		return;
	if (symbols->count == RANGES_MAX || symbols->name_bytes + length + 1 > NAMES_MAX_BYTES)
		return;
	symbols->ranges = nt_grow(symbols->ranges, &symbols->capacity, symbols->count + 1, sizeof(*symbols->ranges));
	symbols->names = nt_grow(symbols->names, &symbols->name_capacity, symbols->name_bytes + length + 1, 1);
	symbols->ranges[symbols->count++] =
		(struct range){ .start = start, .size = (uint32_t)size, .name = (uint32_t)symbols->name_bytes, .rank = rank };
	memcpy(symbols->names + symbols->name_bytes, name, length);
	symbols->names[symbols->name_bytes + length] = '\0';
	symbols->name_bytes += length + 1;
}

static uint64_t end_of(const struct range *range)
{
	return range->start + range->size;
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/*
 * Of ranges with the same start: outer ones before inner ones; of equal ranges the best name first. A total order: the result is the same every time.
 */
static int compare(const void *left, const void *right, void *names)
{
	const struct range *a = left, *b = right;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	const char *x = (const char *)names + a->name, *y = (const char *)names + b->name;
	if (underscores(x) != underscores(y))
		return underscores(x) < underscores(y) ? -1 : 1;
	return strcmp(x, y);
}

/* Names of the same start: two or three as a rule, for which qsort_r() takes many times as long as to put them in order. */
static void sort_few(struct range *ranges, size_t count, char *names)
{
	enum { FEW = 8 };
	if (count > FEW)
		qsort_r(ranges, count, sizeof(*ranges), compare, names);
	for (size_t i = 1; i < count && count <= FEW; i++) {
		struct range moved = ranges[i];
		size_t place = i;
		for (; place && compare(&ranges[place - 1], &moved, names) > 0; place--)
			ranges[place] = ranges[place - 1];
		ranges[place] = moved;
	}
}

/* By start first, because that decides nearly always and needs no comparison. */
static void sort(struct nt_symbols *symbols)
{
	size_t count = symbols->count;
	void *sorted = symbols->ranges;
	nt_radix_sort(&sorted, count, sizeof(*symbols->ranges), 0);
	symbols->ranges = nt_realloc(sorted, count, sizeof(*symbols->ranges));
	symbols->capacity = count;
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && symbols->ranges[end].start == symbols->ranges[first].start;)
			end++;
		sort_few(symbols->ranges + first, end - first, symbols->names);
	}
}

/* The disjoint pieces that come out of the sorted, possibly nested ranges. */
struct pieces {
	struct range *list;
	size_t count, capacity;
};

static void put_piece(struct pieces *pieces, const struct range *of, uint64_t start, uint64_t end)
{
	if (start >= end)
		return;
	struct range *last = pieces->count ? &pieces->list[pieces->count - 1] : NULL;
	if (last && last->name == of->name && end_of(last) == start && end - last->start <= UINT32_MAX) {
		last->size = (uint32_t)(end - last->start);
		return;
	}
	pieces->list = nt_grow(pieces->list, &pieces->capacity, pieces->count + 1, sizeof(*pieces->list));
	pieces->list[pieces->count++] = (struct range){ .start = start, .size = (uint32_t)(end - start), .name = of->name };
}

/* The ranges that hold the sweep's place, innermost last; `place` is how far the pieces reach. */
struct sweep {
	const struct range **open;
	size_t count, capacity;
	uint64_t place;
	struct pieces pieces;
};

static void close_until(struct sweep *sweep, uint64_t until)
{
	while (sweep->count) {
		const struct range *top = sweep->open[sweep->count - 1];
		if (end_of(top) > until) {
			put_piece(&sweep->pieces, top, sweep->place, until);
			sweep->place = sweep->place > until ? sweep->place : until;
			return;
		}
		put_piece(&sweep->pieces, top, sweep->place, end_of(top));
		sweep->place = sweep->place > end_of(top) ? sweep->place : end_of(top);
		sweep->count--;
	}
}

void nt_symbols_finish(struct nt_symbols *symbols)
{
	nt_assert(!symbols->finished);
	symbols->finished = true;
	if (!symbols->count)
		return;
	sort(symbols);
	struct sweep sweep = { 0 };
	for (size_t i = 0; i < symbols->count; i++) {
		const struct range *range = &symbols->ranges[i];
		if (i && range->start == range[-1].start && range->size == range[-1].size)
			continue; /* another name of the same range */
		close_until(&sweep, range->start);
		sweep.open = nt_grow(sweep.open, &sweep.capacity, sweep.count + 1, sizeof(*sweep.open));
		sweep.open[sweep.count++] = range;
		sweep.place = range->start;
	}
	close_until(&sweep, UINT64_MAX);
	free(sweep.open);
	free(symbols->ranges);
	symbols->ranges = nt_realloc(sweep.pieces.list, sweep.pieces.count, sizeof(*symbols->ranges));
	symbols->count = symbols->capacity = sweep.pieces.count;
	symbols->names = nt_realloc(symbols->names, symbols->name_bytes, 1);
	symbols->name_capacity = symbols->name_bytes;
}

bool nt_symbols_find(const struct nt_symbols *symbols, uint64_t place, struct nt_symbol *out)
{
	nt_assert(symbols->finished);
	size_t next = nt_starts_up_to(symbols->ranges, symbols->count, sizeof(*symbols->ranges), place);
	const struct range *before = next ? &symbols->ranges[next - 1] : NULL;
	if (before && place < end_of(before)) {
		*out = (struct nt_symbol){ .start = before->start, .end = end_of(before), .name = symbols->names + before->name };
		return true;
	}
	*out = (struct nt_symbol){ .start = before ? end_of(before) : 0,
				   .end = next < symbols->count ? symbols->ranges[next].start : UINT64_MAX };
	return false;
}

size_t nt_symbols_count(const struct nt_symbols *symbols)
{
	return symbols->count;
}

size_t nt_symbols_bytes(const struct nt_symbols *symbols)
{
	return symbols->capacity * sizeof(*symbols->ranges) + symbols->name_capacity;
}
