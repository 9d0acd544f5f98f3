// SPDX-License-Identifier: GPL-2.0-only
#include "source/frame_lookup.h"

#include "base/alloc.h"
#include "base/starts.h"
#include "decode/map_name.h"
#include "decode/procfs_text.h"
#include "source/cfi_image.h"
#include "source/codemap_target.h"
#include "source/hand.h"
#include "source/image_names.h"
#include "source/maps_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Mappings are read again at most so often, and in this part of the time: it takes the target's mmap lock. Images that are kept. */
enum { PAUSE_MS = 100, COST_RATIO = 50, IMAGES_MAX = 64, IMAGES_MAX_BYTES = 64 << 20, MAPPINGS_MAX = 1 << 16 };

struct mapping {
	uint64_t start, end, offset, inode;
	char *path; /* owned; NULL = code with frame pointers */
};

struct image {
	char *path; /* owned */
	uint64_t inode;
	struct nt_cfi_image *cfi; /* owned; NULL = nothing to be had from it */
};

struct nt_frame_lookup {
	struct nt_codemap_target target;
	struct nt_hand *hand;
	char *maps_path;
	struct mapping *mappings; /* sorted, as the kernel lists them */
	size_t mapping_count, mapping_capacity;
	nt_time next_reading;
	struct image images[IMAGES_MAX];
	size_t image_count;
};

struct nt_frame_lookup *nt_frame_lookup_new(const struct nt_target *target, const struct nt_source_config *config)
{
	struct nt_frame_lookup *lookup = nt_alloc(sizeof(*lookup));
	nt_codemap_target_init(&lookup->target, target, config);
	lookup->hand = nt_hand_new();
	lookup->maps_path = nt_format("%s/maps", lookup->target.proc_dir);
	return lookup;
}

static void drop_mappings(struct nt_frame_lookup *lookup)
{
	for (size_t i = 0; i < lookup->mapping_count; i++)
		free(lookup->mappings[i].path);
	lookup->mapping_count = 0;
}

static void drop_image(struct image *image)
{
	free(image->path);
	nt_cfi_image_free(image->cfi);
}

void nt_frame_lookup_free(struct nt_frame_lookup *lookup)
{
	drop_mappings(lookup);
	for (size_t i = 0; i < lookup->image_count; i++)
		drop_image(&lookup->images[i]);
	nt_hand_free(lookup->hand);
	nt_codemap_target_fini(&lookup->target);
	free(lookup->maps_path);
	free(lookup->mappings);
	free(lookup);
}

void nt_frame_lookup_cancel(struct nt_frame_lookup *lookup)
{
	nt_hand_cancel(lookup->hand);
}

uint64_t nt_frame_lookup_cpu_ns(struct nt_frame_lookup *lookup)
{
	return nt_hand_cpu_ns(lookup->hand);
}

/* ---- mappings ---- */

static void add_mapping(struct nt_frame_lookup *lookup, const struct nt_procfs_map *map)
{
	struct nt_map_name name = nt_map_name_read(map->path, map->path_length);
	lookup->mappings = nt_grow(lookup->mappings, &lookup->mapping_capacity, lookup->mapping_count + 1, sizeof(*lookup->mappings));
	struct mapping *mapping = &lookup->mappings[lookup->mapping_count++];
	*mapping = (struct mapping){ .start = map->start, .end = map->end, .offset = map->offset, .inode = map->inode };
	if (name.flags & NT_MAP_JIT || !map->inode || !name.image_length || name.image[0] != '/')
		return;
	mapping->path = nt_format("%.*s", (int)name.image_length, name.image);
	if (nt_image_kind(mapping->path) == NT_CODE_RUNTIME) {
		free(mapping->path);
		mapping->path = NULL;
	}
}

static enum nt_status read_mappings(struct nt_frame_lookup *lookup)
{
	nt_time began = nt_clock_now();
	if (began < lookup->next_reading)
		return NT_AGAIN;
	struct nt_maps_text text;
	enum nt_status status = nt_maps_text_read(lookup->hand, lookup->maps_path, NT_CODEMAP_TIMEOUT_NS, &text);
	nt_time now = nt_clock_now(), cost = (now - began) * COST_RATIO;
	lookup->next_reading = now + (cost > PAUSE_MS * NT_NS_PER_MS ? cost : PAUSE_MS * NT_NS_PER_MS);
	if (status != NT_OK)
		return status == NT_END ? NT_END : NT_AGAIN;
	drop_mappings(lookup);
	for (size_t at = 0; at < text.length && lookup->mapping_count < MAPPINGS_MAX;) {
		struct nt_procfs_map map;
		bool valid;
		size_t used = nt_procfs_map_next(text.text + at, text.length - at, &map, &valid);
		if (!used)
			break;
		at += used;
		if (valid && map.exec)
			add_mapping(lookup, &map);
	}
	free(text.text);
	return NT_OK;
}

static const struct mapping *mapping_at(const struct nt_frame_lookup *lookup, uint64_t address)
{
	size_t next = nt_starts_up_to(lookup->mappings, lookup->mapping_count, sizeof(*lookup->mappings), address);
	return next && lookup->mappings[next - 1].end > address ? &lookup->mappings[next - 1] : NULL;
}

/* ---- images ---- */

struct loading {
	struct nt_errand errand;
	char *root_dir, *path, *map_file; /* owned */
	struct nt_image_place place;
	struct nt_cfi_image *cfi; /* owned */
};

static void run(struct nt_errand *errand)
{
	struct loading *loading = (struct loading *)errand;
	loading->cfi = nt_cfi_image_load(&loading->place);
}

static void release(struct nt_errand *errand)
{
	struct loading *loading = (struct loading *)errand;
	nt_cfi_image_free(loading->cfi);
	free(loading->root_dir);
	free(loading->path);
	free(loading->map_file);
	free(loading);
}

static struct loading *new_loading(const struct nt_codemap_target *target, const struct mapping *mapping)
{
	struct loading *loading = nt_alloc(sizeof(*loading));
	loading->errand = (struct nt_errand){ .run = run, .release = release };
	loading->root_dir = nt_strdup(target->root_dir);
	loading->path = nt_strdup(mapping->path);
	loading->map_file = nt_format("%s/map_files/%" PRIx64 "-%" PRIx64, target->proc_dir, mapping->start, mapping->end);
	loading->place = (struct nt_image_place){ .root_dir = loading->root_dir,
						  .path = loading->path,
						  .map_file = loading->map_file,
						  .inode = mapping->inode,
						  .uid = target->uid };
	return loading;
}

static uint64_t image_bytes(const struct nt_frame_lookup *lookup)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < lookup->image_count; i++)
		sum += nt_cfi_image_bytes(lookup->images[i].cfi);
	return sum;
}

/* Room for one more image of so many bytes: all others are dropped when it would be too much, for they are read again when they are needed. */
static struct image *image_slot(struct nt_frame_lookup *lookup, uint64_t bytes)
{
	if (lookup->image_count == IMAGES_MAX || image_bytes(lookup) + bytes > IMAGES_MAX_BYTES)
		while (lookup->image_count)
			drop_image(&lookup->images[--lookup->image_count]);
	return &lookup->images[lookup->image_count++];
}

static enum nt_status image_of(struct nt_frame_lookup *lookup, const struct mapping *mapping, struct nt_cfi_image **cfi)
{
	*cfi = NULL;
	for (size_t i = 0; i < lookup->image_count; i++) {
		const struct image *image = &lookup->images[i];
		if (image->inode == mapping->inode && strcmp(image->path, mapping->path) == 0) {
			*cfi = image->cfi;
			return NT_OK;
		}
	}
	struct loading *loading = new_loading(&lookup->target, mapping);
	enum nt_status status = nt_hand_do(lookup->hand, &loading->errand, NT_CODEMAP_TIMEOUT_NS);
	if (status == NT_END)
		return NT_END;
	if (status == NT_OK) {
		*cfi = loading->cfi;
		loading->cfi = NULL; /* moved */
		release(&loading->errand);
	}
	*image_slot(lookup, nt_cfi_image_bytes(*cfi)) =
		(struct image){ .path = nt_strdup(mapping->path), .inode = mapping->inode, .cfi = *cfi };
	return NT_OK;
}

void nt_frame_lookup_forget(struct nt_frame_lookup *lookup, uint64_t start, uint64_t end)
{
	size_t kept = 0;
	for (size_t i = 0; i < lookup->mapping_count; i++) {
		struct mapping *mapping = &lookup->mappings[i];
		if (mapping->start < end && start < mapping->end)
			free(mapping->path);
		else
			lookup->mappings[kept++] = *mapping;
	}
	lookup->mapping_count = kept;
}

enum nt_status nt_frame_lookup_find(struct nt_frame_lookup *lookup, uint64_t address, uint64_t *start, uint64_t *end,
				    struct nt_frame_rule *rule)
{
	const struct mapping *mapping = mapping_at(lookup, address);
	if (!mapping) {
		enum nt_status status = read_mappings(lookup);
		if (status != NT_OK)
			return status;
		mapping = mapping_at(lookup, address);
	}
	*start = mapping ? mapping->start : address;
	*end = mapping ? mapping->end : address + 1;
	*rule = (struct nt_frame_rule){ .way = mapping ? NT_FRAME_POINTER : NT_FRAME_NOWHERE };
	if (!mapping || !mapping->path)
		return NT_OK;
	struct nt_cfi_image *cfi;
	if (image_of(lookup, mapping, &cfi) != NT_OK)
		return NT_END;
	if (!cfi)
		return NT_OK;
	/* From addresses to offsets in the file and back. */
	uint64_t bias = mapping->start - mapping->offset, from, to;
	if (!nt_cfi_image_rule(cfi, address - bias, &from, &to, rule)) {
		*rule = (struct nt_frame_rule){ .way = NT_FRAME_POINTER };
		*start = address;
		*end = address + 1;
		return NT_OK;
	}
	if (from + bias > *start)
		*start = from + bias;
	if (to + bias < *end)
		*end = to + bias;
	return NT_OK;
}
