// SPDX-License-Identifier: GPL-2.0-only
/* Input: memory that the header of a method leads to; its first byte says how large the code is, the next one where in it the information lies. */
#include "fuzz.h"

#include "decode/contract/contract_il.h"

#include <string.h>

enum { BASE = 0x10000, PAGES = 40 };

/* Its bytes are looked at in pieces of a page, each of which begins and ends in two. */
FUZZ_STEPS(1 << 18, 256)

struct input {
	const uint8_t *bytes;
	size_t size;
};

static bool read_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	const struct input *input = context;
	uint64_t offset = address - BASE;
	if (offset >= input->size)
		return false;
	size_t some = input->size - offset < NT_PAGE_BYTES ? (size_t)(input->size - offset) : NT_PAGE_BYTES;
	memset(page, 0, NT_PAGE_BYTES);
	memcpy(page, input->bytes + offset, some);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint32_t il[NT_IL_MAP_MAX], native[NT_IL_MAP_MAX];
	struct input input = { data, size };
	struct nt_memory memory = { .read = read_page, .context = &input };
	struct nt_il_map map;
	uint64_t code = size ? UINT64_C(16) << (data[0] & 15) : 0, info = BASE + (size > 1 ? 2 + data[1] % 64 : 2);
	nt_memory_allow(&memory, PAGES);
	if (nt_contract_il_read(&memory, info, code, il, native, &map)) {
		FUZZ_CHECK(map.count <= NT_IL_MAP_MAX);
		for (uint32_t i = 0; i < map.count; i++)
			FUZZ_CHECK(native[i] <= code && (!i || native[i] >= native[i - 1]));
	}
	nt_memory_fini(&memory);
	return 0;
}
