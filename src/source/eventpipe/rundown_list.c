// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/rundown_list.h"

#include "base/alloc.h"
#include "base/index.h"
#include "base/text.h"
#include "decode/clr/il_map.h"
#include "decode/eventpipe/rundown_events.h"
#include "decode/names/module_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	METHODS_MAX = 1 << 17,
	MODULES_MAX = 1 << 14,
	TEXT_MAX_BYTES = 24 << 20,
	LINE_MAX = 24 * 1024,  /* of one method */
	PATH_MAX_BYTES = 4096, /* of a module */
	LINES_AT_ONCE = 2048,  /* handed over in one piece */
};

/* A line of the perf map's form, but for the module's name. */
struct method {
	uint64_t start, module_id;
	uint32_t size, text; /* place in `text` */
	uint16_t length, split;
};

struct module {
	uint32_t path, path_length; /* place in `text` */
	uint32_t name, name_length; /* the part of it that the perf map shows */
};

struct il_answer {
	uint64_t asked;
	bool found;
	uint64_t start, method_id, module_id;
	uint32_t size, token;
	struct nt_batch_place *places; /* owned; NULL = there was no map */
	size_t place_count;
};

struct nt_rundown_list {
	uint32_t pid;
	nt_time began; /* when the runtime had begun the session: all of the list is from later */
	struct method *methods;
	size_t method_count, method_capacity, left_out;
	struct module *modules;
	size_t module_count, module_capacity;
	struct nt_index module_of; /* the runtime's number -> index */
	char *text;
	size_t text_bytes, text_capacity;
	struct il_answer asked[NT_RUNDOWN_ASKED_MAX];
	size_t asked_count;
	uint8_t *il_map; /* owned; payload of the last one: the method that comes next is the one that it is of */
	size_t il_map_bytes, il_map_capacity;
	nt_time took_ns;
	uint64_t stream_bytes;
	char reason[NT_ERROR_TEXT];
	struct nt_rundown_gc_settings gc;
	bool gc_told, gc_only;
	size_t delivered;
	bool over;
};

struct nt_rundown_list *nt_rundown_list_new(uint32_t pid, const uint64_t *asked, size_t asked_count)
{
	struct nt_rundown_list *list = nt_alloc(sizeof(*list));
	list->pid = pid;
	for (; list->asked_count < asked_count && list->asked_count < NT_RUNDOWN_ASKED_MAX; list->asked_count++)
		list->asked[list->asked_count].asked = asked[list->asked_count];
	return list;
}

void nt_rundown_list_of_settings(struct nt_rundown_list *list)
{
	list->gc_only = true;
}

void nt_rundown_list_free(struct nt_rundown_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->asked_count; i++)
		free(list->asked[i].places);
	nt_index_fini(&list->module_of);
	free(list->methods);
	free(list->modules);
	free(list->text);
	free(list->il_map);
	free(list);
}

/* ---- collecting ---- */

/* False: there is no more room. */
static bool keep_text(struct nt_rundown_list *list, const char *text, size_t length, uint32_t *place)
{
	if (length > TEXT_MAX_BYTES - list->text_bytes)
		return false;
	list->text = nt_grow(list->text, &list->text_capacity, list->text_bytes + length, 1);
	memcpy(list->text + list->text_bytes, text, length);
	*place = (uint32_t)list->text_bytes;
	list->text_bytes += length;
	return true;
}

static bool add_method(struct nt_rundown_list *list, const struct nt_rundown_method *method)
{
	char line[LINE_MAX];
	size_t split, length = nt_rundown_line(method, line, sizeof(line), &split);
	struct method kept = { .start = method->start, .module_id = method->module_id, .size = method->size };
	if (!length || list->method_count >= METHODS_MAX || !keep_text(list, line, length, &kept.text))
		return false;
	kept.length = (uint16_t)length;
	kept.split = (uint16_t)split;
	list->methods = nt_grow(list->methods, &list->method_capacity, list->method_count + 1, sizeof(*list->methods));
	list->methods[list->method_count++] = kept;
	return true;
}

static bool covers(const struct nt_rundown_method *method, uint64_t address)
{
	return address - method->start < method->size;
}

static void note_asked(struct nt_rundown_list *list, const struct nt_rundown_method *method)
{
	for (size_t i = 0; i < list->asked_count; i++) {
		struct il_answer *answer = &list->asked[i];
		if (answer->found || !covers(method, answer->asked))
			continue;
		answer->found = true;
		answer->start = method->start;
		answer->size = method->size;
		answer->token = method->token;
		answer->method_id = method->id;
		answer->module_id = method->module_id;
	}
}

/* A method may have been compiled several times: at the end the runtime tells of each code what belongs to it, then the code itself. */
static void take_il_map(struct nt_rundown_list *list, const struct nt_rundown_method *method)
{
	struct nt_il_map map;
	bool is_its_own = nt_il_map_parse(list->il_map, list->il_map_bytes, &map) == NT_OK && map.method_id == method->id;
	list->il_map_bytes = 0;
	for (size_t i = 0; is_its_own && i < list->asked_count; i++) {
		struct il_answer *answer = &list->asked[i];
		if (answer->places || !answer->found || answer->start != method->start)
			continue;
		answer->places = nt_realloc(NULL, map.count + 1, sizeof(*answer->places));
		answer->place_count = nt_il_map_places(&map, method->start, method->size, answer->places);
	}
}

static void on_method(struct nt_rundown_list *list, const struct nt_nettrace_event *event)
{
	struct nt_rundown_method method;
	if (nt_rundown_method_parse(event->payload, event->payload_length, &method) != NT_OK) {
		list->il_map_bytes = 0;
		list->left_out++;
		return;
	}
	note_asked(list, &method);
	take_il_map(list, &method);
	list->left_out += !add_method(list, &method);
}

static void on_il_map(struct nt_rundown_list *list, const struct nt_nettrace_event *event)
{
	if (!list->asked_count)
		return;
	list->il_map = nt_grow(list->il_map, &list->il_map_capacity, event->payload_length, 1);
	memcpy(list->il_map, event->payload, event->payload_length);
	list->il_map_bytes = event->payload_length;
}

static void on_module(struct nt_rundown_list *list, const struct nt_nettrace_event *event)
{
	struct nt_rundown_module said;
	char path[PATH_MAX_BYTES];
	if (nt_rundown_module_parse(event->payload, event->payload_length, &said) != NT_OK || list->module_count >= MODULES_MAX)
		return;
	struct module module = { .path_length = (uint32_t)nt_utf16_to_utf8(said.path.units, said.path.count, path, sizeof(path)) };
	if (!keep_text(list, path, module.path_length, &module.path))
		return;
	const struct nt_slice name = nt_module_name_of(path, module.path_length);
	module.name = module.path + (uint32_t)(name.text - path);
	module.name_length = (uint32_t)name.length;
	list->modules = nt_grow(list->modules, &list->module_capacity, list->module_count + 1, sizeof(*list->modules));
	nt_index_put(&list->module_of, said.id, (uint32_t)list->module_count);
	list->modules[list->module_count++] = module;
}

static void on_event(void *context, const struct nt_nettrace_event *event)
{
	struct nt_rundown_list *list = context;
	if (strcmp(event->meta->provider, NT_RUNDOWN_PROVIDER) != 0)
		return;
	switch (event->meta->id) {
	case NT_RUNDOWN_METHOD:
		on_method(list, event);
		break;
	case NT_RUNDOWN_GC_SETTINGS:
		list->gc_told = nt_rundown_gc_settings_parse(event->payload, event->payload_length, &list->gc) == NT_OK;
		break;
	case NT_RUNDOWN_IL_MAP:
		on_il_map(list, event);
		break;
	case NT_RUNDOWN_MODULE:
		on_module(list, event);
		break;
	default: /* the list's ends, assemblies */
		break;
	}
}

static void on_start(void *context, const struct nt_nettrace_start *start)
{
	((struct nt_rundown_list *)context)->began = start->time;
}

static void on_lost(void *context, const struct nt_nettrace_lost *lost)
{
	((struct nt_rundown_list *)context)->left_out += lost->count;
}

struct nt_nettrace_sink nt_rundown_list_sink(struct nt_rundown_list *list)
{
	return (struct nt_nettrace_sink){ .context = list, .start = on_start, .event = on_event, .lost = on_lost };
}

void nt_rundown_list_end(struct nt_rundown_list *list, nt_time took_ns, uint64_t stream_bytes, const char *reason)
{
	list->took_ns = took_ns;
	list->stream_bytes = stream_bytes;
	if (!list->began)
		list->began = nt_clock_now() - took_ns;
	snprintf(list->reason, sizeof(list->reason), "%s", reason ? reason : "");
}

/* ---- handing over ---- */

/* NULL: the runtime did not say. */
static const struct module *module_of(const struct nt_rundown_list *list, uint64_t id)
{
	uint32_t index = nt_index_get(&list->module_of, id);
	return index == NT_INDEX_NONE ? NULL : &list->modules[index];
}

/* The whole line of a method into `out`; returns its length, 0 = it is too long. */
static size_t whole_line(const struct nt_rundown_list *list, const struct method *method, char out[LINE_MAX])
{
	const struct module *module = module_of(list, method->module_id);
	const char *line = list->text + method->text;
	size_t name_length = module ? module->name_length : 0;
	if (method->length + name_length > LINE_MAX)
		return 0;
	memcpy(out, line, method->split);
	if (name_length)
		memcpy(out + method->split, list->text + module->name, name_length);
	memcpy(out + method->split + name_length, line + method->split, (size_t)method->length - method->split);
	return method->length + name_length;
}

static void deliver_methods(struct nt_rundown_list *list, struct nt_outbox *box)
{
	char text[LINE_MAX];
	size_t end = list->delivered + LINES_AT_ONCE < list->method_count ? list->delivered + LINES_AT_ONCE : list->method_count;
	struct nt_batch *batch = nt_outbox_batch(box);
	struct nt_event *event = nt_batch_add(batch, NT_EV_CODE, list->began, list->pid, 0);
	event->u.code = (struct nt_ev_code){ .from = list->began, .first = (uint32_t)batch->line_count, .listed = 1 };
	for (; list->delivered < end; list->delivered++) {
		const struct method *method = &list->methods[list->delivered];
		struct nt_batch_line line = { .start = method->start, .size = method->size, .kind = NT_CODE_JIT };
		line.length = (uint16_t)whole_line(list, method, text);
		if (line.length)
			nt_batch_add_lines(batch, &line, 1, text);
	}
}

static const char *reason_of(const struct nt_rundown_list *list, const struct il_answer *answer)
{
	if (answer->places)
		return NULL;
	if (list->reason[0])
		return list->reason;
	return answer->found ? "the runtime has no IL map of this code: it was not compiled by the JIT, or has no IL"
			     : "the runtime lists no method at this address";
}

static void deliver_il_map(const struct nt_rundown_list *list, const struct il_answer *answer, struct nt_outbox *box)
{
	const struct module *module = module_of(list, answer->module_id);
	struct nt_batch *batch = nt_outbox_batch(box);
	struct nt_ev_il_map said = {
		.asked = answer->asked, .start = answer->start, .size = answer->size, .method_id = answer->method_id, .token = answer->token
	};
	if (module)
		said.module = nt_interner_str(box->interner, batch, list->text + module->path, module->path_length);
	said.reason = nt_outbox_str(box, reason_of(list, answer));
	said.failed = !answer->places && list->reason[0];
	nt_batch_add(batch, NT_EV_IL_MAP, list->began, list->pid, 0)->u.il_map = said;
	nt_batch_add_il_map(batch, answer->places, answer->place_count);
}

static void deliver_gc_setting(const struct nt_rundown_list *list, enum nt_gc_setting setting, uint64_t value, struct nt_outbox *box)
{
	const struct nt_ev_gc_setting said = { .value = value, .setting = (uint32_t)setting, .origin = NT_GC_BY_RUNTIME };
	nt_outbox_add(box, NT_EV_GC_SETTING, list->began, list->pid, 0)->u.gc_setting = said;
}

/* Of those that nobody set the runtime has values that it does not tell. */
static void deliver_gc_settings(const struct nt_rundown_list *list, struct nt_outbox *box)
{
	const struct nt_rundown_gc_settings *gc = &list->gc;
	if (!list->gc_told)
		return;
	deliver_gc_setting(list, NT_GC_SETTING_HARD_LIMIT, gc->hard_limit_bytes, box);
	deliver_gc_setting(list, NT_GC_SETTING_LOH_THRESHOLD, gc->loh_threshold_bytes, box);
	deliver_gc_setting(list, NT_GC_SETTING_CONCURRENT, gc->concurrent, box);
	if (gc->gen0_size_bytes)
		deliver_gc_setting(list, NT_GC_SETTING_GEN0_SIZE, gc->gen0_size_bytes, box);
	if (gc->gen0_max_bytes)
		deliver_gc_setting(list, NT_GC_SETTING_GEN0_MAX, gc->gen0_max_bytes, box);
	if (gc->high_memory_pct)
		deliver_gc_setting(list, NT_GC_SETTING_HIGH_MEMORY_PCT, gc->high_memory_pct, box);
	deliver_gc_setting(list, NT_GC_SETTINGS_READ, 0, box);
}

static void deliver_end(struct nt_rundown_list *list, struct nt_outbox *box)
{
	deliver_gc_settings(list, box);
	list->over = true;
	if (list->gc_only)
		return;
	for (size_t i = 0; i < list->asked_count; i++)
		deliver_il_map(list, &list->asked[i], box);
	struct nt_ev_rundown said = { .took_ns = list->took_ns,
				      .stream_bytes = list->stream_bytes,
				      .method_count = (uint32_t)list->method_count,
				      .left_out = (uint32_t)list->left_out,
				      .reason = nt_outbox_str(box, list->reason) };
	nt_outbox_add(box, NT_EV_RUNDOWN, list->began, list->pid, 0)->u.rundown = said;
}

bool nt_rundown_list_deliver(struct nt_rundown_list *list, struct nt_outbox *box)
{
	if (list->over)
		return false;
	if (list->delivered < list->method_count)
		deliver_methods(list, box);
	else
		deliver_end(list, box);
	return true;
}
