// SPDX-License-Identifier: GPL-2.0-only
/* The list of formats. */
#include "output/stacks/stacks_write.h"

#include "base/alloc.h"
#include "output/stacks/stacks_parts.h"

#include <string.h>

static const struct format {
	const char *name, *ending;
	bool binary;
	void (*write)(FILE *out, const struct nt_stacks *stacks);
} formats[NT_STACKS_AS_COUNT] = {
	[NT_STACKS_AS_FOLDED] = { "folded", "folded", false, nt_stacks_write_folded },
	[NT_STACKS_AS_FLAMEGRAPH] = { "flamegraph", "svg", false, nt_stacks_write_flamegraph },
	[NT_STACKS_AS_SPEEDSCOPE] = { "speedscope", "speedscope.json", false, nt_stacks_write_speedscope },
	[NT_STACKS_AS_PPROF] = { "pprof", "pb", true, nt_stacks_write_pprof },
	[NT_STACKS_AS_PERF_SCRIPT] = { "perf-script", "perf-script", false, nt_stacks_write_perf_script },
};

const char *nt_stacks_format_name(enum nt_stacks_format format)
{
	return formats[format].name;
}

const char *nt_stacks_format_ending(enum nt_stacks_format format)
{
	return formats[format].ending;
}

enum nt_stacks_format nt_stacks_format_of(const char *name)
{
	int format = 0;
	while (format < NT_STACKS_AS_COUNT && strcmp(formats[format].name, name) != 0)
		format++;
	return (enum nt_stacks_format)format;
}

bool nt_stacks_format_is_binary(enum nt_stacks_format format)
{
	return formats[format].binary;
}

void nt_stacks_write(FILE *out, enum nt_stacks_format format, const struct nt_stacks *stacks)
{
	formats[format].write(out, stacks);
}

struct nt_stack_node *nt_stacks_whole_nodes(const struct nt_stack_tree *tree)
{
	struct nt_stack_node *nodes = nt_alloc(tree->node_count * sizeof(*nodes));
	double rest = 0.5;
	for (uint32_t n = 0; n < tree->node_count; n++) {
		nodes[n] = tree->nodes[n];
		rest += tree->nodes[n].self;
		nodes[n].self = (double)(uint64_t)rest;
		rest -= nodes[n].self;
	}
	return nodes;
}
