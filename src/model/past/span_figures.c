// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_figures.h"

#include <string.h>

static struct nt_u64 *u64_at(struct nt_figures *figures, size_t offset)
{
	return (struct nt_u64 *)((char *)figures + offset);
}

static const struct nt_u64 *u64_of(const struct nt_figures *figures, size_t offset)
{
	return (const struct nt_u64 *)((const char *)figures + offset);
}

static void add(struct nt_u64 *sum, const struct nt_u64 *more, bool first)
{
	*sum = nt_u64_if(more->known && (first || sum->known), (first ? 0 : sum->v) + more->v);
}

void nt_span_figures_add(struct nt_figures *sum, const struct nt_figures *interval, bool first)
{
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++) {
		const struct nt_subject *subject = nt_subjects[s];
		for (size_t i = 0; i < subject->figure_count; i++) {
			const struct nt_figure *figure = &subject->figures[i];
			if (figure->sort == NT_COUNTER && figure->type == NT_FIGURE_U64)
				add(u64_at(sum, figure->offset), u64_of(interval, figure->offset), first);
		}
	}
	sum->gc.alloc_estimated |= interval->gc.alloc_estimated;
}

static struct nt_f64 share(const struct nt_u64 *part, nt_time whole)
{
	return part->known && whole ? nt_f64_of(100 * (double)part->v / (double)whole) : (struct nt_f64){ 0 };
}

void nt_span_figures_derive(struct nt_figures *sum, nt_time length)
{
	sum->cpu.usage_pct = share(&sum->cpu.time_ns, sum->cpu.covered_ns.known ? sum->cpu.covered_ns.v : 0);
	sum->gc.pause_pct = share(&sum->gc.pause_ns, length);
}

void nt_span_figures_take_states(struct nt_figures *figures, const struct nt_figures *interval)
{
	static const size_t states[] = {
		offsetof(struct nt_figures, threads.count),       offsetof(struct nt_figures, memory.rss_bytes),
		offsetof(struct nt_figures, memory.anon_bytes),   offsetof(struct nt_figures, memory.file_bytes),
		offsetof(struct nt_figures, memory.shared_bytes), offsetof(struct nt_figures, memory.swap_bytes),
		offsetof(struct nt_figures, gc.heap_bytes),       offsetof(struct nt_figures, gc.loh_bytes),
		offsetof(struct nt_figures, gc.handle_count),     offsetof(struct nt_figures, gc.committed_bytes),
		offsetof(struct nt_figures, pool.worker_count),   offsetof(struct nt_figures, pool.goal_count),
		offsetof(struct nt_figures, pool.queue_count),    offsetof(struct nt_figures, pool.min_count),
		offsetof(struct nt_figures, pool.max_count),
	};
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		*u64_at(figures, states[i]) = *u64_of(interval, states[i]);
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
