// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_stubs.h"

#include "decode/codemap/stub_code.h"
#include "source/codemap/codemap_memory.h"

#include <stdio.h>
#include <stdlib.h>

/* As much of it is read at once: a page of the runtime's, which has stubs of one form from its first byte to its last. */
enum { PAGE_BYTES = 1 << 14 };

struct answering {
	const struct nt_files_target *target;
	struct nt_hand *hand;
	struct nt_decoder *decoder;
	struct nt_codemap_out *out;
	uint64_t end;                   /* of the last answer */
	uint64_t page_start;            /* of what was read last, */
	struct nt_codemap_memory *page; /* with something on either side; NULL = nothing */
};

static int compare(const void *a, const void *b)
{
	const struct nt_image_question *x = a, *y = b;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void put(struct answering *answering, uint64_t start, uint64_t end, const char *kind, const char *reason)
{
	char name[64];
	struct nt_event *event = nt_codemap_out_event(answering->out, NT_EV_NAME, nt_clock_now());
	struct nt_ev_name *said = &event->u.name;
	said->image = nt_codemap_out_cstr(answering->out, NT_STUB_IMAGE);
	said->start = start;
	said->end = end;
	said->kind = NT_CODE_STUB;
	said->naming = kind ? NT_NAMING_STUB : NT_NAMING_NO_LINE;
	if (kind) {
		snprintf(name, sizeof(name), "[stub %s]", kind); /* as the perf map's are shown: nt_method_name_from_perfmap() */
		said->name = nt_codemap_out_cstr(answering->out, name);
	}
	said->reason = nt_codemap_out_cstr(answering->out, reason);
	answering->end = end;
}

/* Of no more than it was given. */
static void put_decoded(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	struct answering *answering = context;
	const struct nt_decoder_answer *answer = reply->answer;
	const struct nt_codemap_memory *page = answering->page;
	uint64_t address = request->of.offset, page_end = page->start + page->length;
	if (answer->has_name)
		put(answering, answer->start > page->start ? answer->start : page->start, answer->end < page_end ? answer->end : page_end,
		    answer->text, NULL);
	else
		put(answering, address, address + 1, NULL, *answer->text ? answer->text : NULL);
}

static uint64_t page_of(uint64_t address)
{
	return address & ~(uint64_t)(PAGE_BYTES - 1);
}

/* Have the page of a question, as far as it is mapped, and what lies beside it of a stub at its edge. False: *reason says why not, or NULL: we are closing. */
static bool read_page(struct answering *answering, const struct nt_image_question *question, const char **reason)
{
	answering->page_start = page_of(question->offset);
	uint64_t first = answering->page_start, end = first + PAGE_BYTES + NT_STUB_CODE_MAX;
	first = first > NT_STUB_CODE_MAX ? first - NT_STUB_CODE_MAX : 0;
	if (first < question->map_start)
		first = question->map_start;
	if (end > question->map_end)
		end = question->map_end;
	nt_codemap_memory_free(answering->page);
	answering->page = NULL;
	*reason = "its code is not in the target's memory any more";
	if (question->offset < first || question->offset >= end)
		return false;
	answering->page = nt_codemap_memory_read(answering->target, answering->hand, first, (size_t)(end - first), reason);
	return answering->page != NULL;
}

/* answering->end, so that it holds for what lies before, too; as it was: we are closing. */
static void answer(struct answering *answering, const struct nt_image_question *question)
{
	const char *reason = NULL;
	uint64_t address = question->offset;
	bool at_hand = answering->page && answering->page_start == page_of(address);
	if (!at_hand && !read_page(answering, question, &reason)) {
		if (reason)
			put(answering, address, address + 1, NULL, reason);
		return;
	}
	const struct nt_decoder_request request = { .verb = NT_DECODE_STUB,
						    .of = { .image = (char[]){ NT_STUB_IMAGE }, .offset = address },
						    .base = answering->page->start,
						    .bytes = answering->page->bytes,
						    .length = answering->page->length };
	nt_decoder_ask(answering->decoder, &request, 1, put_decoded, answering);
}

void nt_codemap_stubs_answer(const struct nt_files_target *target, struct nt_hand *hand, struct nt_decoder *decoder,
			     struct nt_image_question *questions, size_t count, struct nt_codemap_out *out)
{
	struct answering answering = { .target = target, .hand = hand, .decoder = decoder, .out = out };
	if (!count)
		return;
	qsort(questions, count, sizeof(*questions), compare);
	for (size_t i = 0; i < count; i++) {
		if (questions[i].offset < answering.end)
			continue;
		answer(&answering, &questions[i]);
		if (questions[i].offset >= answering.end)
			break;
	}
	nt_codemap_memory_free(answering.page);
}
