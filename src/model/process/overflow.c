// SPDX-License-Identifier: GPL-2.0-only
#include "model/process/overflow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BEFORE_MAX = 16, /* frames that were called from what comes again */
	PERIOD_MAX = 10,
	TIMES_LEAST = 3,
	NAMED_MAX = 3, /* methods in the sentence */
};

/* first, first + length, ... up to `until`: frames that come again. length 0 = none do. */
struct circle {
	uint32_t first, length, until;
};

static bool same(const struct nt_call_frame *a, const struct nt_call_frame *b)
{
	return strcmp(a->name, b->name) == 0;
}

static bool comes_again(const struct nt_call_stack *stack, uint32_t first, uint32_t length)
{
	uint32_t last = first + (TIMES_LEAST - 1) * length;
	if (last + length > stack->count)
		return false;
	for (uint32_t i = first; i < last; i++)
		if (!same(&stack->frames[i], &stack->frames[i + length]))
			return false;
	return true;
}

static bool is_of(const struct nt_call_stack *stack, const struct circle *circle, uint32_t frame)
{
	for (uint32_t i = circle->first; i < circle->first + circle->length; i++)
		if (same(&stack->frames[i], &stack->frames[frame]))
			return true;
	return false;
}

static struct circle find_circle(const struct nt_call_stack *stack, uint32_t begin)
{
	for (uint32_t first = begin; first <= begin + BEFORE_MAX; first++)
		for (uint32_t length = 1; length <= PERIOD_MAX; length++) {
			if (!comes_again(stack, first, length))
				continue;
			struct circle circle = { first, length, first + length };
			while (circle.until < stack->count && is_of(stack, &circle, circle.until))
				circle.until++;
			return circle;
		}
	return (struct circle){ .first = begin, .until = begin };
}

static uint32_t first_managed(const struct nt_call_stack *stack)
{
	uint32_t i = 0;
	while (i < stack->count && stack->frames[i].native)
		i++;
	return i;
}

static void put_lines(FILE *out, const struct nt_call_stack *stack, uint32_t from, uint32_t until, const char *indent)
{
	for (uint32_t i = from; i < until; i++)
		if (!stack->frames[i].native)
			fprintf(out, "%s%sat %s", ftell(out) ? "\n" : "", indent, stack->frames[i].name);
}

static bool said_before(const struct nt_call_stack *stack, uint32_t from, uint32_t frame)
{
	while (from < frame && !same(&stack->frames[from], &stack->frames[frame]))
		from++;
	return from < frame;
}

static void put_methods(FILE *out, const struct nt_call_stack *stack, uint32_t from, uint32_t until)
{
	unsigned count = 0;
	for (uint32_t i = from; i < until; i++) {
		if (stack->frames[i].native || said_before(stack, from, i))
			continue;
		if (count < NAMED_MAX)
			fprintf(out, "%s%s", count ? ", " : " in ", stack->frames[i].name);
		count++;
	}
	if (count > NAMED_MAX)
		fprintf(out, " and %u more", count - NAMED_MAX);
}

static const char *closed(FILE *out, char **text, size_t *length, struct nt_arena *arena)
{
	fclose(out);
	const char *kept = *length ? nt_arena_text(arena, *text, *length) : NULL;
	free(*text);
	return kept;
}

static void tell_lines(const struct nt_call_stack *stack, uint32_t begin, const struct circle *circle, uint64_t times,
		       struct nt_arena *arena, struct nt_target_end *end)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	put_lines(out, stack, begin, circle->first, "");
	if (circle->length) {
		fprintf(out, "%sat least %" PRIu64 " times:", ftell(out) ? "\n" : "", times);
		put_lines(out, stack, circle->first, circle->first + circle->length, "  ");
	}
	put_lines(out, stack, circle->until, stack->count, "");
	end->stack = closed(out, &text, &length, arena);
}

static void tell_sentence(const struct nt_call_stack *stack, uint32_t begin, const struct circle *circle, struct nt_arena *arena,
			  struct nt_target_end *end)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	fputs("Stack overflow", out);
	if (circle->length)
		put_methods(out, stack, circle->first, circle->first + circle->length);
	else if (begin < stack->count)
		put_methods(out, stack, begin, begin + 1);
	if (end->frames.known)
		fprintf(out, ", at least %" PRIu64 " frames", end->frames.v);
	end->overflow = closed(out, &text, &length, arena);
}

void nt_overflow_tell(const struct nt_call_stack *stack, uint32_t frames, struct nt_arena *arena, struct nt_target_end *end)
{
	const struct nt_call_stack none = { 0 };
	if (!stack)
		stack = &none;
	uint32_t begin = first_managed(stack);
	struct circle circle = find_circle(stack, begin);
	uint32_t total = frames > stack->count ? frames : stack->count;
	uint32_t in_circle = total - circle.first - (stack->count - circle.until);
	if (circle.length)
		end->frames = nt_u64_of(in_circle);
	tell_lines(stack, begin, &circle, circle.length ? in_circle / circle.length : 0, arena, end);
	tell_sentence(stack, begin, &circle, arena, end);
}
