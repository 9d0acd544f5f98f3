// SPDX-License-Identifier: GPL-2.0-only
#include "output/columns/details.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/event_fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 4096 };

/* Announced texts; index = id. */
struct texts {
	char **items; /* owned; NULL = not announced */
	size_t count, capacity;
};

/* What one source has announced in its present epoch, of the process that its newest batch was made for. */
struct known {
	uint32_t pid, epoch;
	struct texts texts;  /* escaped */
	struct texts chains; /* as they are printed */
};

struct nt_details {
	FILE *out; /* borrowed */
	struct known known[NT_SOURCE_COUNT];
};

struct nt_details *nt_details_new(FILE *out)
{
	struct nt_details *details = nt_alloc(sizeof(*details));
	details->out = out;
	return details;
}

static void forget(struct texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		free(texts->items[i]);
	texts->count = 0;
}

void nt_details_free(struct nt_details *details)
{
	if (!details)
		return;
	for (int source = 0; source < NT_SOURCE_COUNT; source++) {
		struct known *known = &details->known[source];
		forget(&known->texts);
		forget(&known->chains);
		free(known->texts.items);
		free(known->chains.items);
	}
	free(details);
}

/* ---- what batches announce ---- */

static void learn_one(struct texts *texts, uint32_t id, char *take)
{
	texts->items = nt_grow(texts->items, &texts->capacity, (size_t)id + 1, sizeof(*texts->items));
	while (texts->count <= id)
		texts->items[texts->count++] = NULL;
	free(texts->items[id]);
	texts->items[id] = take;
}

static char *escaped_text(const char *text, size_t length)
{
	char escaped[TEXT_BYTES];
	nt_text_escape(text, length, escaped, sizeof(escaped));
	return nt_strdup(escaped);
}

static char *chain_text(const struct nt_batch *batch, const struct nt_batch_stack *stack)
{
	size_t size = (size_t)stack->count * sizeof("ffffffffffffffff,") + sizeof("k65535:"), used;
	char *text = nt_alloc(size);
	used = (size_t)snprintf(text, size, "k%u:", stack->kernel_count);
	for (unsigned i = 0; i < stack->count; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%" PRIx64, i ? "," : "", batch->addresses[stack->offset + i]);
	return text;
}

static void learn(struct known *known, const struct nt_batch *batch)
{
	if (known->epoch != batch->epoch || known->pid != batch->pid) {
		forget(&known->texts);
		forget(&known->chains);
	}
	known->epoch = batch->epoch;
	known->pid = batch->pid;
	for (size_t i = 0; i < batch->str_count; i++)
		learn_one(&known->texts, batch->strs[i].id, escaped_text(batch->bytes + batch->strs[i].offset, batch->strs[i].length));
	for (size_t i = 0; i < batch->stack_count; i++)
		learn_one(&known->chains, batch->stacks[i].id, chain_text(batch, &batch->stacks[i]));
}

/* ---- fields ---- */

static void put_time(FILE *out, nt_time time)
{
	if (time == NT_TIME_UNKNOWN)
		fputs("unknown", out);
	else
		fprintf(out, "%" PRIu64 ".%09" PRIu64, time / NT_NS_PER_S, time % NT_NS_PER_S);
}

static void put_known(FILE *out, const struct texts *texts, uint32_t id, const char *quote)
{
	if (!id)
		fputc('-', out);
	else if (id < texts->count && texts->items[id])
		fprintf(out, "%s%s%s", quote, texts->items[id], quote);
	else
		fprintf(out, "?%u", id);
}

static void put_field(FILE *out, const struct known *known, const struct nt_event *event, const struct nt_event_field *field)
{
	uint64_t value = nt_event_field_get(event, field, 0);
	double real;
	fprintf(out, " %s=", field->name);
	switch ((enum nt_event_field_type)field->type) {
	case NT_EVENT_FIELD_U32:
	case NT_EVENT_FIELD_U64:
	case NT_EVENT_FIELD_U32S:
	case NT_EVENT_FIELD_U64S:
		for (size_t i = 0; i < field->count; i++)
			fprintf(out, "%s%" PRIu64, i ? "," : "", nt_event_field_get(event, field, i));
		break;
	case NT_EVENT_FIELD_HEX:
		fprintf(out, "0x%" PRIx64, value);
		break;
	case NT_EVENT_FIELD_F64:
		memcpy(&real, &value, sizeof(real));
		fprintf(out, "%.9g", real);
		break;
	case NT_EVENT_FIELD_TIME:
		put_time(out, value);
		break;
	case NT_EVENT_FIELD_CHAR:
		fprintf(out, "%c", value > ' ' && value < 127 ? (int)value : '?');
		break;
	case NT_EVENT_FIELD_STR:
		put_known(out, &known->texts, (nt_str)value, "\"");
		break;
	case NT_EVENT_FIELD_STACK:
		put_known(out, &known->chains, (nt_stack)value, "");
		break;
	case NT_EVENT_FIELD_NAME:
		fprintf(out, "%s", field->name_of((uint32_t)value));
		break;
	case NT_EVENT_FIELD_BOOL:
		fprintf(out, "%d", value != 0);
		break;
	}
}

static void put_range(FILE *out, uint64_t start, uint32_t size, uint32_t kind)
{
	fprintf(out, "  start=0x%" PRIx64 " size=%" PRIu32 " kind=%s", start, size, nt_code_kind_name((enum nt_code_kind)kind));
}

/* The lines or places of a CODE event, each on a line of its own. */
static void put_code(FILE *out, const struct nt_batch *batch, const struct nt_ev_code *code)
{
	for (size_t i = code->first; code->map && i < batch->place_count && i - code->first < code->count; i++) {
		const struct nt_batch_place *place = &batch->places[i];
		put_range(out, place->start, place->size, code->kind);
		fprintf(out, " offset=%" PRIu32 "\n", place->offset);
	}
	for (size_t i = code->first; !code->map && i < batch->line_count && i - code->first < code->count; i++) {
		const struct nt_batch_line *line = &batch->lines[i];
		put_range(out, line->start, line->size, line->kind);
		char *name = escaped_text(batch->bytes + line->offset, line->length);
		fprintf(out, " name=\"%s\"\n", name);
		free(name);
	}
}

static void put_event(FILE *out, const struct known *known, const struct nt_batch *batch, const struct nt_event *event)
{
	put_time(out, event->time);
	fprintf(out, " %s %s", nt_source_name(batch->source), nt_event_kind_name((enum nt_event_kind)event->kind));
	if (event->version)
		fprintf(out, " v%u", event->version);
	fprintf(out, " pid=%u tid=%u", event->pid, event->tid);
	for (size_t i = 0; i < nt_event_field_count; i++)
		if (nt_event_fields[i].kind == event->kind)
			put_field(out, known, event, &nt_event_fields[i]);
	fputc('\n', out);
	if (event->kind == NT_EV_CODE)
		put_code(out, batch, &event->u.code);
}

void nt_details_write(struct nt_details *details, const struct nt_batch *batch)
{
	nt_assert(batch->source < NT_SOURCE_COUNT);
	struct known *known = &details->known[batch->source];
	learn(known, batch);
	for (size_t i = 0; i < batch->event_count; i++)
		put_event(details->out, known, batch, &batch->events[i]);
}
