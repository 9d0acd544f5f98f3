// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/cfi_images.h"

#include "base/alloc.h"
#include "source/image/cfi_image.h"

#include <stdlib.h>
#include <string.h>

/* Images that are kept. */
enum { IMAGES_MAX = 64, IMAGES_MAX_BYTES = 64 << 20 };

struct image {
	char *path; /* owned */
	uint64_t inode;
	struct nt_cfi_image *cfi; /* owned; NULL = nothing to be had from it */
};

struct nt_cfi_images {
	struct image items[IMAGES_MAX];
	size_t count;
};

struct nt_cfi_images *nt_cfi_images_new(void)
{
	return nt_alloc(sizeof(struct nt_cfi_images));
}

static uint64_t bytes_of(const struct nt_cfi_images *images)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < images->count; i++)
		sum += nt_cfi_image_bytes(images->items[i].cfi);
	return sum;
}

/* Room for one more image of so many bytes: all others are dropped when it would be too much, for they are read again when they are needed. */
static struct image *slot_for(struct nt_cfi_images *images, uint64_t bytes)
{
	if (images->count == IMAGES_MAX || bytes_of(images) + bytes > IMAGES_MAX_BYTES) {
		for (; images->count; images->count--) {
			nt_cfi_image_free(images->items[images->count - 1].cfi);
			free(images->items[images->count - 1].path);
		}
	}
	return &images->items[images->count++];
}

static struct nt_cfi_image *image_of(struct nt_cfi_images *images, const struct nt_image_place *place)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i].inode == place->inode && strcmp(images->items[i].path, place->path) == 0)
			return images->items[i].cfi;
	struct nt_cfi_image *cfi = nt_cfi_image_load(place);
	*slot_for(images, nt_cfi_image_bytes(cfi)) = (struct image){ .path = nt_strdup(place->path), .inode = place->inode, .cfi = cfi };
	return cfi;
}

bool nt_cfi_images_rule(struct nt_cfi_images *images, const struct nt_image_place *place, uint64_t offset, uint64_t *start, uint64_t *end,
			struct nt_frame_rule *rule)
{
	struct nt_cfi_image *cfi = image_of(images, place);
	if (cfi && nt_cfi_image_rule(cfi, offset, start, end, rule))
		return true;
	*start = cfi ? offset : 0;
	*end = cfi ? offset + 1 : UINT64_MAX;
	return false;
}
