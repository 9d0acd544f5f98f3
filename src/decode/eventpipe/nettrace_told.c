// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/nettrace_told.h"

#include "base/text.h"
#include "base/told_text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TIME_TEXT = 40, CHAR_TEXT = 4 };

/* Of a time of 8 bytes become TIME_TEXT, of a GUID's 16 bytes NT_GUID_TEXT; of two bytes of UTF-16 three, of its end one. */
_Static_assert(NT_NETTRACE_TEXT_PER_BYTE * sizeof(uint64_t) >= TIME_TEXT &&
		       NT_NETTRACE_TEXT_PER_BYTE * 2 * sizeof(uint64_t) >= NT_GUID_TEXT &&
		       NT_NETTRACE_TEXT_PER_BYTE * sizeof(uint16_t) >= CHAR_TEXT,
	       "no text is longer");

/* A FILETIME, 100 ns since 1601, as ISO 8601 has it. */
static size_t put_file_time(uint64_t ticks, char text[TIME_TEXT])
{
	static const uint64_t ticks_per_s = 10000000, epoch_s = UINT64_C(11644473600); /* 1601 to 1970 */
	time_t seconds = (time_t)(ticks / ticks_per_s) - (time_t)epoch_s;
	struct tm parts;
	if (!gmtime_r(&seconds, &parts))
		parts = (struct tm){ 0 };
	size_t length = strftime(text, TIME_TEXT, "%Y-%m-%dT%H:%M:%S", &parts);
	return length + (size_t)snprintf(text + length, TIME_TEXT - length, ".%07uZ", (unsigned)(ticks % ticks_per_s));
}

static size_t put_char(uint64_t unit, char text[CHAR_TEXT])
{
	const uint8_t bytes[2] = { (uint8_t)unit, (uint8_t)(unit >> 8) };
	return nt_utf16_to_utf8(bytes, 1, text, CHAR_TEXT);
}

static bool has_sign(uint32_t type)
{
	return type == NT_NETTRACE_I8 || type == NT_NETTRACE_I16 || type == NT_NETTRACE_I32 || type == NT_NETTRACE_I64;
}

/* Returns the bytes of text that it took. */
static size_t fill_integer(const struct nt_nettrace_value *value, struct nt_told_field *field, char *text)
{
	uint64_t integer = value->value.u.integer;
	if (value->type == NT_NETTRACE_CHAR || value->type == NT_NETTRACE_DATETIME) {
		field->kind = NT_TOLD_TEXT;
		field->text = text;
		return (value->type == NT_NETTRACE_CHAR ? put_char(integer, text) : put_file_time(integer, text)) + 1;
	}
	field->kind = has_sign(value->type) ? NT_TOLD_SIGNED : value->type == NT_NETTRACE_BOOL ? NT_TOLD_BOOL : NT_TOLD_UNSIGNED;
	field->u = integer;
	return 0;
}

/* What is no value of one place: text, objects, arrays, bytes. Returns the bytes of text that it took. */
static size_t fill_other(const struct nt_nettrace_value *value, struct nt_told_field *field, char *text)
{
	field->kind = NT_TOLD_BYTES;
	field->byte_count = value->value.length;
	if (value->type == NT_NETTRACE_OBJECT) {
		field->kind = NT_TOLD_OBJECT;
	} else if (value->type == NT_NETTRACE_ARRAY) {
		field->kind = NT_TOLD_LIST;
		field->element_count = nt_nettrace_value_elements(value);
	} else if (value->value.type == NT_CLR_UTF16) {
		field->kind = NT_TOLD_TEXT;
		field->text = text;
		return nt_utf16_to_utf8(value->value.u.bytes, value->value.length / 2, text, value->value.length / 2 * 3 + 1) + 1;
	} else if (value->type == NT_NETTRACE_GUID && value->value.length == sizeof(uint64_t) * 2) {
		field->kind = NT_TOLD_TEXT;
		field->text = nt_guid_text(value->value.u.bytes, text);
		return NT_GUID_TEXT;
	}
	return 0;
}

static size_t fill(const struct nt_nettrace_value *value, struct nt_told_field *field, char *text)
{
	field->name = value->name;
	field->inner = value->inner;
	if (value->value.type == NT_CLR_INTEGER)
		return fill_integer(value, field, text);
	if (value->value.type != NT_CLR_REAL)
		return fill_other(value, field, text);
	field->kind = NT_TOLD_REAL;
	field->real = value->value.u.real;
	return 0;
}

size_t nt_nettrace_told(const struct nt_nettrace_value *values, size_t count, struct nt_told_field *fields, char *texts)
{
	size_t used = 0;
	for (size_t i = 0; i < count; i++)
		used += fill(&values[i], &fields[i], texts + used);
	return used;
}
