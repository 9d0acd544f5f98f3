// SPDX-License-Identifier: GPL-2.0-only
/* https://www.speedscope.app/file-format-schema.json: a sampled profile for each thread, over one list of frames. Written as it goes: stacks are long. */
#include "output/stacks/speedscope_parts.h"
#include "output/stacks/stacks_parts.h"

#include "output/frame/json_value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void nt_speedscope_begin(FILE *out, const struct nt_stacks *stacks)
{
	const struct nt_stack_tree *tree = stacks->tree;
	char label[NT_STACKS_LABEL];
	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"nettop\",\"name\":", out);
	nt_json_put_text(out, stacks->process_name);
	fputs(",\"activeProfileIndex\":0,\"shared\":{\"frames\":[", out);
	for (uint32_t f = 0; f < tree->frame_count; f++) {
		const struct nt_stack_frame *frame = &tree->frames[f];
		nt_stacks_label(stacks, frame, '\0', label, sizeof(label));
		fputs(f ? ",\n{\"name\":" : "\n{\"name\":", out);
		nt_json_put_text(out, label);
		if (frame->module) {
			fputs(",\"file\":", out);
			nt_json_put_text(out, frame->module);
		}
		fputc('}', out);
	}
}

/* The profile is the thread's, so its stacks begin with what it called. */
void nt_speedscope_put_stack(FILE *out, const struct nt_stack_tree *tree, uint32_t node)
{
	uint32_t frames[NT_STACKS_DEPTH];
	uint32_t count = nt_stacks_walk(tree, node, frames);
	fputc('[', out);
	for (uint32_t f = 1; f < count; f++)
		fprintf(out, "%s%" PRIu32, f > 1 ? "," : "", frames[f]);
	fputc(']', out);
}

struct speedscope {
	FILE *out;
	const struct nt_stacks *stacks;
	uint32_t *threads; /* of each node; owned */
};

/* The next node at or behind `n` in which samples of the thread ended; node_count = there is none. */
static uint32_t next_of(const struct speedscope *s, uint32_t thread, uint32_t n)
{
	const struct nt_stack_tree *tree = s->stacks->tree;
	while (n < tree->node_count && (s->threads[n] != thread || !nt_stacks_samples(&tree->nodes[n])))
		n++;
	return n;
}

static void put_profile(const struct speedscope *s, uint32_t thread, uint32_t first)
{
	const struct nt_stack_tree *tree = s->stacks->tree;
	char label[NT_STACKS_LABEL];
	uint64_t sum = 0, unit = s->stacks->period_ns ? s->stacks->period_ns : 1;
	const struct nt_stack_frame *frame = &tree->frames[tree->nodes[thread].frame];
	const char *known = nt_stacks_unit(s->stacks, frame);
	const char *named = s->stacks->period_ns ? "nanoseconds" : !known || strcmp(known, "count") == 0 ? "none" : known;
	nt_stacks_label(s->stacks, frame, '\0', label, sizeof(label));
	fputs("\n{\"type\":\"sampled\",\"name\":", s->out);
	nt_json_put_text(s->out, label);
	fprintf(s->out, ",\"unit\":\"%s\",\"startValue\":0,\"samples\":[", named);
	for (uint32_t n = first; n < tree->node_count; n = next_of(s, thread, n + 1)) {
		if (n != first)
			fputc(',', s->out);
		nt_speedscope_put_stack(s->out, s->stacks->tree, n);
	}
	fputs("],\"weights\":[", s->out);
	for (uint32_t n = first; n < tree->node_count; n = next_of(s, thread, n + 1)) {
		uint64_t weight = nt_stacks_samples(&tree->nodes[n]) * unit;
		fprintf(s->out, "%s%" PRIu64, n == first ? "" : ",", weight);
		sum += weight;
	}
	fprintf(s->out, "],\"endValue\":%" PRIu64 "}", sum);
}

static void put_profiles(const struct speedscope *s)
{
	const struct nt_stack_tree *tree = s->stacks->tree;
	bool any = false;
	for (uint32_t n = 0; n < tree->node_count; n++) {
		uint32_t first = s->threads[n] == n ? next_of(s, n, n) : tree->node_count;
		if (first == tree->node_count)
			continue;
		if (any)
			fputc(',', s->out);
		put_profile(s, n, first);
		any = true;
	}
}

void nt_stacks_write_speedscope(FILE *out, const struct nt_stacks *stacks)
{
	const struct speedscope s = { .out = out, .stacks = stacks, .threads = nt_stacks_threads(stacks->tree) };
	nt_speedscope_begin(out, stacks);
	fputs("]},\"profiles\":[", out);
	put_profiles(&s);
	fputs("]}\n", out);
	free(s.threads);
}
