// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_methods.h"

#include "base/alloc.h"
#include "source/image/image_bundle.h"
#include "source/image/image_r2r.h"

#include <stdlib.h>
#include <string.h>

struct nt_image_walk {
	char *path; /* owned */
	uint64_t inode, offset;
	struct nt_image_r2r *image; /* owned; NULL = there is no precompiled code */
	struct nt_image_r2r_answer answer;
};

static void free_walk(struct nt_image_walk *walk)
{
	if (!walk)
		return;
	nt_image_r2r_free(walk->image);
	free(walk->path);
	free(walk);
}

static struct nt_image_r2r *open_image(const struct nt_image_place *place, uint64_t offset)
{
	char reason[NT_IMAGE_R2R_REASON];
	size_t length = strlen(place->path);
	if (length > 4 && strcmp(place->path + length - 4, ".dll") == 0)
		return nt_image_r2r_new(place, 0, reason);
	struct nt_image_bundle bundle;
	nt_image_bundle_read(&bundle, place);
	const struct nt_bundle_part *part = nt_image_bundle_at(&bundle, offset);
	struct nt_image_r2r *image = part ? nt_image_r2r_new(place, part->offset, reason) : NULL;
	nt_image_bundle_fini(&bundle);
	return image;
}

static struct nt_image_walk *walk_of(struct nt_image_methods *methods, const struct nt_image_place *place, uint64_t offset)
{
	struct nt_image_walk *walk = methods->walk;
	if (walk && walk->inode == place->inode && walk->offset == offset && strcmp(walk->path, place->path) == 0)
		return walk;
	free_walk(walk);
	methods->walk = walk = nt_alloc(sizeof(*walk));
	walk->path = nt_strdup(place->path);
	walk->inode = place->inode;
	walk->offset = offset;
	walk->image = open_image(place, offset);
	return walk;
}

static void add(struct nt_image_methods *methods, const struct nt_image_r2r_answer *found)
{
	size_t length = strlen(found->name.text);
	if (found->end - found->start > UINT32_MAX || length > UINT16_MAX)
		return;
	methods->lines = nt_grow(methods->lines, &methods->capacity, methods->count + 1, sizeof(*methods->lines));
	methods->letters = nt_grow(methods->letters, &methods->letter_capacity, methods->length + length, 1);
	methods->lines[methods->count++] = (struct nt_batch_line){ .start = found->start,
								   .size = (uint32_t)(found->end - found->start),
								   .offset = (uint32_t)methods->length,
								   .length = (uint16_t)length,
								   .kind = NT_CODE_R2R };
	memcpy(methods->letters + methods->length, found->name.text, length);
	methods->length += length;
}

void nt_image_methods_read(struct nt_image_methods *methods, const struct nt_image_place *place, uint64_t offset, uint32_t *next,
			   size_t most)
{
	struct nt_image_walk *walk = walk_of(methods, place, offset);
	uint32_t number = *next;
	methods->count = methods->length = 0;
	*next = 0;
	for (size_t seen = 0; walk->image && nt_image_r2r_next(walk->image, &number, &walk->answer);) {
		if (walk->answer.what == NT_IMAGE_R2R_METHOD)
			add(methods, &walk->answer);
		if (++seen == most) {
			*next = number;
			return;
		}
	}
}

void nt_image_methods_rest(struct nt_image_methods *methods)
{
	if (methods->walk && methods->walk->image)
		nt_image_r2r_rest(methods->walk->image);
}
