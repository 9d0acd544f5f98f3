// SPDX-License-Identifier: GPL-2.0-only
#include "model/process/end.h"

#include "base/affix.h"
#include "base/arena.h"
#include "model/process/overflow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Since .NET 9 the search for a handler is managed code. */
static const char handler_search[] = "System.Runtime.EH.";

/* Lines like those that a runtime prints, of managed frames only. NULL: none is. */
static const char *lines_of(const struct nt_call_stack *stack, struct nt_arena *arena)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	for (uint32_t i = 0; i < stack->count; i++)
		if (!stack->frames[i].native && !nt_begins_with(stack->frames[i].name, handler_search))
			fprintf(out, "%sat %s", ftell(out) ? "\n" : "", stack->frames[i].name);
	fclose(out);
	const char *lines = length ? nt_arena_text(arena, text, length) : NULL;
	free(text);
	return lines;
}

/* What the thread was in when it turned to the runtime; "" = nothing managed. */
static const char *innermost_managed(const struct nt_call_stack *stack)
{
	for (uint32_t i = 0; i < stack->count; i++)
		if (!stack->frames[i].native)
			return stack->frames[i].name;
	return "";
}

/* A thread that aborts in the search for a handler has found none. */
static bool was_unhandled(const struct nt_call_stack *stack)
{
	return stack && nt_begins_with(innermost_managed(stack), handler_search);
}

static void forget_exception(struct nt_target_end *end)
{
	end->exception = end->message = end->stack = NULL;
	end->reason = "the runtime has not said that there was one: a stack overflow, native code?";
}

void nt_end_close(struct nt_proc *proc, struct nt_sites *sites, struct nt_snapshot *snapshot, struct nt_target_end *end)
{
	const struct nt_call_stack *stack = NULL;
	if (proc->end_stack) {
		nt_sites_keep(sites, &proc->end_stack);
		stack = nt_sites_stack(sites, proc->end_stack, snapshot);
	}
	if (proc->end_overflowed) {
		nt_overflow_tell(stack, proc->end_frames, snapshot->arena, end);
		return;
	}
	if (proc->end_unproven && (end->exception || end->message) && !was_unhandled(stack))
		forget_exception(end);
	if (!stack || end->stack)
		return;
	end->stack = lines_of(stack, snapshot->arena);
	if (end->exception || end->message || !nt_begins_with(innermost_managed(stack), "System.Environment.FailFast("))
		return;
	end->failed_fast = true;
	end->reason = "none: the program called Environment.FailFast, with which message is not known";
}
