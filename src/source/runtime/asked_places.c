// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/asked_places.h"

#include <string.h>

size_t nt_asked_places_ask(struct nt_asked_places *places, uint32_t pid, const char *image, const struct nt_question *questions,
			   size_t count)
{
	size_t taken = 0;
	for (size_t i = 0; i < count && places->count < NT_ASKED_PLACES_WAITING; i++) {
		if (questions[i].pid != pid || strcmp(questions[i].image, image) != 0)
			continue;
		places->waiting[places->count++] = questions[i].offset;
		taken++;
	}
	return taken;
}

bool nt_asked_places_go_on(struct nt_asked_places *places, nt_reader_question *question, struct nt_reader *reader, nt_time now)
{
	size_t some = places->count < NT_READER_NAMES ? places->count : NT_READER_NAMES;
	if (places->open || !some)
		return true;
	if (!question(reader, places->waiting, some))
		return false;
	places->count -= some;
	memmove(places->waiting, places->waiting + some, places->count * sizeof(*places->waiting));
	places->open = some;
	places->asked = now;
	return true;
}

void nt_asked_places_forget(struct nt_asked_places *places)
{
	places->open = places->count = 0;
}
