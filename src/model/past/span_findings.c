// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_findings.h"

#include "base/alloc.h"
#include "model/past/row_copy.h"
#include "model/past/row_shapes.h"

#include <stdlib.h>
#include <string.h>

void nt_span_findings_fini(struct nt_span_findings *findings)
{
	free(findings->rows);
	*findings = (struct nt_span_findings){ 0 };
}

/* ---- what was found ---- */

static bool is_same(const struct nt_finding *a, const struct nt_finding *b)
{
	return a->kind == b->kind && a->since == b->since && a->tid == b->tid && a->row_id.known == b->row_id.known &&
	       a->row_id.v == b->row_id.v;
}

static bool has(const struct nt_span_findings *findings, const struct nt_finding *finding)
{
	for (size_t i = 0; i < findings->count; i++)
		if (is_same(&findings->rows[i], finding))
			return true;
	return false;
}

/* One that had lapsed before the span did not hold in it. In the newest interval that has it, it is as it was told last: how long ago that was is counted from the span's end. */
static void add_finding(struct nt_span_findings *findings, const struct nt_snapshot *interval, const struct nt_finding *finding,
			nt_time from, nt_time end, struct nt_arena *arena)
{
	if (interval->t1 - finding->lapsed_ns <= from || has(findings, finding))
		return;
	findings->rows = nt_grow(findings->rows, &findings->capacity, findings->count + 1, sizeof(*findings->rows));
	struct nt_finding *row = &findings->rows[findings->count++];
	*row = *finding;
	nt_row_copy(&nt_finding_shape, row, arena);
	if (end <= interval->t1)
		return;
	row->lapsed_ns += end - interval->t1;
	if (row->until == NT_TIME_UNKNOWN)
		row->until = interval->t1;
}

/* ---- what was looked at ---- */

static bool is_among(const char *const *texts, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(texts[i], text) == 0)
			return true;
	return false;
}

static void add_looks(struct nt_span_findings *findings, const struct nt_process_snapshot *process, struct nt_arena *arena)
{
	size_t kept = 0;
	for (size_t i = 0; !findings->any && i < process->checked_count; i++)
		findings->checked[findings->checked_count++] = nt_arena_copy(arena, process->checked[i]);
	for (size_t i = 0; i < findings->checked_count; i++)
		if (is_among(process->checked, process->checked_count, findings->checked[i]))
			findings->checked[kept++] = findings->checked[i];
	findings->checked_count = kept;
	for (size_t i = 0; i < process->unchecked_count && findings->unchecked_count < NT_FINDING_SUBJECTS; i++)
		if (!is_among(findings->unchecked, findings->unchecked_count, process->unchecked[i]))
			findings->unchecked[findings->unchecked_count++] = nt_arena_copy(arena, process->unchecked[i]);
	findings->any = true;
}

void nt_span_findings_add(struct nt_span_findings *findings, const struct nt_snapshot *interval, const struct nt_process_snapshot *process,
			  nt_time from, nt_time end, struct nt_arena *arena)
{
	for (size_t i = 0; i < process->finding_count; i++)
		add_finding(findings, interval, &process->findings[i], from, end, arena);
	add_looks(findings, process, arena);
}

/* ---- filling ---- */

static int by_importance(const void *a, const void *b)
{
	const struct nt_finding *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->since > y->since ? -1 : x->since < y->since;
}

void nt_span_findings_fill(struct nt_span_findings *findings, struct nt_arena *arena, struct nt_process_snapshot *process)
{
	size_t size = findings->count * sizeof(*findings->rows);
	if (size)
		qsort(findings->rows, findings->count, sizeof(*findings->rows), by_importance);
	process->findings = size ? memcpy(nt_arena_alloc(arena, size), findings->rows, size) : NULL;
	process->finding_count = findings->count;
	memcpy(process->checked, findings->checked, sizeof(process->checked));
	memcpy(process->unchecked, findings->unchecked, sizeof(process->unchecked));
	process->checked_count = findings->checked_count;
	process->unchecked_count = findings->unchecked_count;
}
