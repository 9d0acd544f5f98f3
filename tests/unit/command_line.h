/* SPDX-License-Identifier: GPL-2.0-only */
/* A command line as one text, parsed. Included behind cmocka.h. */
#ifndef NT_TESTS_COMMAND_LINE_H
#define NT_TESTS_COMMAND_LINE_H

#include <string.h>

#include "app/common/options.h"

enum { WORDS_MAX = 32, LINE_MAX_BYTES = 256 };

/* Splits `line` at blanks; a lone '' is an empty word. The words live in static storage, as those of main() do. */
static inline enum nt_status parse(const char *line, struct nt_options *options, struct nt_error *err)
{
	static char text[LINE_MAX_BYTES], program[] = "nettop", empty[] = "";
	static char *words[WORDS_MAX];
	int count = 0;
	words[count++] = program;
	assert_true(strlen(line) < sizeof(text));
	strcpy(text, line);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		assert_true(count < WORDS_MAX - 1);
		words[count++] = strcmp(word, "''") == 0 ? empty : word;
	}
	words[count] = NULL;
	nt_error_clear(err);
	return nt_options_parse(options, count, words, err);
}

static inline struct nt_options parse_good(const char *line)
{
	struct nt_options options;
	struct nt_error err = { 0 };
	if (parse(line, &options, &err) != NT_OK)
		fail_msg("nettop %s: %s", line, err.cause[0]);
	return options;
}

#endif
