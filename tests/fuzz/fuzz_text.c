// SPDX-License-Identifier: GPL-2.0-only
/* Input: a text of a stranger's. What is made of it can be shown: UTF-8, whole characters, no control that a terminal or a reader would obey. */
#include "fuzz.h"

#include "base/text.h"

#include <string.h>

enum { LONGEST = 1 << 16 };

static void check_shown(const char *text, size_t length)
{
	uint32_t code;
	FUZZ_CHECK(strlen(text) == length);
	for (size_t at = 0, used; at < length; at += used) {
		char again[4];
		used = nt_utf8_decode(text + at, length - at, &code);
		FUZZ_CHECK(nt_utf8_encode(code, again) == used && memcmp(again, text + at, used) == 0);
		FUZZ_CHECK(code >= 0x20 && !(code >= 0x7f && code <= 0x9f));
		FUZZ_CHECK(code != 0x61c && code != 0x200e && code != 0x200f && !(code >= 0x202a && code <= 0x202e) &&
			   !(code >= 0x2066 && code <= 0x2069));
	}
}

/* Shown in nine rooms, where a byte may become four, and each read again twice. */
FUZZ_STEPS(1 << 14, 1 << 12)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char shown[LONGEST];
	const char *text = (const char *)data;
	for (size_t room = 1; room <= sizeof(shown); room *= 4) {
		size_t length = nt_text_escape(text, size, shown, room);
		FUZZ_CHECK(length < room);
		check_shown(shown, length);
		size_t kept = nt_utf8_cut(shown, length, room / 2);
		FUZZ_CHECK(kept <= room / 2 && kept <= length);
		shown[kept] = '\0';
		check_shown(shown, kept);
	}
	size_t length = nt_utf16_to_utf8(data, size / 2, shown, sizeof(shown));
	FUZZ_CHECK(length < sizeof(shown));
	size_t before_nul = nt_utf16_length(data, size);
	FUZZ_CHECK(before_nul == SIZE_MAX || before_nul + 2 <= size);
	return 0;
}
