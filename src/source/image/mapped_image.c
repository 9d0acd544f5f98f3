// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/mapped_image.h"

#include "base/alloc.h"
#include "base/file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>

enum { MAPS_MAX_BYTES = 32 << 20 };

void nt_mapped_image_of(const struct nt_mapped_process *process, const struct nt_procfs_map *map, struct nt_mapped_image *out)
{
	out->path = nt_format("%.*s", (int)map->path_length, map->path);
	out->map_file = nt_format("%s/map_files/%" PRIx64 "-%" PRIx64, process->proc_dir, map->start, map->end);
	out->place = (struct nt_image_place){
		.root_dir = process->root_dir, .path = out->path, .map_file = out->map_file, .inode = map->inode, .uid = process->uid
	};
	out->start = map->start;
	out->end = map->end;
	out->offset = map->offset;
}

bool nt_mapped_image_each(const struct nt_mapped_process *process, nt_mapped_image_visit *visit, void *context)
{
	char *path = nt_format("%s/maps", process->proc_dir), *text = NULL;
	size_t length = 0;
	bool over = false;
	if (nt_file_read(AT_FDCWD, path, MAPS_MAX_BYTES, &text, &length) == 0) {
		struct nt_procfs_map map;
		bool valid;
		for (size_t at = 0, step; !over && (step = nt_procfs_map_next(text + at, length - at, &map, &valid)); at += step)
			over = valid && map.inode && map.path_length && map.path[0] == '/' && visit(&map, context);
	}
	free(text);
	free(path);
	return over;
}

struct search {
	const struct nt_mapped_process *process;
	nt_mapped_image_test *is_it;
	const void *context;
	struct nt_mapped_image *out;
};

static bool take_if_it_is(const struct nt_procfs_map *map, void *context)
{
	const struct search *search = context;
	if (!search->is_it(map, search->context))
		return false;
	nt_mapped_image_of(search->process, map, search->out);
	return true;
}

bool nt_mapped_image_find(const struct nt_mapped_process *process, nt_mapped_image_test *is_it, const void *context,
			  struct nt_mapped_image *out)
{
	struct search search = { .process = process, .is_it = is_it, .context = context, .out = out };
	*out = (struct nt_mapped_image){ 0 };
	return nt_mapped_image_each(process, take_if_it_is, &search);
}

void nt_mapped_image_fini(struct nt_mapped_image *image)
{
	free(image->path);
	free(image->map_file);
}
