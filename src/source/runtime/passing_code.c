// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/passing_code.h"

#include "base/alloc.h"
#include "base/starts.h"

#include <stdlib.h>
#include <string.h>

void nt_passing_code_fini(struct nt_passing_code *code)
{
	free(code->known);
	*code = (struct nt_passing_code){ 0 };
}

static void remove_some(struct nt_passing_code *code, size_t from, size_t count)
{
	memmove(code->known + from, code->known + from + count, (code->count - from - count) * sizeof(*code->known));
	code->count -= count;
}

/* The first that does not end before `address`. */
static size_t place_of(const struct nt_passing_code *code, uint64_t address)
{
	size_t place = nt_starts_up_to(code->known, code->count, sizeof(*code->known), address);
	const struct nt_passing_method *before = place ? &code->known[place - 1] : NULL;
	return before && address - before->start < before->size ? place - 1 : place;
}

static void forget_oldest(struct nt_passing_code *code)
{
	size_t oldest = 0;
	for (size_t i = 1; i < code->count; i++)
		if (code->known[i].asked < code->known[oldest].asked)
			oldest = i;
	remove_some(code, oldest, 1);
}

nt_time nt_passing_code_saw(struct nt_passing_code *code, const struct nt_passing_method *method)
{
	size_t place = place_of(code, method->start), end = place;
	struct nt_passing_method *known = place < code->count ? &code->known[place] : NULL;
	if (known && known->start == method->start && known->size == method->size && known->name == method->name) {
		known->asked = method->asked;
		return known->answered;
	}
	while (end < code->count && code->known[end].start < method->start + method->size)
		end++;
	remove_some(code, place, end - place);
	if (code->count == NT_PASSING_CODE_MOST) {
		forget_oldest(code);
		place = place_of(code, method->start);
	}
	code->known = nt_grow(code->known, &code->capacity, code->count + 1, sizeof(*code->known));
	memmove(code->known + place + 1, code->known + place, (code->count - place) * sizeof(*code->known));
	code->known[place] = *method;
	code->count++;
	return NT_TIME_UNKNOWN;
}

void nt_passing_code_missed(struct nt_passing_code *code, uint64_t address)
{
	size_t place = place_of(code, address);
	if (place < code->count && code->known[place].start <= address)
		remove_some(code, place, 1);
}
