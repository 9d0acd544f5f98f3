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

static void disassemble(const struct nt_codemap_question *question, const uint8_t *bytes, size_t length, struct nt_codemap_out *out)
{
	char text[NT_ERROR_TEXT];
	struct nt_error err = { 0 };
	struct nt_disassembly code = { 0 };
	bool good = nt_disassemble(bytes, length, question->map_start, &code, &err) == NT_OK;
	put(question, &code, good ? NULL : nt_error_text(&err, text, sizeof(text)), out);
	nt_disassembly_fini(&code);
}

void nt_codemap_code_answer(const struct nt_codemap_target *target, struct nt_hand *hand, struct nt_codemap_perfmap *perfmap,
			    const struct nt_codemap_question *question, struct nt_codemap_out *out)
{
	const struct nt_disassembly none = { 0 };
	uint64_t size = question->map_end > question->map_start ? question->map_end - question->map_start : 0;
	if (size > NT_CODE_BYTES_MAX)
		size = NT_CODE_BYTES_MAX;
	const struct nt_jitdump_wanted wanted = { .start = question->map_start,
						  .end = question->map_start + size,
						  .time = question->time ? question->time : NT_TIME_UNKNOWN };
	struct nt_jitdump_code dumped;
	nt_codemap_perfmap_read_code(perfmap, &wanted, &dumped);
	bool replaced = dumped.length && dumped.replaced;
	const char *reason = NULL;
	struct nt_codemap_memory *memory =
		replaced ? NULL : nt_codemap_memory_read(target, hand, question->map_start, (size_t)size, &reason);
	if (memory)
		disassemble(question, memory->bytes, memory->length, out);
	else if (replaced || (reason && dumped.length))
		disassemble(question, dumped.bytes, dumped.length, out);
	else if (reason) /* else we are closing */
		put(question, &none, reason, out);
	nt_codemap_memory_free(memory);
}
