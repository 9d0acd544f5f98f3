// SPDX-License-Identifier: GPL-2.0-only
#include "base/slots.h"

#include "base/alloc.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

void nt_slots_init(struct nt_slots *slots, size_t item_size)
{
	nt_assert(item_size >= sizeof(slots->last_back));
	*slots = (struct nt_slots){ .item_size = item_size, .count = 1 };
}

void nt_slots_fini(struct nt_slots *slots)
{
	free(slots->items);
	nt_slots_init(slots, slots->item_size);
}

uint32_t nt_slots_take(struct nt_slots *slots)
{
	uint32_t number = slots->last_back;
	if (number) {
		memcpy(&slots->last_back, nt_slots_at(slots, number), sizeof(slots->last_back));
	} else {
		nt_assert(slots->count < UINT32_MAX);
		slots->items = nt_grow(slots->items, &slots->capacity, slots->count + 1, slots->item_size);
		number = (uint32_t)slots->count++;
	}
	memset(nt_slots_at(slots, number), 0, slots->item_size);
	slots->used++;
	return number;
}

void nt_slots_give_back(struct nt_slots *slots, uint32_t number)
{
	nt_assert(number && number < slots->count);
	memcpy(nt_slots_at(slots, number), &slots->last_back, sizeof(slots->last_back));
	slots->last_back = number;
	slots->used--;
}

void nt_slots_clear(struct nt_slots *slots)
{
	slots->count = 1;
	slots->used = 0;
	slots->last_back = 0;
}
