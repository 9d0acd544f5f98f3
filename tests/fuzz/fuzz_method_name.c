// SPDX-License-Identifier: GPL-2.0-only
/* Input: a name of a perf map, or the three texts of an event separated by NUL. */
#include "fuzz.h"

#include "decode/names/method_name.h"

#include <string.h>

static struct nt_slice next_text(const char **at, const char *end)
{
	const char *nul = *at < end ? memchr(*at, '\0', (size_t)(end - *at)) : NULL;
	struct nt_slice text = { *at, (size_t)((nul ? nul : end) - *at) };
	*at = nul ? nul + 1 : end;
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *end = at + size;
	struct nt_perfmap_name name;
	nt_method_name_from_perfmap((struct nt_slice){ at, size }, &name);
	FUZZ_CHECK(name.display_length < sizeof(name.display) && name.display[name.display_length] == '\0');
	FUZZ_CHECK(name.kind == NT_CODE_JIT || name.kind == NT_CODE_STUB || name.kind == NT_CODE_R2R);

	struct nt_slice type = next_text(&at, end), method = next_text(&at, end), signature = next_text(&at, end);
	char buf[NT_METHOD_NAME_MAX];
	size_t length = nt_method_name_from_parts(type, method, signature, buf, sizeof(buf));
	FUZZ_CHECK(length < sizeof(buf) && buf[length] == '\0');
	return 0;
}
