// SPDX-License-Identifier: GPL-2.0-only
/* Input: the text of /proc/kallsyms, and as such the kernel's words for one place. */
#include "fuzz.h"

#include "decode/kernel/kallsyms.h"

struct bounds {
	const char *text, *end;
};

static void see(void *context, const struct nt_kallsym *symbol)
{
	const struct bounds *bounds = context;
	FUZZ_CHECK(symbol->address && symbol->name_length);
	FUZZ_CHECK(symbol->name >= bounds->text && symbol->name + symbol->name_length <= bounds->end);
	FUZZ_CHECK(symbol->module >= bounds->text && symbol->module + symbol->module_length <= bounds->end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bounds bounds = { (const char *)data, (const char *)data + size };
	struct nt_kallsyms_parser parser = { 0 };
	FUZZ_CHECK(nt_kallsyms_parse(&parser, bounds.text, size, see, &bounds) <= size);
	struct nt_kernel_place place;
	if (nt_kernel_place_parse(bounds.text, size, &place))
		FUZZ_CHECK(place.name == bounds.text && place.name_length && place.name + place.name_length <= bounds.end);
	return 0;
}
