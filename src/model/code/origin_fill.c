// SPDX-License-Identifier: GPL-2.0-only
/* What the rows of instructions say of where they come from. */
#include "model/code/origin.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_BYTES = 256 };

/* Without folders, in which both kinds of systems write paths. */
static const char *base_name(const char *path)
{
	const char *name = path;
	for (const char *at = path; *at; at++)
		if (*at == '/' || *at == '\\')
			name = at + 1;
	return name;
}

/* /src/Shop/Program.cs, 42: Program.cs:42 */
static const char *place_of(const struct nt_origin_line *line, struct nt_arena *arena)
{
	char text[PLACE_BYTES];
	int length = snprintf(text, sizeof(text), "%.200s:%" PRIu32, base_name(line->file), line->line);
	return nt_arena_text(arena, text, (size_t)length);
}

void nt_origin_fill(const struct nt_origin *origin, struct nt_arena *arena, struct nt_instruction_row *rows, size_t count)
{
	const struct nt_origin_line *last = NULL;
	const char *place = NULL; /* of `last` */
	for (size_t i = 0; i < count; i++) {
		rows[i].il_offset = nt_origin_il(origin, rows[i].address);
		const struct nt_origin_line *line = nt_origin_line(origin, rows[i].il_offset);
		if (!line || !line->file)
			continue;
		if (line != last)
			place = place_of(line, arena);
		last = line;
		rows[i].place = place;
		rows[i].line = line->line;
		rows[i].file = line->file;
	}
}
