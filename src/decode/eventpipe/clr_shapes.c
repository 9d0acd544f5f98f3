// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/clr_shapes.h"

#include <stddef.h>

#define SHAPE(id_, version_, level_, keywords_, name_, ...)                                                                                \
	static const struct nt_nettrace_field fields_##id_[] = { __VA_ARGS__ __VA_OPT__(, ){ .name = NULL } };
#define FIELD(type_, name_)                                                                                                                \
	{                                                                                                                                  \
		.name = #name_, .type = NT_NETTRACE_##type_                                                                                \
	}
#include "decode/eventpipe/clr_shapes.def"
#undef SHAPE

const struct nt_clr_shape nt_clr_shapes[] = {
#define SHAPE(id_, version_, level_, keywords_, name_, ...)                                                                                \
	{ .id = (id_),                                                                                                                     \
	  .version = (version_),                                                                                                           \
	  .level = (level_),                                                                                                               \
	  .keywords = UINT64_C(keywords_),                                                                                                 \
	  .name = #name_,                                                                                                                  \
	  .fields = fields_##id_,                                                                                                          \
	  .field_count = sizeof(fields_##id_) / sizeof(fields_##id_[0]) - 1 },
#include "decode/eventpipe/clr_shapes.def"
};
const size_t nt_clr_shape_count = sizeof(nt_clr_shapes) / sizeof(nt_clr_shapes[0]);

const struct nt_clr_shape *nt_clr_shape_find(uint32_t id)
{
	/* In the order of their ids. */
	size_t from = 0, to = nt_clr_shape_count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (nt_clr_shapes[middle].id == id)
			return &nt_clr_shapes[middle];
		if (nt_clr_shapes[middle].id < id)
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}
