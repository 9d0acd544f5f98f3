// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/dump_kind.h"

static const struct {
	const char *name, *words;
} kinds[NT_DUMP_KIND_COUNT] = {
	[NT_DUMP_FULL] = { "full", "all memory" },
	[NT_DUMP_HEAP] = { "heap", "what objects and stacks are in" },
	[NT_DUMP_MINI] = { "mini", "stacks" },
	[NT_DUMP_TRIAGE] = { "triage", "stacks without what may be secret" },
	[NT_DUMP_REPORT] = { "report", "the stacks of all threads as JSON" },
};

const char *nt_dump_kind_name(unsigned kind)
{
	return kinds[kind < NT_DUMP_KIND_COUNT ? kind : NT_DUMP_FULL].name;
}

const char *nt_dump_kind_words(unsigned kind)
{
	return kinds[kind < NT_DUMP_KIND_COUNT ? kind : NT_DUMP_FULL].words;
}
