// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap_r2r.h"

#include "base/alloc.h"
#include "source/codemap_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Images kept, and what their tables may take together; beyond that the one that was asked for longest ago is dropped. */
enum { IMAGES_MAX = 512, IMAGES_MAX_BYTES = 16 << 20 };

struct entry {
	char *path;
	uint64_t inode, base;
	uint64_t asked;             /* number of the last question for it */
	struct nt_image_r2r *image; /* NULL: `reason` says why */
	char reason[NT_IMAGE_R2R_REASON];
};

struct nt_codemap_r2r {
	const struct nt_codemap_target *target;
	struct nt_hand *hand;
	struct entry *entries;
	size_t entry_count, entry_capacity;
	uint64_t question_count;
	struct nt_image_r2r_answer answer; /* the last one */
};

struct nt_codemap_r2r *nt_codemap_r2r_new(const struct nt_codemap_target *target, struct nt_hand *hand)
{
	struct nt_codemap_r2r *images = nt_alloc(sizeof(*images));
	images->target = target;
	images->hand = hand;
	return images;
}

static void drop_entry(struct nt_codemap_r2r *images, size_t index)
{
	free(images->entries[index].path);
	nt_image_r2r_free(images->entries[index].image);
	images->entries[index] = images->entries[--images->entry_count];
}

void nt_codemap_r2r_free(struct nt_codemap_r2r *images)
{
	if (!images)
		return;
	while (images->entry_count)
		drop_entry(images, 0);
	free(images->entries);
	free(images);
}

/* ---- a visit to an image: by the hand, because any look at its file may hang ---- */

struct visit {
	struct nt_errand errand;
	struct nt_image_r2r *image; /* the errand's for that while; NULL = to be read first */
	struct nt_codemap_place of;
	uint64_t base, offset;
	char reason[NT_IMAGE_R2R_REASON];
	struct nt_image_r2r_answer answer;
};

static void run(struct nt_errand *errand)
{
	struct visit *visit = (struct visit *)errand;
	if (!visit->image)
		visit->image = nt_image_r2r_new(&visit->of.place, visit->base, visit->reason);
	if (!visit->image)
		return;
	nt_image_r2r_find(visit->image, visit->offset, &visit->answer);
	nt_image_r2r_rest(visit->image);
}

static void release(struct nt_errand *errand)
{
	struct visit *visit = (struct visit *)errand;
	nt_image_r2r_free(visit->image);
	nt_codemap_place_fini(&visit->of);
	free(visit);
}

static struct visit *new_visit(const struct nt_codemap_target *target, const struct nt_codemap_question *question, struct entry *entry)
{
	struct visit *visit = nt_alloc(sizeof(*visit));
	visit->errand = (struct nt_errand){ .run = run, .release = release };
	visit->image = entry->image;
	entry->image = NULL;
	nt_codemap_place_init(&visit->of, target, question);
	visit->base = entry->base;
	visit->offset = question->offset;
	return visit;
}

/* False: we are closing. */
static bool make_visit(struct nt_codemap_r2r *images, const struct nt_codemap_question *question, struct entry *entry)
{
	struct visit *visit = new_visit(images->target, question, entry);
	enum nt_status status = nt_hand_do(images->hand, &visit->errand, NT_CODEMAP_TIMEOUT_NS);
	if (status != NT_OK) {
		snprintf(entry->reason, sizeof(entry->reason), "image unreadable: timed out");
		return status != NT_END;
	}
	entry->image = visit->image;
	visit->image = NULL;
	memcpy(entry->reason, visit->reason, sizeof(entry->reason));
	images->answer = visit->answer;
	release(&visit->errand);
	return true;
}

/* ---- images ---- */

static size_t image_bytes(const struct nt_codemap_r2r *images)
{
	size_t bytes = 0;
	for (size_t i = 0; i < images->entry_count; i++)
		if (images->entries[i].image)
			bytes += nt_image_r2r_bytes(images->entries[i].image);
	return bytes;
}

static void make_room(struct nt_codemap_r2r *images)
{
	while (images->entry_count > 0 && (images->entry_count >= IMAGES_MAX || image_bytes(images) > IMAGES_MAX_BYTES)) {
		size_t oldest = 0;
		for (size_t i = 1; i < images->entry_count; i++)
			if (images->entries[i].asked < images->entries[oldest].asked)
				oldest = i;
		drop_entry(images, oldest);
	}
}

static struct entry *entry_for(struct nt_codemap_r2r *images, const struct nt_codemap_question *question, uint64_t base)
{
	for (size_t i = 0; i < images->entry_count; i++) {
		struct entry *entry = &images->entries[i];
		if (entry->inode == question->inode && entry->base == base && strcmp(entry->path, question->image) == 0)
			return entry;
	}
	make_room(images);
	images->entries = nt_grow(images->entries, &images->entry_capacity, images->entry_count + 1, sizeof(*images->entries));
	struct entry *entry = &images->entries[images->entry_count++];
	*entry = (struct entry){ .path = nt_strdup(question->image), .inode = question->inode, .base = base };
	return entry;
}

const struct nt_image_r2r_answer *nt_codemap_r2r_answer(struct nt_codemap_r2r *images, const struct nt_codemap_question *question,
							uint64_t base, uint64_t end)
{
	struct entry *entry = entry_for(images, question, base);
	entry->asked = ++images->question_count;
	if (!entry->reason[0] && !make_visit(images, question, entry))
		return NULL;
	struct nt_image_r2r_answer *answer = &images->answer;
	if (entry->reason[0]) {
		answer->what = NT_IMAGE_R2R_NO_CODE;
		answer->start = base;
		answer->end = end;
		memcpy(answer->reason, entry->reason, sizeof(answer->reason));
	}
	return answer;
}
