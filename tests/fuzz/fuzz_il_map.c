// SPDX-License-Identifier: GPL-2.0-only
/* Input: the size of the code as u32; the rest is the payload. The places must lie in the code, sorted and disjoint, and each must be found by its addresses. */
#include "fuzz.h"

#include "decode/clr/il_map.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { START = 0x10000 };
	uint32_t code;
	struct nt_il_map map;
	if (size < sizeof(code))
		return 0;
	memcpy(&code, data, sizeof(code));
	if (nt_il_map_parse(data + sizeof(code), size - sizeof(code), &map) != NT_OK)
		return 0;
	FUZZ_CHECK(map.count <= NT_IL_MAP_MAX);
	struct nt_batch_place *places = calloc((size_t)map.count + 1, sizeof(*places));
	size_t count = nt_il_map_places(&map, START, code, places);
	uint64_t end = START;
	FUZZ_CHECK(count <= map.count);
	for (size_t i = 0; i < count; i++) {
		FUZZ_CHECK(places[i].start >= end && places[i].size);
		end = places[i].start + places[i].size;
		FUZZ_CHECK(nt_il_map_find(places, count, places[i].start) == &places[i]);
		FUZZ_CHECK(nt_il_map_find(places, count, end - 1) == &places[i]);
	}
	FUZZ_CHECK(end <= START + (uint64_t)code);
	free(places);
	return 0;
}
