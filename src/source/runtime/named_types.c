// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/named_types.h"

#include "base/text.h"
#include "nettop/clock.h"

#include <string.h>

size_t nt_named_types_ask(struct nt_named_types *types, const struct nt_question *questions, size_t count)
{
	size_t taken = 0;
	for (size_t i = 0; i < count && types->count < NT_NAMED_TYPES_WAITING; i++) {
		if (strcmp(questions[i].image, NT_TYPES_IMAGE) != 0)
			continue;
		types->waiting[types->count++] = questions[i].offset;
		taken++;
	}
	return taken;
}

bool nt_named_types_go_on(struct nt_named_types *types, struct nt_reader *reader, nt_time now)
{
	_Static_assert((int)NT_NAMED_TYPES_WAITING <= (int)NT_READER_NAMES, "all that wait are one packet");
	if (types->open || !types->count)
		return true;
	if (!nt_reader_type(reader, types->waiting, types->count))
		return false;
	types->open = types->count;
	types->count = 0;
	types->asked = now;
	return true;
}

void nt_named_types_take(struct nt_named_types *types, const struct nt_reader_record *record, uint32_t pid, struct nt_outbox *box)
{
	char text[NT_READER_TYPE_MAX + 1];
	const struct nt_reader_named *named = &record->named;
	if (!types->open) /* it was not asked */
		return;
	types->open--;
	if (named->naming == NT_READER_NAME_LATER)
		return;
	nt_text_escape(record->name, named->length, text, sizeof(text));
	struct nt_ev_name said = { .start = named->address, .end = named->address + 1 };
	struct nt_event *event = nt_outbox_add(box, NT_EV_NAME, nt_clock_now(), pid, 0);
	said.image = nt_outbox_str(box, NT_TYPES_IMAGE);
	said.name = nt_outbox_str(box, text);
	said.naming = *text ? NT_NAMING_NAMED : NT_NAMING_CODE_UNNAMED;
	event->u.name = said;
}

void nt_named_types_forget(struct nt_named_types *types)
{
	types->open = types->count = 0;
}
