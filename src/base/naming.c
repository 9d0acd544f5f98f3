// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/naming.h"

static const struct nt_naming_entry entries[NT_NAMING_COUNT] = {
#define NAMING(id_, class_, key_, words_, explanation_)                                                                                    \
	{ .class = NT_NAMING_CLASS_##class_, .key = key_, .words = words_, .explanation = explanation_ },
#include "nettop/naming.def"
};

const struct nt_naming_entry *nt_naming_entry(unsigned naming)
{
	return &entries[naming < NT_NAMING_COUNT ? naming : NT_NAMING_NAMED];
}
