// SPDX-License-Identifier: GPL-2.0-only
#include "output/export/runtime_events.h"

#include "base/alloc.h"
#include "decode/clr/clr_payload.h"

#include <stdlib.h>

void nt_runtime_events_fini(struct nt_runtime_events *events)
{
	free(events->items);
	nt_text_buffer_fini(&events->payloads);
	*events = (struct nt_runtime_events){ 0 };
}

static struct nt_runtime_event *add(struct nt_runtime_events *events, const struct nt_event *event)
{
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

void nt_runtime_events_see(struct nt_runtime_events *events, const struct nt_shown_event *shown)
{
	const struct nt_event *event = shown->event;
	if (event->kind == NT_EV_LOST && event->u.lost.count_known)
		add(events, event)->offset = event->u.lost.count;
	const struct nt_clr_desc *desc = counts(events, event) ? nt_clr_payload_desc(event) : NULL;
	if (!desc)
		return;
	events->told_plainly[event->kind] |= !event->beside;
	if (events->payloads.length >= NT_RUNTIME_EVENTS_BYTES_MOST) {
		events->left_out++;
		return;
	}
	const struct nt_clr_texts texts = { .get = text_of, .context = shown };
	struct nt_runtime_event *item = add(events, event);
	item->id = desc->id;
	item->version = desc->version;
	item->offset = events->payloads.length;
	nt_clr_payload_put(&events->payloads, desc, event, &texts);
	item->length = (uint32_t)(events->payloads.length - item->offset);
}
