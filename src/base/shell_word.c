// SPDX-License-Identifier: GPL-2.0-only
#include "base/shell_word.h"

#include "base/alloc.h"

#include <string.h>

char *nt_shell_word(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
	static const char quote[] = "'\\''",
			  backslash[] = "'\\\\'"; /* outside of the quotes: within them fish takes a backslash for more than itself */
	if (!text[strspn(text, plain)])
		return nt_strdup(text);
	char *word = nt_alloc(strlen(text) * (sizeof(backslash) - 1) + sizeof("''")), *at = word;
	*at++ = '\'';
	for (; *text; text++)
		at = *text == '\'' ? stpcpy(at, quote) : *text == '\\' ? stpcpy(at, backslash) : stpncpy(at, text, 1);
	*at++ = '\'';
	*at = '\0';
	return word;
}
