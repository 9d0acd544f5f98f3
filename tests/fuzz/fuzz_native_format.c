// SPDX-License-Identifier: GPL-2.0-only
/* Input: an array of ReadyToRun's native format, and as such a hash table. */
#include "fuzz.h"

#include "decode/assembly/native_format.h"
#include "window.h"

enum { ELEMENTS_MAX = 1 << 16 };

/* A byte of an array may be a block of 16 elements, each a few branches away. */
FUZZ_STEPS(1 << 15, 1 << 12)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = { .data = data, .size = size };
	struct nt_window *window = fuzz_window(&bytes);
	struct nt_native_array array;
	struct nt_native_table table;
	uint64_t offset;
	if (nt_native_array_read(window, 0, (uint32_t)size, &array))
		for (uint32_t i = 0; i < array.count && i < ELEMENTS_MAX; i++)
			if (nt_native_array_find(&array, i, &offset))
				FUZZ_CHECK(offset < size);
	if (nt_native_table_read(window, 0, (uint32_t)size, &table)) {
		size_t entries = 0; /* no more than fit: each takes two bytes */
		while (nt_native_table_next(&table, &offset))
			FUZZ_CHECK(offset < size && ++entries <= size / 2);
	}
	nt_window_free(window);
	return 0;
}
