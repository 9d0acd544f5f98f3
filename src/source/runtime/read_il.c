// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/read_il.h"

#include "base/alloc.h"
#include "decode/clr/il_map.h"
#include "nettop/clock.h"

#include <stdlib.h>

void nt_read_il_take(struct nt_asked_places *code, const struct nt_reader_record *record, uint32_t pid, struct nt_outbox *box)
{
	const struct nt_reader_il_map *told = &record->il_map;
	if (!code->open) /* it was not asked */
		return;
	code->open--;
	const struct nt_il_map map = { .il_offsets = record->offsets,
				       .native_offsets = record->offsets + told->count * sizeof(uint32_t),
				       .count = told->count };
	struct nt_batch_place *places = nt_realloc(NULL, (size_t)told->count + 1, sizeof(*places));
	size_t count = nt_il_map_places(&map, told->start, (uint32_t)told->size, places);
	nt_outbox_add(box, NT_EV_IL_MAP, nt_clock_now(), pid, 0)->u.il_map = (struct nt_ev_il_map){
		.asked = told->address, .start = told->start, .size = told->size, .failed = told->how != NT_READER_IL_TOLD
	};
	nt_batch_add_il_map(nt_outbox_batch(box), places, count);
	free(places);
}
