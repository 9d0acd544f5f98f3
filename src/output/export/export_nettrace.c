// SPDX-License-Identifier: GPL-2.0-only
/*
 * A nettrace file for TraceEvent, PerfView and dotnet-trace. The runtime's events are in it as they were told, but for what nettop does not keep of them; CPU samples as those of the runtime's own sampler
 * (Microsoft-DotNETCore-SampleProfiler), which are what these readers make call stacks of. Their sampler sees a thread in each of its rounds, and lets a sample stand for the time up to the next one of that thread:
 * where a thread had no CPU after a sample, another one says so, "not in managed code" and without a stack.
 *
 * A frame has a number in place of its address: each function of one tier another one. So whatever lay at an address, and when, each frame has the name that nettop gives it, native code and the kernel's too: the list of
 * methods at the end says so. The numbers lie where no address can (they are not canonical).
 */
#include "output/export/export_parts.h"

#include "base/index.h"
#include "base/radix_sort.h"
#include "base/text.h"
#include "decode/clr/clr_payload.h"
#include "decode/eventpipe/clr_shapes.h"
#include "output/export/nettrace_file.h"
#include "output/stacks/stacks_parts.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES_AT (UINT64_C(1) << 56)
enum { FRAME_BYTES = 16, MODULES_AT = 1 << 12 };

/* Of their kinds, as the runtime announces them. */
static const struct nt_nettrace_kind sample_kind = { .provider = "Microsoft-DotNETCore-SampleProfiler", .name = "", .level = 4 };
static const struct nt_nettrace_kind process_kind = {
	.provider = "Microsoft-DotNETCore-EventPipe", .name = "ProcessInfo", .id = 1, .version = 1, .level = 4
};
#define RUNDOWN "Microsoft-Windows-DotNETRuntimeRundown"
static const struct nt_nettrace_kind method_kind = {
	.provider = RUNDOWN, .name = "", .id = 144, .version = 1, .level = 4, .keywords = 0x30
};
static const struct nt_nettrace_kind module_kind = {
	.provider = RUNDOWN, .name = "", .id = 154, .version = 2, .level = 4, .keywords = 0x8
};

/* What a sample is of. */
enum sampled { SAMPLED_OUTSIDE = 1, SAMPLED_MANAGED = 2 };

struct item {
	nt_time time; /* first: they are sorted by it */
	enum what { A_RUNTIME_EVENT, AN_END_OF_RESTART, A_SAMPLE, AN_END_OF_RUNNING } what;
	uint32_t index; /* in the moments; of the end of running the tid; else in the runtime's events */
};

struct writing {
	struct nt_nettrace_writer *writer; /* owned */
	const struct nt_export_timeline *timeline;
	const struct nt_stack_tree *tree;
	const struct nt_runtime_events *events;
	uint32_t *threads;  /* owned; of each node its thread's */
	struct item *items; /* owned */
	size_t item_count, item_capacity;
	struct nt_index runtime_kinds; /* id << 16 | version -> number in the file */
	uint32_t samples;              /* number of their kind */
	nt_time last;
};

/* ---- in order of time ---- */

static void add_item(struct writing *w, nt_time time, enum what what, uint32_t index)
{
	w->items = nt_grow(w->items, &w->item_capacity, w->item_count + 1, sizeof(*w->items));
	w->items[w->item_count++] = (struct item){ .time = time, .what = what, .index = index };
}

static uint32_t tid_of(const struct writing *w, const struct nt_stack_moment *moment)
{
	return w->tree->frames[w->tree->nodes[w->threads[moment->node]].frame].tid;
}

static nt_time end_of(const struct writing *w, const struct nt_stack_moment *moment)
{
	return moment->time + moment->samples * w->timeline->stacks.period_ns;
}

/* Where the next sample of its thread comes later than it would if the thread had gone on. NULL: there is none. */
static void add_end(struct writing *w, const struct nt_stack_moment *moment, const struct nt_stack_moment *next)
{
	nt_time end = end_of(w, moment);
	if (!next || next->time > end + w->timeline->stacks.period_ns / 2)
		add_item(w, end, AN_END_OF_RUNNING, tid_of(w, moment));
}

static void add_samples(struct writing *w)
{
	struct nt_index newest = { 0 }; /* tid -> moment */
	for (uint32_t i = 0; i < w->tree->moment_count; i++) {
		const struct nt_stack_moment *moments = w->tree->moments;
		uint32_t tid = tid_of(w, &moments[i]), before = nt_index_get(&newest, tid);
		if (before != NT_INDEX_NONE)
			add_end(w, &moments[before], &moments[i]);
		nt_index_put(&newest, tid, i);
		add_item(w, moments[i].time, A_SAMPLE, i);
	}
	for (uint32_t i = 0; i < w->tree->moment_count; i++)
		if (nt_index_get(&newest, tid_of(w, &w->tree->moments[i])) == i)
			add_end(w, &w->tree->moments[i], NULL);
	nt_index_fini(&newest);
}

/* Numbers of the runtime's events. */
enum { GC_RESTART_END = 3, GC_RESTART_BEGIN = 7, GC_SUSPEND_BEGIN = 9 };

/*
 * The end of a restart is not asked for where the runtime can leave it out: a pause ends where its restart begins, as the runtime's own count of pauses has it. Readers let it end with that event, and know no pause
 * without one: so it is written with the time of the begin.
 */
static void add_runtime_events(struct writing *w)
{
	const struct nt_runtime_events *events = w->events;
	const struct nt_runtime_event *restart = NULL; /* that has begun */
	for (size_t i = 0; i < events->count; i++) {
		const struct nt_runtime_event *event = &events->items[i];
		add_item(w, event->time, A_RUNTIME_EVENT, (uint32_t)i);
		if (restart && (event->id == GC_RESTART_BEGIN || event->id == GC_SUSPEND_BEGIN))
			add_item(w, restart->time, AN_END_OF_RESTART, (uint32_t)(restart - events->items));
		if (event->id == GC_RESTART_BEGIN)
			restart = event;
		else if (event->id == GC_RESTART_END || event->id == GC_SUSPEND_BEGIN)
			restart = NULL;
	}
	if (restart)
		add_item(w, restart->time, AN_END_OF_RESTART, (uint32_t)(restart - events->items));
}

static void order(struct writing *w)
{
	add_runtime_events(w);
	add_samples(w);
	void *items = w->items;
	nt_radix_sort(&items, w->item_count, sizeof(*w->items), 0);
	w->items = items;
}

/* ---- events ---- */

static void tell(struct writing *w, const struct nt_nettrace_told *event)
{
	w->last = event->time;
	nt_nettrace_writer_event(w->writer, event);
}

static uint32_t runtime_kind(struct writing *w, const struct nt_runtime_event *event)
{
	uint64_t key = (uint64_t)event->id << 16 | event->version;
	uint32_t number = nt_index_get(&w->runtime_kinds, key);
	if (number != NT_INDEX_NONE)
		return number;
	const struct nt_clr_shape *shape = nt_clr_shape_find(event->id);
	number = nt_nettrace_writer_kind(w->writer, &(struct nt_nettrace_kind){ .provider = NT_CLR_PROVIDER,
										.name = "",
										.id = event->id,
										.version = event->version,
										.level = shape ? shape->level : 0,
										.keywords = shape ? shape->keywords : 0 });
	nt_index_put(&w->runtime_kinds, key, number);
	return number;
}

static void tell_runtime_event(struct writing *w, const struct nt_runtime_event *event)
{
	if (!event->id) {
		nt_nettrace_writer_lost(w->writer, event->offset);
		return;
	}
	tell(w, &(struct nt_nettrace_told){ .time = event->time,
					    .kind = runtime_kind(w, event),
					    .tid = event->tid,
					    .payload = w->events->payloads.bytes + event->offset,
					    .payload_length = event->length });
}

static void tell_end_of_restart(struct writing *w, const struct nt_runtime_event *begin)
{
	static const char payload[sizeof(uint16_t)]; /* which runtime of the process: its first, as ever */
	const struct nt_runtime_event end = { .id = GC_RESTART_END, .version = 1 };
	tell(w, &(struct nt_nettrace_told){ .time = begin->time,
					    .kind = runtime_kind(w, &end),
					    .tid = begin->tid,
					    .payload = payload,
					    .payload_length = sizeof(payload) });
}

static void tell_sample(struct writing *w, const struct nt_stack_moment *moment)
{
	static const uint32_t managed = SAMPLED_MANAGED;
	const struct nt_stack_node *nodes = w->tree->nodes;
	uint64_t addresses[NT_STACKS_DEPTH];
	struct nt_nettrace_told event = { .time = moment->time,
					  .kind = w->samples,
					  .tid = tid_of(w, moment),
					  .addresses = addresses,
					  .payload = &managed,
					  .payload_length = sizeof(managed) };
	for (uint32_t node = moment->node; nodes[node].parent != NT_STACK_ROOT && event.address_count < NT_STACKS_DEPTH;
	     node = nodes[node].parent)
		addresses[event.address_count++] = FRAMES_AT + (uint64_t)nodes[node].frame * FRAME_BYTES;
	/* One that stands for several is so many, so that readers count as many. */
	for (uint32_t i = 0; i < moment->samples; i++)
		tell(w, &event);
}

static void tell_end(struct writing *w, const struct item *item)
{
	static const uint32_t outside = SAMPLED_OUTSIDE;
	tell(w,
	     &(struct nt_nettrace_told){
		     .time = item->time, .kind = w->samples, .tid = item->index, .payload = &outside, .payload_length = sizeof(outside) });
}

static void tell_item(struct writing *w, const struct item *item)
{
	switch (item->what) {
	case A_RUNTIME_EVENT:
		tell_runtime_event(w, &w->events->items[item->index]);
		break;
	case AN_END_OF_RESTART:
		tell_end_of_restart(w, &w->events->items[item->index]);
		break;
	case A_SAMPLE:
		tell_sample(w, &w->tree->moments[item->index]);
		break;
	case AN_END_OF_RUNNING:
		tell_end(w, item);
		break;
	}
}

/* ---- at the end: the names ---- */

static const char *text_of(const void *context, nt_str id, size_t *length)
{
	(void)id;
	*length = strlen(context);
	return context;
}

/* An event of the list, with the payload that such an event of the runtime has, and the one text in it. */
static void tell_listed(struct writing *w, uint32_t kind, const struct nt_event *as, const char *text)
{
	struct nt_text_buffer payload = { 0 };
	char safe[NT_STACKS_LABEL];
	nt_stacks_safe(text, '\0', safe, sizeof(safe));
	nt_clr_payload_put(&payload, nt_clr_payload_desc(as), as, &(struct nt_clr_texts){ .get = text_of, .context = safe });
	tell(w, &(struct nt_nettrace_told){
			.time = w->last, .kind = kind, .payload = payload.bytes, .payload_length = (uint32_t)payload.length });
	nt_text_buffer_fini(&payload);
}

/* A number and a name of a module. Readers show the name of its file without what is behind the last dot: an assembly is its file. */
static void tell_module(struct writing *w, uint32_t kind, uint64_t number, const char *name, bool assembly)
{
	const struct nt_event module = { .kind = NT_EV_MODULE_LOAD, .version = 2, .u.module_load = { .module_id = number, .path = 1 } };
	char *path = nt_format("%s%s", name, assembly ? ".dll" : "");
	tell_listed(w, kind, &module, path);
	free(path);
}

/* NULL: not known. */
static const char *module_of_compiled(const struct writing *w, const char *method)
{
	for (size_t i = 0; i < w->timeline->compiled_count; i++)
		if (strcmp(w->timeline->compiled[i].name, method) == 0)
			return w->timeline->compiled[i].module;
	return NULL;
}

/* The modules of compiled methods that were loaded before: by the runtime's numbers, as its own list at the end has them. */
static void tell_modules(struct writing *w, uint32_t kind)
{
	struct nt_index told = { 0 };
	for (size_t i = 0; i < w->events->member_count; i++) {
		const struct nt_runtime_member *member = &w->events->members[i];
		const char *name = nt_index_get(&told, member->module_id) == NT_INDEX_NONE ? module_of_compiled(w, member->method) : NULL;
		if (!name || *name == '(') /* made at run time */
			continue;
		nt_index_put(&told, member->module_id, 1);
		tell_module(w, kind, member->module_id, name, true);
	}
	nt_index_fini(&told);
}

/* MethodFlags of the runtime: bits 7 to 9 are the tier. */
static uint32_t flags_of(const struct nt_stack_frame *frame)
{
	enum { JITTED = 8, TIER_SHIFT = 7 };
	return (frame->kind == NT_CODE_JIT ? JITTED : 0u) | (uint32_t)frame->tier << TIER_SHIFT;
}

/* Readers put its module before it. */
static const char *name_in_module(const struct nt_stack_frame *frame)
{
	size_t module = frame->module ? strlen(frame->module) : 0;
	bool says = module && strncmp(frame->name, frame->module, module) == 0 && frame->name[module] == '!';
	return frame->name + (says ? module + 1 : 0);
}

static void tell_names(struct writing *w)
{
	struct nt_index modules = { 0 }; /* by where its name lies: one text, one place */
	uint32_t methods = nt_nettrace_writer_kind(w->writer, &method_kind), module_list = nt_nettrace_writer_kind(w->writer, &module_kind);
	uint32_t module_count = 0;
	tell_modules(w, module_list);
	for (uint32_t i = 0; i < w->tree->frame_count; i++) {
		const struct nt_stack_frame *frame = &w->tree->frames[i];
		uint32_t module = frame->module ? nt_index_get(&modules, (uint64_t)(uintptr_t)frame->module) : 0;
		if (frame->sort == NT_FRAME_THREAD)
			continue;
		if (module == NT_INDEX_NONE) {
			nt_index_put(&modules, (uint64_t)(uintptr_t)frame->module, module = MODULES_AT + module_count++);
			tell_module(w, module_list, module, frame->module, frame->kind == NT_CODE_JIT || frame->kind == NT_CODE_R2R);
		}
		const uint64_t at = FRAMES_AT + (uint64_t)i * FRAME_BYTES;
		const struct nt_event method = {
			.kind = NT_EV_METHOD_LOAD,
			.version = 1,
			.u.method = { .method_id = at,
				      .module_id = module,
				      .start = at,
				      .size = FRAME_BYTES,
				      .flags = flags_of(frame),
				      .name = 1 },
		};
		tell_listed(w, methods, &method, name_in_module(frame));
	}
	nt_index_fini(&modules);
}

/* Its command line is what readers call it by. */
static void tell_process(struct writing *w)
{
	struct nt_text_buffer payload = { 0 };
	const char *name = w->timeline->command ? w->timeline->command : w->timeline->stacks.process_name;
	const char *const texts[] = { name ? name : "", "Linux", "" };
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		nt_text_put_utf16(&payload, texts[i], nt_utf8_cut(texts[i], strlen(texts[i]), NT_CLR_PAYLOAD_TEXT_MAX));
	uint32_t kind = nt_nettrace_writer_kind(w->writer, &process_kind);
	tell(w, &(struct nt_nettrace_told){
			.time = w->last, .kind = kind, .payload = payload.bytes, .payload_length = (uint32_t)payload.length });
	nt_text_buffer_fini(&payload);
}

void nt_export_write_nettrace(FILE *out, const struct nt_export_timeline *timeline)
{
	static const struct nt_runtime_events none = { .count = 0 };
	struct writing w = { .timeline = timeline,
			     .tree = timeline->stacks.tree,
			     .events = timeline->runtime_events ? timeline->runtime_events : &none,
			     .last = timeline->stacks.t0 };
	w.threads = nt_stacks_threads(w.tree);
	order(&w);
	/* The runtime may tell of what was before nettop came. */
	if (w.item_count && w.items[0].time < w.last)
		w.last = w.items[0].time;
	w.writer = nt_nettrace_writer_new(out, &(struct nt_nettrace_begin){ .time = w.last,
									    .realtime_offset_ns = timeline->realtime_offset_ns,
									    .pid = timeline->stacks.pid,
									    .cpu_count = timeline->cpu_count,
									    .sampling_ns = (uint32_t)timeline->stacks.period_ns });
	w.samples = nt_nettrace_writer_kind(w.writer, &sample_kind);
	tell_process(&w);
	for (size_t i = 0; i < w.item_count; i++)
		tell_item(&w, &w.items[i]);
	nt_nettrace_writer_lost(w.writer, w.events->left_out);
	tell_names(&w);
	nt_nettrace_writer_end(w.writer);
	nt_index_fini(&w.runtime_kinds);
	free(w.items);
	free(w.threads);
}
