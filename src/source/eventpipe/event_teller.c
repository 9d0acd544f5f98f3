// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/event_teller.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/text.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/clr_shapes.h"
#include "decode/eventpipe/nettrace_told.h"

#include <stdlib.h>
#include <string.h>

struct nt_event_teller {
	const struct nt_event_pattern *patterns;
	size_t pattern_count;
	bool no_payload;
	struct nt_event_sink sink;
	struct nt_arena *kinds; /* owned; of struct kind */
	struct nt_nettrace_values values;
	struct nt_told_field fields[NT_NETTRACE_VALUES_MAX];
	char *texts; /* owned; of the event that is being told */
	size_t text_capacity;
	uint64_t came, lost;
};

/* What is known of the kind of an event, found once: nettrace_meta.user. */
struct kind {
	const char *name;
	const struct nt_nettrace_field *fields;
	uint32_t field_count;
	bool wanted;
	bool plain_names; /* as of struct nt_told_event */
};

static bool is_plain(const char *name)
{
	size_t length = strlen(name);
	return *name != '#' && nt_text_plain_length(name, length) == length && !strpbrk(name, "\"\\");
}

/* `named`: elements of arrays have no name. */
static bool are_plain(const struct nt_nettrace_field *fields, uint32_t count, bool named)
{
	enum { FEW = 64 }; /* each is compared with each */
	if (count > FEW)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		bool is_object = fields[i].type == NT_NETTRACE_OBJECT;
		if (named && (!*fields[i].name || !is_plain(fields[i].name)))
			return false;
		for (uint32_t k = 0; named && k < i; k++)
			if (strcmp(fields[k].name, fields[i].name) == 0)
				return false;
		if ((is_object || fields[i].type == NT_NETTRACE_ARRAY) && !are_plain(fields[i].children, fields[i].child_count, is_object))
			return false;
	}
	return true;
}

static const struct kind *kind_of(struct nt_event_teller *teller, struct nt_nettrace_meta *meta)
{
	if (meta->user)
		return meta->user;
	const struct nt_clr_shape *shape = strcmp(meta->provider, NT_CLR_PROVIDER) == 0 ? nt_clr_shape_find(meta->id) : NULL;
	struct kind *kind = nt_arena_alloc(teller->kinds, sizeof(*kind));
	*kind = shape ? (struct kind){ .name = shape->name, .fields = shape->fields, .field_count = shape->field_count }
		      : (struct kind){ .name = meta->name, .fields = meta->fields, .field_count = meta->field_count };
	kind->plain_names = is_plain(meta->provider) && is_plain(kind->name) && are_plain(kind->fields, kind->field_count, true);
	for (size_t i = 0; i < teller->pattern_count; i++)
		kind->wanted |= nt_event_pattern_has(&teller->patterns[i], meta->provider, kind->name, meta->id);
	meta->user = kind;
	return kind;
}

static void on_event(void *context, const struct nt_nettrace_event *event)
{
	struct nt_event_teller *teller = context;
	const struct kind *kind = kind_of(teller, event->meta);
	teller->came++;
	if (!kind->wanted)
		return;
	enum nt_status status = nt_nettrace_values_read_nested(event, kind->fields, kind->field_count, &teller->values);
	teller->texts = nt_grow(teller->texts, &teller->text_capacity, (size_t)event->payload_length * NT_NETTRACE_TEXT_PER_BYTE + 1, 1);
	nt_nettrace_told(teller->values.items, teller->values.count, teller->fields, teller->texts);
	const struct nt_told_event told = { .provider = event->meta->provider,
					    .name = kind->name,
					    .id = event->meta->id,
					    .time = event->time,
					    .tid = event->thread,
					    .activity = { event->activity[0], event->activity[1] },
					    .payload_bytes = event->payload_length,
					    .addresses = event->stack ? event->stack->addresses : NULL,
					    .address_count = event->stack ? event->stack->count : 0,
					    .fields = teller->no_payload ? NULL : teller->fields,
					    .field_count = teller->no_payload ? 0 : teller->values.count,
					    .plain_names = kind->plain_names,
					    .left_bytes = teller->values.left_bytes,
					    .cut = status != NT_OK || teller->values.left_bytes || teller->values.passed_over };
	teller->sink.event(teller->sink.context, &told);
}

static void on_loss(void *context, const struct nt_nettrace_lost *lost)
{
	struct nt_event_teller *teller = context;
	teller->lost += lost->count;
	teller->sink.lost(teller->sink.context, lost->count, lost->until);
}

struct nt_event_teller *nt_event_teller_new(const struct nt_event_pattern *patterns, size_t count, bool no_payload,
					    const struct nt_event_sink *sink)
{
	struct nt_event_teller *teller = nt_alloc(sizeof(*teller));
	teller->patterns = patterns;
	teller->pattern_count = count;
	teller->no_payload = no_payload;
	teller->sink = *sink;
	teller->kinds = nt_arena_new();
	return teller;
}

void nt_event_teller_free(struct nt_event_teller *teller)
{
	if (!teller)
		return;
	nt_arena_free(teller->kinds);
	free(teller->texts);
	free(teller);
}

struct nt_nettrace_sink nt_event_teller_sink(struct nt_event_teller *teller)
{
	return (struct nt_nettrace_sink){ .context = teller, .event = on_event, .lost = on_loss };
}

uint64_t nt_event_teller_came(const struct nt_event_teller *teller)
{
	return teller->came;
}

uint64_t nt_event_teller_lost(const struct nt_event_teller *teller)
{
	return teller->lost;
}
