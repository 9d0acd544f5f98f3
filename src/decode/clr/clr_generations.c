// SPDX-License-Identifier: GPL-2.0-only
#include "decode/clr/clr_generations.h"

#include <string.h>

enum {
	WORD = 8,           /* all members are pointer-sized */
	WORDS_NEEDED = 6,   /* the members up to FreeObjAfter */
	GENERATION_LOH = 3, /* order: gen0, gen1, gen2, LOH, POH */
	GENERATION_POH = 4,
};

/* Members of one element in their order (gc_generation_data of the runtime's gc/gcrecord.h). */
enum { SIZE_BEFORE, FREE_LIST_BEFORE, FREE_OBJ_BEFORE, SIZE_AFTER, FREE_LIST_AFTER, FREE_OBJ_AFTER };

static uint64_t word(const uint8_t *element, unsigned index)
{
	uint64_t value;
	memcpy(&value, element + index * WORD, sizeof(value));
	return value;
}

bool nt_clr_generations_fit(uint64_t count, size_t length)
{
	return !count || length / count >= WORDS_NEEDED * WORD;
}

static uint64_t without(uint64_t size, uint64_t free_list, uint64_t free_obj)
{
	return free_list <= size && free_obj <= size - free_list ? size - free_list - free_obj : 0;
}

void nt_clr_generations_sum(const struct nt_clr_value *array, struct nt_ev_gc_heap_history *history)
{
	uint32_t count = history->generation_count;
	if (array->type != NT_CLR_BYTES || !count || array->length / count < WORDS_NEEDED * WORD)
		return;
	size_t element_bytes = array->length / count / WORD * WORD;
	const uint8_t *element = array->u.bytes;
	for (uint32_t i = 0; i < count; i++, element += element_bytes) {
		uint64_t before = word(element, SIZE_BEFORE), after = word(element, SIZE_AFTER);
		uint64_t free_list_after = word(element, FREE_LIST_AFTER), free_obj_after = word(element, FREE_OBJ_AFTER);
		history->before_gross_bytes += before;
		history->after_gross_bytes += after;
		history->before_bytes += without(before, word(element, FREE_LIST_BEFORE), word(element, FREE_OBJ_BEFORE));
		uint64_t after_net = without(after, free_list_after, free_obj_after);
		history->after_bytes += after_net;
		history->free_list_after_bytes += free_list_after;
		history->free_obj_after_bytes += free_obj_after;
		if (i == GENERATION_LOH)
			history->loh_after_bytes = after;
		else if (i == GENERATION_POH)
			history->poh_after_bytes = after_net;
	}
}
