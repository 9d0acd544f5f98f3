// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap_lines.h"

/* The first of what was parsed, from `before` bytes of the text on, as long as there is room for names. Returns how many. */
static size_t add_named(struct nt_codemap_lines *lines, const struct nt_perfmap_lines *parsed, size_t before)
{
	size_t count = 0;
	for (; count < parsed->count && lines->name_bytes; count++) {
		struct nt_batch_line *line = &lines->named[lines->named_count++];
		*line = parsed->items[count];
		line->offset += (uint32_t)before;
		lines->name_bytes -= line->length < lines->name_bytes ? line->length : lines->name_bytes;
	}
	return count;
}

/* What is of one kind, from the line `first` on. */
static void add_places(struct nt_codemap_places *places, const struct nt_perfmap_lines *parsed, size_t first, enum nt_code_kind kind,
		       uint64_t offset)
{
	struct nt_batch_place *place = places->items + places->count;
	for (const struct nt_batch_line *line = parsed->items + first; line < parsed->items + parsed->count; line++) {
		*place = (struct nt_batch_place){ line->start, line->size, line->offset + (uint32_t)offset };
		place += line->kind == kind;
	}
	places->count = (size_t)(place - places->items);
}

size_t nt_codemap_lines_add(struct nt_codemap_lines *lines, const char *text, size_t length, uint64_t offset)
{
	struct nt_perfmap_lines parsed = { .count = NT_PERFMAP_LINES };
	size_t used = 0;
	while (parsed.count == NT_PERFMAP_LINES && !nt_codemap_lines_full(lines)) {
		size_t before = used;
		used += nt_perfmap_parse(&lines->parser, text + used, length - used, &parsed);
		size_t named = add_named(lines, &parsed, before);
		add_places(&lines->methods, &parsed, named, NT_CODE_JIT, offset + before);
		add_places(&lines->stubs, &parsed, named, NT_CODE_STUB, offset + before);
	}
	return used;
}

bool nt_codemap_lines_full(const struct nt_codemap_lines *lines)
{
	return lines->named_count > NT_CODEMAP_NAMED_MAX - NT_PERFMAP_LINES ||
	       lines->methods.count > NT_CODEMAP_PLACES_MAX - NT_PERFMAP_LINES ||
	       lines->stubs.count > NT_CODEMAP_PLACES_MAX - NT_PERFMAP_LINES;
}

void nt_codemap_lines_clear(struct nt_codemap_lines *lines)
{
	lines->named_count = lines->methods.count = lines->stubs.count = 0;
}
