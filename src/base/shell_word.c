// SPDX-License-Identifier: GPL-2.0-only
#include "base/shell_word.h"

#include "base/alloc.h"

#include <string.h>

char *nt_shell_word(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-", quote[] = "'\\''";
	if (!text[strspn(text, plain)])
		return nt_strdup(text);
	char *word = nt_alloc(strlen(text) * (sizeof(quote) - 1) + sizeof("''")), *at = word;
	*at++ = '\'';
	for (; *text; text++)
		at = *text == '\'' ? stpcpy(at, quote) : stpncpy(at, text, 1);
	*at = '\'';
	return word;
}
