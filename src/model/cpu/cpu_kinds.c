// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/cpu_kinds.h"

#include "base/alloc.h"

#include <stdlib.h>

enum {
	ROWS_CROWDED = 1 << 14, /* more rows than this: those not seen for long are folded, when they are many */
	ROWS_WORTH_FOLDING = ROWS_CROWDED / 8,
	ROWS_LOOK = 1 << 10, /* so many new ones: those whose code is gone, or whose samples are, are folded, when they are half as many */
};

static struct nt_cpu *next(const struct nt_cpu_kinds *kinds, size_t *at)
{
	while (*at < NT_SAMPLE_KINDS) {
		struct nt_cpu *cpu = kinds->of[(*at)++];
		if (cpu)
			return cpu;
	}
	return NULL;
}

static struct nt_cpu *first_of(const struct nt_cpu_kinds *kinds)
{
	return kinds->of[NT_SAMPLES_CPU];
}

void nt_cpu_kinds_init(struct nt_cpu_kinds *kinds, struct nt_resolver *resolver, struct nt_threads *threads, struct nt_annotate *annotate)
{
	*kinds = (struct nt_cpu_kinds){ .shown = NT_SAMPLES_CPU };
	kinds->of[NT_SAMPLES_CPU] = nt_alloc(sizeof(struct nt_cpu));
	nt_cpu_init(kinds->of[NT_SAMPLES_CPU], NT_SAMPLES_CPU, resolver, threads, annotate);
	kinds->of[NT_SAMPLES_CPU]->sides = &kinds->sides;
}

void nt_cpu_kinds_fini(struct nt_cpu_kinds *kinds)
{
	struct nt_cpu *cpu;
	for (size_t at = 0; (cpu = next(kinds, &at));) {
		nt_cpu_fini(cpu);
		free(cpu);
	}
	nt_pause_sides_fini(&kinds->sides);
	*kinds = (struct nt_cpu_kinds){ 0 };
}

/* All time of a thread is in one tree: what it ran, and where it waited. */
static void share_tree(struct nt_cpu_kinds *kinds)
{
	struct nt_cpu *moments = kinds->of[NT_SAMPLES_MOMENTS];
	if (moments)
		moments->into = nt_stacks_are_of_wall(kinds->wanted) ? &first_of(kinds)->stacks : &moments->stacks;
}

struct nt_cpu *nt_cpu_kinds_get(struct nt_cpu_kinds *kinds, enum nt_sample_kind kind)
{
	if (kinds->of[kind])
		return kinds->of[kind];
	const struct nt_cpu *first = first_of(kinds);
	kinds->of[kind] = nt_alloc(sizeof(struct nt_cpu));
	nt_cpu_init(kinds->of[kind], kind, first->resolver, first->threads, first->annotate);
	nt_stacks_want(&kinds->of[kind]->stacks, kinds->wanted);
	share_tree(kinds);
	return kinds->of[kind];
}

struct nt_cpu *nt_cpu_kinds_shown(const struct nt_cpu_kinds *kinds)
{
	return kinds->of[kinds->shown];
}

void nt_cpu_kinds_want_stacks(struct nt_cpu_kinds *kinds, enum nt_stacks_wanted wanted)
{
	struct nt_cpu *cpu;
	uint32_t generation = 0;
	kinds->wanted = wanted;
	for (size_t at = 0; (cpu = next(kinds, &at));) {
		nt_stacks_want(&cpu->stacks, wanted);
		generation = cpu->stacks.trie.generation > generation ? cpu->stacks.trie.generation : generation;
	}
	/* Chains remember their nodes by it, and may turn to another tree. */
	for (size_t at = 0; (cpu = next(kinds, &at));)
		cpu->stacks.trie.generation = generation + 1;
	share_tree(kinds);
}

void nt_cpu_kinds_want(struct nt_cpu_kinds *kinds, nt_time now)
{
	struct nt_cpu *cpu;
	nt_resolver_settle_images(first_of(kinds)->resolver, now);
	for (size_t at = 0; (cpu = next(kinds, &at));)
		nt_cpu_want(cpu);
}

void nt_cpu_kinds_want_waiting(struct nt_cpu_kinds *kinds)
{
	struct nt_cpu *cpu;
	for (size_t at = 0; (cpu = next(kinds, &at));)
		nt_cpu_want_waiting(cpu);
}

void nt_cpu_kinds_keep_waiting(struct nt_cpu_kinds *kinds, const struct nt_ids *ids)
{
	struct nt_cpu *cpu;
	for (size_t at = 0; (cpu = next(kinds, &at));)
		nt_cpu_keep_waiting(cpu, ids);
}

void nt_cpu_kinds_forget(struct nt_cpu_kinds *kinds, const struct nt_ids *ids)
{
	struct nt_cpu *cpu;
	for (size_t at = 0; (cpu = next(kinds, &at));)
		nt_cpu_forget(cpu, ids);
}

void nt_cpu_kinds_each_text(const struct nt_cpu_kinds *kinds, nt_text_visit *visit, void *context)
{
	struct nt_cpu *cpu;
	for (size_t at = 0; (cpu = next(kinds, &at));)
		nt_cpu_each_text(cpu, visit, context);
	nt_pause_sides_each_text(&kinds->sides, visit, context);
}

/* ---- too many rows ---- */

struct folding {
	struct nt_cpu_kinds *kinds;
	const struct nt_span *span;
	bool gone; /* only those whose code is gone, or whose samples are */
};

static bool has_counted(const struct nt_cpu *cpu, uint32_t number)
{
	const struct nt_row *row = number < cpu->rows.count ? &cpu->rows.items[number] : NULL;
	return row && (row->total_all || row->mark == cpu->mark);
}

/* Each kind that has samples of it can do without; where none has, what the first one says. */
static bool can_fold(const struct folding *folding, uint32_t number)
{
	const struct nt_cpu *first = first_of(folding->kinds), *cpu;
	if (number == NT_KEY_OTHER || (folding->gone && !nt_resolver_has_key(first->resolver, number)))
		return false;
	bool any = false;
	for (size_t at = 0; (cpu = next(folding->kinds, &at));) {
		if (!has_counted(cpu, number))
			continue;
		if (!nt_cpu_can_fold(cpu, number, folding->gone, folding->span))
			return false;
		any = true;
	}
	return any || nt_cpu_can_fold(first, number, folding->gone, folding->span);
}

static bool fold(uint32_t number, void *context)
{
	const struct folding *folding = context;
	struct nt_cpu *cpu;
	if (!can_fold(folding, number))
		return false;
	for (size_t at = 0; (cpu = next(folding->kinds, &at));)
		nt_rows_fold(&cpu->rows, number);
	return true;
}

/* Programs that make methods without end (expression trees, regular expressions) must not make us grow without end. */
static void fold_rows(struct folding *folding, size_t worth_it)
{
	size_t worth = 0, count = 0;
	struct nt_cpu *cpu;
	for (size_t at = 0; (cpu = next(folding->kinds, &at));) {
		nt_cpu_mark_needed(cpu);
		count = cpu->rows.count > count ? cpu->rows.count : count;
	}
	for (uint32_t number = 0; number < count; number++)
		worth += can_fold(folding, number);
	if (worth >= worth_it)
		nt_resolver_forget_keys(first_of(folding->kinds)->resolver, fold, folding);
}

static void fold_forgotten_rows(struct nt_cpu_kinds *kinds, const struct nt_span *span)
{
	const struct nt_resolver *resolver = first_of(kinds)->resolver;
	size_t count = nt_resolver_key_count(resolver);
	if (count >= kinds->gone_looked + ROWS_LOOK) {
		fold_rows(&(struct folding){ .kinds = kinds, .span = span, .gone = true }, ROWS_LOOK / 2);
		kinds->gone_looked = nt_resolver_key_count(resolver);
	} else if (count < kinds->gone_looked) {
		kinds->gone_looked = count;
	}
	if (count >= ROWS_CROWDED)
		fold_rows(&(struct folding){ .kinds = kinds, .span = span }, ROWS_WORTH_FOLDING);
}

/* ---- an interval ---- */

static bool has_come(const struct nt_cpu *cpu)
{
	return cpu->rows.interval_samples || cpu->outside;
}

static void choose_shown(struct nt_cpu_kinds *kinds)
{
	for (enum nt_sample_kind kind = 0; kind < NT_SAMPLE_KINDS; kind++)
		if (kinds->of[kind] && has_come(kinds->of[kind])) {
			kinds->shown = kind;
			return;
		}
}

/* Some have waited for the code map. */
static nt_time oldest_sample(const struct nt_cpu *cpu, const struct nt_span *span)
{
	nt_time oldest = span->t0;
	for (size_t i = 0; i < cpu->sample_count; i++)
		oldest = cpu->samples[i].time < oldest ? cpu->samples[i].time : oldest;
	return oldest;
}

void nt_cpu_kinds_settle(struct nt_cpu_kinds *kinds, nt_time map_until, const struct nt_span *span)
{
	struct nt_cpu *cpu;
	kinds->version = nt_resolver_settle(first_of(kinds)->resolver, span->t1);
	nt_pause_sides_begin(&kinds->sides, &kinds->pauses, kinds->pauses_told, oldest_sample(first_of(kinds), span));
	for (size_t at = 0; (cpu = next(kinds, &at));) {
		cpu->map_until = map_until;
		cpu->pauses = &kinds->pauses;
		nt_cpu_settle(cpu, kinds->version, span);
	}
	fold_forgotten_rows(kinds, span);
	choose_shown(kinds);
}

void nt_cpu_kinds_close(struct nt_cpu_kinds *kinds, const struct nt_span *span, bool known, struct nt_snapshot *snapshot,
			struct nt_process_snapshot *process)
{
	struct nt_cpu *shown = nt_cpu_kinds_shown(kinds), *cpu;
	struct nt_rows *others[NT_SAMPLE_KINDS] = { NULL };
	for (size_t at = 0; (cpu = next(kinds, &at));)
		if (cpu != shown && cpu->rows.samples_all)
			others[cpu->kind] = &cpu->rows;
	nt_rows_close(&shown->rows, others, shown->resolver, span, known, snapshot, process);
	process->sample_kind = kinds->shown;
}
