// SPDX-License-Identifier: GPL-2.0-only
/* The list of formats, and how all of them call frames and threads. */
#include "output/stacks/stacks_write.h"

#include "base/alloc.h"
#include "base/text.h"
#include "output/stacks/stacks_parts.h"

#include <inttypes.h>
#include <string.h>

static const struct format {
	const char *name;
	bool binary;
	void (*write)(FILE *out, const struct nt_stacks *stacks);
} formats[NT_STACKS_AS_COUNT] = {
	[NT_STACKS_AS_FOLDED] = { "folded", false, nt_stacks_write_folded },
	[NT_STACKS_AS_FLAMEGRAPH] = { "flamegraph", false, nt_stacks_write_flamegraph },
	[NT_STACKS_AS_SPEEDSCOPE] = { "speedscope", false, nt_stacks_write_speedscope },
	[NT_STACKS_AS_PPROF] = { "pprof", true, nt_stacks_write_pprof },
	[NT_STACKS_AS_PERF_SCRIPT] = { "perf-script", false, nt_stacks_write_perf_script },
};

const char *nt_stacks_format_name(enum nt_stacks_format format)
{
	return formats[format].name;
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

/* ---- for the formats ---- */

size_t nt_stacks_safe(const char *text, char separator, char *buf, size_t size)
{
	size_t length = text ? nt_text_escape(text, strlen(text), buf, size) : 0;
	buf[length] = '\0';
	for (char *at = buf; separator && (at = strchr(at, separator)); at++)
		*at = ':';
	return length;
}

void nt_stacks_label(const struct nt_stack_frame *frame, char separator, char *buf, size_t size)
{
	enum { ROOM = 16 }; /* for what comes behind the name */
	const char *tier = nt_tier_name(frame->tier);
	const char *name = frame->name && *frame->name ? frame->name : frame->sort == NT_FRAME_THREAD ? "" : "?";
	size_t length = nt_stacks_safe(name, separator, buf, size - ROOM);
	if (frame->sort == NT_FRAME_THREAD)
		snprintf(buf + length, size - length, "/%" PRIu32, frame->tid);
	else if (*tier)
		snprintf(buf + length, size - length, " [%s]", tier);
}

uint64_t nt_stacks_samples(const struct nt_stack_node *node)
{
	return (uint64_t)(node->self + 0.5);
}

uint32_t *nt_stacks_threads(const struct nt_stack_tree *tree)
{
	uint32_t *threads = nt_alloc(tree->node_count * sizeof(*threads));
	for (uint32_t n = 0; n < tree->node_count; n++)
		threads[n] = tree->nodes[n].parent == NT_STACK_ROOT ? n : threads[tree->nodes[n].parent];
	return threads;
}

uint32_t nt_stacks_walk(const struct nt_stack_tree *tree, uint32_t node, uint32_t frames[NT_STACKS_DEPTH])
{
	uint32_t depth = 0, count = 0;
	for (uint32_t at = node; at != NT_STACK_ROOT; at = tree->nodes[at].parent)
		depth++;
	count = depth < NT_STACKS_DEPTH ? depth : NT_STACKS_DEPTH;
	for (uint32_t at = node; at != NT_STACK_ROOT; at = tree->nodes[at].parent)
		if (--depth < count)
			frames[depth] = tree->nodes[at].frame;
	return count;
}
