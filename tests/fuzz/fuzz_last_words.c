// SPDX-License-Identifier: GPL-2.0-only
/* Input: a text in UTF-16; its last byte, if there is an odd one, says that it is whole. */
#include "fuzz.h"

#include "decode/common/last_words.h"

#include <string.h>

static struct nt_last_words words;

static void check_part(const char *part)
{
	FUZZ_CHECK(!part || (*part && part > words.text - 1 && part + strlen(part) < words.text + sizeof(words.text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	nt_last_words_said(data, size);
	if (!nt_last_words_parse(data, size / 2, size & 1, &words))
		return 0;
	check_part(words.type);
	check_part(words.message);
	FUZZ_CHECK(words.type && *words.type);
	return 0;
}
