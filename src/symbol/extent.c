// SPDX-License-Identifier: GPL-2.0-only
/* From where to where the code reaches that an address is in. The order of the tables is that of resolver.h. */
#include "symbol/resolver.h"

#include "symbol/resolver_internal.h"

static bool take(const struct nt_range *range, uint64_t *start, uint64_t *end)
{
	*start = range->start;
	*end = range->end;
	return true;
}

/* What is known of an image is known of its file: at another address. */
static bool of_image(const struct nt_resolver *resolver, const struct nt_range *map, uint64_t address, uint64_t *start, uint64_t *end)
{
	uint64_t offset = nt_map_file_offset(map, address);
	struct nt_range_hit answer = nt_images_find(&resolver->images, map->a, offset);
	if (!answer.found || !answer.range.a)
		return false;
	uint64_t before = offset - answer.range.start, after = answer.range.end - offset;
	*start = address - map->start > before ? address - before : map->start;
	*end = map->end - address > after ? address + after : map->end;
	return true;
}

bool nt_resolver_extent(const struct nt_resolver *resolver, uint64_t address, nt_time time, uint64_t *start, uint64_t *end)
{
	/* A line of the map may be of code that was there before. */
	struct nt_range_hit data = nt_images_find(&resolver->images, resolver->data_image, address);
	if (data.found && data.range.a)
		return take(&data.range, start, end);
	const struct nt_passed *passed;
	if (nt_passing_find(&resolver->passing, address, time, &passed) == NT_PASSING_NAMED) {
		*start = passed->start;
		*end = passed->end;
		return true;
	}
	const struct nt_ranges *const generated[] = { &resolver->methods, &resolver->stubs, &resolver->loads };
	for (size_t i = 0; i < sizeof(generated) / sizeof(*generated); i++) {
		struct nt_range_hit hit = nt_ranges_find(generated[i], address, time);
		if (hit.found)
			return take(&hit.range, start, end);
	}
	struct nt_range_hit map = nt_ranges_find(&resolver->maps, address, time);
	if (map.found && of_image(resolver, &map.range, address, start, end))
		return true;
	struct nt_range_hit listed = nt_ranges_find(&resolver->listed.methods, address, time);
	return listed.found && take(&listed.range, start, end);
}
