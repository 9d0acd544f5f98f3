// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/named_code.h"

#include "base/text.h"

#include <string.h>

size_t nt_named_code_ask(struct nt_named_code *code, const struct nt_question *questions, size_t count)
{
	size_t taken = 0;
	for (size_t i = 0; i < count && code->count < NT_NAMED_CODE_WAITING; i++) {
		if (strcmp(questions[i].image, NT_RUNTIME_IMAGE) != 0)
			continue;
		code->waiting[code->count++] = questions[i].offset;
		taken++;
	}
	return taken;
}

bool nt_named_code_go_on(struct nt_named_code *code, struct nt_reader *reader, nt_time now)
{
	size_t some = code->count < NT_READER_NAMES ? code->count : NT_READER_NAMES;
	if (code->open || !some)
		return true;
	if (!nt_reader_name(reader, code->waiting, some))
		return false;
	code->count -= some;
	memmove(code->waiting, code->waiting + some, code->count * sizeof(*code->waiting));
	code->open = some;
	code->asked = now;
	return true;
}

void nt_named_code_take(struct nt_named_code *code, const struct nt_reader_record *record, uint32_t pid, struct nt_outbox *box)
{
	const struct nt_reader_named *named = &record->named;
	char text[NT_READER_NAME_MAX + 1] = "";
	if (!code->open) /* it was not asked */
		return;
	code->open--;
	if (named->naming == NT_READER_NAME_LATER)
		return;
	struct nt_ev_name said = {
		.start = named->address, .end = named->address + 1, .kind = NT_CODE_UNKNOWN, .naming = NT_NAMING_CODE_UNNAMED
	};
	if (named->naming == NT_READER_NAME_STUB) {
		said.kind = NT_CODE_STUB;
	} else if (named->naming == NT_READER_NAME_PASSING) {
		said.start = named->start;
		said.end = named->start + named->size;
	} else if (named->naming == NT_READER_NAME_TOLD) {
		said = (struct nt_ev_name){
			.start = named->start, .end = named->start + named->size, .kind = NT_CODE_JIT, .naming = NT_NAMING_NAMED
		};
		/* A reader of ours has made it safe; one that somebody has taken over has not. */
		nt_text_escape(record->name, named->length, text, sizeof(text));
	}
	struct nt_event *event = nt_outbox_add(box, NT_EV_NAME, nt_clock_now(), pid, 0);
	said.image = nt_outbox_str(box, NT_RUNTIME_IMAGE);
	said.name = nt_outbox_str(box, text);
	event->u.name = said;
}

void nt_named_code_forget(struct nt_named_code *code)
{
	code->open = code->count = 0;
}
