// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_names.h"

#include "base/alloc.h"
#include "source/codemap/kernel_lookup.h"
#include "source/codemap/kernel_symbols.h"
#include "source/image/demangle.h"
#include "source/image/image_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kernel addresses are the upper half. */
#define KERNEL_START (UINT64_C(1) << 63)

/* Questions that are asked again, what does not fit is not; and of one whose decoder is killed so often no more. */
enum { OWED_MAX = 1024, KILLS_MAX = 4 };

static const nt_time first_pause = NT_NS_PER_S, longest_pause = 30 * NT_NS_PER_S;

struct owed {
	struct nt_image_question question; /* its image is owned */
	unsigned kills;
};

struct nt_codemap_names {
	const struct nt_files_target *target;
	struct nt_decoder *decoder;
	bool kernel_loaded, vdso_loaded;
	struct nt_kernel_lookup *kernel_lookup; /* NULL: not possible here, or not tried yet */
	bool kernel_lookup_tried;
	struct nt_kernel_function kernel_function; /* of the answer in hand */
	struct nt_symbols *kernel;                 /* NULL: kernel_reason says why */
	char kernel_reason[2 * NT_ERROR_TEXT];
	struct nt_image_symbols vdso;
	struct owed owed[OWED_MAX];
	size_t owed_count;
	nt_time due, pause; /* when they are asked, and how long after that again */
};

struct nt_codemap_names *nt_codemap_names_new(const struct nt_files_target *target, struct nt_decoder *decoder)
{
	struct nt_codemap_names *names = nt_alloc(sizeof(*names));
	names->target = target;
	names->decoder = decoder;
	return names;
}

void nt_codemap_names_free(struct nt_codemap_names *names)
{
	if (!names)
		return;
	nt_kernel_lookup_free(names->kernel_lookup);
	nt_symbols_free(names->kernel);
	nt_image_symbols_fini(&names->vdso);
	while (names->owed_count)
		nt_image_question_fini(&names->owed[--names->owed_count].question);
	free(names);
}

static struct nt_ev_name *put(struct nt_codemap_out *out, const struct nt_image_question *question)
{
	struct nt_event *event = nt_codemap_out_event(out, NT_EV_NAME, nt_clock_now());
	struct nt_ev_name *said = &event->u.name;
	said->inode = question->inode;
	said->image = nt_codemap_out_cstr(out, question->image);
	return said;
}

/* ---- the kernel ---- */

#define NO_KERNEL_FUNCTION "no function of the kernel covers this place"

/* Only of the kernel that we run on: a /proc of files speaks of another one. */
static enum nt_status look_up(struct nt_codemap_names *names, uint64_t address)
{
	if (!names->kernel_lookup_tried && strcmp(names->target->proc_root, "/proc") == 0)
		names->kernel_lookup = nt_kernel_lookup_new();
	names->kernel_lookup_tried = true;
	return names->kernel_lookup ? nt_kernel_lookup_find(names->kernel_lookup, address, &names->kernel_function) : NT_ERR_FAILED;
}

static void load_kernel(struct nt_codemap_names *names)
{
	struct nt_error err = { 0 };
	if (nt_kernel_symbols_load(names->target->proc_root, &names->kernel, &err) != NT_OK)
		nt_error_text(&err, names->kernel_reason, sizeof(names->kernel_reason));
}

static struct nt_image_answer answer_from_kallsyms(struct nt_codemap_names *names, uint64_t address)
{
	if (!names->kernel_loaded) {
		names->kernel_loaded = true;
		load_kernel(names);
	}
	struct nt_image_answer answer = { .start = KERNEL_START, .end = UINT64_MAX, .kind = NT_CODE_KERNEL };
	if (!names->kernel) {
		answer.reason = names->kernel_reason;
		answer.naming = NT_NAMING_KERNEL_HIDDEN;
		return answer;
	}
	struct nt_symbol symbol;
	if (nt_symbols_find(names->kernel, address, &symbol)) {
		answer.name = symbol.name;
	} else {
		answer.reason = NO_KERNEL_FUNCTION;
		answer.naming = NT_NAMING_NO_FUNCTION;
	}
	answer.start = symbol.start;
	answer.end = symbol.end;
	return answer;
}

static struct nt_image_answer answer_from_kernel(struct nt_codemap_names *names, uint64_t address)
{
	const struct nt_kernel_function *function = &names->kernel_function;
	switch (look_up(names, address)) {
	case NT_OK:
		return (struct nt_image_answer){
			.start = function->start, .end = function->end, .kind = NT_CODE_KERNEL, .name = function->name
		};
	case NT_ERR_ABSENT:
		return (struct nt_image_answer){ .start = address,
						 .end = address + 1,
						 .kind = NT_CODE_KERNEL,
						 .reason = NO_KERNEL_FUNCTION,
						 .naming = NT_NAMING_NO_FUNCTION };
	default:
		return answer_from_kallsyms(names, address);
	}
}

static struct nt_image_answer answer_from_vdso(struct nt_codemap_names *names, uint64_t offset, char text[NT_IMAGE_ANSWER_TEXT])
{
	if (!names->vdso_loaded) {
		names->vdso_loaded = true;
		nt_vdso_load(&names->vdso);
	}
	return nt_image_answer_of(&names->vdso, "[vdso]", offset, text);
}

/* ---- answers ---- */

/* What answers hold for: a function of the kernel is hit in many places, and whoever asks about several of them is answered by one. */
struct extents {
	struct extent {
		uint64_t start, end;
	} * items; /* owned */
	size_t count;
};

static bool is_within(const struct extents *extents, uint64_t offset)
{
	for (size_t i = 0; i < extents->count; i++)
		if (offset >= extents->items[i].start && offset < extents->items[i].end)
			return true;
	return false;
}

/* False: it is for the decoder. */
static bool answer_alone(struct nt_codemap_names *names, const struct nt_image_question *question, struct nt_codemap_out *out,
			 struct extent *extent)
{
	char text[NT_IMAGE_ANSWER_TEXT], demangled[NT_DEMANGLE_MAX];
	struct nt_image_answer answer;
	if (strcmp(question->image, "[kernel]") == 0)
		answer = answer_from_kernel(names, question->offset);
	else if (strcmp(question->image, "[vdso]") == 0)
		answer = answer_from_vdso(names, question->offset, text);
	else if (question->image[0] != '/' || strncmp(question->image, "/memfd:doublemapper", 19) == 0)
		answer = (struct nt_image_answer){ .end = UINT64_MAX,
						   .kind = NT_CODE_UNKNOWN,
						   .reason = "generated code without a line in the perf map",
						   .naming = NT_NAMING_NO_LINE };
	else
		return false;
	*extent = (struct extent){ answer.start, answer.end };
	struct nt_ev_name *said = put(out, question);
	said->start = answer.start;
	said->end = answer.end;
	said->kind = answer.kind;
	said->naming = answer.naming;
	said->name = answer.name ? nt_codemap_out_cstr(out, nt_demangle(answer.name, demangled)) : 0;
	said->reason = nt_codemap_out_cstr(out, answer.reason);
	return true;
}

struct answering {
	struct nt_codemap_names *names;
	struct nt_codemap_out *out;
	const struct owed *again; /* of the first question; NULL = they are asked for the first time */
	size_t done;
	const struct nt_decoder_request *said; /* the last one with an event, and for which places that holds; NULL = none */
	uint64_t said_start, said_end;
};

static void owe(struct nt_codemap_names *names, const struct nt_image_question *question, unsigned kills)
{
	if (names->owed_count == OWED_MAX || kills > KILLS_MAX)
		return;
	struct owed *owed = &names->owed[names->owed_count++];
	*owed = (struct owed){ .question = *question, .kills = kills };
	owed->question.image = nt_strdup(question->image);
	owed->question.method = NULL;
	if (!names->pause) {
		names->pause = first_pause;
		names->due = nt_clock_now() + first_pause;
	}
}

/* Questions come by their places, so those in one function follow each other. */
static bool is_said(const struct answering *answering, const struct nt_decoder_request *request, const struct nt_decoder_answer *answer)
{
	const struct nt_decoder_request *said = answering->said;
	return said && answering->said_start == answer->start && answering->said_end == answer->end &&
	       nt_decoder_of_one_image(said, request);
}

static void put_decoded(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	struct answering *answering = context;
	const struct nt_decoder_answer *answer = reply->answer;
	const struct owed *again = answering->again ? &answering->again[answering->done++] : NULL;
	if (reply->for_now)
		owe(answering->names, &request->of, (again ? again->kills : 0) + reply->killed);
	if (reply->for_now && again)
		return; /* it has that reason */
	if (is_said(answering, request, answer))
		return;
	answering->said = request;
	answering->said_start = answer->start;
	answering->said_end = answer->end;
	struct nt_codemap_out *out = answering->out;
	struct nt_ev_name *said = put(out, &request->of);
	const char *text = *answer->text ? answer->text : NULL;
	said->start = answer->start;
	said->end = answer->end;
	said->kind = answer->kind;
	said->naming = answer->naming;
	said->name = nt_codemap_out_cstr(out, answer->has_name ? text : NULL);
	said->reason = nt_codemap_out_cstr(out, answer->has_name ? NULL : text);
}

static int compare_places(const void *a, const void *b)
{
	const struct nt_image_question *x = &((const struct nt_decoder_request *)a)->of, *y = &((const struct nt_decoder_request *)b)->of;
	int images = x->inode < y->inode ? -1 : x->inode > y->inode ? 1 : strcmp(x->image, y->image);
	return images ? images : x->offset < y->offset ? -1 : x->offset > y->offset;
}

void nt_codemap_names_answer(struct nt_codemap_names *names, const struct nt_image_question *questions, size_t count,
			     struct nt_codemap_out *out)
{
	struct nt_decoder_request *decoded = nt_realloc(NULL, count + 1, sizeof(*decoded)); /* their texts stay the caller's */
	struct extents kernel = { .items = nt_realloc(NULL, count + 1, sizeof(*kernel.items)) };
	size_t decoded_count = 0;
	for (size_t i = 0; i < count; i++) {
		bool of_kernel = strcmp(questions[i].image, "[kernel]") == 0;
		if (of_kernel && is_within(&kernel, questions[i].offset))
			continue;
		if (!answer_alone(names, &questions[i], out, &kernel.items[kernel.count]))
			decoded[decoded_count++] = (struct nt_decoder_request){ .verb = NT_DECODE_NAME, .of = questions[i] };
		else if (of_kernel)
			kernel.count++;
	}
	free(kernel.items);
	qsort(decoded, decoded_count, sizeof(*decoded), compare_places);
	nt_decoder_ask(names->decoder, decoded, decoded_count, put_decoded, &(struct answering){ .names = names, .out = out });
	free(decoded);
}

nt_time nt_codemap_names_due(const struct nt_codemap_names *names)
{
	return names->owed_count ? names->due : NT_TIME_UNKNOWN;
}

void nt_codemap_names_again(struct nt_codemap_names *names, struct nt_codemap_out *out)
{
	size_t count = names->owed_count;
	struct owed *owed = nt_realloc(NULL, count + 1, sizeof(*owed));
	struct nt_decoder_request *requests = nt_realloc(NULL, count + 1, sizeof(*requests));
	memcpy(owed, names->owed, count * sizeof(*owed));
	names->owed_count = 0;
	for (size_t i = 0; i < count; i++)
		requests[i] = (struct nt_decoder_request){ .verb = NT_DECODE_NAME, .of = owed[i].question };
	nt_decoder_ask(names->decoder, requests, count, put_decoded, &(struct answering){ .names = names, .out = out, .again = owed });
	bool better = names->owed_count < count;
	names->pause = better ? first_pause : names->pause * 2 < longest_pause ? names->pause * 2 : longest_pause;
	names->due = nt_clock_now() + names->pause;
	if (!names->owed_count)
		names->pause = 0;
	for (size_t i = 0; i < count; i++)
		nt_image_question_fini(&owed[i].question);
	free(requests);
	free(owed);
}
