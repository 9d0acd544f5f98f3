// SPDX-License-Identifier: GPL-2.0-only
/* Input: a host's data section, and as such the header of a bundle. */
#include "fuzz.h"

#include "decode/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_bundle_part part;
	nt_bundle_find(data, size);
	if (nt_bundle_config(data, size, &part))
		FUZZ_CHECK(part.offset && part.length && size > 32);
	return 0;
}
