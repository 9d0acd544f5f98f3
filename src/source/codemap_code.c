// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap_code.h"

#include "nettop/annotation.h"
#include "source/codemap_memory.h"
#include "source/disassembly.h"

static void put(const struct nt_codemap_question *question, const struct nt_disassembly *code, const char *reason,
		struct nt_codemap_out *out)
{
	struct nt_event *event = nt_codemap_out_event(out, NT_EV_ASSEMBLY, nt_clock_now());
	event->u.assembly.start = question->map_start;
	event->u.assembly.reason = nt_codemap_out_cstr(out, reason);
	nt_batch_add_instructions(out->batch, code->lines, code->count, code->text);
}

void nt_codemap_code_answer(const struct nt_codemap_target *target, struct nt_hand *hand, const struct nt_codemap_question *question,
			    struct nt_codemap_out *out)
{
	char text[NT_ERROR_TEXT];
	struct nt_error err = { 0 };
	struct nt_disassembly code = { 0 };
	uint64_t size = question->map_end > question->map_start ? question->map_end - question->map_start : 0;
	const char *reason;
	struct nt_codemap_memory *memory = nt_codemap_memory_read(target, hand, question->map_start,
								  size < NT_CODE_BYTES_MAX ? (size_t)size : NT_CODE_BYTES_MAX, &reason);
	if (!memory && !reason)
		return; /* we are closing */
	if (memory && nt_disassemble(memory->bytes, memory->length, memory->start, &code, &err) != NT_OK)
		reason = nt_error_text(&err, text, sizeof(text));
	put(question, &code, reason, out);
	nt_disassembly_fini(&code);
	nt_codemap_memory_free(memory);
}
