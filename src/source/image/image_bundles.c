// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_bundles.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* A process has one executable; other files that carry bundles are made up. */
enum { BUNDLES_MAX = 8 };

struct entry {
	char *path;
	uint64_t inode;
	struct nt_image_bundle bundle;
};

struct nt_image_bundles {
	struct entry entries[BUNDLES_MAX];
	size_t count;
};

struct nt_image_bundles *nt_image_bundles_new(void)
{
	return nt_alloc(sizeof(struct nt_image_bundles));
}

void nt_image_bundles_free(struct nt_image_bundles *bundles)
{
	if (!bundles)
		return;
	for (size_t i = 0; i < bundles->count; i++) {
		free(bundles->entries[i].path);
		nt_image_bundle_fini(&bundles->entries[i].bundle);
	}
	free(bundles);
}

/* What is in this file; also that there is nothing is kept. */
static const struct entry *read_entry(struct nt_image_bundles *bundles, const struct nt_image_place *place)
{
	if (bundles->count == BUNDLES_MAX)
		return NULL;
	struct entry *entry = &bundles->entries[bundles->count++];
	*entry = (struct entry){ .path = nt_strdup(place->path), .inode = place->inode };
	nt_image_bundle_read(&entry->bundle, place);
	return entry;
}

static const struct entry *find_entry(const struct nt_image_bundles *bundles, const struct nt_image_place *place)
{
	for (size_t i = 0; i < bundles->count; i++)
		if (bundles->entries[i].inode == place->inode && strcmp(bundles->entries[i].path, place->path) == 0)
			return &bundles->entries[i];
	return NULL;
}

const struct nt_bundle_part *nt_image_bundles_find(struct nt_image_bundles *bundles, const struct nt_image_place *place, uint64_t offset)
{
	const struct entry *entry = find_entry(bundles, place);
	if (!entry)
		entry = read_entry(bundles, place);
	return entry ? nt_image_bundle_at(&entry->bundle, offset) : NULL;
}
