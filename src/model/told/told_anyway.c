// SPDX-License-Identifier: GPL-2.0-only
/* An event as nettop has it, as text: what is not known has no line. */
#include "model/told/told.h"

#include "base/alloc.h"
#include "base/event_fields.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does `known`, as in duration_known, say of that field, as in duration_ns, whether it holds? */
static bool says_of(const struct nt_event_field *known, const struct nt_event_field *field)
{
	static const char ending[] = "_known";
	size_t length = strlen(known->name), end = sizeof(ending) - 1;
	return length > end && strcmp(known->name + length - end, ending) == 0 && strncmp(known->name, field->name, length - end + 1) == 0;
}

/* It holds, and is not itself what says so of another. */
static bool holds(const struct nt_event *event, size_t index)
{
	for (size_t i = 0; i < nt_event_field_count; i++)
		if (nt_event_fields[i].kind == event->kind && says_of(&nt_event_fields[i], &nt_event_fields[index]) &&
		    (i == index || !nt_event_field_get(event, &nt_event_fields[i], 0)))
			return false;
	return true;
}

static void put_text(FILE *out, const char *name, nt_text_ref ref, const struct nt_names *names)
{
	size_t length;
	const char *text = nt_heap_get(names->heap, ref, &length);
	if (!length)
		return;
	char *safe = nt_text_escaped(text, length);
	fprintf(out, "%s=\"%s\"\n", name, safe);
	free(safe);
}

static void put_list(FILE *out, const struct nt_event *event, const struct nt_event_field *field)
{
	fprintf(out, "%s=", field->name);
	for (size_t i = 0; i < field->count; i++)
		fprintf(out, "%s%" PRIu64, i ? "," : "", nt_event_field_get(event, field, i));
	fputc('\n', out);
}

static void put(FILE *out, const struct nt_event *event, const struct nt_event_field *field, const struct nt_ids *ids,
		const struct nt_names *names)
{
	uint64_t value = nt_event_field_get(event, field, 0);
	double real;
	switch ((enum nt_event_field_type)field->type) {
	case NT_EVENT_FIELD_U32:
	case NT_EVENT_FIELD_U64:
		fprintf(out, "%s=%" PRIu64 "\n", field->name, value);
		break;
	case NT_EVENT_FIELD_HEX: /* an address or an id: 0 is none */
		if (value)
			fprintf(out, "%s=0x%" PRIx64 "\n", field->name, value);
		break;
	case NT_EVENT_FIELD_F64:
		memcpy(&real, &value, sizeof(real));
		fprintf(out, "%s=%.9g\n", field->name, real);
		break;
	case NT_EVENT_FIELD_STR:
		put_text(out, field->name, nt_ids_text(ids, (nt_str)value), names);
		break;
	case NT_EVENT_FIELD_NAME:
		fprintf(out, "%s=\"%s\"\n", field->name, field->name_of((uint32_t)value));
		break;
	case NT_EVENT_FIELD_U64S:
		put_list(out, event, field);
		break;
	case NT_EVENT_FIELD_TIME:
	case NT_EVENT_FIELD_CHAR:
	case NT_EVENT_FIELD_BOOL:
	case NT_EVENT_FIELD_U32S:
	case NT_EVENT_FIELD_STACK:
		break; /* none of the runtime's has one */
	}
}

char *nt_told_anyway_lines(const struct nt_event *event, const struct nt_ids *ids, const struct nt_names *names)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	nt_assert(out);
	for (size_t i = 0; i < nt_event_field_count; i++)
		if (nt_event_fields[i].kind == event->kind && holds(event, i))
			put(out, event, &nt_event_fields[i], ids, names);
	fclose(out);
	if (length)
		text[length - 1] = '\0';
	return text;
}
