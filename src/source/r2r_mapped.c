// SPDX-License-Identifier: GPL-2.0-only
#include "source/r2r_mapped.h"

#include "base/alloc.h"
#include "source/image_bundle.h"
#include "source/image_r2r.h"

#include <stdlib.h>
#include <string.h>

struct walk {
	const struct nt_mapped_process *process;
	const struct nt_r2r_visitor *visitor;
	size_t count;
	struct nt_image_r2r_answer answer; /* large */
};

/* The methods of the assembly at `base` of the file that lie in this mapping. */
static void walk_assembly(struct walk *walk, const struct nt_image_place *place, const struct nt_procfs_map *map, uint64_t base)
{
	char reason[NT_IMAGE_R2R_REASON];
	struct nt_image_r2r *image = nt_image_r2r_new(place, base, reason);
	if (!image)
		return;
	for (uint32_t number = 0; nt_image_r2r_next(image, &number, &walk->answer);) {
		const struct nt_image_r2r_answer *found = &walk->answer;
		uint64_t from = found->start - map->offset, to = found->end - map->offset;
		if (found->start < map->offset || to > map->end - map->start || found->what != NT_IMAGE_R2R_METHOD)
			continue;
		walk->visitor->method(walk->visitor->context, &(struct nt_r2r_mapped){ .address = map->start + from,
										       .size = to - from,
										       .offset = found->start,
										       .name = found->name.text });
		walk->count++;
	}
	nt_image_r2r_free(image);
}

static void walk_mapping(struct walk *walk, const struct nt_procfs_map *map)
{
	struct nt_mapped_image image;
	nt_mapped_image_of(walk->process, map, &image);
	size_t length = map->path_length;
	bool assembly = length > 4 && strcmp(image.path + length - 4, ".dll") == 0;
	if (walk->visitor->file)
		walk->visitor->file(walk->visitor->context, image.path, assembly);
	if (assembly) {
		walk_assembly(walk, &image.place, map, 0);
	} else {
		struct nt_image_bundle bundle;
		nt_image_bundle_read(&bundle, &image.place);
		const struct nt_bundle_part *part = nt_image_bundle_at(&bundle, map->offset + (map->end - map->start) / 2);
		if (part)
			walk_assembly(walk, &image.place, map, part->offset);
		nt_image_bundle_fini(&bundle);
	}
	nt_mapped_image_fini(&image);
}

static bool visit_mapping(const struct nt_procfs_map *map, void *walk)
{
	if (map->exec && !map->shared)
		walk_mapping(walk, map);
	return false; /* all of them */
}

size_t nt_r2r_mapped_each(const struct nt_mapped_process *process, const struct nt_r2r_visitor *visitor)
{
	struct walk *walk = nt_alloc(sizeof(*walk));
	walk->process = process;
	walk->visitor = visitor;
	nt_mapped_image_each(process, visit_mapping, walk);
	size_t count = walk->count;
	free(walk);
	return count;
}
