// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of one process. An event counts in the interval in which its time lies while that is open; what lies behind the open interval waits, what lies
 * before it is late and counts in the open one.
 */
#include "model/whole/process_model.h"

#include "base/alloc.h"
#include "model/whole/arrival.h"

#include <stdlib.h>

enum {
	PENDING_LIMIT =
		1 << 18,    /* of all processes; beyond, events from the future count at once (as late): no recording may fill the memory */
	RETIRED_TABLES = 8, /* of ended epochs, whose chains wait for names, and so many chains of them: some 2 MB */
	RETIRED_CHAINS = 1 << 12,
};

struct nt_process_model *nt_process_model_new(struct nt_shared *shared, uint32_t pid, nt_time start)
{
	struct nt_process_model *model = nt_alloc(sizeof(*model));
	model->shared = shared;
	model->pid = pid;
	model->start = start;
	model->names = (struct nt_names){ .heap = nt_heap_new(), .texts = shared->texts };
	model->resolver = nt_resolver_new(&model->names);
	nt_sites_init(&model->sites, model->resolver);
	if (shared->config->site_frames)
		model->sites.frames_most = shared->config->site_frames;
	nt_sources_init(&model->sources);
	nt_owners_init(&model->owners);
	nt_proc_init(&model->proc, pid);
	nt_threads_init(&model->threads);
	nt_annotate_init(&model->annotate, model->resolver);
	nt_cpu_kinds_init(&model->cpu, model->resolver, &model->threads, &model->annotate);
	nt_gc_init(&model->gc, shared->config->history_limit);
	nt_alloc_init(&model->alloc);
	nt_allocations_init(&model->allocations);
	nt_jit_init(&model->jit);
	nt_pool_init(&model->pool);
	nt_exceptions_init(&model->exceptions);
	nt_lock_waits_init(&model->lock_waits);
	nt_waits_init(&model->waits);
	nt_off_cpu_init(&model->off_cpu, &model->cpu, &model->threads);
	model->waits.waited = nt_off_cpu_waited;
	model->waits.waited_context = &model->off_cpu;
	nt_counters_init(&model->counters);
	nt_io_init(&model->io);
	nt_host_init(&model->host);
	nt_requests_init(&model->requests);
	nt_told_init(&model->told);
	nt_findings_init(&model->findings, &model->lock_waits, &model->kept, start);
	return model;
}

void nt_process_model_free(struct nt_process_model *model)
{
	nt_owners_fini(&model->owners);
	nt_io_fini(&model->io);
	nt_requests_fini(&model->requests);
	nt_told_fini(&model->told);
	nt_counters_fini(&model->counters);
	nt_waits_fini(&model->waits);
	nt_off_cpu_fini(&model->off_cpu);
	nt_wall_fini(&model->wall);
	nt_lock_waits_fini(&model->lock_waits);
	nt_pool_fini(&model->pool);
	nt_exceptions_fini(&model->exceptions);
	nt_allocations_fini(&model->allocations);
	nt_jit_fini(&model->jit);
	nt_gc_fini(&model->gc);
	nt_cpu_kinds_fini(&model->cpu);
	nt_annotate_fini(&model->annotate);
	nt_threads_fini(&model->threads);
	nt_sites_fini(&model->sites);
	nt_resolver_free(model->resolver);
	for (size_t i = 0; i < NT_SOURCE_COUNT; i++)
		nt_ids_free(model->ids[i]);
	for (struct nt_ids *ids = model->retired; ids;) {
		struct nt_ids *next = ids->next;
		nt_ids_free(ids);
		ids = next;
	}
	model->shared->pending_count -= model->pending_count;
	free(model->pending);
	nt_heap_free(model->names.heap);
	free(model);
}

/* ---- batches ---- */

static void retire(struct nt_process_model *model, struct nt_ids *ids)
{
	ids->retired = model->shared->t1;
	ids->next = model->retired;
	model->retired = ids;
}

/* The table of the batch's epoch. An older one lives on while samples or waiting events use it: until their interval is closed. */
static struct nt_ids *ids_of(struct nt_process_model *model, const struct nt_batch *batch)
{
	struct nt_ids **current = &model->ids[batch->source];
	if (*current && (*current)->epoch != batch->epoch) {
		if ((*current)->refs || (*current)->chains_announced) {
			retire(model, *current);
		} else {
			nt_ids_free(*current);
		}
		*current = NULL;
	}
	if (!*current)
		*current = nt_ids_new(batch->epoch);
	(*current)->of_process = batch->pid != 0;
	return *current;
}

static void postpone(struct nt_process_model *model, enum nt_source_id source, const struct nt_event *event, struct nt_ids *ids)
{
	model->pending = nt_grow(model->pending, &model->pending_capacity, model->pending_count + 1, sizeof(*model->pending));
	model->pending[model->pending_count++] = (struct nt_pending){ .event = *event, .ids = ids, .source = source };
	ids->refs++;
	model->shared->pending_count++;
}

/* It happened after the end. */
static bool is_beyond(const struct nt_process_model *model, nt_time time)
{
	return model->shared->until && time >= model->shared->until;
}

/*
 * From when on, or up to when, single requests or work items are told, or that some of them, or of the events that somebody has chosen, were lost: said at once it would overtake those of
 * them that wait for their interval.
 */
static inline bool is_of_an_account(enum nt_source_id source, const struct nt_event *event)
{
	if (event->kind == NT_EV_COVER)
		return nt_arrival_is_apart(source, event->u.cover.what);
	uint32_t lost = event->kind == NT_EV_LOST ? event->u.lost.of : 0;
	return lost && (lost == NT_WANT_TOLD || nt_arrival_is_apart(source, lost));
}

/* It counts no more: it happened after the end. A loss that ends there may have begun before. */
static bool is_void(const struct nt_process_model *model, const struct nt_event *event)
{
	return is_beyond(model, event->time) && event->kind != NT_EV_LOST;
}

/* Inlined: for each of very many events. */
static inline __attribute__((always_inline)) void take_in(struct nt_process_model *model, const struct nt_batch *batch,
							  const struct nt_event *event)
{
	enum nt_source_id source = batch->source;
	struct nt_ids *ids = model->ids[source];
	struct nt_source_account *account = &model->sources.items[source];
	nt_sources_count(&model->sources, source, event);
	bool is_moment = nt_event_is_moment(event->kind), in_order = is_moment || is_of_an_account(source, event);
	if (in_order && is_void(model, event))
		return;
	if (!event->beside && !nt_owners_admit(&model->owners, &model->sources, &model->proc.left_out, source, event)) {
		account->duplicate_count++;
		return;
	}
	if (in_order && event->time >= model->shared->t1 && model->shared->pending_count < PENDING_LIMIT) {
		postpone(model, source, event, ids);
		return;
	}
	bool is_of_before = event->time < model->shared->config->start; /* a recording of the last minutes begins with it: names */
	if (is_moment && !is_of_before && (event->time < model->shared->t0 || event->time >= model->shared->t1))
		account->late_count++;
	nt_process_model_dispatch(model, source, event, ids, batch);
}

void nt_process_model_take(struct nt_process_model *model, const struct nt_batch *batch, const struct nt_event *event)
{
	take_in(model, batch, event);
}

size_t nt_process_model_take_run(struct nt_process_model *model, const struct nt_batch *batch, size_t first)
{
	uint32_t pid = batch->events[first].pid;
	size_t i = first;
	for (; i < batch->event_count; i++) {
		const struct nt_event *event = &batch->events[i];
		bool begins = i > first && event->kind == NT_EV_TARGET;
		if (event->pid != pid || begins || nt_event_is_direction(event->kind))
			break;
		if (nt_event_kind_exists(event->kind))
			take_in(model, batch, event);
	}
	return i - first;
}

void nt_process_model_announce(struct nt_process_model *model, const struct nt_batch *batch)
{
	nt_ids_announce(ids_of(model, batch), batch, model->names.heap);
}

void nt_process_model_learn(struct nt_process_model *model, const struct nt_process_model *from)
{
	for (size_t i = 0; i < NT_SOURCE_COUNT; i++)
		if (from->ids[i] && !from->ids[i]->of_process)
			model->ids[i] = nt_ids_copy(from->ids[i], from->names.heap, model->names.heap);
}

/* ---- closing ---- */

void nt_process_model_resume(struct nt_process_model *model, bool all)
{
	size_t kept = 0, count = model->pending_count;
	for (size_t i = 0; i < count; i++) {
		struct nt_pending *pending = &model->pending[i];
		if (all || pending->event.time < model->shared->t1 || is_beyond(model, pending->event.time)) {
			if (!is_void(model, &pending->event))
				nt_process_model_dispatch(model, pending->source, &pending->event, pending->ids, NULL);
			pending->ids->refs--;
		} else {
			model->pending[kept++] = *pending;
		}
	}
	model->shared->pending_count -= count - kept;
	model->pending_count = kept;
	/* At a high rate each interval needs the room: it goes after one that has needed little of it. */
	model->pending = nt_shrink(model->pending, &model->pending_capacity, count, sizeof(*model->pending));
}

/* A few of some thousand chains wait: the others of the table go. */
static void pack(struct nt_process_model *model, struct nt_ids *ids)
{
	void *before = nt_ids_begin_packing(ids);
	nt_cpu_kinds_keep_waiting(&model->cpu, ids);
	nt_ids_end_packing(before);
}

/*
 * The newest ones stay for a while as long as chains of theirs wait for names: deep stacks fill a table in a second, and a name takes longer. What lay there
 * longer ago is not known any more.
 */
static void free_retired(struct nt_process_model *model, nt_time t1)
{
	unsigned kept = 0, chains = 0;
	for (struct nt_ids **link = &model->retired; *link;) {
		struct nt_ids *ids = *link;
		chains += ids->waiting;
		bool may_stay = kept < RETIRED_TABLES && chains <= RETIRED_CHAINS && t1 < ids->retired + NT_SITES_OPEN_NS;
		if (ids->refs || (ids->waiting && may_stay)) {
			if (!ids->refs && !ids->packed)
				pack(model, ids);
			kept++;
			link = &ids->next;
			continue;
		}
		*link = ids->next;
		nt_cpu_kinds_forget(&model->cpu, ids);
		nt_ids_free(ids);
	}
}

static void each_ref(struct nt_process_model *model, nt_ref_visit *visit, void *context)
{
	nt_resolver_each_ref(model->resolver, visit, context);
	nt_jit_each_ref(&model->jit, visit, context);
	for (size_t i = 0; i < NT_SOURCE_COUNT; i++)
		if (model->ids[i])
			nt_ids_each_ref(model->ids[i], visit, context);
	for (struct nt_ids *ids = model->retired; ids; ids = ids->next)
		nt_ids_each_ref(ids, visit, context);
}

static void mark_ref(nt_text_ref *ref, void *context)
{
	nt_heap_mark(context, *ref);
}

struct compaction {
	struct nt_heap *from, *to;
};

static void move_ref(nt_text_ref *ref, void *context)
{
	const struct compaction *compaction = context;
	*ref = nt_heap_move(compaction->from, compaction->to, *ref);
}

/*
 * Free the texts that nothing refers to any more, when they are many. Not in the interval in which they came: the first load of a large map has
 * no garbage, and its names are wanted soon.
 */
static void compact(struct nt_process_model *model)
{
	struct nt_heap *heap = model->names.heap;
	bool grown = nt_heap_grown(heap);
	if (!grown || !model->heap_has_grown) {
		model->heap_has_grown = grown;
		return;
	}
	model->heap_has_grown = false;
	nt_heap_measure(heap);
	each_ref(model, mark_ref, heap);
	if (!nt_heap_wasteful(heap))
		return;
	struct compaction compaction = { .from = heap, .to = nt_heap_new() };
	each_ref(model, move_ref, &compaction);
	nt_heap_free(heap);
	model->names.heap = compaction.to;
}

/* Who waits over the end of the interval has waited for so long in it. */
static void count_blocked(struct nt_process_model *model, nt_time t1)
{
	if (!model->waits.exact || !nt_off_cpu_is_wanted(&model->off_cpu))
		return;
	struct nt_ids *before = nt_off_cpu_turn(&model->off_cpu);
	nt_waits_tell_waited(&model->waits, t1, nt_off_cpu_keep, &model->off_cpu);
	if (before)
		retire(model, before);
}

void nt_process_model_settle(struct nt_process_model *model, const struct nt_span *span)
{
	count_blocked(model, span->t1);
	nt_gc_pauses(&model->gc, &model->cpu.pauses);
	model->cpu.pauses_told = nt_process_model_is_told(model, NT_SUBJECT_GC, span);
	nt_cpu_kinds_settle(&model->cpu, nt_sources_map_until(&model->sources), span);
	nt_sites_settle(&model->sites, span, model->cpu.version);
	free_retired(model, span->t1);
}

void nt_process_model_sweep(struct nt_process_model *model)
{
	nt_sites_sweep(&model->sites);
	compact(model);
}

static void mark_text(const char *text, void *context)
{
	nt_texts_mark(context, text);
}

void nt_process_model_mark_texts(const struct nt_process_model *model)
{
	struct nt_texts *texts = model->shared->texts;
	nt_resolver_each_text(model->resolver, mark_text, texts);
	nt_sites_each_text(&model->sites, mark_text, texts);
	nt_threads_each_text(&model->threads, mark_text, texts);
	nt_cpu_kinds_each_text(&model->cpu, mark_text, texts);
	nt_gc_each_text(&model->gc, mark_text, texts);
	nt_jit_each_text(&model->jit, mark_text, texts);
	nt_exceptions_each_text(&model->exceptions, mark_text, texts);
	nt_work_items_each_text(&model->pool.items, mark_text, texts);
	nt_lock_sites_each_text(&model->lock_waits.sites, mark_text, texts);
	nt_waits_each_text(&model->waits, mark_text, texts);
	nt_allocations_each_text(&model->allocations, mark_text, texts);
	nt_counters_each_text(&model->counters, mark_text, texts);
	nt_io_each_text(&model->io, mark_text, texts);
	nt_host_each_text(&model->host, mark_text, texts);
	nt_requests_each_text(&model->requests, mark_text, texts);
	nt_told_each_text(&model->told, mark_text, texts);
	nt_annotate_each_text(&model->annotate, mark_text, texts);
	nt_sources_each_text(&model->sources, mark_text, texts);
	nt_proc_each_text(&model->proc, mark_text, texts);
	mark_text(model->pool.reason, texts);
	mark_text(model->rundowns.newest.reason, texts);
}
