// SPDX-License-Identifier: GPL-2.0-only
/* Input: a command line, a word in each line. It is understood, or there is a sentence, in which nothing is left that a terminal would obey. */
#include "fuzz.h"

#include "app/common/options.h"
#include "base/text.h"

#include <getopt.h>
#include <string.h>

enum { WORDS = 32 };

/* A word may choose among all events of the runtime. */
FUZZ_STEPS(1 << 16, 1024)

static void check_sentence(const struct nt_error *err)
{
	char text[NT_ERROR_TEXT];
	uint32_t code;
	FUZZ_CHECK(err->cause_count);
	nt_error_reason(err, text, sizeof(text));
	for (size_t at = 0, length = strlen(text); at < length;) {
		at += nt_utf8_decode(text + at, length - at, &code);
		FUZZ_CHECK(!nt_text_is_control(code));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char name[] = "nettop";
	char *words[WORDS + 1] = { name }, *copy = malloc(size + 1), *at = copy;
	int count = 1;
	memcpy(copy, data, size);
	copy[size] = '\0';
	for (char *end = copy + size; at < end && count < WORDS; at += strlen(at) + 1) {
		char *newline = memchr(at, '\n', (size_t)(end - at));
		if (newline)
			*newline = '\0';
		words[count++] = at;
	}
	struct nt_options options;
	struct nt_error err = { 0 };
	opterr = 0;
	if (nt_options_parse(&options, count, words, &err) != NT_OK)
		check_sentence(&err);
	else
		FUZZ_CHECK(options.command < NT_COMMAND_COUNT && (options.show_help || options.delay_ns > 0));
	free(copy);
	return 0;
}
