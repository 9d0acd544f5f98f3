// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/cfi_images.h"

#include "base/alloc.h"
#include "source/image/cfi_image.h"
#include "source/image/image_bundle.h"
#include "source/image/image_r2r.h"

#include <stdlib.h>
#include <string.h>

/* Images that are kept. */
enum { IMAGES_MAX = 64, IMAGES_MAX_BYTES = 64 << 20 };

struct image {
	char *path; /* owned */
	uint64_t inode;
	uint64_t base;                 /* where it begins in the file: 0, but of an assembly in a single-file program */
	struct nt_cfi_image *cfi;      /* owned; NULL = it is no ELF image, or has nothing of that */
	struct nt_image_r2r *r2r;      /* owned; NULL = it is no precompiled one */
	struct nt_image_bundle bundle; /* the assemblies that lie behind it, */
	bool bundle_read;              /* once somebody has asked for what lies there */
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

static void drop(struct image *image)
{
	nt_cfi_image_free(image->cfi);
	nt_image_r2r_free(image->r2r);
	nt_image_bundle_fini(&image->bundle);
	free(image->path);
}

/* All others are dropped when it would be too much with this one, for they are read again when they are needed. */
static struct image *keep(struct nt_cfi_images *images, const struct image *image)
{
	uint64_t sum = bytes_of(image);
	for (size_t i = 0; i < images->count; i++)
		sum += bytes_of(&images->items[i]);
	if (images->count == IMAGES_MAX || sum > IMAGES_MAX_BYTES)
		while (images->count)
			drop(&images->items[--images->count]);
	images->items[images->count] = *image;
	return &images->items[images->count++];
}

static struct image *image_of(struct nt_cfi_images *images, const struct nt_image_place *place, uint64_t base)
{
	for (size_t i = 0; i < images->count; i++) {
		struct image *item = &images->items[i];
		if (item->inode == place->inode && item->base == base && strcmp(item->path, place->path) == 0)
			return item;
	}
	char reason[NT_IMAGE_R2R_REASON]; /* nobody asks */
	struct image image = { .path = nt_strdup(place->path), .inode = place->inode, .base = base };
	if (!base)
		image.cfi = nt_cfi_image_load(place);
	if (!image.cfi)
		image.r2r = nt_image_r2r_new(place, base, reason);
	images->untidy = true;
	return keep(images, &image);
}

/* Of a single-file program the assembly that the place is in; false: it is in none. */
static bool find_assembly(struct nt_cfi_images *images, struct image *image, const struct nt_image_place *place, uint64_t offset,
			  struct nt_bundle_part *assembly)
{
	if (image->r2r || (image->cfi && nt_cfi_image_has(image->cfi, offset)))
		return false;
	if (!image->bundle_read) {
		nt_image_bundle_read(&image->bundle, place);
		image->bundle_read = images->untidy = true;
	}
	const struct nt_bundle_part *part = nt_image_bundle_at(&image->bundle, offset);
	if (part)
		*assembly = *part;
	return part != NULL;
}

static bool rule_of(struct image *image, uint64_t offset, uint64_t *start, uint64_t *end, struct nt_frame_rule *rule)
{
	return (image->cfi && nt_cfi_image_rule(image->cfi, offset, start, end, rule)) ||
	       (image->r2r && nt_image_r2r_rule(image->r2r, offset, start, end, rule));
}

bool nt_cfi_images_rule(struct nt_cfi_images *images, const struct nt_image_place *place, uint64_t offset, uint64_t *start, uint64_t *end,
			struct nt_frame_rule *rule)
{
	struct nt_bundle_part assembly;
	struct image *image = image_of(images, place, 0);
	bool within = find_assembly(images, image, place, offset, &assembly);
	bool some = within || image->cfi || image->r2r || image->bundle.count;
	if (within)
		image = image_of(images, place, assembly.offset);
	if (rule_of(image, offset, start, end, rule))
		return true;
	*start = some ? offset : 0;
	*end = some ? offset + 1 : UINT64_MAX;
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
