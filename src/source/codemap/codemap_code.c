// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_code.h"

#include "nettop/annotation.h"
#include "source/codemap/codemap_memory.h"

struct answering {
	const struct nt_image_question *question;
	struct nt_codemap_out *out;
};

static void put(const struct answering *answering, const struct nt_decoder_table *code, const char *reason)
{
	struct nt_event *event = nt_codemap_out_event(answering->out, NT_EV_ASSEMBLY, nt_clock_now());
	event->u.assembly.start = answering->question->map_start;
	event->u.assembly.reason = nt_codemap_out_cstr(answering->out, *reason ? reason : NULL);
	nt_batch_add_instructions(answering->out->batch, code->lines, code->line_count, code->letters);
}

static void put_decoded(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	(void)request;
	put(context, reply->table, reply->answer->text);
}

/* It is looked at rarely, and takes memory for its library: so it is not kept. */
static void disassemble(struct nt_decoder *decoder, struct answering *answering, const uint8_t *bytes, size_t length)
{
	const struct nt_decoder_request request = { .verb = NT_DECODE_INSTRUCTIONS,
						    .of = { .image = (char[]){ NT_CODE_IMAGE }, .offset = answering->question->map_start },
						    .bytes = bytes,
						    .length = length };
	nt_decoder_ask(decoder, &request, 1, put_decoded, answering);
	nt_decoder_rest(decoder);
}

void nt_codemap_code_answer(const struct nt_files_target *target, struct nt_hand *hand, struct nt_decoder *decoder,
			    struct nt_codemap_perfmap *perfmap, const struct nt_image_question *question, struct nt_codemap_out *out)
{
	const struct nt_decoder_table none = { 0 };
	struct answering answering = { .question = question, .out = out };
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
		disassemble(decoder, &answering, memory->bytes, memory->length);
	else if (replaced || (reason && dumped.length))
		disassemble(decoder, &answering, dumped.bytes, dumped.length);
	else if (reason) /* else we are closing */
		put(&answering, &none, reason);
	nt_codemap_memory_free(memory);
}
