// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/named_code.h"

#include "base/hash.h"
#include "base/text.h"
#include "nettop/clock.h"

/* Where the method has been seen before, the name holds for the time between; else for the moment of this look alone. */
static void say_when(struct nt_named_code *code, const struct nt_reader_record *record, struct nt_ev_name *said)
{
	const struct nt_passing_method method = { .start = record->named.start,
						  .size = record->named.size,
						  .name = nt_hash_bytes(record->name, record->named.length),
						  .asked = code->places.asked,
						  .answered = nt_clock_now() };
	code->found = record->named.address;
	nt_time since = nt_passing_code_saw(&code->passing, &method);
	said->from = since == NT_TIME_UNKNOWN ? method.answered : since;
	said->until = said->from < method.asked ? method.asked : said->from;
}

/* What a record says of a place. */
static struct nt_ev_name said_of(const struct nt_reader_named *named)
{
	struct nt_ev_name said = { .start = named->address, .end = named->address + 1, .naming = NT_NAMING_CODE_UNNAMED };
	if (named->naming != NT_READER_NAME_NONE && named->naming != NT_READER_NAME_STUB) {
		said.start = named->start;
		said.end = named->start + named->size;
	}
	if (named->naming == NT_READER_NAME_STUB) {
		said.kind = NT_CODE_STUB;
	} else if (named->naming == NT_READER_NAME_PASSING) {
		said.naming = NT_NAMING_PASSING;
	} else if (named->length) {
		said.kind = NT_CODE_JIT;
		said.naming = NT_NAMING_NAMED;
	}
	return said;
}

void nt_named_code_take(struct nt_named_code *code, const struct nt_reader_record *record, uint32_t pid, struct nt_outbox *box)
{
	char text[NT_READER_NAME_MAX + 1] = "";
	if (!code->places.open) /* it was not asked */
		return;
	code->places.open -= record->named.naming != NT_READER_NAME_NOW;
	struct nt_ev_name said = said_of(&record->named);
	if (record->named.naming == NT_READER_NAME_PASSING) {
		if (record->named.address != code->found)
			nt_passing_code_missed(&code->passing, record->named.address);
		code->found = 0;
	}
	if (record->named.naming == NT_READER_NAME_NOW)
		say_when(code, record, &said);
	if (record->named.naming == NT_READER_NAME_LATER)
		return;
	if (record->named.naming == NT_READER_NAME_STUB)
		said.from = code->places.asked;
	/* A reader of ours has made it safe; one that somebody has taken over has not. */
	nt_text_escape(record->name, record->named.length, text, sizeof(text));
	struct nt_event *event = nt_outbox_add(box, NT_EV_NAME, nt_clock_now(), pid, 0);
	said.image = nt_outbox_str(box, NT_RUNTIME_IMAGE);
	said.name = nt_outbox_str(box, text);
	event->u.name = said;
}

void nt_named_code_forget(struct nt_named_code *code)
{
	nt_asked_places_forget(&code->places);
	code->found = 0;
}

void nt_named_code_fini(struct nt_named_code *code)
{
	nt_passing_code_fini(&code->passing);
}
