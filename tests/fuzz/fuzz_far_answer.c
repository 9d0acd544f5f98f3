// SPDX-License-Identifier: GPL-2.0-only
/* Input: what a machine over ssh writes. What is taken of it is text, paths begin with a slash, and what comes behind its end changes nothing. */
#include "fuzz.h"

#include "decode/common/far_answer.h"

#include <stdlib.h>
#include <string.h>

static void check_text(const char *text, char first)
{
	size_t length = strnlen(text, NT_FAR_TEXT);
	FUZZ_CHECK(length < NT_FAR_TEXT && (!length || !first || *text == first));
	for (size_t i = 0; i < length; i++)
		FUZZ_CHECK((unsigned char)text[i] >= ' ' && text[i] != '\x7f');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char more[] = "\nnettop-far machine another\n";
	struct nt_far_answer answer, again;
	bool whole = nt_far_answer_read((const char *)data, size, &answer);
	check_text(answer.machine, '\0');
	check_text(answer.program, '/');
	check_text(answer.folder, '/');
	if (!whole)
		return 0;
	char *longer = malloc(size + sizeof(more));
	FUZZ_CHECK(longer);
	memcpy(longer, data, size);
	memcpy(longer + size, more, sizeof(more));
	FUZZ_CHECK(nt_far_answer_read(longer, size + sizeof(more), &again) && memcmp(&again, &answer, sizeof(answer)) == 0);
	free(longer);
	return 0;
}
