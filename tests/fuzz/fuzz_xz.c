// SPDX-License-Identifier: GPL-2.0-only
/* Input: packed bytes. What comes out is within the limit, or there is a sentence. */
#include "fuzz.h"

#include "decode/common/xz.h"

#include <stdlib.h>

enum { LIMIT_BYTES = 256 << 10 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_error err = { 0 };
	uint8_t *out;
	size_t out_size;
	enum nt_status status = nt_xz_unpack(data, size, LIMIT_BYTES, &out, &out_size, &err);
	FUZZ_CHECK((status == NT_OK) == (out != NULL) && out_size <= LIMIT_BYTES);
	FUZZ_CHECK((status == NT_OK) == !err.cause_count);
	unsigned sum = 0;
	for (size_t i = 0; i < out_size; i++)
		sum += out[i]; /* every byte is there */
	FUZZ_CHECK(sum <= 255u * LIMIT_BYTES);
	free(out);
	return 0;
}
