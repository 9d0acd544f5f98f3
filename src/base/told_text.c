// SPDX-License-Identifier: GPL-2.0-only
#include "base/told_text.h"

#include "base/text.h"

#include <string.h>
#include <strings.h>

#define CLR_PROVIDER   "Microsoft-Windows-DotNETRuntime"
#define LTTNG_PROVIDER "DotNETRuntime"

/* Larger numbers are addresses, mostly. */
static const uint64_t an_address = UINT64_C(1) << 36;

/* Eight digits of four bits each, the highest first: no table, no loop. */
static void put_eight_digits(char text[8], uint32_t value)
{
	static const uint64_t fours = UINT64_C(0x0f0f0f0f0f0f0f0f), ones = UINT64_C(0x0101010101010101);
	uint64_t spread = value; /* a byte each, the lowest digit in the lowest byte */
	spread = (spread | spread << 16) & UINT64_C(0x0000ffff0000ffff);
	spread = (spread | spread << 8) & UINT64_C(0x00ff00ff00ff00ff);
	spread = (spread | spread << 4) & fours;
	uint64_t letters = (spread + 6 * ones) >> 4 & ones; /* 1 where it is above 9 */
	spread = __builtin_bswap64(spread + '0' * ones + letters * ('a' - '0' - 10));
	memcpy(text, &spread, sizeof(spread));
}

const char *nt_guid_text(const void *bytes, char text[NT_GUID_TEXT])
{
	struct {
		uint32_t first;
		uint16_t second, third;
		uint8_t others[8];
	} guid;
	uint32_t fourth, fifth;
	memcpy(&guid, bytes, sizeof(guid));
	memcpy(&fourth, guid.others, sizeof(fourth));
	memcpy(&fifth, guid.others + sizeof(fourth), sizeof(fifth));
	char digits[32];
	put_eight_digits(digits, guid.first);
	put_eight_digits(digits + 8, (uint32_t)guid.second << 16 | guid.third);
	put_eight_digits(digits + 16, __builtin_bswap32(fourth));
	put_eight_digits(digits + 24, __builtin_bswap32(fifth));
	/* 8-4-4-4-12 */
	memcpy(text, digits, 8);
	memcpy(text + 9, digits + 8, 4);
	memcpy(text + 14, digits + 12, 4);
	memcpy(text + 19, digits + 16, 4);
	memcpy(text + 24, digits + 20, 12);
	text[8] = text[13] = text[18] = text[23] = '-';
	text[NT_GUID_TEXT - 1] = '\0';
	return text;
}

const char *nt_told_provider(const char *provider)
{
	return strcmp(provider, CLR_PROVIDER) == 0 ? "clr" : strcmp(provider, LTTNG_PROVIDER) == 0 ? "lttng" : provider;
}

void nt_told_put_text(struct nt_text_buffer *out, const char *text, size_t most)
{
	size_t length = strlen(text), kept = nt_utf8_cut(text, length, most);
	nt_text_put_escaped(out, text, kept);
	if (kept < length)
		nt_text_put(out, "…");
}

/* A pair of a dictionary is an object of two, Key and Value: `key=value`. */
static const struct nt_told_field *value_of_pair(const struct nt_told_field *field)
{
	const struct nt_told_field *key = field + 1, *value = field->inner ? nt_told_field_next(key) : NULL;
	bool is_pair = value && value < nt_told_field_next(field) && nt_told_field_next(value) == nt_told_field_next(field) &&
		       key->kind == NT_TOLD_TEXT && strcmp(key->name, "Key") == 0 && strcmp(value->name, "Value") == 0;
	return is_pair ? value : NULL;
}

/* `[1, 2, …]`, `{Name="x" Count=2}`, `[key="value"]` */
static void put_inner(struct nt_text_buffer *out, const struct nt_told_field *field, size_t most)
{
	bool is_list = field->kind == NT_TOLD_LIST;
	const struct nt_told_field *end = nt_told_field_next(field), *pair;
	size_t told = 0;
	nt_text_put_char(out, is_list ? '[' : '{');
	for (const struct nt_told_field *inner = field + 1; inner < end; inner = nt_told_field_next(inner), told++) {
		if (told)
			nt_text_put(out, is_list ? ", " : " ");
		pair = is_list && inner->kind == NT_TOLD_OBJECT ? value_of_pair(inner) : NULL;
		if (pair || *inner->name) {
			nt_told_put_text(out, pair ? inner[1].text : inner->name, most);
			nt_text_put_char(out, '=');
		}
		nt_told_put_value(out, pair ? pair : inner, most);
	}
	if (is_list && told < field->element_count) {
		nt_text_put(out, told ? ", … " : "… ");
		nt_text_put_unsigned(out, field->element_count);
		nt_text_put(out, " in all");
	}
	nt_text_put_char(out, is_list ? ']' : '}');
}

void nt_told_put_value(struct nt_text_buffer *out, const struct nt_told_field *field, size_t most)
{
	switch (field->kind) {
	case NT_TOLD_UNSIGNED:
		if (field->u >= an_address)
			nt_text_put_hex(out, field->u);
		else
			nt_text_put_unsigned(out, field->u);
		break;
	case NT_TOLD_SIGNED:
		nt_text_put_signed(out, field->i);
		break;
	case NT_TOLD_BOOL:
		nt_text_put(out, field->u ? "true" : "false");
		break;
	case NT_TOLD_REAL:
		nt_text_put_real(out, field->real);
		break;
	case NT_TOLD_TEXT:
		nt_text_put_char(out, '"');
		nt_told_put_text(out, field->text, most);
		nt_text_put_char(out, '"');
		break;
	case NT_TOLD_BYTES:
		nt_text_put_char(out, '(');
		nt_text_put_unsigned(out, field->byte_count);
		nt_text_put(out, " bytes)");
		break;
	case NT_TOLD_LIST:
	case NT_TOLD_OBJECT:
		put_inner(out, field, most);
		break;
	}
}

char *nt_told_lines(const struct nt_told_event *event, size_t most, bool *cut)
{
	enum { PARTS = 4 }; /* no text takes more than such a part of the room */
	struct nt_text_buffer out = { 0 };
	const struct nt_told_field *fields = event->fields, *past = fields + event->field_count;
	size_t end = 0;
	*cut = event->cut;
	for (const struct nt_told_field *field = fields; field < past; field = nt_told_field_next(field)) {
		if (field > fields)
			nt_text_put_char(&out, '\n');
		nt_told_put_text(&out, field->name, most / PARTS);
		nt_text_put_char(&out, '=');
		nt_told_put_value(&out, field, most / PARTS);
		if (out.length > most) {
			*cut = true;
			break;
		}
		end = out.length;
	}
	out.length = end;
	return nt_text_buffer_take(&out);
}

bool nt_told_next_line(const char **at, struct nt_told_line *out)
{
	const char *line;
	size_t length;
	if (!nt_text_next_line(at, &line, &length))
		return false;
	const char *equals = memchr(line, '=', length);
	*out = (struct nt_told_line){ .name = line, .name_length = equals ? (size_t)(equals - line) : 0 };
	out->value = equals ? equals + 1 : line;
	out->value_length = length - (size_t)(out->value - line);
	out->is_text = out->value_length >= 2 && out->value[0] == '"' && out->value[out->value_length - 1] == '"';
	if (out->is_text) {
		out->value++;
		out->value_length -= 2;
	}
	return true;
}

bool nt_told_find(const char *lines, const char *name, size_t length, struct nt_told_line *out)
{
	for (const char *at = lines; nt_told_next_line(&at, out);)
		if (out->name_length == length && strncasecmp(out->name, name, length) == 0)
			return true;
	return false;
}
