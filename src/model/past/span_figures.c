// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_figures.h"

#include <string.h>

/* ---- each figure ---- */

static struct nt_u64 *u64_at(struct nt_figures *figures, size_t offset)
{
	return (struct nt_u64 *)(void *)((char *)figures + offset);
}

static const struct nt_u64 *u64_of(const struct nt_figures *figures, size_t offset)
{
	return (const struct nt_u64 *)(const void *)((const char *)figures + offset);
}

static struct nt_f64 *f64_at(struct nt_figures *figures, size_t offset)
{
	return (struct nt_f64 *)(void *)((char *)figures + offset);
}

static void add(struct nt_u64 *sum, const struct nt_u64 *more, bool first)
{
	*sum = nt_u64_if(more->known && (first || sum->known), (first ? 0 : sum->v) + more->v);
}

static void add_share(struct nt_f64 *sum, const struct nt_f64 *more, nt_time length, bool first)
{
	bool known = more->known && (first || sum->known);
	*sum = (struct nt_f64){ .known = known, .v = known ? (first ? 0 : sum->v) + more->v * (double)length : 0 };
}

static void add_figure(const struct nt_figure *figure, struct nt_figures *sum, const struct nt_figures *interval, nt_time length,
		       bool first)
{
	const struct nt_u64 *more = u64_of(interval, figure->offset);
	struct nt_u64 *so_far = u64_at(sum, figure->offset);
	if (figure->sort == NT_COUNTER && figure->type == NT_FIGURE_U64)
		add(so_far, more, first);
	else if (figure->sort == NT_MOST && more->known && (!so_far->known || more->v > so_far->v))
		*so_far = *more;
	else if (figure->sort == NT_MEAN)
		add_share(f64_at(sum, figure->offset), (const struct nt_f64 *)(const void *)more, length, first);
}

/* ---- what is not in the table ---- */

static void add_rare_tiers(struct nt_jit_figures *sum, const struct nt_jit_figures *interval, bool first)
{
	static const enum nt_tier rare[] = { NT_TIER_INSTRUMENTED, NT_TIER_INSTRUMENTED_OPT, NT_TIER_OPTIMIZED, NT_TIER_MINOPT };
	for (size_t i = 0; i < sizeof(rare) / sizeof(rare[0]); i++)
		add(&sum->tier_count[rare[i]], &interval->tier_count[rare[i]], first);
}

static void add_flags(struct nt_figures *sum, const struct nt_figures *interval)
{
	sum->gc.alloc_estimated |= interval->gc.alloc_estimated;
	sum->requests.serves |= interval->requests.serves;
	sum->requests.at_least |= interval->requests.at_least;
	sum->waits.uncounted_at_least |= interval->waits.uncounted_at_least;
	sum->told.lost_some |= interval->told.lost_some;
}

/* Of several reasons the newest. */
static void add_why(size_t offset, struct nt_figures *sum, const struct nt_figures *interval, struct nt_arena *arena)
{
	struct nt_why *why = (struct nt_why *)(void *)((char *)sum + offset);
	const struct nt_why *more = (const struct nt_why *)(const void *)((const char *)interval + offset);
	if (!why->reason && more->reason)
		*why = (struct nt_why){ .reason = nt_arena_copy(arena, more->reason), .fix = nt_arena_copy(arena, more->fix) };
}

static void add_whys(struct nt_figures *sum, const struct nt_figures *interval, struct nt_arena *arena)
{
	static const size_t further[] = {
		offsetof(struct nt_figures, gc.stack_why),    offsetof(struct nt_figures, exceptions.stack_why),
		offsetof(struct nt_figures, locks.stack_why), offsetof(struct nt_figures, jit.caller_why),
		offsetof(struct nt_figures, io.open_why),     offsetof(struct nt_figures, host.why),
	};
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		if (nt_subjects[s]->why)
			add_why(nt_subjects[s]->why, sum, interval, arena);
	for (size_t i = 0; i < sizeof(further) / sizeof(further[0]); i++)
		add_why(further[i], sum, interval, arena);
}

void nt_span_figures_add(struct nt_figures *sum, const struct nt_figures *interval, nt_time length, bool first, struct nt_arena *arena)
{
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++)
			add_figure(&nt_subjects[s]->figures[i], sum, interval, length, first);
	add_rare_tiers(&sum->jit, &interval->jit, first);
	add_flags(sum, interval);
	add_whys(sum, interval, arena);
}

/* ---- when all are there ---- */

static struct nt_f64 share(const struct nt_u64 *part, nt_time whole)
{
	return part->known && whole ? nt_f64_of(100 * (double)part->v / (double)whole) : (struct nt_f64){ 0 };
}

/* Where a subject was not told of in one of the intervals, there may have been more than the largest that is known. */
static void end_figure(const struct nt_subject *subject, const struct nt_figure *figure, struct nt_figures *sum, nt_time length)
{
	bool told = !subject->covered_ns || u64_of(sum, subject->covered_ns)->known;
	if (figure->sort == NT_MOST && !told)
		*u64_at(sum, figure->offset) = (struct nt_u64){ 0 };
	if (figure->sort == NT_MEAN && f64_at(sum, figure->offset)->known)
		f64_at(sum, figure->offset)->v /= (double)length;
}

/* Nobody has said why it is not known of all of it. */
static void explain_gap(const struct nt_subject *subject, struct nt_figures *sum)
{
	struct nt_why *why = subject->why ? (struct nt_why *)(void *)((char *)sum + subject->why) : NULL;
	if (why && !why->reason && subject->covered_ns && !u64_of(sum, subject->covered_ns)->known)
		why->reason = "not told of all intervals of the span";
}

void nt_span_figures_derive(struct nt_figures *sum, nt_time length)
{
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		explain_gap(nt_subjects[s], sum);
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++)
			end_figure(nt_subjects[s], &nt_subjects[s]->figures[i], sum, length);
	sum->cpu.usage_pct = share(&sum->cpu.time_ns, sum->cpu.covered_ns.known ? sum->cpu.covered_ns.v : 0);
	sum->gc.pause_pct = share(&sum->gc.pause_ns, length);
	for (size_t i = 0; i < NT_PURPOSE_COUNT; i++)
		sum->cpu.purposes.pct[i] = share(&sum->cpu.purposes.samples[i], sum->cpu.samples.known ? sum->cpu.samples.v : 0);
}

void nt_span_figures_take_states(struct nt_figures *figures, const struct nt_figures *interval)
{
	static const size_t sizes[] = {
		[NT_FIGURE_U64] = sizeof(struct nt_u64), [NT_FIGURE_F64] = sizeof(struct nt_f64), [NT_FIGURE_TEXT] = sizeof(const char *)
	};
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++) {
			const struct nt_figure *figure = &nt_subjects[s]->figures[i];
			if (figure->sort == NT_STATE)
				memcpy((char *)figures + figure->offset, (const char *)interval + figure->offset, sizes[figure->type]);
		}
	figures->pool.worker_from_procfs = interval->pool.worker_from_procfs;
}

void nt_span_figures_explain(struct nt_figures *figures, const char *reason)
{
	const struct nt_why why = { .reason = reason };
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		if (nt_subjects[s]->why)
			memcpy((char *)figures + nt_subjects[s]->why, &why, sizeof(why));
	figures->host.why = why;
}
