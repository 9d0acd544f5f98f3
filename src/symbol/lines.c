// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/lines.h"

#include <string.h>

void nt_lines_init(struct nt_lines *lines, struct nt_names *names)
{
	memset(lines, 0, sizeof(*lines));
	lines->names = names;
}

/* Into lines->scratch. Returns the text of the line. */
static struct nt_slice read_line(struct nt_lines *lines, nt_text_ref line)
{
	struct nt_slice raw;
	raw.text = nt_heap_get(lines->names->heap, line, &raw.length);
	nt_method_name_from_perfmap(raw, &lines->scratch);
	return raw;
}

static const char *keep_module(struct nt_lines *lines)
{
	struct nt_slice module = lines->scratch.module;
	return module.length ? nt_texts_intern(lines->names->texts, module.text, module.length) : NULL;
}

/* One that was cut says so. */
static const char *keep_raw(struct nt_lines *lines, struct nt_slice raw)
{
	char cut[NT_RAW_NAME_MAX];
	if (raw.length < sizeof(cut))
		return nt_texts_intern(lines->names->texts, raw.text, raw.length);
	memcpy(cut, raw.text, sizeof(cut));
	return nt_texts_intern(lines->names->texts, cut, nt_method_name_mark_cut(cut, sizeof(cut)));
}

const struct nt_line_name *nt_lines_name(struct nt_lines *lines, nt_text_ref line)
{
	size_t place = (line * UINT32_C(2654435761)) / (UINT32_MAX / NT_LINES_RECENT + 1);
	if (lines->recent[place].line != line) {
		struct nt_texts *texts = lines->names->texts;
		struct nt_slice raw = read_line(lines, line);
		lines->recent[place].line = line;
		lines->recent[place].name = (struct nt_line_name){
			.name = nt_texts_intern(texts, lines->scratch.display, lines->scratch.display_length),
			.raw_name = keep_raw(lines, raw),
			.module = keep_module(lines),
			.tier = lines->scratch.tier,
			.kind = lines->scratch.kind,
			.instance_untold = memmem(raw.text, raw.length, "!!", 2) != NULL,
		};
	}
	return &lines->recent[place].name;
}

const char *nt_lines_module(struct nt_lines *lines, nt_text_ref line, const char *name)
{
	read_line(lines, line);
	return nt_method_name_agrees(lines->scratch.display, name) ? keep_module(lines) : NULL;
}

void nt_lines_forget(struct nt_lines *lines)
{
	memset(lines->recent, 0, sizeof(lines->recent));
}
