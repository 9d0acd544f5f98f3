// SPDX-License-Identifier: GPL-2.0-only
/*
 * Batches in, snapshots out. An event counts in the interval in which its time lies while that is open; what lies behind the open interval
 * waits, what lies before it is late and counts in the open one.
 */
#include "nettop/model.h"

#include "base/alloc.h"
#include "model/common/decay.h"
#include "model/whole/model_state.h"

#include <stdlib.h>

enum {
	HISTORY_LIMIT = 2000, /* each snapshot has a copy of them */
	HALF_LIFE = 5,
	PENDING_LIMIT = 1 << 18, /* beyond, events from the future count at once (as late): no recording may fill the memory */
	RETIRED_TABLES = 8,      /* of ended epochs, whose chains wait for names, and so many chains of them: some 2 MB */
	RETIRED_CHAINS = 1 << 12,
	FOLD_INTERVALS = 600, /* more overdue intervals than this become one: nettop was stopped */
};

static const nt_time stall_ns = 2 * NT_NS_PER_S;    /* without a tick, besides an interval */
static const nt_time patience_ns = 3 * NT_NS_PER_S; /* then; what is not there by then comes late */

void nt_model_config_init(struct nt_model_config *config)
{
	*config = (struct nt_model_config){ .interval_ns = NT_NS_PER_S,
					    .watermark_ns = 300 * NT_NS_PER_MS,
					    .window_half_life = HALF_LIFE,
					    .history_limit = HISTORY_LIMIT };
}

struct nt_model *nt_model_new(const struct nt_model_config *config)
{
	nt_assert(config->interval_ns > 0 && config->window_half_life > 0);
	struct nt_model *model = nt_alloc(sizeof(*model));
	model->config = *config;
	model->decay = nt_window_decay(config->window_half_life);
	model->t0 = config->start;
	model->t1 = config->start + config->interval_ns;
	model->names.heap = nt_heap_new();
	model->names.texts = nt_texts_new(&(struct nt_texts_config){ .slack_bytes = config->text_slack_bytes });
	model->resolver = nt_resolver_new(&model->names);
	nt_sites_init(&model->sites, model->resolver);
	nt_sources_init(&model->sources);
	nt_owners_init(&model->owners);
	nt_proc_init(&model->proc, config->pid);
	nt_threads_init(&model->threads);
	nt_annotate_init(&model->annotate, model->resolver);
	nt_cpu_init(&model->cpu, model->resolver, &model->threads, &model->annotate);
	nt_gc_init(&model->gc, config->history_limit);
	nt_alloc_init(&model->alloc);
	nt_allocations_init(&model->allocations);
	nt_jit_init(&model->jit);
	nt_pool_init(&model->pool);
	nt_exceptions_init(&model->exceptions);
	nt_contention_init(&model->contention);
	nt_counters_init(&model->counters);
	nt_findings_init(&model->findings, &model->contention, config->start);
	return model;
}

void nt_model_free(struct nt_model *model)
{
	if (!model)
		return;
	nt_owners_fini(&model->owners);
	nt_counters_fini(&model->counters);
	nt_contention_fini(&model->contention);
	nt_exceptions_fini(&model->exceptions);
	nt_allocations_fini(&model->allocations);
	nt_jit_fini(&model->jit);
	nt_gc_fini(&model->gc);
	nt_cpu_fini(&model->cpu);
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
	free(model->pending);
	free(model->questions);
	nt_texts_free(model->names.texts);
	nt_heap_free(model->names.heap);
	free(model);
}

nt_time nt_model_interval_end(const struct nt_model *model)
{
	return model->t1;
}

/* ---- batches ---- */

/* The table of the batch's epoch. An older one lives on while samples or waiting events use it: until their interval is closed. */
static struct nt_ids *ids_of(struct nt_model *model, const struct nt_batch *batch)
{
	struct nt_ids **current = &model->ids[batch->source];
	if (*current && (*current)->epoch != batch->epoch) {
		if ((*current)->refs || (*current)->chains_announced) {
			(*current)->retired = model->t1;
			(*current)->next = model->retired;
			model->retired = *current;
		} else {
			nt_ids_free(*current);
		}
		*current = NULL;
	}
	if (!*current)
		*current = nt_ids_new(batch->epoch);
	return *current;
}

static void postpone(struct nt_model *model, enum nt_source_id source, const struct nt_event *event, struct nt_ids *ids)
{
	model->pending = nt_grow(model->pending, &model->pending_capacity, model->pending_count + 1, sizeof(*model->pending));
	model->pending[model->pending_count++] = (struct nt_pending){ .event = *event, .ids = ids, .source = source };
	ids->refs++;
}

/* It happened after the end. */
static bool is_beyond(const struct nt_model *model, const struct nt_event *event)
{
	return model->until && event->time >= model->until && nt_event_is_moment(event->kind);
}

static void take_in(struct nt_model *model, const struct nt_batch *batch, const struct nt_event *event, struct nt_ids *ids)
{
	enum nt_source_id source = batch->source;
	if (nt_event_is_direction(event->kind)) {
		if (source == NT_SOURCE_APP)
			nt_model_obey(model, event);
		return;
	}
	struct nt_source_account *account = &model->sources.items[source];
	nt_sources_count(&model->sources, source, event);
	if (event->pid && model->config.pid && event->pid != model->config.pid)
		return; /* of another process: counted, not looked at */
	if (is_beyond(model, event))
		return;
	if (!event->beside && !nt_owners_admit(&model->owners, &model->sources, &model->proc.left_out, source, event)) {
		account->duplicate_count++;
		return;
	}
	if (nt_event_is_moment(event->kind)) {
		if (event->time >= model->t1 && model->pending_count < PENDING_LIMIT) {
			postpone(model, source, event, ids);
			return;
		}
		if (event->time < model->t0 || event->time >= model->t1)
			account->late_count++;
	}
	nt_model_dispatch(model, source, event, ids, batch);
}

void nt_model_apply(struct nt_model *model, const struct nt_batch *batch)
{
	if ((unsigned)batch->source >= NT_SOURCE_COUNT)
		return;
	struct nt_ids *ids = ids_of(model, batch);
	nt_ids_announce(ids, batch, model->names.heap);
	for (size_t i = 0; i < batch->event_count; i++)
		if (nt_event_kind_exists(batch->events[i].kind))
			take_in(model, batch, &batch->events[i], ids);
}

/* ---- closing ---- */

/* Count what waited for the interval that begins now; with `all` everything that waits. */
static void resume(struct nt_model *model, bool all)
{
	size_t kept = 0, count = model->pending_count;
	for (size_t i = 0; i < count; i++) {
		struct nt_pending *pending = &model->pending[i];
		if (all || pending->event.time < model->t1 || is_beyond(model, &pending->event)) {
			if (!is_beyond(model, &pending->event))
				nt_model_dispatch(model, pending->source, &pending->event, pending->ids, NULL);
			pending->ids->refs--;
		} else {
			model->pending[kept++] = *pending;
		}
	}
	model->pending_count = kept;
	model->pending = nt_shrink(model->pending, &model->pending_capacity, kept, sizeof(*model->pending));
}

/* A few of some thousand chains wait: the others of the table go. */
static void pack(struct nt_model *model, struct nt_ids *ids)
{
	void *before = nt_ids_begin_packing(ids);
	nt_cpu_keep_waiting(&model->cpu, ids);
	nt_ids_end_packing(before);
}

/*
 * The newest ones stay for a while as long as chains of theirs wait for names: deep stacks fill a table in a second, and a name takes longer. What lay there
 * longer ago is not known any more.
 */
static void free_retired(struct nt_model *model, nt_time t1)
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
		nt_cpu_forget(&model->cpu, ids);
		nt_ids_free(ids);
	}
}

static void each_ref(struct nt_model *model, nt_ref_visit *visit, void *context)
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
static void compact(struct nt_model *model)
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

static void mark_text(const char *text, void *context)
{
	nt_texts_mark(context, text);
}

/* Begin a generation of texts, when so many have come that it is worth looking who uses them. Snapshots have pinned theirs. */
static void sweep_texts(struct nt_model *model)
{
	struct nt_texts *texts = model->names.texts;
	if (!nt_texts_grown(texts))
		return;
	nt_resolver_each_text(model->resolver, mark_text, texts);
	nt_sites_each_text(&model->sites, mark_text, texts);
	nt_threads_each_text(&model->threads, mark_text, texts);
	nt_cpu_each_text(&model->cpu, mark_text, texts);
	nt_gc_each_text(&model->gc, mark_text, texts);
	nt_jit_each_text(&model->jit, mark_text, texts);
	nt_exceptions_each_text(&model->exceptions, mark_text, texts);
	nt_lock_sites_each_text(&model->contention.sites, mark_text, texts);
	nt_allocations_each_text(&model->allocations, mark_text, texts);
	nt_counters_each_text(&model->counters, mark_text, texts);
	nt_annotate_each_text(&model->annotate, mark_text, texts);
	nt_sources_each_text(&model->sources, mark_text, texts);
	nt_proc_each_text(&model->proc, mark_text, texts);
	mark_text(model->pool.reason, texts);
	mark_text(model->rundowns.newest.reason, texts);
	nt_texts_sweep(texts);
}

/* Close [t0, t1) and open the next interval. */
static struct nt_snapshot *close_interval(struct nt_model *model, nt_time t1, bool final)
{
	if (model->until && t1 > model->until)
		t1 = model->until;
	if (t1 > model->t1) /* longer than it was meant to be: what waited for later is of it now */
		model->t1 = t1;
	resume(model, final);
	struct nt_span span = {
		.t0 = model->t0, .t1 = t1, .start = model->config.start, .number = ++model->sequence, .decay = model->decay, .final = final
	};
	model->cpu.map_until = nt_sources_map_until(&model->sources);
	nt_cpu_settle(&model->cpu, &span);
	nt_sites_settle(&model->sites, &span, model->cpu.frames.version);
	free_retired(model, t1);
	struct nt_snapshot *snapshot = nt_model_snapshot(model, &span);
	nt_sites_sweep(&model->sites);
	compact(model);
	sweep_texts(model);
	nt_coverage_next(&model->coverage, &model->sources, t1);
	model->t0 = t1;
	model->t1 = nt_model_cut_at_end(model, t1 + model->config.interval_ns);
	resume(model, false);
	return snapshot;
}

bool nt_model_has_ended(const struct nt_model *model)
{
	return model->until && model->t0 >= model->until;
}

/* Nobody looked for a while: the sources still have what happened meanwhile, and deliver it now. */
static void note_stall(struct nt_model *model, nt_time now)
{
	if (model->ticked && now > model->ticked + stall_ns + model->config.interval_ns)
		model->patience = now + patience_ns;
	model->ticked = now;
}

static struct nt_snapshot *close_due(struct nt_model *model, nt_time now)
{
	note_stall(model, now);
	if (now < model->t1 || model->t1 == model->until)
		return NULL; /* the last one has time until all sources were read to their end: what they tell at their end is in it */
	if (!nt_sources_past(&model->sources, model->t1) && (now < model->t1 + model->config.watermark_ns || now < model->patience))
		return NULL;
	nt_time overdue = (now - model->t1) / model->config.interval_ns;
	nt_time t1 = overdue > FOLD_INTERVALS ? model->t1 + (overdue - 1) * model->config.interval_ns : model->t1;
	return close_interval(model, t1, false);
}

struct nt_snapshot *nt_model_take_tick(struct nt_model *model, const struct nt_tick *tick)
{
	if (tick->how == NT_TICK_DUE)
		return close_due(model, tick->now);
	bool final = tick->how == NT_TICK_FINAL;
	struct nt_snapshot *snapshot = close_interval(model, tick->now > model->t0 ? tick->now : model->t0, final);
	snapshot->complete = final && tick->complete;
	return snapshot;
}
