// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/clr_over_lttng.h"

#include "decode/clr/clr.h"

#include <string.h>

/* Keywords by which the runtime does more than tell. The same as are not asked for over EventPipe. */
#define ACTS (UINT64_C(0x800000) | UINT64_C(0x400000) | UINT64_C(0x100000) | UINT64_C(0x40) | UINT64_C(0x80))

enum { COLLECTIONS = 0x1, HANDLES = 0x2, LEVEL_VERBOSE = 5 };

/* A text of which nothing is known may be null. */
static bool may_end(const struct nt_clr_shape *shape)
{
	const char *why;
	for (uint32_t i = 0; i < shape->field_count; i++) {
		if (shape->fields[i].type != NT_NETTRACE_TEXT)
			continue;
		enum nt_clr_null null = nt_clr_null_text(shape->name, shape->fields[i].name, &why);
		if (null != NT_CLR_NULL_NEVER && null != NT_CLR_NULL_LEFT_OUT)
			return true;
	}
	return false;
}

enum nt_over_lttng nt_clr_shape_over_lttng(const struct nt_clr_shape *shape)
{
	if (may_end(shape))
		return NT_OVER_LTTNG_ENDS;
	if (shape->keywords && !(shape->keywords & ~ACTS))
		return NT_OVER_LTTNG_ACTS;
	if (shape->keywords == HANDLES || (shape->keywords == COLLECTIONS && shape->level == LEVEL_VERBOSE))
		return NT_OVER_LTTNG_FLOODS;
	return NT_OVER_LTTNG_MAY;
}

const char *nt_over_lttng_why_not(enum nt_over_lttng verdict)
{
	static const char *const whys[NT_OVER_LTTNG_COUNT] = {
		[NT_OVER_LTTNG_MAY] = "",
		[NT_OVER_LTTNG_ENDS] = "a text of theirs may be null, which would end the process",
		[NT_OVER_LTTNG_ACTS] = "the runtime collects, or lists all it has, to tell them",
		[NT_OVER_LTTNG_FLOODS] = "they come only with others that would be far too many",
	};
	return whys[verdict];
}

/* "" or _V and a number. */
static bool is_version(const char *text)
{
	return *text == '\0' || (strncmp(text, "_V", 2) == 0 && text[2] && text[2 + strspn(text + 2, "0123456789")] == '\0');
}

const struct nt_clr_shape *nt_clr_shape_by_lttng_name(const char *name)
{
	static const char provider[] = NT_CLR_LTTNG_PROVIDER ":";
	if (strncmp(name, provider, sizeof(provider) - 1) != 0)
		return NULL;
	name += sizeof(provider) - 1;
	for (size_t i = 0; i < nt_clr_shape_count; i++) {
		size_t length = strlen(nt_clr_shapes[i].name);
		if (strncmp(name, nt_clr_shapes[i].name, length) == 0 && is_version(name + length))
			return &nt_clr_shapes[i];
	}
	return NULL;
}
