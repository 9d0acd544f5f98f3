// SPDX-License-Identifier: GPL-2.0-only
#include "output/files/perf_map_write.h"

#include "base/alloc.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t end_of(const struct nt_perf_map_line *line)
{
	return line->start + line->size;
}

struct entry {
	struct nt_perf_map_line line;
	size_t order; /* of writing */
};

static int compare(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	if (a->line.start != b->line.start)
		return a->line.start < b->line.start ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Methods, ascending and disjoint, into the front of the array. Returns how many. */
static size_t keep_methods(struct entry *entries, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		const struct entry entry = entries[i];
		/* What is kept is disjoint: only the last one can reach over this one's start, and once it is gone, none. */
		bool overlaps = kept && end_of(&entries[kept - 1].line) > entry.line.start;
		if (!overlaps)
			entries[kept++] = entry;
		else if (entries[kept - 1].order < entry.order)
			entries[kept - 1] = entry;
	}
	return kept;
}

/* The part of each stub that is before the next stub and outside of methods; of stubs at one address the last one. Returns how many are left. */
static size_t cut_stubs(struct entry *stubs, size_t count, const struct entry *methods, size_t method_count)
{
	size_t kept = 0, m = 0;
	for (size_t i = 0; i < count; i++) {
		struct nt_perf_map_line line = stubs[i].line;
		uint64_t end = end_of(&line);
		if (i + 1 < count && stubs[i + 1].line.start < end)
			end = stubs[i + 1].line.start;
		while (m < method_count && end_of(&methods[m].line) <= line.start)
			m++;
		if (m < method_count && methods[m].line.start < end)
			end = methods[m].line.start > line.start ? methods[m].line.start : line.start;
		if (end == line.start)
			continue;
		line.size = end - line.start;
		stubs[kept++].line = line;
	}
	return kept;
}

size_t nt_perf_map_merge(struct nt_perf_map_line *lines, size_t count)
{
	struct entry *methods = nt_alloc(count * sizeof(*methods)), *stubs = nt_alloc(count * sizeof(*stubs));
	size_t method_count = 0, stub_count = 0, kept = 0;
	for (size_t i = 0; i < count; i++)
		*(lines[i].stub ? &stubs[stub_count++] : &methods[method_count++]) = (struct entry){ lines[i], i };
	qsort(methods, method_count, sizeof(*methods), compare);
	qsort(stubs, stub_count, sizeof(*stubs), compare);
	method_count = keep_methods(methods, method_count);
	stub_count = cut_stubs(stubs, stub_count, methods, method_count);
	for (size_t m = 0, s = 0; m < method_count || s < stub_count;) {
		bool method = s == stub_count || (m < method_count && methods[m].line.start < stubs[s].line.start);
		lines[kept++] = method ? methods[m++].line : stubs[s++].line;
	}
	free(methods);
	free(stubs);
	return kept;
}

void nt_perf_map_write(FILE *out, const struct nt_perf_map_line *lines, size_t count)
{
	char safe[8192];
	for (size_t i = 0; i < count; i++) {
		nt_text_escape(lines[i].name, lines[i].length, safe, sizeof(safe));
		fprintf(out, "%" PRIx64 " %" PRIx64 " %s\n", lines[i].start, lines[i].size, safe);
	}
}
