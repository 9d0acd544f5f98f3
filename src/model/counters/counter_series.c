// SPDX-License-Identifier: GPL-2.0-only
#include "model/counters/counter_series.h"

#include "base/hash.h"
#include "base/index.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* Rows with tags, from the first one on, of the same provider and name. */
static size_t run_length(const struct nt_counter_row *rows, size_t count)
{
	size_t length = 1;
	while (rows->tags && length < count && rows[length].tags && same_text(rows[length].provider, rows->provider) &&
	       same_text(rows[length].name, rows->name))
		length++;
	return length;
}

/* The next tag of a text; false: there is none. */
static bool next_tag(const char **rest, uint64_t *tag)
{
	if (!*rest || !**rest)
		return false;
	size_t length = strcspn(*rest, ",");
	*tag = nt_hash_bytes(*rest, length);
	*rest += length + ((*rest)[length] == ',');
	return true;
}

static void count_tags(const struct nt_counter_row *row, struct nt_index *counts)
{
	uint64_t tag;
	for (const char *rest = row->tags; next_tag(&rest, &tag);) {
		uint32_t before = nt_index_get(counts, tag);
		nt_index_put(counts, tag, before == NT_INDEX_NONE ? 1 : before + 1);
	}
}

static void mark_tags(struct nt_counter_row *row, const struct nt_index *counts, size_t all)
{
	uint64_t tag;
	const char *rest = row->tags;
	for (unsigned i = 0; i < NT_COUNTER_TAGS && next_tag(&rest, &tag); i++)
		row->differ |= nt_index_get(counts, tag) < all ? UINT64_C(1) << i : 0;
}

void nt_series_tell_apart(struct nt_counter_row *rows, size_t count)
{
	for (size_t i = 0, length; i < count; i += length) {
		struct nt_index counts = { 0 };
		length = run_length(rows + i, count - i);
		for (size_t at = i; at < i + length; at++) {
			rows[at].differ = 0;
			count_tags(&rows[at], &counts);
		}
		for (size_t at = i; length > 1 && at < i + length; at++)
			mark_tags(&rows[at], &counts, length);
		nt_index_fini(&counts);
	}
}
