// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/cfi_images.h"

#include "base/alloc.h"
#include "source/image/cfi_image.h"
#include "source/image/image_r2r.h"

#include <stdlib.h>
#include <string.h>

/* Images that are kept. */
enum { IMAGES_MAX = 64, IMAGES_MAX_BYTES = 64 << 20 };

struct image {
	char *path; /* owned */
	uint64_t inode;
	struct nt_cfi_image *cfi; /* owned; NULL = it is no ELF image, or has nothing of that */
	struct nt_image_r2r *r2r; /* owned; NULL = it is no precompiled one */
};

struct nt_cfi_images {
	struct image items[IMAGES_MAX];
	size_t count;
	bool untidy; /* one was read since the last rest */
};

struct nt_cfi_images *nt_cfi_images_new(void)
{
	return nt_alloc(sizeof(struct nt_cfi_images));
}

static uint64_t bytes_of(const struct image *image)
{
	return nt_cfi_image_bytes(image->cfi) + (image->r2r ? nt_image_r2r_bytes(image->r2r) : 0);
}

/* All others are dropped when it would be too much with this one, for they are read again when they are needed. */
static struct image *keep(struct nt_cfi_images *images, const struct image *image)
{
	uint64_t sum = bytes_of(image);
	for (size_t i = 0; i < images->count; i++)
		sum += bytes_of(&images->items[i]);
	if (images->count == IMAGES_MAX || sum > IMAGES_MAX_BYTES) {
		for (; images->count; images->count--) {
			nt_cfi_image_free(images->items[images->count - 1].cfi);
			nt_image_r2r_free(images->items[images->count - 1].r2r);
			free(images->items[images->count - 1].path);
		}
	}
	images->items[images->count] = *image;
	return &images->items[images->count++];
}

static struct image *image_of(struct nt_cfi_images *images, const struct nt_image_place *place)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i].inode == place->inode && strcmp(images->items[i].path, place->path) == 0)
			return &images->items[i];
	char reason[NT_IMAGE_R2R_REASON]; /* nobody asks */
	struct image image = { .path = nt_strdup(place->path), .inode = place->inode, .cfi = nt_cfi_image_load(place) };
	if (!image.cfi)
		image.r2r = nt_image_r2r_new(place, 0, reason);
	images->untidy = true;
	return keep(images, &image);
}

bool nt_cfi_images_rule(struct nt_cfi_images *images, const struct nt_image_place *place, uint64_t offset, uint64_t *start, uint64_t *end,
			struct nt_frame_rule *rule)
{
	struct image *image = image_of(images, place);
	bool found = (image->cfi && nt_cfi_image_rule(image->cfi, offset, start, end, rule)) ||
		     (image->r2r && nt_image_r2r_rule(image->r2r, offset, start, end, rule));
	if (found)
		return true;
	*start = image->cfi || image->r2r ? offset : 0;
	*end = image->cfi || image->r2r ? offset + 1 : UINT64_MAX;
	return false;
}

bool nt_cfi_images_rest(struct nt_cfi_images *images)
{
	bool untidy = images->untidy;
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i].r2r)
			nt_image_r2r_rest(images->items[i].r2r);
	images->untidy = false;
	return untidy;
}
