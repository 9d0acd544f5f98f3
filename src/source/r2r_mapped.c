// SPDX-License-Identifier: GPL-2.0-only
#include "source/r2r_mapped.h"

#include "base/alloc.h"
#include "base/file.h"
#include "decode/procfs_text.h"
#include "source/image_bundle.h"
#include "source/image_r2r.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAPS_MAX_BYTES = 32 << 20 };

struct walk {
	const struct nt_r2r_process *process;
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
	char *path = nt_format("%.*s", (int)map->path_length, map->path);
	char *map_file = nt_format("%s/map_files/%" PRIx64 "-%" PRIx64, walk->process->proc_dir, map->start, map->end);
	const struct nt_image_place place = {
		.root_dir = walk->process->root_dir, .path = path, .map_file = map_file, .inode = map->inode, .uid = walk->process->uid
	};
	size_t length = map->path_length;
	bool assembly = length > 4 && strcmp(path + length - 4, ".dll") == 0;
	if (walk->visitor->file)
		walk->visitor->file(walk->visitor->context, path, assembly);
	if (assembly) {
		walk_assembly(walk, &place, map, 0);
	} else {
		struct nt_image_bundle bundle;
		nt_image_bundle_read(&bundle, &place);
		const struct nt_bundle_part *part = nt_image_bundle_at(&bundle, map->offset + (map->end - map->start) / 2);
		if (part)
			walk_assembly(walk, &place, map, part->offset);
		nt_image_bundle_fini(&bundle);
	}
	free(path);
	free(map_file);
}

size_t nt_r2r_mapped_each(const struct nt_r2r_process *process, const struct nt_r2r_visitor *visitor)
{
	struct walk *walk = nt_alloc(sizeof(*walk));
	walk->process = process;
	walk->visitor = visitor;
	char *path = nt_format("%s/maps", process->proc_dir), *text = NULL;
	size_t length = 0;
	if (nt_file_read(AT_FDCWD, path, MAPS_MAX_BYTES, &text, &length) == 0) {
		struct nt_procfs_map map;
		bool valid;
		for (size_t at = 0, step; (step = nt_procfs_map_next(text + at, length - at, &map, &valid)); at += step)
			if (valid && map.exec && map.inode && map.path_length && map.path[0] == '/' && !map.shared)
				walk_mapping(walk, &map);
	}
	size_t count = walk->count;
	free(text);
	free(path);
	free(walk);
	return count;
}
