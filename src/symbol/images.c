// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/images.h"

#include "base/alloc.h"
#include "base/file_name.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* Pauses between asking and asking again; then we give up. */
static const nt_time patience_ns[] = { 2 * NT_NS_PER_S, 8 * NT_NS_PER_S, 30 * NT_NS_PER_S };
enum { ASK_LIMIT = sizeof(patience_ns) / sizeof(patience_ns[0]) };

static bool same_answer(const struct nt_range *a, const struct nt_range *b, const void *context)
{
	const struct nt_names *names = context;
	return a->c == b->c && a->from == b->from && nt_heap_same(names->heap, a->a, b->a) && nt_heap_same(names->heap, a->b, b->b);
}

static uint32_t add_image(struct nt_images *images, const char *path, uint64_t inode)
{
	images->items = nt_grow(images->items, &images->capacity, images->count + 1, sizeof(*images->items));
	struct nt_image *image = &images->items[images->count];
	const char *base = nt_file_base_name(path);
	*image = (struct nt_image){ .path = path, .base = nt_texts_intern_cstr(images->names->texts, *base ? base : path), .inode = inode };
	nt_ranges_init(&image->names, same_answer, images->names);
	return (uint32_t)images->count++;
}

void nt_images_init(struct nt_images *images, struct nt_names *names)
{
	*images = (struct nt_images){ .names = names };
	uint32_t index = nt_images_intern(images, nt_texts_intern_cstr(names->texts, "[kernel]"), 0);
	nt_assert(index == NT_IMAGE_KERNEL);
}

void nt_images_fini(struct nt_images *images)
{
	for (size_t i = 0; i < images->count; i++) {
		nt_ranges_fini(&images->items[i].names);
		nt_index_fini(&images->items[i].place_of);
		free(images->items[i].places);
	}
	free(images->items);
	nt_index_fini(&images->index);
	*images = (struct nt_images){ 0 };
}

uint32_t nt_images_intern(struct nt_images *images, const char *path, uint64_t inode)
{
	for (uint64_t attempt = 0;; attempt++) { /* a hash may be taken by another image */
		uint64_t key = nt_hash_mix((uint64_t)(uintptr_t)path) ^ nt_hash_mix(inode + attempt);
		uint32_t index = nt_index_get(&images->index, key);
		if (index == NT_INDEX_NONE) {
			if (images->count >= NT_IMAGE_LIMIT)
				return images->count > NT_IMAGE_LIMIT ? NT_IMAGE_LIMIT : add_image(images, "(other images)", 0);
			index = add_image(images, path, inode);
			nt_index_put(&images->index, key, index);
			return index;
		}
		if (images->items[index].path == path && images->items[index].inode == inode)
			return index;
	}
}

uint32_t nt_images_intern_ref(struct nt_images *images, nt_text_ref path, uint64_t inode)
{
	return nt_images_intern(images, path ? nt_names_keep(images->names, path) : "[anonymous]", inode);
}

/* ---- open questions ---- */

static void remove_place(struct nt_images *images, struct nt_image *image, size_t index)
{
	nt_index_remove(&image->place_of, image->places[index].offset);
	struct nt_place *last = &image->places[--image->place_count];
	if (index != image->place_count) {
		image->places[index] = *last;
		nt_index_put(&image->place_of, last->offset, (uint32_t)index);
	}
	images->open_count--;
}

void nt_images_want(struct nt_images *images, uint32_t index, const struct nt_place *place)
{
	struct nt_image *image = &images->items[index];
	uint32_t known = nt_index_get(&image->place_of, place->offset);
	if (known != NT_INDEX_NONE) {
		image->places[known].weight += place->weight;
		return;
	}
	if (images->open_count >= NT_PLACE_LIMIT)
		return; /* asked when others have been answered */
	image->places = nt_grow(image->places, &image->place_capacity, image->place_count + 1, sizeof(*image->places));
	nt_index_put(&image->place_of, place->offset, (uint32_t)image->place_count);
	image->places[image->place_count++] = *place;
	images->open_count++;
}

static void close_places(struct nt_images *images, struct nt_image *image, uint64_t start, uint64_t end)
{
	for (size_t i = image->place_count; i-- > 0;)
		if (image->places[i].offset >= start && image->places[i].offset < end)
			remove_place(images, image, i);
}

void nt_images_answer(struct nt_images *images, const struct nt_ev_name *answer, nt_text_ref path, nt_text_ref name, nt_text_ref reason)
{
	if (answer->end <= answer->start)
		return;
	enum nt_code_kind kind = answer->kind < NT_CODE_KIND_COUNT ? answer->kind : NT_CODE_UNKNOWN;
	enum nt_naming naming = answer->naming < NT_NAMING_COUNT ? answer->naming : NT_NAMING_NAMED;
	uint32_t index = nt_images_intern_ref(images, path, answer->inode); /* may move the images */
	struct nt_image *image = &images->items[index];
	struct nt_range_hit there = nt_ranges_find(&image->names, answer->start, NT_TIME_UNKNOWN - 1);
	const struct nt_range range = {
		.start = answer->start, .end = answer->end, .from = answer->from, .a = name, .b = reason, .c = nt_answer_word(kind, naming)
	};
	close_places(images, image, answer->start, answer->end);
	if (there.found && there.range.start == range.start && there.range.end == range.end &&
	    same_answer(&there.range, &range, images->names))
		return; /* it is told with each answer about code that may be freed */
	images->replaced |= there.found || there.extent.high < answer->end;
	nt_ranges_add(&image->names, answer->start, answer->end - answer->start, range.from, name, reason, range.c);
}

bool nt_images_settle(struct nt_images *images, nt_time now)
{
	bool changed = false;
	images->replaced = false;
	for (size_t i = 0; i < images->count; i++)
		changed |= nt_ranges_settle(&images->items[i].names, now);
	return changed;
}

struct nt_range_hit nt_images_find(const struct nt_images *images, uint32_t image, uint64_t offset)
{
	struct nt_range_hit answer = nt_ranges_find(&images->items[image].names, offset, NT_TIME_UNKNOWN - 1);
	answer.valid_from = 0; /* it holds for what was before, too */
	return answer;
}

/* ---- asking ---- */

struct due {
	uint64_t weight;
	uint32_t image;
	uint32_t place;
	uint64_t offset;
};

static int compare_due(const void *a, const void *b)
{
	const struct due *x = a, *y = b;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	if (x->image != y->image)
		return x->image < y->image ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void give_up(struct nt_images *images, struct nt_image *image, size_t index)
{
	uint64_t offset = image->places[index].offset;
	nt_ranges_add(&image->names, offset, 1, 0, 0, 0, nt_answer_word(NT_CODE_UNKNOWN, NT_NAMING_NO_ANSWER));
	remove_place(images, image, index);
}

static size_t collect_due(struct nt_images *images, nt_time now, struct due *due)
{
	size_t count = 0;
	for (size_t i = 0; i < images->count; i++) {
		struct nt_image *image = &images->items[i];
		for (size_t p = image->place_count; p-- > 0;)
			if (image->places[p].asked_count > ASK_LIMIT - 1 && image->places[p].due <= now)
				give_up(images, image, p);
		for (size_t p = 0; p < image->place_count; p++)
			if (image->places[p].due <= now)
				due[count++] = (struct due){ .weight = image->places[p].weight,
							     .image = (uint32_t)i,
							     .place = (uint32_t)p,
							     .offset = image->places[p].offset };
	}
	return count;
}

struct nt_question *nt_images_ask(struct nt_images *images, nt_time now, uint32_t pid, size_t max, size_t *count)
{
	*count = 0;
	if (!images->open_count)
		return NULL;
	struct due *due = nt_realloc(NULL, images->open_count, sizeof(*due));
	size_t due_count = collect_due(images, now, due);
	qsort(due, due_count, sizeof(*due), compare_due);
	*count = due_count < max ? due_count : max;
	struct nt_question *questions = *count ? nt_realloc(NULL, *count, sizeof(*questions)) : NULL;
	for (size_t i = 0; i < *count; i++) {
		const struct nt_image *image = &images->items[due[i].image];
		struct nt_place *place = &image->places[due[i].place];
		place->due = now + patience_ns[place->asked_count++];
		questions[i] = (struct nt_question){ .pid = pid,
						     .inode = image->inode,
						     .offset = place->offset,
						     .map_start = place->map_start,
						     .map_end = place->map_end,
						     .image = image->path };
	}
	free(due);
	return questions;
}

/* ---- compaction ---- */

struct each_ref {
	nt_ref_visit *visit;
	void *context;
};

static void visit_range(struct nt_range *range, void *context)
{
	const struct each_ref *each = context;
	each->visit(&range->a, each->context);
	each->visit(&range->b, each->context);
}

void nt_images_each_ref(struct nt_images *images, nt_ref_visit *visit, void *context)
{
	struct each_ref each = { .visit = visit, .context = context };
	for (size_t i = 0; i < images->count; i++)
		nt_ranges_each(&images->items[i].names, visit_range, &each);
}

void nt_images_each_text(const struct nt_images *images, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < images->count; i++) {
		visit(images->items[i].path, context);
		visit(images->items[i].base, context);
	}
}
