// SPDX-License-Identifier: GPL-2.0-only
/* The call stack below an event's line: apart from those lines, which are written for 20 000 events a second. */
#include "output/events/event_line.h"

#include "base/told_text.h"
#include "nettop/snapshot.h"
#include "nettop/status.h"
#include "output/events/event_json.h"

static void put_frames(struct nt_text_buffer *out, const struct nt_call_stack *stack)
{
	for (uint32_t i = 0; i < stack->count; i++) {
		nt_text_put_char(out, '\t');
		nt_told_put_text(out, stack->frames[i].name, SIZE_MAX);
		if (stack->frames[i].module) {
			nt_text_put(out, " (");
			nt_told_put_text(out, stack->frames[i].module, SIZE_MAX);
			nt_text_put_char(out, ')');
		}
		nt_text_put_char(out, '\n');
	}
	if (stack->cut)
		nt_text_put(out, "\t… and further ones, which are not told\n");
}

void nt_event_lines_add_stack(struct nt_event_lines *lines, const struct nt_call_stack *stack, const char *why)
{
	struct nt_text_buffer *out = &lines->out;
	if (lines->as_json) {
		nt_assert(out->length && out->bytes[out->length - 1] == '\n');
		out->length--;
		nt_event_json_put_stack(out, stack);
		nt_text_put_char(out, '\n');
	} else if (stack) {
		put_frames(out, stack);
	} else {
		nt_text_put(out, "\t(");
		nt_text_put(out, why);
		nt_text_put(out, ")\n");
	}
}
