// SPDX-License-Identifier: GPL-2.0-only
/* Input: a copy of a stack. */
#include "fuzz.h"

#include "decode/unwind/frame_chain.h"

/* Each word may begin a chain, of which four frames are looked at. */
FUZZ_STEPS(1 << 12, 1 << 8)

#define BASE UINT64_C(0x7ffd00001000)

enum { MAX = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t frames[MAX];
	size_t count = nt_frame_chain(data, size & ~(size_t)7, BASE, frames, MAX);
	FUZZ_CHECK(count == 0 || (count >= 4 && count <= MAX));
	for (size_t i = 0; i < count; i++)
		FUZZ_CHECK(frames[i] - BASE >= (size & ~(size_t)7));
	return 0;
}
