// SPDX-License-Identifier: GPL-2.0-only
/* Input: a file of settings. Each line lies within the text, behind the one before; key and value lie within their line. */
#include "fuzz.h"

#include "decode/common/setting_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct nt_setting_line line;
	size_t at = 0;
	for (unsigned number = 1; nt_setting_line_next(text, size, &at, &line); number++) {
		FUZZ_CHECK(line.number == number);
		FUZZ_CHECK(line.text >= text && line.text + line.length <= text + at && at <= size);
		FUZZ_CHECK(!line.problem || !line.key);
		if (!line.key)
			continue;
		FUZZ_CHECK(line.key_length > 0);
		FUZZ_CHECK(line.key >= line.text && line.key + line.key_length < line.value);
		FUZZ_CHECK(line.value + line.value_length <= line.text + line.length);
	}
	return 0;
}
