// SPDX-License-Identifier: GPL-2.0-only
#include "ui/rows/restrict.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nt_restriction_name(struct nt_restriction *restriction, const char *name)
{
	restriction->named = name;
	snprintf(restriction->name, sizeof(restriction->name), "%s", name ? name : "");
}

bool nt_restriction_is_of(const struct nt_restriction *restriction, const char *module)
{
	if (!module || !restriction->named)
		return !module && !restriction->named;
	return strncmp(module, restriction->name, sizeof(restriction->name) - 1) == 0;
}

struct nt_restriction nt_restriction_to_thread(const struct nt_thread_row *row)
{
	struct nt_restriction restriction = { .part = NT_PART_THREAD, .thread_id = row->id, .tid = row->tid };
	nt_restriction_name(&restriction, row->name);
	return restriction;
}

void nt_restricted_fini(struct nt_restricted *restricted)
{
	free(restricted->rows);
	*restricted = (struct nt_restricted){ 0 };
}

static struct nt_method_row *add_row(struct nt_restricted *out)
{
	struct nt_process_snapshot *process = &out->process;
	out->rows = nt_grow(out->rows, &out->capacity, process->method_count + 1, sizeof(*out->rows));
	process->methods = out->rows;
	return &out->rows[process->method_count++];
}

/* ---- one thread ---- */

static const struct nt_thread_row *find_thread(const struct nt_process_snapshot *process, uint64_t id)
{
	for (size_t i = 0; i < process->thread_count; i++)
		if (process->threads[i].id == id)
			return &process->threads[i];
	return NULL;
}

static const struct nt_method_row *find_method(const struct nt_process_snapshot *process, uint64_t id)
{
	for (size_t i = 0; i < process->method_count; i++)
		if (process->methods[i].id == id)
			return &process->methods[i];
	return NULL;
}

/* What a method is, without how often it was sampled by all threads. */
static struct nt_method_row identity_of(const struct nt_method_row *method, const struct nt_hot_method *hot)
{
	if (!method)
		return (struct nt_method_row){ .id = hot->method_id, .name = hot->name, .kind = NT_CODE_UNKNOWN };
	struct nt_method_row row = { .id = method->id,
				     .name = method->name,
				     .raw_name = method->raw_name,
				     .module = method->module,
				     .kind = method->kind,
				     .tier = method->tier,
				     .reason = method->reason,
				     .naming = method->naming,
				     .tier_samples = method->tier_samples,
				     .ended = method->ended,
				     .own = method->own,
				     .marked = method->marked };
	return row;
}

/* Of a span they are its own. */
static void restrict_to_hot(const struct nt_hot_method *hot, size_t count, double window_samples, bool is_span,
			    const struct nt_process_snapshot *process, struct nt_restricted *out)
{
	for (size_t i = 0; i < count; i++) {
		struct nt_method_row *row = add_row(out);
		*row = identity_of(find_method(process, hot[i].method_id), &hot[i]);
		row->window_self = hot[i].samples;
		row->window_self_pct = hot[i].pct;
		if (is_span) {
			row->self_samples = (uint64_t)hot[i].samples;
			row->self_pct = hot[i].pct;
		}
		row->total_unknown = true;
	}
	out->process.window_samples_milli = (uint64_t)(window_samples * 1000);
	out->process.samples_all = 0;
}

/* ---- one module, one kind ---- */

static bool is_in(const struct nt_restriction *restriction, const struct nt_method_row *row)
{
	if (restriction->part == NT_PART_KIND)
		return row->kind == restriction->kind;
	return nt_restriction_is_of(restriction, row->module);
}

static double share_pct(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void restrict_to_rows(const struct nt_restriction *restriction, const struct nt_process_snapshot *process, struct nt_restricted *out)
{
	double window = 0;
	uint64_t interval = 0, all = 0;
	for (size_t i = 0; i < process->method_count; i++) {
		const struct nt_method_row *row = &process->methods[i];
		if (!is_in(restriction, row))
			continue;
		*add_row(out) = *row;
		window += row->window_self;
		interval += row->self_samples;
		all += row->self_samples_all;
	}
	for (size_t i = 0; i < out->process.method_count; i++) {
		struct nt_method_row *row = &out->rows[i];
		row->window_self_pct = share_pct(row->window_self, window);
		row->self_pct = share_pct((double)row->self_samples, (double)interval);
		row->all_self_pct = share_pct((double)row->self_samples_all, (double)all);
		row->total_unknown = true;
	}
	out->process.window_samples_milli = (uint64_t)(window * 1000);
	out->process.samples_all = all;
}

void nt_restrict(const struct nt_restriction *restriction, const struct nt_process_snapshot *process, bool is_span,
		 struct nt_restricted *out)
{
	out->process = *process;
	out->process.methods = out->rows;
	out->process.method_count = 0;
	out->process.is_part = true;
	if (nt_part_is_of_pauses(restriction->part)) {
		const struct nt_pause_part *side = &process->pause_samples.parts[nt_part_side(restriction->part)];
		restrict_to_hot(side->hot, side->hot_count, side->window_samples, is_span, process, out);
		return;
	}
	if (restriction->part != NT_PART_THREAD) {
		restrict_to_rows(restriction, process, out);
		return;
	}
	const struct nt_thread_row *thread = find_thread(process, restriction->thread_id);
	out->process.window_samples_milli = 0;
	if (thread)
		restrict_to_hot(thread->hot, thread->hot_count, thread->window_samples, is_span, process, out);
}

struct nt_side_shares nt_side_shares_of_methods(const struct nt_pause_samples *samples)
{
	struct nt_side_shares shares = { .told = samples->told };
	for (int side = 0; side < NT_PAUSE_SIDES; side++)
		shares.samples[side] = samples->parts[side].window_samples;
	return shares;
}

struct nt_side_shares nt_side_shares_of_stacks(const struct nt_stack_tree *tree)
{
	struct nt_side_shares shares = { .told = true };
	memcpy(shares.samples, tree->side_samples, sizeof(shares.samples));
	return shares;
}

/* Of how many of the samples it is. */
static void add_share(const struct nt_side_shares *shares, enum nt_pause_side side, bool wide, struct nt_line *out)
{
	double all = 0;
	for (int i = 0; i < NT_PAUSE_SIDES; i++)
		all += shares->samples[i];
	if (all > 0 && (shares->told || wide))
		nt_line_add(out, ", %.1f%%", share_pct(shares->samples[side], all));
	if (!shares->told)
		nt_line_add(out, ", not told");
}

void nt_restriction_text(const struct nt_restriction *restriction, const struct nt_side_shares *shares, bool wide, struct nt_line *out)
{
	switch (restriction->part) {
	case NT_PART_ALL:
		return;
	case NT_PART_THREAD:
		nt_line_add(out, "only t%" PRIu32, restriction->tid);
		if (restriction->alike > 1)
			nt_line_add(out, ", first of %" PRIu32, restriction->alike);
		nt_line_add(out, "%s", wide ? " " : "");
		nt_line_add_safe(out, wide && restriction->named ? restriction->name : NULL);
		return;
	case NT_PART_MODULE:
		nt_line_add(out, "only ");
		nt_line_add_safe(out, restriction->named ? restriction->name : "without module");
		return;
	case NT_PART_KIND:
		nt_line_add(out, "only %s", nt_code_kind_name(restriction->kind));
		return;
	case NT_PART_PAUSES:
		nt_line_add(out, "only in pauses");
		add_share(shares, NT_IN_PAUSES, wide, out);
		return;
	case NT_PART_OUTSIDE:
		nt_line_add(out, "only outside pauses");
		add_share(shares, NT_OUTSIDE_PAUSES, wide, out);
		return;
	}
}
