// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/decoder_wire.h"

#include "base/alloc.h"
#include "decode/assembly/r2r_debug.h"
#include "decode/assembly/r2r_name.h"
#include "nettop/annotation.h"
#include "nettop/status.h"
#include "source/image/image_state.h"
#include "source/image/method_lines.h"

#include <stdlib.h>
#include <string.h>

struct head {
	uint32_t what, count, more;
};

/* A path follows, with its NUL, and bytes, with another. */
struct question {
	uint64_t inode, offset, base;
	uint64_t verb, path_size, length;
};

_Static_assert(sizeof(struct head) + NT_DECODER_QUESTIONS_MAX <= NT_DECODER_PACKET, "there is room for the head");
_Static_assert(sizeof(struct question) + NT_DECODER_PATH + 1 <= NT_DECODER_QUESTIONS_MAX, "any place is a packet");
_Static_assert(sizeof(struct nt_decoder_part) + NT_DECODER_PART <= NT_DECODER_PACKET, "a part is a packet");

size_t nt_decoder_question_size(const struct nt_decoder_question *question)
{
	return sizeof(struct question) + strlen(question->path) + 1 + question->length + 1;
}

size_t nt_decoder_put_questions(const struct nt_decoder_question *questions, size_t count, bool more, void *packet)
{
	const struct head head = { .what = NT_DECODER_QUESTIONS, .count = (uint32_t)count, .more = more };
	char *at = packet, *const end = at + NT_DECODER_PACKET;
	memcpy(at, &head, sizeof(head));
	at += sizeof(head);
	for (size_t i = 0; i < count; i++) {
		const struct nt_decoder_question *from = &questions[i];
		const struct question question = {
			from->inode, from->offset, from->base, from->verb, strlen(from->path) + 1, from->length
		};
		nt_assert(question.path_size <= NT_DECODER_PATH && nt_decoder_question_size(from) <= (size_t)(end - at));
		memcpy(at, &question, sizeof(question));
		at += sizeof(question);
		memcpy(at, from->path, question.path_size);
		at += question.path_size;
		if (from->length)
			memcpy(at, from->bytes, from->length);
		at[from->length] = '\0';
		at += from->length + 1;
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
		const char *bytes = at + question.path_size;
		length -= question.path_size;
		if (question.length >= length || bytes[question.length] || question.verb >= NT_DECODE_VERB_COUNT)
			return 0;
		questions[i] = (struct nt_decoder_question){
			(enum nt_decoder_verb)question.verb, question.inode, question.offset, question.base, at, bytes, question.length
		};
		length -= question.length + 1;
		at = bytes + question.length + 1;
	}
	return head.count;
}

/* ---- tables ---- */

static const size_t item_bytes[NT_DECODER_COLUMN_COUNT] = {
	[NT_DECODER_LINES] = sizeof(struct nt_batch_line),
	[NT_DECODER_PLACES] = sizeof(struct nt_batch_place),
	[NT_DECODER_LETTERS] = 1,
};

/* `items` of `*count`, with more behind them. */
static void *append(struct nt_decoder_table *table, enum nt_decoder_column column, void *items, size_t *count, const char *from,
		    size_t size)
{
	size_t more = size / item_bytes[column];
	char *grown = nt_grow(items, &table->capacities[column], *count + more, item_bytes[column]);
	memcpy(grown + *count * item_bytes[column], from, size);
	*count += more;
	return grown;
}

/* What an answer can have: lines, places, letters; letters of one line. */
static const struct limits {
	size_t counts[NT_DECODER_COLUMN_COUNT];
	size_t text;
} limits[NT_DECODE_VERB_COUNT] = {
	[NT_DECODE_INSTRUCTIONS] = { { NT_CODE_BYTES_MAX, 0, 16 << 20 }, 256 },
	[NT_DECODE_SOURCE] = { { NT_METHOD_LINES_MAX, 0, NT_METHOD_LINES_LETTERS }, NT_METHOD_LINES_PATH },
	[NT_DECODE_IL] = { { 0, NT_IL_MAP_MAX, 0 }, 0 },
	[NT_DECODE_FRAME] = { { 0, 0, sizeof(struct nt_frame_rule) }, 0 },
	[NT_DECODE_METHODS] = { { NT_DECODER_METHODS, 0, (size_t)NT_DECODER_METHODS *NT_R2R_NAME_MAX }, NT_R2R_NAME_MAX },
	[NT_DECODE_STATE] = { { 0, 0, NT_IMAGE_STATE_BYTES }, 0 },
};

bool nt_decoder_take_part(const void *packet, size_t length, uint32_t number, enum nt_decoder_verb verb, struct nt_decoder_table *table)
{
	struct nt_decoder_part part;
	if (length < sizeof(part))
		return false;
	memcpy(&part, packet, sizeof(part));
	if (part.what != NT_DECODER_TABLE || part.number != number || part.column >= NT_DECODER_COLUMN_COUNT || !part.size ||
	    part.size != length - sizeof(part) || part.size % item_bytes[part.column])
		return false;
	const size_t had[NT_DECODER_COLUMN_COUNT] = { table->line_count, table->place_count, table->letter_count };
	if (part.size / item_bytes[part.column] > limits[verb].counts[part.column] - had[part.column])
		return false;
	const char *from = (const char *)packet + sizeof(part);
	if (part.column == NT_DECODER_LINES)
		table->lines = append(table, NT_DECODER_LINES, table->lines, &table->line_count, from, part.size);
	else if (part.column == NT_DECODER_PLACES)
		table->places = append(table, NT_DECODER_PLACES, table->places, &table->place_count, from, part.size);
	else
		table->letters = append(table, NT_DECODER_LETTERS, table->letters, &table->letter_count, from, part.size);
	return true;
}

bool nt_decoder_table_holds(const struct nt_decoder_table *table, enum nt_decoder_verb verb)
{
	for (size_t i = 0; i < table->line_count; i++) {
		const struct nt_batch_line *line = &table->lines[i];
		if (line->offset > table->letter_count || line->length > table->letter_count - line->offset ||
		    line->length > limits[verb].text || line->kind >= NT_CODE_KIND_COUNT)
			return false;
	}
	for (size_t i = 1; i < table->place_count; i++)
		if (table->places[i].start < table->places[i - 1].start)
			return false;
	return true;
}

bool nt_decoder_table_rule(const struct nt_decoder_table *table, struct nt_frame_rule *rule)
{
	if (table->letter_count != sizeof(*rule))
		return false;
	uint8_t is_word_there = (uint8_t)table->letters[offsetof(struct nt_frame_rule, cfa_is_word_there)];
	if (is_word_there > 1)
		return false; /* no value of a bool */
	memcpy(rule, table->letters, sizeof(*rule));
	return rule->way <= NT_FRAME_OUTERMOST && rule->cfa_reg < NT_REG_COUNT;
}

void nt_decoder_table_empty(struct nt_decoder_table *table)
{
	table->line_count = table->place_count = table->letter_count = 0;
}

void nt_decoder_table_fini(struct nt_decoder_table *table)
{
	free(table->lines);
	free(table->places);
	free(table->letters);
	*table = (struct nt_decoder_table){ 0 };
}

/* ---- answers ---- */

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
