// SPDX-License-Identifier: GPL-2.0-only
#include "model/sites/site_tally.h"

#include "base/alloc.h"

#include <stdlib.h>

void nt_site_tally_fini(struct nt_site_tally *tally)
{
	free(tally->items);
	nt_index_fini(&tally->by_pair);
	*tally = (struct nt_site_tally){ 0 };
}

void nt_site_tally_add(struct nt_site_tally *tally, uint32_t row, nt_site_ref stack, uint64_t amount)
{
	uint64_t key = (uint64_t)row << 32 | stack;
	if (!stack)
		return;
	uint32_t index = nt_index_get(&tally->by_pair, key);
	if (index == NT_INDEX_NONE) {
		if (tally->count >= NT_SITE_TALLY_MAX)
			return;
		index = (uint32_t)tally->count++;
		tally->items = nt_grow(tally->items, &tally->capacity, tally->count, sizeof(*tally->items));
		tally->items[index] = (struct nt_site_tally_item){ .row = row, .stack = stack };
		nt_index_put(&tally->by_pair, key, index);
	}
	tally->items[index].amount += amount;
}

void nt_site_tally_clear(struct nt_site_tally *tally)
{
	tally->count = 0;
	nt_index_fini(&tally->by_pair);
}
