// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/decoder_answers.h"

#include "base/alloc.h"
#include "decode/codemap/stub_code.h"
#include "source/decoder/executable_readers.h"
#include "source/image/cfi_images.h"
#include "source/image/demangle.h"
#include "source/image/disassembly.h"
#include "source/image/image_function.h"
#include "source/image/image_methods.h"
#include "source/image/image_names.h"
#include "source/image/image_r2r.h"
#include "source/image/image_state.h"
#include "source/image/method_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct nt_decoder_answers {
	const struct nt_image_opener *opener;
	struct nt_image_names *names;
	struct nt_cfi_images *cfi;
	struct nt_image_methods methods;
	bool untidy; /* memory was freed since the last rest */
};

/* Of one question. */
struct giving {
	struct nt_decoder_answers *answers;
	const struct nt_decoder_question *question;
	struct nt_decoder_answer *answer;
	nt_decoder_say_part *say;
	void *context;
};

struct nt_decoder_answers *nt_decoder_answers_new(const struct nt_image_opener *opener)
{
	struct nt_decoder_answers *answers = nt_alloc(sizeof(*answers));
	answers->opener = opener;
	answers->names = nt_image_names_new();
	answers->cfi = nt_cfi_images_new();
	return answers;
}

bool nt_decoder_answers_rest(struct nt_decoder_answers *answers)
{
	bool untidy = nt_image_names_rest(answers->names) || answers->untidy;
	untidy = nt_cfi_images_rest(answers->cfi) || untidy;
	nt_image_methods_rest(&answers->methods);
	answers->untidy = false;
	return untidy;
}

static struct nt_image_place place_of(const struct giving *giving)
{
	return (struct nt_image_place){
		.root_dir = "", .path = giving->question->path, .inode = giving->question->inode, .opener = giving->answers->opener
	};
}

static void say_text(const struct giving *giving, const char *text)
{
	snprintf(giving->answer->text, sizeof(giving->answer->text), "%s", text ? text : "");
}

static void say_lines(const struct giving *giving, const struct nt_batch_line *lines, size_t count, const char *letters, size_t length)
{
	giving->say(giving->context, NT_DECODER_LINES, lines, count * sizeof(*lines));
	giving->say(giving->context, NT_DECODER_LETTERS, letters, length);
}

static void give_name(const struct giving *giving)
{
	struct nt_decoder_answer *answer = giving->answer;
	const struct nt_image_place place = place_of(giving);
	char demangled[NT_DEMANGLE_MAX];
	struct nt_image_answer found;
	nt_image_names_answer(giving->answers->names, &place, giving->question->offset, &found);
	answer->start = found.start;
	answer->end = found.end;
	answer->kind = found.kind;
	answer->naming = found.naming;
	answer->has_name = found.name && *found.name;
	/* Managed names go as the runtime would write them: the model makes what is shown of them, as of lines of the perf map. */
	if (!answer->has_name)
		say_text(giving, found.reason);
	else
		say_text(giving, found.kind == NT_CODE_R2R ? found.name : nt_demangle(found.name, demangled));
}

static void give_stub(const struct giving *giving)
{
	const struct nt_decoder_question *question = giving->question;
	uint64_t at = question->offset - question->base;
	struct nt_stub_code stub;
	giving->answer->kind = NT_CODE_STUB;
	if (at >= question->length || !nt_stub_code_find(question->bytes, question->length, question->base, (size_t)at, &stub))
		return;
	giving->answer->start = question->base + stub.start;
	giving->answer->end = question->base + stub.end;
	giving->answer->has_name = true;
	say_text(giving, stub.kind);
}

static void give_instructions(const struct giving *giving)
{
	const struct nt_decoder_question *question = giving->question;
	char text[NT_ERROR_TEXT];
	struct nt_error err = { 0 };
	struct nt_disassembly code = { 0 };
	if (nt_disassemble(question->bytes, question->length, question->offset, &code, &err) == NT_OK)
		say_lines(giving, code.lines, code.count, code.text, code.length);
	else
		say_text(giving, nt_error_text(&err, text, sizeof(text)));
	nt_disassembly_fini(&code);
}

static void give_source(const struct giving *giving)
{
	const struct nt_image_place place = place_of(giving);
	struct nt_method_lines lines;
	nt_method_lines_read(&place, giving->question->bytes, &lines);
	say_lines(giving, lines.lines, lines.count, lines.text, lines.length);
	say_text(giving, lines.reason);
	nt_method_lines_fini(&lines);
	giving->answers->untidy = true;
}

static void give_il(const struct giving *giving)
{
	const struct nt_image_place place = place_of(giving);
	char reason[NT_IMAGE_R2R_REASON];
	struct nt_image_il il = { 0 };
	struct nt_image_r2r *image = nt_image_r2r_new(&place, 0, reason);
	if (image && nt_image_r2r_il(image, giving->question->offset, &il)) {
		giving->say(giving->context, NT_DECODER_PLACES, il.places, il.count * sizeof(*il.places));
		giving->answer->start = il.start;
		giving->answer->end = il.end;
		giving->answer->has_name = true;
		say_text(giving, "IL");
	}
	free(il.places);
	nt_image_r2r_free(image);
	giving->answers->untidy = true;
}

static void give_frame(const struct giving *giving)
{
	const struct nt_image_place place = place_of(giving);
	struct nt_decoder_answer *answer = giving->answer;
	struct nt_frame_rule rule;
	answer->has_name = nt_cfi_images_rule(giving->answers->cfi, &place, giving->question->offset, &answer->start, &answer->end, &rule);
	if (!answer->has_name)
		return;
	giving->say(giving->context, NT_DECODER_LETTERS, &rule, sizeof(rule));
	say_text(giving, "rule");
}

static void give_methods(const struct giving *giving)
{
	const struct nt_image_place place = place_of(giving);
	struct nt_image_methods *methods = &giving->answers->methods;
	uint32_t next = (uint32_t)giving->question->base;
	nt_image_methods_read(methods, &place, giving->question->offset, &next, NT_DECODER_METHODS);
	say_lines(giving, methods->lines, methods->count, methods->letters, methods->length);
	giving->answer->has_name = next != 0;
	if (next)
		snprintf(giving->answer->text, sizeof(giving->answer->text), "%u", (unsigned)next);
}

static void give_state(const struct giving *giving)
{
	const struct nt_image_place place = place_of(giving);
	struct nt_image_state state;
	char bytes[NT_IMAGE_STATE_BYTES];
	nt_image_state_read(&place, &state);
	giving->say(giving->context, NT_DECODER_LETTERS, bytes, nt_image_state_put(&state, bytes));
	say_text(giving, state.reason);
}

static void give_function(const struct giving *giving)
{
	const struct nt_image_place place = place_of(giving);
	struct nt_image_function_place found;
	nt_image_function_find(&place, giving->question->bytes, &found);
	giving->answer->has_name = found.found;
	if (found.found)
		snprintf(giving->answer->text, sizeof(giving->answer->text), "%016" PRIx64, found.offset);
	else
		say_text(giving, found.reason);
	giving->answers->untidy = true;
}

static void give_executable(const struct giving *giving)
{
	const struct nt_image_place place = place_of(giving);
	struct nt_image_refusal refusal;
	struct nt_executable found;
	char text[NT_EXECUTABLE_TEXT_BYTES];
	uint64_t size;
	int fd = nt_image_open(&place, &size, &refusal);
	if (fd < 0) {
		say_text(giving, refusal.reason);
		return;
	}
	nt_executable_look(fd, &found);
	close(fd);
	nt_executable_put(&found, text);
	giving->answer->has_name = true;
	say_text(giving, text);
	giving->answers->untidy = true;
}

void nt_decoder_answers_give(struct nt_decoder_answers *answers, const struct nt_decoder_question *question,
			     struct nt_decoder_answer *answer, nt_decoder_say_part *say, void *context)
{
	static void (*const give[NT_DECODE_VERB_COUNT])(const struct giving *giving) = {
		[NT_DECODE_NAME] = give_name,
		[NT_DECODE_STUB] = give_stub,
		[NT_DECODE_INSTRUCTIONS] = give_instructions,
		[NT_DECODE_SOURCE] = give_source,
		[NT_DECODE_IL] = give_il,
		[NT_DECODE_FRAME] = give_frame,
		[NT_DECODE_METHODS] = give_methods,
		[NT_DECODE_STATE] = give_state,
		[NT_DECODE_FUNCTION] = give_function,
		[NT_DECODE_EXECUTABLE] = give_executable,
	};
	answer->kind = NT_CODE_UNKNOWN;
	give[question->verb](&(struct giving){ answers, question, answer, say, context });
}
