// SPDX-License-Identifier: GPL-2.0-only
/* Input: the length of a name, the name as a perf map has it, and an assembly. The first methods are named, and looked for by their names; so is that name. */
#include "fuzz.h"

#include "decode/assembly/metadata_method.h"
#include "decode/assembly/pe.h"
#include "window.h"

enum { METHODS = 16, TEXT_BYTES = 4096 };

static void see(const struct nt_metadata *md, struct nt_slice name)
{
	static const struct nt_text_out own_type = { 0 };
	static char text[TEXT_BYTES];
	uint32_t count = md->tables[NT_TABLE_METHOD_DEF].count;
	FUZZ_CHECK(nt_metadata_find_method(md, name) <= count);
	for (uint32_t rid = 0; rid < METHODS; rid++) {
		struct nt_text_out out = { .buf = text, .size = sizeof(text) };
		bool named = nt_metadata_put_method(md, rid, &own_type, &out);
		FUZZ_CHECK(out.length < sizeof(text) && (!named || (rid && rid <= count)));
		if (named && rid == 1)
			FUZZ_CHECK(nt_metadata_find_method(md, (struct nt_slice){ text, out.length }) <= count);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t length = size ? data[0] : 0;
	if (size < 1 + length)
		return 0;
	struct fuzz_bytes bytes = { .data = data + 1 + length, .size = size - 1 - length };
	struct nt_window *window = fuzz_window(&bytes);
	struct nt_pe pe;
	struct nt_metadata md;
	if (nt_pe_read(window, 0, &pe) && nt_metadata_of(&pe, &md))
		see(&md, (struct nt_slice){ (const char *)data + 1, length });
	nt_window_free(window);
	return 0;
}
