// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/cpu.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/common/decay.h"
#include "model/process/roles.h"
#include "symbol/own_code.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_GAP_MAX = 64 };

/* A code map that is not read for so long is not waited for. */
#define MAP_PATIENCE_NS (3 * NT_NS_PER_S)

void nt_cpu_init(struct nt_cpu *cpu, enum nt_sample_kind kind, struct nt_resolver *resolver, struct nt_threads *threads,
		 struct nt_annotate *annotate)
{
	*cpu = (struct nt_cpu){ .kind = kind, .resolver = resolver, .threads = threads, .annotate = annotate };
	nt_rows_init(&cpu->rows, kind);
	cpu->frames.resolver = resolver;
	nt_stacks_init(&cpu->stacks, &cpu->frames);
	cpu->into = &cpu->stacks;
}

void nt_cpu_fini(struct nt_cpu *cpu)
{
	nt_rows_fini(&cpu->rows);
	free(cpu->samples);
	free(cpu->waiting);
	nt_open_times_fini(&cpu->open_times);
	free(cpu->unsaid);
	free(cpu->scratch);
	nt_stacks_fini(&cpu->stacks);
	nt_samples_kept_fini(&cpu->kept);
	*cpu = (struct nt_cpu){ 0 };
}

static void stop_waiting(struct nt_cpu_sample *sample)
{
	if (sample->waiting_tid)
		sample->chain->ids->refs--;
	sample->waiting_tid = 0;
}

/* Nothing that was counted for this chain waits for names any more. */
static void close_samples(struct nt_cpu *cpu, struct nt_chain *chain)
{
	chain->open_samples = 0;
	chain->open_window = 0;
	nt_open_times_drop(&cpu->open_times, &chain->open_times);
}

void nt_cpu_sample(struct nt_cpu *cpu, nt_time time, unsigned count, struct nt_chain *chain, uint32_t thread)
{
	cpu->samples = nt_grow(cpu->samples, &cpu->sample_capacity, cpu->sample_count + 1, sizeof(*cpu->samples));
	cpu->samples[cpu->sample_count++] =
		(struct nt_cpu_sample){ .time = time, .chain = chain, .count = count, .weight = count, .thread = thread };
}

void nt_cpu_weigh(struct nt_cpu *cpu, uint64_t weight)
{
	cpu->samples[cpu->sample_count - 1].weight = (double)weight;
}

void nt_cpu_moment(struct nt_cpu *cpu, nt_time time, const struct nt_ev_moment *moment, struct nt_chain *chain, uint32_t thread)
{
	if (moment->what >= NT_MOMENTS_ASKED_MAX)
		return;
	nt_cpu_sample(cpu, time, moment->count, chain, thread);
	struct nt_cpu_sample *sample = &cpu->samples[cpu->sample_count - 1];
	sample->what = moment->what;
	sample->weight = (double)moment->weight;
	cpu->into->happened[moment->what] += moment->count;
}

/* ---- one chain ---- */

static void limit(struct nt_chain *chain, const struct nt_resolved *resolved)
{
	if (resolved->valid_from > chain->valid_from)
		chain->valid_from = resolved->valid_from;
	if (resolved->valid_to < chain->valid_to)
		chain->valid_to = resolved->valid_to;
}

/* From the first frame on whose row is in the chain already, all are kept a second time. */
static void add_recursion(struct nt_chain *chain, nt_frame frame)
{
	if (!chain->whole)
		chain->whole = nt_arena_alloc(chain->ids->arena, chain->count * sizeof(*chain->whole));
	if (!chain->whole_count) {
		memcpy(chain->whole, chain->frames, chain->frame_count * sizeof(*chain->whole));
		chain->whole_count = chain->frame_count;
	}
	chain->whole[chain->whole_count++] = frame;
}

/* Find the rows of a chain as of `time`. `weight`: see nt_resolver_resolve(). */
static void resolve(struct nt_cpu *cpu, struct nt_chain *chain, nt_time time, uint64_t weight)
{
	chain->frame_count = 0;
	chain->provisional = chain->reusable = chain->awaited = false;
	chain->whole_count = 0;
	chain->valid_from = 0;
	chain->valid_to = NT_TIME_UNKNOWN;
	chain->version = cpu->frames.version;
	chain->stack_generation = chain->kept_generation = 0;
	struct nt_resolved last[NT_BEGIN_FRAMES] = { 0 }; /* frame i in place i modulo their number */
	size_t frames = 0;
	bool own = false;
	cpu->mark++;
	for (size_t i = 0; i < chain->count; i++) {
		if (nt_frames_is_marker(chain->addresses[i]))
			continue;
		struct nt_resolved *resolved = &last[frames++ % NT_BEGIN_FRAMES];
		*resolved = nt_frames_resolve(&cpu->frames, chain, i, time, weight);
		chain->provisional |= resolved->provisional;
		chain->reusable |= resolved->reusable;
		chain->awaited |= resolved->awaited;
		limit(chain, resolved);
		if (!resolved->mapped) {
			/* Junk of a broken chain, not a caller, where the source of samples tells of new mappings: who tells of moments does not. */
			if (!chain->frame_count || cpu->kind == NT_SAMPLES_MOMENTS)
				nt_resolver_lacks_mapping(cpu->resolver);
			if (chain->frame_count)
				continue;
		}
		struct nt_row *row = nt_rows_get(&cpu->rows, resolved->key);
		const nt_frame frame = nt_frame_pack(resolved->key, resolved->tier);
		if (row->mark == cpu->mark) { /* recursion: once per chain */
			add_recursion(chain, frame);
			continue;
		}
		row->mark = cpu->mark;
		row->address = nt_frames_address(chain, i);
		chain->frames[chain->frame_count++] = frame;
		if (chain->whole_count)
			chain->whole[chain->whole_count++] = frame;
		if (own)
			continue;
		own = resolved->mapped && nt_key_is_own(nt_resolver_key(cpu->resolver, resolved->key));
		if (own || chain->frame_count == 1)
			chain->own = resolved->key;
	}
	chain->purpose = (uint8_t)nt_purpose_of_code(cpu->resolver, chain->frames, chain->frame_count);
	chain->complete = nt_frames_begin_thread(&cpu->frames, last, frames);
}

static void keep_old_frames(struct nt_cpu *cpu, const struct nt_chain *chain)
{
	cpu->scratch = nt_grow(cpu->scratch, &cpu->scratch_capacity, chain->frame_count, sizeof(*cpu->scratch));
	memcpy(cpu->scratch, chain->frames, chain->frame_count * sizeof(*cpu->scratch));
	cpu->scratch_own = chain->own;
	cpu->scratch_purpose = chain->purpose;
}

static bool same_frames(const struct nt_cpu *cpu, const struct nt_chain *chain, size_t old_count)
{
	return old_count == chain->frame_count && memcmp(cpu->scratch, chain->frames, old_count * sizeof(*cpu->scratch)) == 0;
}

/* When the row of a leaf has become another one altogether, what else is known of it goes there, too. */
static void follow_leaf(struct nt_cpu *cpu, uint32_t from, const struct nt_row_trend *past, uint32_t to)
{
	if (from == to || nt_rows_get(&cpu->rows, from)->total_all)
		return;
	nt_rows_add_trend(&cpu->rows, to, past);
	nt_hot_renames_add(&cpu->threads->renames, nt_resolver_key(cpu->resolver, from)->id, nt_resolver_key(cpu->resolver, to));
}

/* Move so many of the samples that were counted for the old frames, which are in `scratch`. */
static void move(struct nt_cpu *cpu, struct nt_chain *chain, size_t old_count, uint64_t samples, double window, const struct nt_span *span)
{
	if (chain->own != cpu->scratch_own) /* first: a row that nothing is left of is emptied */
		nt_rows_own_move(&cpu->rows, cpu->scratch_own, chain->own, samples, window);
	if (same_frames(cpu, chain, old_count))
		return;
	nt_purposes_move(&cpu->purposes, cpu->scratch_purpose, chain->purpose, samples, window);
	struct nt_row_trend past = nt_rows_trend(&cpu->rows, nt_frame_row(cpu->scratch[0]));
	nt_rows_take(&cpu->rows, cpu->scratch, old_count, samples, window);
	nt_rows_give(&cpu->rows, chain->frames, chain->frame_count, samples, window, span);
	if (chain->frame_count)
		follow_leaf(cpu, nt_frame_row(cpu->scratch[0]), &past, nt_frame_row(chain->frames[0]));
}

/* Which of the chain's samples are older than what lies there now: those go to what lay there when they were taken, as far as that has its final name. */
static void move_older(struct nt_cpu *cpu, struct nt_chain *chain, size_t old_count, const struct nt_span *span)
{
	nt_time from = chain->valid_from;
	bool any = false;
	for (uint32_t *link = &chain->open_times; *link;) {
		struct nt_open_time *open = &cpu->open_times.items[*link];
		if (open->time < from) {
			any = true;
			resolve(cpu, chain, open->time, 1);
			if (!chain->provisional && open->count < chain->open_samples) {
				struct nt_open_time taken = nt_open_times_take(&cpu->open_times, link);
				double window = chain->open_window * (double)taken.count / (double)chain->open_samples;
				move(cpu, chain, old_count, taken.count, window, span);
				chain->open_samples -= taken.count;
				chain->open_window -= window;
				continue;
			}
		}
		link = &cpu->open_times.items[*link].older;
	}
	if (any)
		resolve(cpu, chain, chain->open_time, 1);
}

/* Look again at a chain whose samples were counted under provisional names, and move them when the names have changed. */
static void look_again(struct nt_cpu *cpu, struct nt_chain *chain, const struct nt_span *span)
{
	size_t old_count = chain->frame_count;
	keep_old_frames(cpu, chain);
	resolve(cpu, chain, chain->open_time, 1);
	uint64_t closed = span->number - 1; /* rows still weigh as when the last interval closed */
	chain->open_window *= nt_window_power(span->decay, closed - chain->open_interval);
	chain->open_interval = closed;
	if (!chain->open_samples)
		return;
	move_older(cpu, chain, old_count, span);
	move(cpu, chain, old_count, chain->open_samples, chain->open_window, span);
	if (!chain->provisional)
		close_samples(cpu, chain);
}

/* ---- an interval ---- */

static void look_at_waiting(struct nt_cpu *cpu, const struct nt_span *span)
{
	size_t kept = 0;
	for (size_t i = 0; i < cpu->waiting_count; i++) {
		struct nt_chain *chain = cpu->waiting[i];
		if (chain->version != cpu->frames.version && (span->final || chain->look_again <= span->number)) {
			look_again(cpu, chain, span);
			chain->look_gap = chain->look_gap < LOOK_GAP_MAX ? chain->look_gap * 2 : LOOK_GAP_MAX;
			chain->look_again = span->number + chain->look_gap;
		}
		chain->waiting = chain->provisional;
		if (chain->waiting) {
			cpu->waiting[kept++] = chain;
		} else {
			close_samples(cpu, chain);
			chain->ids->waiting--;
		}
	}
	cpu->waiting_count = kept;
}

static bool valid_at(const struct nt_cpu *cpu, const struct nt_chain *chain, nt_time time)
{
	return chain->frame_count && !chain->awaited && chain->version == cpu->frames.version && time >= chain->valid_from &&
	       time < chain->valid_to;
}

static void wait_for_names(struct nt_cpu *cpu, struct nt_chain *chain, const struct nt_cpu_sample *sample, const struct nt_span *span)
{
	if (chain->open_samples)
		chain->open_window *= nt_window_power(span->decay, span->number - chain->open_interval);
	chain->open_window += sample->count;
	chain->open_interval = span->number;
	chain->open_samples += sample->count;
	chain->open_time = sample->time;
	nt_open_times_add(&cpu->open_times, &chain->open_times, sample->time, sample->count);
	chain->look_gap = 1;
	chain->look_again = span->number + 1;
	if (chain->waiting)
		return;
	chain->waiting = true;
	chain->ids->waiting++;
	cpu->waiting = nt_grow(cpu->waiting, &cpu->waiting_capacity, cpu->waiting_count + 1, sizeof(struct nt_chain *));
	cpu->waiting[cpu->waiting_count++] = chain;
}

/* NULL = not known. */
static const struct nt_thread *thread_of(const struct nt_cpu *cpu, const struct nt_cpu_sample *sample)
{
	return sample->thread == NT_THREAD_NONE ? NULL : &cpu->threads->items[sample->thread];
}

/* Code of the kernel is not looked at instruction by instruction; wall samples tell where a call returns to, not where the time went. */
static void note_address(struct nt_cpu *cpu, const struct nt_cpu_sample *sample, const struct nt_key *leaf)
{
	const struct nt_chain *chain = sample->chain;
	if (cpu->kind == NT_SAMPLES_CPU && !chain->kernel_count && chain->count && !nt_frames_is_marker(chain->addresses[0]))
		nt_annotate_sample(cpu->annotate, chain->addresses[0], sample->time, sample->count, leaf->id);
}

/*
 * Samples of the same chain go into its rows together, when all of the interval are counted or its rows become others: there are a few hundred chains for a thousand samples, of some thirty
 * rows each.
 */
static void say(struct nt_cpu *cpu, struct nt_chain *chain, const struct nt_span *span)
{
	if (chain->unsaid)
		nt_rows_count(&cpu->rows, chain->frames, chain->frame_count, chain->unsaid, span);
	if (chain->unsaid)
		nt_rows_own(&cpu->rows, chain->own, chain->unsaid);
	chain->unsaid = 0;
}

static void say_later(struct nt_cpu *cpu, struct nt_chain *chain, unsigned samples)
{
	if (!chain->unsaid) {
		cpu->unsaid = nt_grow(cpu->unsaid, &cpu->unsaid_capacity, cpu->unsaid_count + 1, sizeof(struct nt_chain *));
		cpu->unsaid[cpu->unsaid_count++] = chain;
	}
	chain->unsaid += samples;
}

static void say_all(struct nt_cpu *cpu, const struct nt_span *span)
{
	for (size_t i = 0; i < cpu->unsaid_count; i++)
		say(cpu, cpu->unsaid[i], span);
	cpu->unsaid_count = 0;
	cpu->unsaid = nt_shrink(cpu->unsaid, &cpu->unsaid_capacity, 0, sizeof(struct nt_chain *));
}

/* Let the chain's rows be those of the sample's time. */
static void resolve_at(struct nt_cpu *cpu, struct nt_chain *chain, nt_time time, const struct nt_span *span)
{
	if (valid_at(cpu, chain, time))
		return;
	say(cpu, chain, span);
	size_t old_count = chain->frame_count;
	bool waits = chain->open_samples;
	if (waits)
		keep_old_frames(cpu, chain);
	resolve(cpu, chain, time, chain->fresh_samples ? chain->fresh_samples : 1);
	/* Under other names than its earlier samples: those stay where they are. Under the same ones all go on waiting: a mapping has grown, nothing else. */
	if (waits && !same_frames(cpu, chain, old_count))
		close_samples(cpu, chain);
}

/*
 * Dynamic methods follow each other at one address, several between two looks at the code map: what is sampled after the last look may be in one that is not known
 * yet, while the one before still looks valid.
 */
static bool waits_for_map(struct nt_cpu *cpu, const struct nt_cpu_sample *sample, const struct nt_span *span)
{
	if (span->final || sample->time + MAP_PATIENCE_NS < span->t1)
		return false;
	resolve_at(cpu, sample->chain, sample->time, span);
	return sample->chain->awaited || (sample->chain->reusable && sample->time > cpu->map_until);
}

static void keep_waiting(struct nt_cpu *cpu, struct nt_cpu_sample *sample)
{
	const struct nt_thread *thread = thread_of(cpu, sample);
	if (sample->waiting_tid)
		return;
	sample->waiting_tid = thread ? thread->tid : NT_THREAD_NONE;
	sample->chain->ids->refs++;
}

/* Where the threads are now of those that have waited. */
static void find_threads(struct nt_cpu *cpu)
{
	for (size_t i = 0; i < cpu->sample_count && cpu->samples[i].waiting_tid; i++) {
		uint32_t place = nt_index_get(&cpu->threads->by_tid, cpu->samples[i].waiting_tid);
		cpu->samples[i].thread = place == NT_INDEX_NONE ? NT_THREAD_NONE : place;
	}
}

/* Bounds say little of what is going on there: who runs it says more. */
static void note_context(struct nt_cpu *cpu, const struct nt_chain *chain, const struct nt_thread *thread)
{
	struct nt_row_context *context = nt_rows_context(&cpu->rows, nt_frame_row(chain->frames[0]));
	nt_majority_vote(&context->thread, thread ? thread->name : NULL);
	for (size_t i = 1; i < chain->frame_count; i++) {
		const struct nt_key *key = nt_resolver_key(cpu->resolver, nt_frame_row(chain->frames[i]));
		if ((key->kind != NT_CODE_JIT && key->kind != NT_CODE_R2R) || key->naming == NT_NAMING_BOUNDED)
			continue;
		nt_majority_vote(&context->caller, key->name);
		return;
	}
}

static void count_purpose(struct nt_cpu *cpu, const struct nt_cpu_sample *sample, unsigned code)
{
	const struct nt_thread *thread = nt_purpose_is_said_by_thread(code) ? thread_of(cpu, sample) : NULL;
	enum nt_role role = thread ? nt_role_of(thread->name, thread->clr_flags) : NT_ROLE_UNKNOWN;
	nt_purposes_add(&cpu->purposes, nt_purpose_of_sample(code, role, sample->time, cpu->pauses), sample->count);
}

static enum nt_pause_side side_of(const struct nt_cpu *cpu, const struct nt_cpu_sample *sample)
{
	return cpu->sides ? nt_pause_side_of(cpu->sides, sample->time) : NT_SIDE_NOT_TOLD;
}

static void keep_stack(struct nt_cpu *cpu, const struct nt_cpu_sample *sample, struct nt_chain *chain, enum nt_pause_side side,
		       const struct nt_span *span)
{
	const struct nt_stacks_sample kept = {
		.thread = thread_of(cpu, sample), .time = sample->time, .what = sample->what, .side = side, .weight = sample->weight
	};
	nt_stacks_count(cpu->into, chain, &kept, span);
	if (cpu->kept.wanted)
		nt_samples_kept_add(&cpu->kept, chain, nt_frame_pack(cpu->no_chain_row, NT_TIER_UNKNOWN), &kept, sample->count, span);
}

static void count_sample(struct nt_cpu *cpu, struct nt_cpu_sample *sample, const struct nt_span *span)
{
	struct nt_chain *chain = sample->chain;
	stop_waiting(sample);
	resolve_at(cpu, chain, sample->time, span);
	if (!chain->frame_count) { /* nothing but markers */
		nt_rows_get(&cpu->rows, cpu->no_chain_row);
		chain->frames[chain->frame_count++] = nt_frame_pack(cpu->no_chain_row, NT_TIER_UNKNOWN);
		chain->own = cpu->no_chain_row;
	}
	count_purpose(cpu, sample, chain->purpose);
	chain->fresh_samples = 0; /* its questions know of all of them */
	if (chain->complete) {
		cpu->complete_window += sample->count;
		cpu->complete_all += sample->count;
	} else if (chain->cut) {
		cpu->cut_window += sample->count;
		cpu->cut_all += sample->count;
	}
	enum nt_pause_side side = side_of(cpu, sample);
	keep_stack(cpu, sample, chain, side, span);
	say_later(cpu, chain, sample->count);
	const struct nt_key *leaf = nt_resolver_key(cpu->resolver, nt_frame_row(chain->frames[0]));
	nt_threads_sampled_in(cpu->threads, cpu->kind, sample->thread, sample->count, leaf);
	if (cpu->sides)
		nt_pause_sides_add(cpu->sides, side, leaf, sample->count);
	note_address(cpu, sample, leaf);
	if (leaf->naming == NT_NAMING_BOUNDED)
		note_context(cpu, chain, thread_of(cpu, sample));
	if (chain->provisional)
		wait_for_names(cpu, chain, sample, span);
}

static void count_without_chain(struct nt_cpu *cpu, const struct nt_cpu_sample *sample, const struct nt_span *span)
{
	nt_rows_get(&cpu->rows, cpu->no_chain_row);
	nt_frame none = nt_frame_pack(cpu->no_chain_row, NT_TIER_UNKNOWN);
	nt_rows_count(&cpu->rows, &none, 1, sample->count, span);
	nt_rows_own(&cpu->rows, cpu->no_chain_row, sample->count);
	count_purpose(cpu, sample, NT_PURPOSE_UNKNOWN);
	enum nt_pause_side side = side_of(cpu, sample);
	keep_stack(cpu, sample, NULL, side, span);
	nt_threads_sampled_in(cpu->threads, cpu->kind, sample->thread, sample->count, nt_resolver_key(cpu->resolver, cpu->no_chain_row));
	if (cpu->sides)
		nt_pause_sides_add(cpu->sides, side, nt_resolver_key(cpu->resolver, cpu->no_chain_row), sample->count);
}

/* ---- rows that nobody needs ---- */

static void mark_key(uint32_t key, void *context)
{
	struct nt_cpu *cpu = context;
	nt_rows_get(&cpu->rows, key)->mark = cpu->mark;
}

void nt_cpu_mark_needed(struct nt_cpu *cpu)
{
	cpu->mark++;
	for (size_t i = 0; i < cpu->waiting_count; i++)
		for (size_t f = 0; f < cpu->waiting[i]->frame_count; f++)
			mark_key(nt_frame_row(cpu->waiting[i]->frames[f]), cpu);
	nt_stacks_each_key(&cpu->stacks, mark_key, cpu);
}

/* Other code lies at the address of the row's newest samples, or none. */
static bool is_gone(const struct nt_cpu *cpu, uint32_t number)
{
	const struct nt_row *row = &cpu->rows.items[number];
	return nt_resolver_key(cpu->resolver, number)->kind == NT_CODE_JIT &&
	       nt_resolver_replaced(cpu->resolver, row->address, row->seen_until);
}

/* A place that got its name: its samples have moved to the row of that, and it is called so no more. */
static bool has_moved(const struct nt_cpu *cpu, uint32_t number)
{
	return nt_resolver_key(cpu->resolver, number)->naming == NT_NAMING_PENDING &&
	       (number >= cpu->rows.count || !cpu->rows.items[number].total_all);
}

bool nt_cpu_can_fold(const struct nt_cpu *cpu, uint32_t number, bool gone, const struct nt_span *span)
{
	const struct nt_rows *rows = &cpu->rows;
	if (number < rows->count && rows->items[number].mark == cpu->mark)
		return false;
	if (gone)
		return has_moved(cpu, number) || (nt_rows_outlived(rows, number, span) && is_gone(cpu, number));
	return nt_rows_forgotten(rows, number, span);
}

/* One that waits was noted when it came. */
static void note_time(struct nt_cpu *cpu, const struct nt_cpu_sample *sample, const struct nt_span *span)
{
	if (cpu->kind == NT_SAMPLES_CPU && !sample->waiting_tid)
		nt_sample_times_add(&cpu->times, sample->time, sample->count, span);
}

void nt_cpu_settle(struct nt_cpu *cpu, uint32_t version, const struct nt_span *span)
{
	cpu->frames.version = version;
	cpu->no_chain_row = nt_resolver_no_chain(cpu->resolver);
	look_at_waiting(cpu, span);
	find_threads(cpu);
	for (size_t i = 0; i < cpu->sample_count; i++) {
		struct nt_chain *chain = cpu->samples[i].chain;
		note_time(cpu, &cpu->samples[i], span);
		if (!chain)
			continue;
		chain->fresh_samples++;
		if (chain->open_samples && chain->version != cpu->frames.version)
			look_again(cpu, chain, span);
	}
	nt_rows_decay(&cpu->rows, span->decay);
	nt_purposes_decay(&cpu->purposes, span->decay);
	cpu->complete_window *= span->decay;
	cpu->cut_window *= span->decay;
	nt_stacks_advance(&cpu->stacks, span);
	size_t waiting = 0; /* they stay first */
	for (size_t i = 0; i < cpu->sample_count; i++) {
		if (cpu->samples[i].chain && waits_for_map(cpu, &cpu->samples[i], span)) {
			keep_waiting(cpu, &cpu->samples[i]);
			cpu->samples[waiting++] = cpu->samples[i];
		} else if (cpu->samples[i].chain) {
			count_sample(cpu, &cpu->samples[i], span);
		} else {
			count_without_chain(cpu, &cpu->samples[i], span);
		}
	}
	say_all(cpu, span);
	cpu->sample_count = waiting;
	cpu->asked_count = 0; /* what waits asks again */
	cpu->samples = nt_shrink(cpu->samples, &cpu->sample_capacity, waiting, sizeof(*cpu->samples));
}

void nt_cpu_keep_waiting(struct nt_cpu *cpu, const struct nt_ids *ids)
{
	for (size_t i = 0; i < cpu->waiting_count; i++)
		if (cpu->waiting[i]->ids == ids)
			cpu->waiting[i] = nt_ids_keep(cpu->waiting[i]);
	nt_stacks_keep_open(&cpu->stacks, ids);
}

void nt_cpu_forget(struct nt_cpu *cpu, const struct nt_ids *ids)
{
	size_t kept = 0;
	nt_stacks_forget(&cpu->stacks, ids);
	for (size_t i = 0; i < cpu->waiting_count; i++) {
		if (cpu->waiting[i]->ids != ids)
			cpu->waiting[kept++] = cpu->waiting[i];
		else
			close_samples(cpu, cpu->waiting[i]);
	}
	cpu->waiting_count = kept;
}

void nt_cpu_each_text(const struct nt_cpu *cpu, nt_text_visit *visit, void *context)
{
	nt_rows_each_text(&cpu->rows, visit, context);
	for (size_t i = 0; i < cpu->stacks.thread_count; i++)
		visit(cpu->stacks.threads[i].name, context);
}
