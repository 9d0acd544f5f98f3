// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: which .NET (a byte), how long the tables of a Native AOT executable are (three words: stack traces, reflection, references),
 * these, and the metadata. All methods are named.
 */
#include "fuzz.h"

#include "decode/assembly/aot_methods.h"
#include "decode/names/aot_symbol.h"

#include <string.h>

enum { NAMED_MAX = 200, ADDRESS = 0x100000 };

/* A name takes 1024 records at most, and there may be a method for each few bytes. */
FUZZ_STEPS(1 << 20, 1 << 14)

static void see_symbol(const char *text, size_t length)
{
	char shown[NT_RAW_NAME_MAX];
	struct nt_text_out out = { .buf = shown, .size = sizeof(shown) };
	nt_aot_symbol_put((struct nt_slice){ text, length }, &out);
	FUZZ_CHECK(out.length <= length && out.length < sizeof(shown));
}

static void see(const struct nt_aot_metadata *metadata, const struct nt_aot_methods *methods)
{
	for (size_t i = 0; i < methods->count && i < NAMED_MAX; i++) {
		char text[NT_RAW_NAME_MAX];
		struct nt_text_out out = { .buf = text, .size = sizeof(text) };
		FUZZ_CHECK(!i || methods->items[i - 1].address < methods->items[i].address);
		FUZZ_CHECK(nt_aot_methods_at(methods, methods->items[i].address) == &methods->items[i]);
		if (nt_aot_method_put(metadata, &methods->items[i], &out)) {
			FUZZ_CHECK(out.length < sizeof(text) && !memchr(text, '\0', out.length));
			see_symbol(text, out.length);
		}
	}
}

/* The next `size` bytes of the input, or what is left of it. */
static struct nt_aot_blob take(const uint8_t **data, size_t *left, uint32_t size)
{
	const struct nt_aot_blob blob = { *data, size < *left ? size : *left, ADDRESS };
	*data += blob.size;
	*left -= blob.size;
	return blob;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned majors[] = { 9, 10, 16 };
	uint32_t sizes[3];
	if (size < 1 + sizeof(sizes))
		return 0;
	unsigned major = majors[data[0] % 3];
	memcpy(sizes, data + 1, sizeof(sizes));
	data += 1 + sizeof(sizes);
	size -= 1 + sizeof(sizes);
	const struct nt_aot_blob traced = take(&data, &size, sizes[0]), invoked = take(&data, &size, sizes[1]),
				 references = take(&data, &size, sizes[2]);
	struct nt_aot_metadata metadata;
	struct nt_aot_methods methods = { 0 };
	if (!nt_aot_metadata_read(data, size, major, &metadata))
		return 0;
	nt_aot_methods_read_traced(&traced, &methods);
	nt_aot_methods_read_reflected(&metadata, &invoked, &references, &methods);
	nt_aot_methods_finish(&methods);
	see(&metadata, &methods);
	free(methods.items);
	return 0;
}
