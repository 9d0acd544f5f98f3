// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/named_types.h"

#include "base/text.h"
#include "nettop/clock.h"

void nt_named_types_take(struct nt_asked_places *types, const struct nt_reader_record *record, uint32_t pid, struct nt_outbox *box)
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
