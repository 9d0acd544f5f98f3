// SPDX-License-Identifier: GPL-2.0-only
#include "base/told_text.h"

#include "base/alloc.h"
#include "base/text.h"
#include "nettop/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CLR_PROVIDER "Microsoft-Windows-DotNETRuntime"

/* Larger numbers are addresses, mostly. */
static const uint64_t an_address = UINT64_C(1) << 36;

const char *nt_guid_text(const void *bytes, char text[NT_GUID_TEXT])
{
	static const uint8_t order[] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	uint8_t guid[sizeof(order)];
	size_t length = 0;
	memcpy(guid, bytes, sizeof(guid));
	for (size_t i = 0; i < sizeof(order); i++)
		length += (size_t)snprintf(text + length, NT_GUID_TEXT - length, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
					   guid[order[i]]);
	return text;
}

const char *nt_told_provider(const char *provider)
{
	return strcmp(provider, CLR_PROVIDER) == 0 ? "clr" : provider;
}

void nt_told_put_text(FILE *out, const char *text, size_t most)
{
	size_t length = strlen(text), kept = nt_utf8_cut(text, length, most);
	char *safe = nt_text_escaped(text, kept);
	fputs(safe, out);
	if (kept < length)
		fputs("…", out);
	free(safe);
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
static void put_inner(FILE *out, const struct nt_told_field *field, size_t most)
{
	bool is_list = field->kind == NT_TOLD_LIST;
	const struct nt_told_field *end = nt_told_field_next(field), *pair;
	size_t told = 0;
	fputc(is_list ? '[' : '{', out);
	for (const struct nt_told_field *inner = field + 1; inner < end; inner = nt_told_field_next(inner), told++) {
		if (told)
			fputs(is_list ? ", " : " ", out);
		pair = is_list && inner->kind == NT_TOLD_OBJECT ? value_of_pair(inner) : NULL;
		if (pair || *inner->name) {
			nt_told_put_text(out, pair ? inner[1].text : inner->name, most);
			fputc('=', out);
		}
		nt_told_put_value(out, pair ? pair : inner, most);
	}
	if (is_list && told < field->element_count)
		fprintf(out, "%s… %zu in all", told ? ", " : "", field->element_count);
	fputc(is_list ? ']' : '}', out);
}

void nt_told_put_value(FILE *out, const struct nt_told_field *field, size_t most)
{
	switch (field->kind) {
	case NT_TOLD_UNSIGNED:
		fprintf(out, field->u >= an_address ? "0x%" PRIx64 : "%" PRIu64, field->u);
		break;
	case NT_TOLD_SIGNED:
		fprintf(out, "%" PRId64, field->i);
		break;
	case NT_TOLD_BOOL:
		fputs(field->u ? "true" : "false", out);
		break;
	case NT_TOLD_REAL:
		fprintf(out, "%g", field->real);
		break;
	case NT_TOLD_TEXT:
		fputc('"', out);
		nt_told_put_text(out, field->text, most);
		fputc('"', out);
		break;
	case NT_TOLD_BYTES:
		fprintf(out, "(%zu bytes)", field->byte_count);
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
	char *text = NULL;
	size_t length = 0, end = 0;
	FILE *out = open_memstream(&text, &length);
	nt_assert(out);
	*cut = event->cut;
	const struct nt_told_field *fields = event->fields, *past = fields + event->field_count;
	for (const struct nt_told_field *field = fields; field < past; field = nt_told_field_next(field)) {
		if (field > fields)
			fputc('\n', out);
		nt_told_put_text(out, field->name, most / PARTS);
		fputc('=', out);
		nt_told_put_value(out, field, most / PARTS);
		fflush(out);
		if (length > most) {
			*cut = true;
			break;
		}
		end = length;
	}
	fclose(out);
	text[end] = '\0';
	return text;
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
