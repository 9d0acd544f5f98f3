// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/listed.h"

void nt_listed_init(struct nt_listed *listed, bool (*same)(const struct nt_range *, const struct nt_range *, const void *),
		    const void *context)
{
	*listed = (struct nt_listed){ 0 };
	nt_ranges_init(&listed->methods, same, context);
}

void nt_listed_fini(struct nt_listed *listed)
{
	nt_ranges_fini(&listed->methods);
	nt_index_fini(&listed->places);
}

void nt_listed_want(struct nt_listed *listed, uint64_t address, bool *needs)
{
	uint64_t place = address >> NT_LISTED_PLACE_SHIFT;
	if (listed->places.used >= NT_LISTED_PLACES || nt_index_get(&listed->places, place) != NT_INDEX_NONE)
		return;
	nt_index_put(&listed->places, place, 0);
	*needs = true;
}
