// SPDX-License-Identifier: GPL-2.0-only
/* Input: a file `metadata` of a trace. Its whole packets lie within it, and what is whole is whole without the rest, too. */
#include "fuzz.h"

#include "decode/ctf/ctf_metadata.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct nt_ctf_metadata found = nt_ctf_metadata_look(data, size);
	FUZZ_CHECK(found.whole_size <= size && found.packets <= size);
	const struct nt_ctf_metadata again = nt_ctf_metadata_look(data, found.whole_size);
	FUZZ_CHECK(again.whole_size == found.whole_size && (found.is_text || !found.whole_size || again.packets == found.packets));
	return 0;
}
