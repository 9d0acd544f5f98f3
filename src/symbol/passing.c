// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/passing.h"

#include "base/alloc.h"
#include "base/starts.h"

#include <stdlib.h>
#include <string.h>

void nt_passing_fini(struct nt_passing *passing)
{
	free(passing->items);
	*passing = (struct nt_passing){ 0 };
}

/* How many begin at `address` or before. */
static size_t count_up_to(const struct nt_passing *passing, uint64_t address)
{
	return nt_starts_up_to(passing->items, passing->count, sizeof(*passing->items), address);
}

/* Half of them, so that it is done seldom. */
static void forget_oldest(struct nt_passing *passing)
{
	nt_time least = NT_TIME_UNKNOWN, most = 0;
	for (size_t i = 0; i < passing->count; i++) {
		least = passing->items[i].until < least ? passing->items[i].until : least;
		most = passing->items[i].until > most ? passing->items[i].until : most;
	}
	nt_time limit = least + (most - least) / 2;
	size_t kept = 0;
	for (size_t i = 0; i < passing->count; i++)
		if (passing->items[i].until > limit)
			passing->items[kept++] = passing->items[i];
	passing->count = kept;
}

void nt_passing_add(struct nt_passing *passing, const struct nt_ev_name *said, nt_text_ref name)
{
	if (said->end <= said->start || said->until < said->from)
		return;
	size_t place = count_up_to(passing, said->start);
	for (size_t i = place; i-- > 0 && passing->items[i].start == said->start;) {
		struct nt_passed *item = &passing->items[i];
		if (item->end == said->end && item->from == said->from) {
			item->until = said->until > item->until ? said->until : item->until;
			return;
		}
	}
	if (passing->count == NT_PASSING_MOST) {
		forget_oldest(passing);
		place = count_up_to(passing, said->start);
	}
	passing->items = nt_grow(passing->items, &passing->capacity, passing->count + 1, sizeof(*passing->items));
	memmove(passing->items + place + 1, passing->items + place, (passing->count - place) * sizeof(*passing->items));
	passing->items[place] = (struct nt_passed){ said->start, said->end, said->from, said->until, name };
	passing->count++;
	if (said->end - said->start > passing->longest)
		passing->longest = said->end - said->start;
}

const struct nt_passed *nt_passing_before(const struct nt_passing *passing, uint64_t address, nt_time time)
{
	const struct nt_passed *last = NULL;
	for (size_t i = count_up_to(passing, address); i-- > 0 && address - passing->items[i].start < passing->longest;) {
		const struct nt_passed *item = &passing->items[i];
		if (address < item->end && item->from <= time && (!last || item->until > last->until))
			last = item;
	}
	return last;
}

const struct nt_passed *nt_passing_newest(const struct nt_passing *passing, uint64_t address)
{
	return nt_passing_before(passing, address, NT_TIME_UNKNOWN);
}

enum nt_passing_answer nt_passing_find(const struct nt_passing *passing, uint64_t address, nt_time time, const struct nt_passed **out)
{
	const struct nt_passed *last = nt_passing_before(passing, address, time);
	*out = last && time <= last->until ? last : NULL;
	if (*out)
		return NT_PASSING_NAMED;
	/* When another one has been there since, it is not that one any more. */
	return last && nt_passing_newest(passing, address) == last ? NT_PASSING_AWAITED : NT_PASSING_UNTOLD;
}

bool nt_passing_want(struct nt_passing *passing, uint64_t address, nt_time time)
{
	const struct nt_passed *known = nt_passing_newest(passing, address);
	if (known && time <= known->until)
		return false;
	uint64_t start = known ? known->start : address;
	for (size_t i = 0; i < passing->wanted_count; i++)
		if (passing->wanted[i] == start)
			return true;
	if (passing->wanted_count < NT_PASSING_ASKED)
		passing->wanted[passing->wanted_count++] = start;
	return true;
}

struct nt_question *nt_passing_ask(struct nt_passing *passing, uint32_t pid, size_t max, struct nt_question *questions, size_t *count)
{
	size_t room = max - *count, some = passing->wanted_count < room ? passing->wanted_count : room;
	if (some)
		questions = nt_realloc(questions, *count + some, sizeof(*questions));
	for (size_t i = 0; i < some; i++)
		questions[(*count)++] = (struct nt_question){ .pid = pid, .offset = passing->wanted[i], .image = NT_RUNTIME_IMAGE };
	passing->wanted_count = 0;
	return questions;
}

void nt_passing_each_ref(struct nt_passing *passing, nt_ref_visit *visit, void *context)
{
	for (size_t i = 0; i < passing->count; i++)
		visit(&passing->items[i].name, context);
}
