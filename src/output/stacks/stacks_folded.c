// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks, as of Brendan Gregg's stackcollapse scripts: `thread;outermost;...;leaf samples`. The suffixes _[k] and _[j] are his annotations for
 * kernel and JIT code, by which flamegraph.pl --color=java chooses its colours.
 */
#include "output/stacks/stacks_parts.h"

#include <inttypes.h>

static const char *annotation(const struct nt_stack_frame *frame)
{
	static const char *const annotations[NT_CODE_KIND_COUNT] = {
		[NT_CODE_JIT] = "_[j]",
		[NT_CODE_KERNEL] = "_[k]",
	};
	return frame->sort == NT_FRAME_CODE && annotations[frame->kind] ? annotations[frame->kind] : "";
}

void nt_stacks_write_folded(FILE *out, const struct nt_stacks *stacks)
{
	const struct nt_stack_tree *tree = stacks->tree;
	char label[NT_STACKS_LABEL];
	uint32_t frames[NT_STACKS_DEPTH];
	for (uint32_t n = 0; n < tree->node_count; n++) {
		uint64_t samples = nt_stacks_samples(&tree->nodes[n]);
		uint32_t count = samples ? nt_stacks_walk(tree, n, frames) : 0;
		for (uint32_t f = 0; f < count; f++) {
			const struct nt_stack_frame *frame = &tree->frames[frames[f]];
			nt_stacks_label(stacks, frame, ';', label, sizeof(label));
			fprintf(out, "%s%s%s", f ? ";" : "", label, annotation(frame));
		}
		if (samples)
			fprintf(out, " %" PRIu64 "\n", samples);
	}
}
