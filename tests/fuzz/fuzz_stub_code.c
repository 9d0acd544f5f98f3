// SPDX-License-Identifier: GPL-2.0-only
/* Input: the place in question, two bytes; then machine code. */
#include "fuzz.h"

#include "decode/codemap/stub_code.h"

/* Each place before the one in question where a stub could begin is compared with each form. */
FUZZ_STEPS(1 << 19, 1 << 8)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	size_t at = data[0] | (size_t)data[1] << 8, length = size - 2;
	struct nt_stub_code found;
	if (nt_stub_code_find(data + 2, length, 0x7f0000000000, at, &found)) {
		FUZZ_CHECK(found.kind && *found.kind);
		FUZZ_CHECK(found.start <= at && at < found.end && found.end <= length);
	}
	return 0;
}
