// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder_wire.h"

#include "nettop/status.h"

#include <string.h>

struct head {
	uint32_t what, count, more;
};

/* A path follows, with its NUL. */
struct question {
	uint64_t inode, offset;
	uint64_t path_size;
};

_Static_assert(sizeof(struct head) + NT_DECODER_BATCH * (sizeof(struct question) + NT_DECODER_PATH) <= NT_DECODER_PACKET,
	       "a batch is a packet");

size_t nt_decoder_put_questions(const struct nt_decoder_question *questions, size_t count, bool more, void *packet)
{
	const struct head head = { .what = NT_DECODER_QUESTIONS, .count = (uint32_t)count, .more = more };
	char *at = packet;
	memcpy(at, &head, sizeof(head));
	at += sizeof(head);
	for (size_t i = 0; i < count; i++) {
		const struct question question = { questions[i].inode, questions[i].offset, strlen(questions[i].path) + 1 };
		nt_assert(question.path_size <= NT_DECODER_PATH);
		memcpy(at, &question, sizeof(question));
		memcpy(at + sizeof(question), questions[i].path, question.path_size);
		at += sizeof(question) + question.path_size;
	}
	return (size_t)(at - (char *)packet);
}

size_t nt_decoder_take_questions(const void *packet, size_t length, struct nt_decoder_question questions[NT_DECODER_BATCH], bool *more)
{
	const char *at = packet;
	struct head head;
	if (length < sizeof(head))
		return 0;
	memcpy(&head, at, sizeof(head));
	*more = head.more;
	at += sizeof(head);
	length -= sizeof(head);
	if (head.what != NT_DECODER_QUESTIONS || head.count > NT_DECODER_BATCH)
		return 0;
	for (uint32_t i = 0; i < head.count; i++) {
		struct question question;
		if (length < sizeof(question))
			return 0;
		memcpy(&question, at, sizeof(question));
		at += sizeof(question);
		length -= sizeof(question);
		if (!question.path_size || question.path_size > length || at[question.path_size - 1])
			return 0;
		questions[i] = (struct nt_decoder_question){ question.inode, question.offset, at };
		at += question.path_size;
		length -= question.path_size;
	}
	return head.count;
}

size_t nt_decoder_answer_length(const struct nt_decoder_answer *answer)
{
	return offsetof(struct nt_decoder_answer, text) + strnlen(answer->text, NT_DECODER_TEXT - 1) + 1;
}

/* What images hold. */
static bool is_kind_of_image(uint32_t kind)
{
	return kind == NT_CODE_STUB || kind == NT_CODE_R2R || kind == NT_CODE_RUNTIME || kind == NT_CODE_NATIVE || kind == NT_CODE_UNKNOWN;
}

size_t nt_decoder_take_answer(const void *packet, size_t length, uint32_t number, uint64_t offset, struct nt_decoder_answer *out)
{
	const size_t head_bytes = offsetof(struct nt_decoder_answer, text);
	if (length <= head_bytes)
		return 0;
	const char *text = (const char *)packet + head_bytes;
	size_t most = length - head_bytes < NT_DECODER_TEXT ? length - head_bytes : NT_DECODER_TEXT, text_length = strnlen(text, most);
	size_t used = head_bytes + (text_length < most ? text_length + 1 : most);
	if (text_length == NT_DECODER_TEXT)
		text_length--;
	memcpy(out, packet, head_bytes + text_length);
	out->text[text_length] = '\0';
	if (out->what != NT_DECODER_ANSWER || out->number != number || !is_kind_of_image(out->kind) || out->naming >= NT_NAMING_COUNT)
		return 0;
	if (out->has_name && !*out->text)
		return 0;
	if (offset < out->start || offset >= out->end) {
		out->start = offset;
		out->end = offset + 1;
	}
	return used;
}

bool nt_decoder_take_open(const void *packet, size_t length, uint32_t number, struct nt_decoder_open *out)
{
	if (length != sizeof(*out))
		return false;
	memcpy(out, packet, length);
	return out->what == NT_DECODER_OPEN && out->number == number && out->file < NT_DECODER_FILE_COUNT &&
	       out->id_length <= NT_BUILD_ID_MAX && memchr(out->name, '\0', sizeof(out->name));
}
