// SPDX-License-Identifier: GPL-2.0-only
#include "model/requests/request_tags.h"

#include <stdbool.h>
#include <string.h>

static bool is_of_key(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

/* Where the key that begins here ends, at its `=`; NULL: no key begins here. */
static const char *key_end(const char *at, const char *end)
{
	const char *from = at;
	while (at < end && is_of_key(*at))
		at++;
	return at > from && at < end && *at == '=' ? at : NULL;
}

static const char *value_end(const char *at, const char *end)
{
	for (; at < end; at++)
		if (*at == ',' && key_end(at + 1, end))
			return at;
	return end;
}

const char *nt_request_tag(const char *tags, size_t length, const char *key, size_t *value_length)
{
	const char *at = tags, *end = tags + length;
	size_t key_length = strlen(key);
	while (at < end) {
		/* The runtime puts them in order by their keys: the program's own, TenantId, come first. One whose key is none that we know is no end of all. */
		const char *stop = key_end(at, end), *value = stop ? stop + 1 : at, *after = value_end(value, end);
		if (stop && (size_t)(stop - at) == key_length && memcmp(at, key, key_length) == 0) {
			*value_length = (size_t)(after - value);
			return value;
		}
		at = after < end ? after + 1 : end;
	}
	return NULL;
}
