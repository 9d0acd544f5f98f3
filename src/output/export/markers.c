// SPDX-License-Identifier: GPL-2.0-only
#include "output/export/markers.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 512, PART = 200 };

static const char *const names[NT_MARKER_KINDS] = {
	[NT_MARKER_COLLECTION] = "collection",   [NT_MARKER_PAUSE] = "pause",
	[NT_MARKER_COMPILATION] = "compilation", [NT_MARKER_REQUEST] = "request",
	[NT_MARKER_LOCK] = "wait for a lock",    [NT_MARKER_REQUEST_MADE] = "request made",
	[NT_MARKER_EXCEPTION] = "exception",     [NT_MARKER_LOSS] = "loss",
};

const char *nt_marker_kind_name(enum nt_marker_kind kind)
{
	return names[kind];
}

void nt_markers_fini(struct nt_markers *markers)
{
	nt_arena_free(markers->texts);
	free(markers->items);
	free(markers->open);
	*markers = (struct nt_markers){ 0 };
}

/* Of the target, safe to be shown; cut. "": it says none. */
static const char *text_of(const struct nt_shown_event *shown, nt_str id, char buf[PART])
{
	size_t length;
	const char *text = shown->text(shown, id, &length);
	nt_text_escape(text, length, buf, PART);
	return buf;
}

/* NULL: there is no room for it. */
static struct nt_marker *add(struct nt_markers *markers, enum nt_marker_kind kind, const struct nt_event *event, const char *text)
{
	if (markers->count == NT_MARKERS_MOST) {
		markers->left_out[kind]++;
		return NULL;
	}
	markers->items = nt_grow(markers->items, &markers->capacity, markers->count + 1, sizeof(*markers->items));
	if (!markers->texts)
		markers->texts = nt_arena_new();
	struct nt_marker *marker = &markers->items[markers->count++];
	*marker = (struct nt_marker){
		.kind = kind, .tid = event->tid, .start = event->time, .end = event->time, .text = nt_arena_copy(markers->texts, text)
	};
	return marker;
}

/* What it ends is most often the newest. NULL: its begin was not seen. */
static struct nt_marker *end(struct nt_markers *markers, enum nt_marker_kind kind, const struct nt_event *event, uint64_t key)
{
	size_t i = markers->open_count;
	while (i > 0 && (markers->open[i - 1].kind != kind || markers->open[i - 1].key != key))
		i--;
	if (i == 0)
		return NULL;
	struct nt_marker *marker = &markers->items[markers->open[i - 1].marker];
	memmove(&markers->open[i - 1], &markers->open[i], (markers->open_count - i) * sizeof(*markers->open));
	markers->open_count--;
	marker->open = false;
	marker->end = event->time > marker->start ? event->time : marker->start;
	return marker;
}

static void begin(struct nt_markers *markers, enum nt_marker_kind kind, const struct nt_event *event, uint64_t key, const char *text)
{
	struct nt_marker *lost = end(markers, kind, event, key);
	if (lost) { /* it ended before, and that was not told: how long it took nobody knows */
		lost->open = true;
		lost->end = lost->start;
	}
	if (markers->open_count == NT_MARKERS_OPEN_MOST) {
		markers->left_out[kind]++;
		return;
	}
	struct nt_marker *marker = add(markers, kind, event, text);
	if (!marker)
		return;
	/* Not of the thread that said so: it may be another one that says that it is over. */
	if (kind != NT_MARKER_COMPILATION && kind != NT_MARKER_LOCK)
		marker->tid = 0;
	marker->open = true;
	markers->open = nt_grow(markers->open, &markers->open_capacity, markers->open_count + 1, sizeof(*markers->open));
	markers->open[markers->open_count++] =
		(struct nt_marker_open){ .kind = kind, .key = key, .marker = (size_t)(marker - markers->items) };
}

/* ---- each kind ---- */

static void collection_begins(struct nt_markers *markers, const struct nt_event *event)
{
	static const char *const types[] = { "blocking", "background", "foreground" };
	const struct nt_ev_gc_start *start = &event->u.gc_start;
	char text[TEXT];
	snprintf(text, sizeof(text), "gen%" PRIu32 " %s, %s (#%" PRIu32 ")", start->generation, start->type < 3 ? types[start->type] : "?",
		 nt_gc_reason_name(start->reason), start->number);
	begin(markers, NT_MARKER_COLLECTION, event, start->number, text);
}

static void pause_begins(struct nt_markers *markers, const struct nt_event *event)
{
	enum { FOR_COLLECTION = 1, WITHIN_BACKGROUND = 6 };
	uint32_t reason = event->u.gc_suspend_begin.reason;
	char text[TEXT];
	if (reason == FOR_COLLECTION || reason == WITHIN_BACKGROUND)
		snprintf(text, sizeof(text), "for a collection");
	else
		snprintf(text, sizeof(text), "not for a collection (reason %" PRIu32 ")", reason);
	begin(markers, NT_MARKER_PAUSE, event, event->tid, text);
}

/* Several threads may compile one method, and one thread several methods, one within another. */
static uint64_t compilation(uint64_t method, uint32_t tid)
{
	return method ^ (uint64_t)tid << 48;
}

static void compilation_begins(struct nt_markers *markers, const struct nt_shown_event *shown)
{
	const struct nt_ev_jit_start *start = &shown->event->u.jit_start;
	char name[PART];
	begin(markers, NT_MARKER_COMPILATION, shown->event, compilation(start->method_id, shown->event->tid),
	      text_of(shown, start->name, name));
}

static void compilation_ends(struct nt_markers *markers, const struct nt_shown_event *shown)
{
	const struct nt_ev_method *method = &shown->event->u.method;
	struct nt_marker *marker = end(markers, NT_MARKER_COMPILATION, shown->event, compilation(method->method_id, shown->event->tid));
	char name[PART], text[TEXT];
	const char *tier = nt_tier_name(method->tier);
	if (!marker || !*text_of(shown, method->name, name))
		return;
	snprintf(text, sizeof(text), "%s%s%s%s", name, *tier ? " [" : "", tier, *tier ? "]" : "");
	marker->text = nt_arena_copy(markers->texts, text);
}

static void request(struct nt_markers *markers, const struct nt_shown_event *shown)
{
	const struct nt_ev_request *request = &shown->event->u.request;
	char method[PART], path[PART], text[TEXT];
	if (!request->span)
		return;
	if (request->op == NT_REQUEST_BEGUN) {
		snprintf(text, sizeof(text), "%s %s", text_of(shown, request->method, method), text_of(shown, request->path, path));
		begin(markers, NT_MARKER_REQUEST, shown->event, request->span, text);
		return;
	}
	struct nt_marker *marker = end(markers, NT_MARKER_REQUEST, shown->event, request->span);
	if (!marker || !request->status)
		return;
	snprintf(text, sizeof(text), "%s %" PRIu32, marker->text, request->status);
	marker->text = nt_arena_copy(markers->texts, text);
}

static void request_made(struct nt_markers *markers, const struct nt_shown_event *shown)
{
	const struct nt_ev_request_made *request = &shown->event->u.request_made;
	char peer[PART];
	if (request->span && request->op == NT_REQUEST_BEGUN)
		begin(markers, NT_MARKER_REQUEST_MADE, shown->event, request->span, text_of(shown, request->peer, peer));
	else if (request->span)
		end(markers, NT_MARKER_REQUEST_MADE, shown->event, request->span);
}

static void loss(struct nt_markers *markers, const struct nt_event *event)
{
	static const char *const things[] = { "samples", "events", "packets", "events" };
	const struct nt_ev_lost *lost = &event->u.lost;
	const char *what = lost->what < sizeof(things) / sizeof(things[0]) ? things[lost->what] : "events";
	char text[TEXT];
	if (lost->count_known)
		snprintf(text, sizeof(text), "%" PRIu64 " %s lost", lost->count, what);
	else
		snprintf(text, sizeof(text), "%s lost, nobody knows how many", what);
	struct nt_marker *marker = add(markers, NT_MARKER_LOSS, event, text);
	if (marker && lost->from != NT_TIME_UNKNOWN && lost->from < marker->start)
		marker->start = lost->from;
}

static void exception(struct nt_markers *markers, const struct nt_shown_event *shown)
{
	char type[PART];
	add(markers, NT_MARKER_EXCEPTION, shown->event, text_of(shown, shown->event->u.exception.type, type));
}

void nt_markers_see(struct nt_markers *markers, const struct nt_shown_event *shown)
{
	const struct nt_event *event = shown->event;
	if (event->beside) /* the same once more, with its call stack */
		return;
	switch (event->kind) {
	case NT_EV_GC_START:
		collection_begins(markers, event);
		break;
	case NT_EV_GC_END:
		end(markers, NT_MARKER_COLLECTION, event, event->u.gc_end.number);
		break;
	case NT_EV_GC_SUSPEND_BEGIN:
		pause_begins(markers, event);
		break;
	case NT_EV_GC_RESTART_BEGIN:
		end(markers, NT_MARKER_PAUSE, event, event->tid);
		break;
	case NT_EV_JIT_START:
		compilation_begins(markers, shown);
		break;
	case NT_EV_METHOD_LOAD:
		compilation_ends(markers, shown);
		break;
	case NT_EV_REQUEST:
		request(markers, shown);
		break;
	case NT_EV_REQUEST_MADE:
		request_made(markers, shown);
		break;
	case NT_EV_CONTENTION_START:
		begin(markers, NT_MARKER_LOCK, event, event->tid, "");
		break;
	case NT_EV_CONTENTION_STOP:
		end(markers, NT_MARKER_LOCK, event, event->tid);
		break;
	case NT_EV_EXCEPTION_THROWN:
		exception(markers, shown);
		break;
	case NT_EV_LOST:
		loss(markers, event);
		break;
	default:
		break;
	}
}

static int compare(const void *left, const void *right)
{
	const struct nt_marker *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	/* What lasts longer is around what does not. */
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid ? 1 : strcmp(a->text, b->text);
}

void nt_markers_end(struct nt_markers *markers, nt_time all_end)
{
	for (size_t i = 0; i < markers->open_count; i++) {
		struct nt_marker *marker = &markers->items[markers->open[i].marker];
		marker->end = all_end > marker->start ? all_end : marker->start;
	}
	markers->open_count = 0;
	if (markers->count)
		qsort(markers->items, markers->count, sizeof(*markers->items), compare);
}
