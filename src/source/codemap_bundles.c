// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap_bundles.h"

#include "base/alloc.h"
#include "source/codemap_place.h"

#include <stdlib.h>
#include <string.h>

/* A process has one executable; other files that carry bundles are made up. */
enum { BUNDLES_MAX = 8 };

struct entry {
	char *path;
	uint64_t inode;
	struct nt_image_bundle bundle;
};

struct nt_codemap_bundles {
	const struct nt_codemap_target *target;
	struct nt_hand *hand;
	struct entry entries[BUNDLES_MAX];
	size_t count;
};

struct nt_codemap_bundles *nt_codemap_bundles_new(const struct nt_codemap_target *target, struct nt_hand *hand)
{
	struct nt_codemap_bundles *bundles = nt_alloc(sizeof(*bundles));
	bundles->target = target;
	bundles->hand = hand;
	return bundles;
}

void nt_codemap_bundles_free(struct nt_codemap_bundles *bundles)
{
	if (!bundles)
		return;
	for (size_t i = 0; i < bundles->count; i++) {
		free(bundles->entries[i].path);
		nt_image_bundle_fini(&bundles->entries[i].bundle);
	}
	free(bundles);
}

struct reading {
	struct nt_errand errand;
	struct nt_codemap_place of;
	struct nt_image_bundle bundle;
};

static void run(struct nt_errand *errand)
{
	struct reading *reading = (struct reading *)errand;
	nt_image_bundle_read(&reading->bundle, &reading->of.place);
}

static void release(struct nt_errand *errand)
{
	struct reading *reading = (struct reading *)errand;
	nt_codemap_place_fini(&reading->of);
	nt_image_bundle_fini(&reading->bundle);
	free(reading);
}

/* What is in this file, if it answers in time; also that there is nothing is kept. */
static enum nt_status read_entry(struct nt_codemap_bundles *bundles, const struct nt_codemap_question *question)
{
	struct reading *reading = nt_alloc(sizeof(*reading));
	reading->errand = (struct nt_errand){ .run = run, .release = release };
	nt_codemap_place_init(&reading->of, bundles->target, question);
	enum nt_status status = nt_hand_do(bundles->hand, &reading->errand, NT_CODEMAP_TIMEOUT_NS);
	if (status == NT_END)
		return status;
	struct entry *entry = &bundles->entries[bundles->count++];
	*entry = (struct entry){ .path = nt_strdup(question->image), .inode = question->inode };
	if (status == NT_OK) {
		entry->bundle = reading->bundle;
		reading->bundle = (struct nt_image_bundle){ 0 };
		release(&reading->errand);
	}
	return NT_OK;
}

static const struct entry *find_entry(const struct nt_codemap_bundles *bundles, const struct nt_codemap_question *question)
{
	for (size_t i = 0; i < bundles->count; i++)
		if (bundles->entries[i].inode == question->inode && strcmp(bundles->entries[i].path, question->image) == 0)
			return &bundles->entries[i];
	return NULL;
}

enum nt_status nt_codemap_bundles_find(struct nt_codemap_bundles *bundles, const struct nt_codemap_question *question,
				       struct nt_bundle_part *part)
{
	const struct entry *entry = find_entry(bundles, question);
	if (!entry) {
		if (bundles->count == BUNDLES_MAX)
			return NT_ERR_ABSENT;
		if (read_entry(bundles, question) != NT_OK)
			return NT_END;
		entry = find_entry(bundles, question);
	}
	const struct nt_bundle_part *found = nt_image_bundle_at(&entry->bundle, question->offset);
	if (found)
		*part = *found;
	return found ? NT_OK : NT_ERR_ABSENT;
}
