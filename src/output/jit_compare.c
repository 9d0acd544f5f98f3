// SPDX-License-Identifier: GPL-2.0-only
#include "output/jit_compare.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(const struct nt_jit_pair *pair)
{
	return pair->before ? pair->before->name : pair->after->name;
}

/* By name; of equal names the one from before comes first. */
static int compare_names(const void *a, const void *b)
{
	const struct nt_jit_pair *x = a, *y = b;
	int order = strcmp(name_of(x), name_of(y));
	return order ? order : !x->before - !y->before;
}

static int64_t difference(uint64_t before, uint64_t after)
{
	return (int64_t)(after - before);
}

int64_t nt_jit_pair_count(const struct nt_jit_pair *pair)
{
	return difference(pair->before ? pair->before->sums.count : 0, pair->after ? pair->after->sums.count : 0);
}

int64_t nt_jit_pair_ns(const struct nt_jit_pair *pair)
{
	return difference(pair->before ? pair->before->sums.time_ns : 0, pair->after ? pair->after->sums.time_ns : 0);
}

static uint64_t change(const struct nt_jit_pair *pair)
{
	int64_t ns = nt_jit_pair_ns(pair);
	return ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
}

static int compare_changes(const void *a, const void *b)
{
	uint64_t x = change(a), y = change(b);
	return x != y ? (x > y ? -1 : 1) : compare_names(a, b);
}

/* Sorted by name: of two neighbours with one name, one is from before and one from after. */
static size_t join(struct nt_jit_pair *pairs, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct nt_jit_pair *last = kept ? &pairs[kept - 1] : NULL;
		if (last && !last->after && !pairs[i].before && strcmp(name_of(last), name_of(&pairs[i])) == 0)
			last->after = pairs[i].after;
		else
			pairs[kept++] = pairs[i];
	}
	return kept;
}

struct nt_jit_pair *nt_jit_pairs(const struct nt_jit_report *before, const struct nt_jit_report *after, enum nt_jit_section section,
				 size_t *count)
{
	size_t all = 0;
	struct nt_jit_pair *pairs = nt_realloc(NULL, before->counts[section] + after->counts[section], sizeof(*pairs));
	for (size_t i = 0; i < before->counts[section]; i++)
		pairs[all++] = (struct nt_jit_pair){ .before = &before->lines[section][i] };
	for (size_t i = 0; i < after->counts[section]; i++)
		pairs[all++] = (struct nt_jit_pair){ .after = &after->lines[section][i] };
	*count = 0;
	if (!all)
		return pairs;
	qsort(pairs, all, sizeof(*pairs), compare_names);
	*count = join(pairs, all);
	qsort(pairs, *count, sizeof(*pairs), compare_changes);
	return pairs;
}
