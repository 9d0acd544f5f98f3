// SPDX-License-Identifier: GPL-2.0-only
#include "decode/clr/clr_generations.h"

#include <string.h>

enum {
	WORD = 8,           /* all members are pointer-sized */
	WORDS_NEEDED = 6,   /* the members up to FREE_OBJ_AFTER */
	GENERATION_LOH = 3, /* order: gen0, gen1, gen2, LOH, POH */
};

/* Members of one element in their order (gc_generation_data of the runtime's gc/gcrecord.h). */
enum { SIZE_BEFORE, FREE_LIST_BEFORE, FREE_OBJ_BEFORE, SIZE_AFTER, FREE_LIST_AFTER, FREE_OBJ_AFTER, IN, PINNED_SURVIVED, SURVIVED, BUDGET };

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

void nt_clr_generations_take(const struct nt_clr_value *array, struct nt_ev_gc_heap_history *history)
{
	uint32_t count = history->generation_count;
	if (array->type != NT_CLR_BYTES || !count || array->length / count < WORDS_NEEDED * WORD)
		return;
	size_t words = array->length / count / WORD;
	const uint8_t *element = array->u.bytes;
	for (uint32_t i = 0; i < count; i++, element += words * WORD) {
		uint64_t before = word(element, SIZE_BEFORE), after = word(element, SIZE_AFTER);
		uint64_t free_list = word(element, FREE_LIST_AFTER), free_obj = word(element, FREE_OBJ_AFTER);
		uint64_t budget = words > BUDGET ? word(element, BUDGET) : 0;
		history->before_bytes += without(before, word(element, FREE_LIST_BEFORE), word(element, FREE_OBJ_BEFORE));
		history->free_after_bytes += free_list + free_obj;
		history->after_gross_bytes += after;
		if (i < NT_GC_GENERATIONS)
			history->before_gross_bytes[i] = before;
		if (i == 0)
			history->gen0_budget_bytes = budget;
		if (i == GENERATION_LOH) {
			history->loh_after_bytes = after;
			history->loh_found_used_bytes = without(before, word(element, FREE_LIST_BEFORE), word(element, FREE_OBJ_BEFORE));
			history->loh_left_used_bytes = without(after, free_list, free_obj);
			history->loh_budget_bytes = budget;
		}
		if (i == NT_GC_POH)
			history->poh_after_bytes = without(after, free_list, free_obj);
	}
}

bool nt_clr_steps_fit(uint64_t count, size_t length)
{
	return count <= length / sizeof(uint32_t);
}

void nt_clr_steps_take(const struct nt_clr_value *array, struct nt_ev_gc_global_history *history)
{
	uint32_t count = history->step_count < NT_GC_STEPS ? history->step_count : NT_GC_STEPS;
	history->step_count = 0;
	if (array->type != NT_CLR_BYTES || !nt_clr_steps_fit(count, array->length))
		return;
	history->step_count = count;
	if (count)
		memcpy(history->step_us, array->u.bytes, count * sizeof(*history->step_us));
}
