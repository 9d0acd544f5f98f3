// SPDX-License-Identifier: GPL-2.0-only
/* How all formats call frames and threads. */
#include "output/stacks/stacks_parts.h"

#include "base/alloc.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

size_t nt_stacks_safe(const char *text, char separator, char *buf, size_t size)
{
	size_t length = text ? nt_text_escape(text, strlen(text), buf, size) : 0;
	buf[length] = '\0';
	for (char *at = buf; separator && (at = strchr(at, separator)); at++)
		*at = ':';
	return length;
}

static const struct nt_stacks_event *event_of(const struct nt_stacks *stacks, const struct nt_stack_frame *thread)
{
	return stacks->events && thread->what < stacks->event_count ? &stacks->events[thread->what] : NULL;
}

const char *nt_stacks_unit(const struct nt_stacks *stacks, const struct nt_stack_frame *thread)
{
	const struct nt_stacks_event *event = event_of(stacks, thread);
	return event ? event->unit : NULL;
}

const char *nt_stacks_noun(const struct nt_stacks *stacks)
{
	if (!stacks->events)
		return "samples";
	if (stacks->event_count > 1)
		return "in all";
	return strcmp(stacks->events[0].unit, "count") == 0 ? stacks->events[0].name : stacks->events[0].unit;
}

/* Which of several things happened. */
static size_t put_event(const struct nt_stacks *stacks, const struct nt_stack_frame *frame, char separator, char *buf, size_t size)
{
	const struct nt_stacks_event *event = frame->sort == NT_FRAME_THREAD && stacks->event_count > 1 ? event_of(stacks, frame) : NULL;
	if (!event || strlen(event->name) + 2 >= size)
		return 0;
	size_t length = nt_stacks_safe(event->name, separator, buf, size - 2);
	strcpy(buf + length, ": ");
	return length + 2;
}

void nt_stacks_label(const struct nt_stacks *stacks, const struct nt_stack_frame *frame, char separator, char *buf, size_t size)
{
	enum { ROOM = 16 }; /* for what comes behind the name */
	const char *tier = nt_tier_name(frame->tier);
	const char *name = frame->name && *frame->name ? frame->name : frame->sort == NT_FRAME_THREAD ? "" : "?";
	size_t length = put_event(stacks, frame, separator, buf, size - ROOM);
	length += nt_stacks_safe(name, separator, buf + length, size - ROOM - length);
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
