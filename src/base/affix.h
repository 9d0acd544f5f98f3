/* SPDX-License-Identifier: GPL-2.0-only */
/* How texts begin and end. */
#ifndef NT_BASE_AFFIX_H
#define NT_BASE_AFFIX_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool nt_begins_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static inline bool nt_ends_with(const char *text, const char *suffix)
{
	size_t length = strlen(text), suffix_length = strlen(suffix);
	return length >= suffix_length && memcmp(text + length - suffix_length, suffix, suffix_length) == 0;
}

/* The same of text[0..length), which needs no NUL. */
static inline bool nt_slice_begins_with(const char *text, size_t length, const char *prefix)
{
	size_t prefix_length = strlen(prefix);
	return length >= prefix_length && memcmp(text, prefix, prefix_length) == 0;
}

static inline bool nt_slice_ends_with(const char *text, size_t length, const char *suffix)
{
	size_t suffix_length = strlen(suffix);
	return length >= suffix_length && memcmp(text + length - suffix_length, suffix, suffix_length) == 0;
}

#endif
