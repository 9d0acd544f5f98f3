// SPDX-License-Identifier: GPL-2.0-only
#include "source/precompiled_il.h"

#include "source/image_r2r.h"

#include <stdlib.h>

static bool is_code_at(const struct nt_procfs_map *map, const void *context)
{
	const uint64_t *address = context;
	return map->exec && *address >= map->start && *address < map->end;
}

bool nt_precompiled_il_read(const struct nt_mapped_process *process, uint64_t address, struct nt_precompiled_il *out)
{
	char reason[NT_IMAGE_R2R_REASON];
	struct nt_mapped_image mapped;
	struct nt_image_il il = { 0 };
	*out = (struct nt_precompiled_il){ 0 };
	bool found = nt_mapped_image_find(process, is_code_at, &address, &mapped);
	struct nt_image_r2r *image = found ? nt_image_r2r_new(&mapped.place, 0, reason) : NULL;
	found = image && nt_image_r2r_il(image, address - mapped.start + mapped.offset, &il);
	for (size_t i = 0; i < il.count; i++)
		il.places[i].start += mapped.start - mapped.offset; /* as wrapping as the difference may be */
	if (found)
		*out = (struct nt_precompiled_il){
			.places = il.places, .count = il.count, .start = il.start + mapped.start - mapped.offset, .size = il.end - il.start
		};
	nt_image_r2r_free(image);
	nt_mapped_image_fini(&mapped);
	return found;
}

void nt_precompiled_il_fini(struct nt_precompiled_il *il)
{
	free(il->places);
	*il = (struct nt_precompiled_il){ 0 };
}
