// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_precompiled.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Images kept, and what their tables may take together; beyond that the one that was asked for longest ago is dropped. */
enum { IMAGES_MAX = 512, IMAGES_MAX_BYTES = 16 << 20 };

struct entry {
	char *path;
	uint64_t inode, base;
	uint64_t asked;             /* number of the last question for it */
	unsigned rests;             /* since then */
	struct nt_image_r2r *image; /* NULL: `reason` says why */
	char reason[NT_IMAGE_R2R_REASON];
};

struct nt_image_precompiled {
	struct entry *entries;
	size_t entry_count, entry_capacity;
	uint64_t question_count;
	struct nt_image_r2r *awake;        /* the one image whose files may be open; NULL = none */
	struct nt_image_r2r_answer answer; /* the last one */
};

struct nt_image_precompiled *nt_image_precompiled_new(void)
{
	return nt_alloc(sizeof(struct nt_image_precompiled));
}

static void drop_entry(struct nt_image_precompiled *images, size_t index)
{
	if (images->awake == images->entries[index].image)
		images->awake = NULL;
	free(images->entries[index].path);
	nt_image_r2r_free(images->entries[index].image);
	images->entries[index] = images->entries[--images->entry_count];
}

void nt_image_precompiled_free(struct nt_image_precompiled *images)
{
	if (!images)
		return;
	while (images->entry_count)
		drop_entry(images, 0);
	free(images->entries);
	free(images);
}

static void close_files(struct nt_image_precompiled *images)
{
	if (images->awake)
		nt_image_r2r_rest(images->awake);
	images->awake = NULL;
}

bool nt_image_precompiled_rest(struct nt_image_precompiled *images)
{
	bool dropped = false;
	close_files(images);
	for (size_t i = images->entry_count; i-- > 0;) {
		struct entry *entry = &images->entries[i];
		if (!entry->image || ++entry->rests <= NT_IMAGE_RESTS_MAX)
			continue;
		drop_entry(images, i);
		dropped = true;
	}
	return dropped;
}

static void visit(struct nt_image_precompiled *images, const struct nt_image_place *place, uint64_t offset, struct entry *entry)
{
	if (images->awake != entry->image)
		close_files(images);
	if (!entry->image)
		entry->image = nt_image_r2r_new(place, entry->base, entry->reason);
	images->awake = entry->image;
	if (entry->image)
		nt_image_r2r_find(entry->image, offset, &images->answer);
}

/* ---- images ---- */

static size_t image_bytes(const struct nt_image_precompiled *images)
{
	size_t bytes = 0;
	for (size_t i = 0; i < images->entry_count; i++)
		if (images->entries[i].image)
			bytes += nt_image_r2r_bytes(images->entries[i].image);
	return bytes;
}

static void make_room(struct nt_image_precompiled *images)
{
	while (images->entry_count > 0 && (images->entry_count >= IMAGES_MAX || image_bytes(images) > IMAGES_MAX_BYTES)) {
		size_t oldest = 0;
		for (size_t i = 1; i < images->entry_count; i++)
			if (images->entries[i].asked < images->entries[oldest].asked)
				oldest = i;
		drop_entry(images, oldest);
	}
}

static struct entry *entry_for(struct nt_image_precompiled *images, const struct nt_image_place *place, uint64_t base)
{
	for (size_t i = 0; i < images->entry_count; i++) {
		struct entry *entry = &images->entries[i];
		if (entry->inode == place->inode && entry->base == base && strcmp(entry->path, place->path) == 0)
			return entry;
	}
	make_room(images);
	images->entries = nt_grow(images->entries, &images->entry_capacity, images->entry_count + 1, sizeof(*images->entries));
	struct entry *entry = &images->entries[images->entry_count++];
	*entry = (struct entry){ .path = nt_strdup(place->path), .inode = place->inode, .base = base };
	return entry;
}

const struct nt_image_r2r_answer *nt_image_precompiled_answer(struct nt_image_precompiled *images, const struct nt_image_place *place,
							      uint64_t offset, uint64_t base, uint64_t end)
{
	struct entry *entry = entry_for(images, place, base);
	entry->asked = ++images->question_count;
	entry->rests = 0;
	if (!entry->reason[0])
		visit(images, place, offset, entry);
	struct nt_image_r2r_answer *answer = &images->answer;
	if (entry->reason[0]) {
		answer->what = NT_IMAGE_R2R_NO_CODE;
		answer->start = base;
		answer->end = end;
		memcpy(answer->reason, entry->reason, sizeof(answer->reason));
	}
	return answer;
}
