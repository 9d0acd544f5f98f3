// SPDX-License-Identifier: GPL-2.0-only
#include "output/export/runtime_events.h"

#include "base/alloc.h"
#include "decode/clr/clr_payload.h"

#include <stdlib.h>

void nt_runtime_events_fini(struct nt_runtime_events *events)
{
	for (size_t i = 0; i < events->member_count; i++)
		free(events->members[i].method);
	free(events->members);
	nt_index_fini(&events->member_counts);
	free(events->items);
	nt_text_buffer_fini(&events->payloads);
	*events = (struct nt_runtime_events){ 0 };
}

/* NULL: there is no room for it. */
static struct nt_runtime_event *add(struct nt_runtime_events *events, const struct nt_event *event)
{
	if (events->count == NT_RUNTIME_EVENTS_MOST || events->payloads.length >= NT_RUNTIME_EVENTS_BYTES_MOST) {
		events->left_out++;
		return NULL;
	}
	events->items = nt_grow(events->items, &events->capacity, events->count + 1, sizeof(*events->items));
	struct nt_runtime_event *item = &events->items[events->count++];
	*item = (struct nt_runtime_event){ .time = event->time, .tid = event->tid };
	return item;
}

static const char *text_of(const void *context, nt_str id, size_t *length)
{
	const struct nt_shown_event *shown = context;
	return shown->text(shown, id, length);
}

/*
 * Is it the one of its telling? What is told beside the stream that counts is the same once more, with a call stack; or a detail, which another stream may have as well. A tick of allocation is ours beside, and somebody
 * else's otherwise.
 */
static bool counts(const struct nt_runtime_events *events, const struct nt_event *event)
{
	switch (event->kind) {
	case NT_EV_ALLOC_TICK:
		return event->beside;
	case NT_EV_GC_TRIGGERED:
	case NT_EV_GC_GLOBAL_HISTORY:
	case NT_EV_GC_MARK:
	case NT_EV_EXCEPTION_CATCH:
	case NT_EV_EXCEPTION_STEP:
		return !event->beside || !events->told_plainly[event->kind];
	default:
		return !event->beside;
	}
}

/* Of each module the first methods, until its loading is told. */
static void keep_member(struct nt_runtime_events *events, const struct nt_shown_event *shown)
{
	const struct nt_event *event = shown->event;
	if (event->kind == NT_EV_MODULE_LOAD)
		nt_index_put(&events->member_counts, event->u.module_load.module_id, NT_RUNTIME_MEMBERS_OF_MODULE);
	if (event->kind != NT_EV_METHOD_LOAD || events->member_count == NT_RUNTIME_MEMBERS_MOST)
		return;
	uint32_t count = nt_index_get(&events->member_counts, event->u.method.module_id);
	size_t length;
	const char *name = shown->text(shown, event->u.method.name, &length);
	if (!length || (count != NT_INDEX_NONE && count >= NT_RUNTIME_MEMBERS_OF_MODULE))
		return;
	nt_index_put(&events->member_counts, event->u.method.module_id, count == NT_INDEX_NONE ? 1 : count + 1);
	events->members = nt_grow(events->members, &events->member_capacity, events->member_count + 1, sizeof(*events->members));
	events->members[events->member_count++] =
		(struct nt_runtime_member){ .module_id = event->u.method.module_id, .method = nt_format("%.*s", (int)length, name) };
}

void nt_runtime_events_see(struct nt_runtime_events *events, const struct nt_shown_event *shown)
{
	const struct nt_event *event = shown->event;
	bool is_loss = event->kind == NT_EV_LOST;
	const struct nt_clr_desc *desc = counts(events, event) ? nt_clr_payload_desc(event) : NULL;
	struct nt_runtime_event *item = is_loss || desc ? add(events, event) : NULL;
	if (!item)
		return;
	if (is_loss) {
		item->offset = event->u.lost.count_known ? event->u.lost.count : 1; /* at least */
		return;
	}
	events->told_plainly[event->kind] |= !event->beside;
	keep_member(events, shown);
	const struct nt_clr_texts texts = { .get = text_of, .context = shown };
	item->id = desc->id;
	item->version = desc->version;
	item->offset = events->payloads.length;
	nt_clr_payload_put(&events->payloads, desc, event, &texts);
	item->length = (uint32_t)(events->payloads.length - item->offset);
}
