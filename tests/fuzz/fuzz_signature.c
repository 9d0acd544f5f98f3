// SPDX-License-Identifier: GPL-2.0-only
/* Input: a signature. What can be shown can be stepped over, to the same place. */
#include "fuzz.h"

#include "decode/assembly/signature.h"

static char text[1 << 16];

static struct nt_signature over(const uint8_t *data, size_t size, struct nt_text_out *out)
{
	*out = (struct nt_text_out){ .buf = text, .size = sizeof(text) };
	return (struct nt_signature){ .reader = nt_reader_of(data, size), .out = out };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_text_out out;
	struct nt_signature signature = over(data, size, &out);
	if (nt_signature_put_type(&signature, NT_SIGNATURE_NAME)) {
		struct nt_reader reader = nt_reader_of(data, size);
		FUZZ_CHECK(nt_signature_skip_type(&reader) && reader.at == signature.reader.at);
	}
	FUZZ_CHECK(out.length < sizeof(text));
	signature = over(data, size, &out);
	uint32_t count;
	if (nt_signature_put_return(&signature, &count))
		nt_signature_put_arguments(&signature, count);
	FUZZ_CHECK(out.length < sizeof(text) && signature.depth <= 64);
	return 0;
}
