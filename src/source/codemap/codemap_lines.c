// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_lines.h"

/* The first of what was parsed, from `before` bytes of the text on, as long as there is room for names. Returns how many. */
static size_t add_named(struct nt_codemap_lines *lines, const struct nt_perfmap_lines *parsed, const nt_time *times, size_t before)
{
	size_t count = 0;
	for (; count < parsed->count && lines->name_bytes; count++) {
		lines->named_times[lines->named_count] = lines->is_jitdump ? times[count] : 0;
		struct nt_batch_line *line = &lines->named[lines->named_count++];
		*line = parsed->items[count];
		line->offset += (uint32_t)before;
		lines->name_bytes -= line->length < lines->name_bytes ? line->length : lines->name_bytes;
	}
	return count;
}

/* What is of one kind, from the line `first` on. */
static void add_places(struct nt_question_places *places, const struct nt_perfmap_lines *parsed, size_t first, enum nt_code_kind kind,
		       uint64_t offset)
{
	struct nt_batch_place *place = places->items + places->count;
	for (const struct nt_batch_line *line = parsed->items + first; line < parsed->items + parsed->count; line++) {
		*place = (struct nt_batch_place){ line->start, line->size, line->offset + (uint32_t)offset };
		place += line->kind == kind;
	}
	places->count = (size_t)(place - places->items);
}

static size_t parse(struct nt_codemap_lines *lines, const char *text, size_t length, struct nt_jitdump_lines *out)
{
	return lines->is_jitdump ? nt_jitdump_parse(&lines->dump, text, length, out)
				 : nt_perfmap_parse(&lines->parser, text, length, &out->lines);
}

size_t nt_codemap_lines_add(struct nt_codemap_lines *lines, const char *text, size_t length, uint64_t offset)
{
	struct nt_jitdump_lines out;
	const struct nt_perfmap_lines *parsed = &out.lines;
	size_t used = 0;
	do {
		size_t before = used;
		used += parse(lines, text + used, length - used, &out);
		size_t named = add_named(lines, parsed, out.times, before);
		add_places(&lines->methods, parsed, named, NT_CODE_JIT, offset + before);
		add_places(&lines->stubs, parsed, named, NT_CODE_STUB, offset + before);
	} while (parsed->count == NT_PERFMAP_LINES && !nt_codemap_lines_full(lines));
	return used;
}

bool nt_codemap_lines_full(const struct nt_codemap_lines *lines)
{
	return lines->named_count > NT_CODEMAP_NAMED_MAX - NT_PERFMAP_LINES ||
	       lines->methods.count > NT_CODEMAP_PLACES_MAX - NT_PERFMAP_LINES ||
	       lines->stubs.count > NT_CODEMAP_PLACES_MAX - NT_PERFMAP_LINES;
}

void nt_codemap_lines_restart(struct nt_codemap_lines *lines)
{
	lines->parser = (struct nt_perfmap_parser){ 0 };
	lines->dump = (struct nt_jitdump_parser){ 0 };
}

uint64_t nt_codemap_lines_good(const struct nt_codemap_lines *lines)
{
	return lines->is_jitdump ? lines->dump.line_count : lines->parser.line_count;
}

uint64_t nt_codemap_lines_bad(const struct nt_codemap_lines *lines)
{
	return lines->is_jitdump ? lines->dump.bad_count : lines->parser.bad_count;
}

void nt_codemap_lines_clear(struct nt_codemap_lines *lines)
{
	lines->named_count = lines->methods.count = lines->stubs.count = 0;
}
