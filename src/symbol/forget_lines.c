// SPDX-License-Identifier: GPL-2.0-only
/*
 * Texts of lines that stay in the map file come as answers, one for each line that was sampled. Where methods come and go without end, so would they: when they
 * are twice as many as last time, those of lines that no range refers to go.
 */
#include "symbol/resolver_internal.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { ANSWERS_SLACK = 2048 };

struct lines {
	uint32_t map; /* number of the map file */
	uint32_t *offsets;
	size_t count, capacity;
};

static void note_line(const struct nt_range *range, void *context)
{
	struct lines *lines = context;
	if (range->b != lines->map)
		return;
	lines->offsets = nt_grow(lines->offsets, &lines->capacity, lines->count + 1, sizeof(*lines->offsets));
	lines->offsets[lines->count++] = range->a;
}

static int compare_offsets(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static bool has_line(const struct lines *lines, uint64_t start, uint64_t end)
{
	size_t low = 0, high = lines->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (lines->offsets[middle] < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low < lines->count && lines->offsets[low] < end;
}

/* Answers that are not needed. */
struct unneeded {
	const struct lines *lines;
	struct nt_range_list list;
};

static void note_answer(const struct nt_range *range, void *context)
{
	struct unneeded *unneeded = context;
	if (has_line(unneeded->lines, range->start, range->end))
		return;
	struct nt_range_list *list = &unneeded->list;
	list->items = nt_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = *range;
}

static void forget_answers(struct nt_resolver *resolver, struct nt_image *map, nt_time now)
{
	struct lines lines = { .map = (uint32_t)map->inode };
	nt_ranges_look(&resolver->methods, note_line, &lines);
	nt_ranges_look(&resolver->stubs, note_line, &lines);
	if (lines.count)
		qsort(lines.offsets, lines.count, sizeof(*lines.offsets), compare_offsets);
	struct unneeded unneeded = { .lines = &lines };
	nt_ranges_look(&map->names, note_answer, &unneeded);
	for (size_t i = 0; i < unneeded.list.count; i++)
		nt_ranges_end(&map->names, unneeded.list.items[i].start, unneeded.list.items[i].end - unneeded.list.items[i].start, now);
	nt_ranges_settle(&map->names, now);
	free(unneeded.list.items);
	free(lines.offsets);
}

void nt_resolver_forget_lines(struct nt_resolver *resolver, nt_time now)
{
	for (size_t i = 0; i < resolver->images.count; i++) {
		struct nt_image *image = &resolver->images.items[i];
		if (image->path != resolver->map_image || nt_ranges_count(&image->names) < 2 * image->answers_looked + ANSWERS_SLACK)
			continue;
		forget_answers(resolver, image, now);
		image->answers_looked = nt_ranges_count(&image->names);
	}
}
