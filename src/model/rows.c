// SPDX-License-Identifier: GPL-2.0-only
#include "model/rows.h"

#include "base/alloc.h"
#include "model/trend.h"

#include <stdlib.h>
#include <string.h>

/* A row leaves the list when less than this many samples are left of it in the window. */
static const double negligible = 0.005;
/* And may be given up with less than this, when its code is gone. */
static const double outlived = 0.1;
enum { FORGET_INTERVALS = 60, OUTLIVED_INTERVALS = 15 }; /* not seen for this long: may be folded */

void nt_rows_init(struct nt_rows *rows)
{
	*rows = (struct nt_rows){ 0 };
}

void nt_rows_fini(struct nt_rows *rows)
{
	free(rows->items);
	*rows = (struct nt_rows){ 0 };
}

struct nt_row *nt_rows_get(struct nt_rows *rows, uint32_t number)
{
	if (number >= rows->count) {
		rows->items = nt_grow(rows->items, &rows->capacity, (size_t)number + 1, sizeof(*rows->items));
		memset(rows->items + rows->count, 0, (number + 1 - rows->count) * sizeof(*rows->items));
		rows->count = (size_t)number + 1;
	}
	return &rows->items[number];
}

/* ---- counting ---- */

static void be_seen(struct nt_row *row, const struct nt_span *span)
{
	if (!row->born)
		row->born = span->number;
	row->seen = span->number;
	row->seen_until = span->t1;
}

void nt_rows_count(struct nt_rows *rows, const nt_frame *frames, size_t count, unsigned samples, const struct nt_span *span)
{
	rows->interval_samples += samples;
	rows->samples_all += samples;
	rows->window_samples += samples;
	for (size_t i = 0; i < count; i++) {
		struct nt_row *row = &rows->items[nt_frame_row(frames[i])];
		enum nt_tier tier = nt_frame_tier(frames[i]);
		be_seen(row, span);
		row->total_interval += samples;
		row->total_all += samples;
		row->window_total += samples;
		row->tier_window[tier] += samples;
		row->tier_samples[tier] += samples;
		if (i)
			continue;
		row->self_interval += samples;
		row->self_all += samples;
		row->window_self += samples;
	}
}

static double less(double from, double amount)
{
	return from > amount ? from - amount : 0;
}

void nt_rows_take(struct nt_rows *rows, const nt_frame *frames, size_t count, uint64_t samples, double weight)
{
	for (size_t i = 0; i < count; i++) {
		struct nt_row *row = &rows->items[nt_frame_row(frames[i])];
		enum nt_tier tier = nt_frame_tier(frames[i]);
		row->total_all -= samples;
		row->tier_samples[tier] -= (uint32_t)samples;
		row->window_total = less(row->window_total, weight);
		row->tier_window[tier] = less(row->tier_window[tier], weight);
		if (i == 0) {
			row->self_all -= samples;
			row->window_self = less(row->window_self, weight);
		}
		if (!row->total_all) /* nothing is left of it: no rounding rest either */
			*row = (struct nt_row){ .mark = row->mark };
	}
}

void nt_rows_give(struct nt_rows *rows, const nt_frame *frames, size_t count, uint64_t samples, double weight, const struct nt_span *span)
{
	for (size_t i = 0; i < count; i++) {
		struct nt_row *row = &rows->items[nt_frame_row(frames[i])];
		enum nt_tier tier = nt_frame_tier(frames[i]);
		be_seen(row, span);
		row->total_all += samples;
		row->tier_samples[tier] += (uint32_t)samples;
		row->window_total += weight;
		row->tier_window[tier] += weight;
		if (i)
			continue;
		row->self_all += samples;
		row->window_self += weight;
	}
}

void nt_rows_restart(struct nt_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		rows->items[i] = (struct nt_row){ .mark = rows->items[i].mark, .address = rows->items[i].address };
	rows->window_samples = 0;
	rows->interval_samples = rows->samples_all = 0;
	rows->trend_known = 0;
}

void nt_rows_decay(struct nt_rows *rows, double decay)
{
	rows->window_samples *= decay;
	for (size_t i = 0; i < rows->count; i++) {
		struct nt_row *row = &rows->items[i];
		if (row->window_total == 0)
			continue;
		row->window_self *= decay;
		row->window_total *= decay;
		for (unsigned t = 0; t < NT_TIER_COUNT; t++)
			row->tier_window[t] *= decay;
	}
}

/* ---- when there are too many ---- */

bool nt_rows_forgotten(const struct nt_rows *rows, uint32_t number, const struct nt_span *span)
{
	if (number >= rows->count)
		return true; /* a key that never counted */
	const struct nt_row *row = &rows->items[number];
	return row->window_total < negligible && row->seen + FORGET_INTERVALS < span->number;
}

bool nt_rows_outlived(const struct nt_rows *rows, uint32_t number, const struct nt_span *span)
{
	if (number >= rows->count)
		return false;
	const struct nt_row *row = &rows->items[number];
	return row->window_total < outlived && row->seen + OUTLIVED_INTERVALS < span->number;
}

void nt_rows_fold(struct nt_rows *rows, uint32_t number)
{
	struct nt_row *other = nt_rows_get(rows, NT_KEY_OTHER);
	if (number >= rows->count || number == NT_KEY_OTHER)
		return;
	struct nt_row *row = &rows->items[number];
	other->self_all += row->self_all;
	other->total_all += row->total_all;
	other->window_self += row->window_self;
	other->window_total += row->window_total;
	for (unsigned t = 0; t < NT_TIER_COUNT; t++) {
		other->tier_samples[t] += row->tier_samples[t];
		other->tier_window[t] += row->tier_window[t];
	}
	*row = (struct nt_row){ .mark = row->mark };
}

/* ---- trends ---- */

/* Bring a row's cells up to this step: in those that it was not looked at it had no samples. */
static void move_trend(struct nt_row *row, uint64_t step)
{
	uint64_t passed = step - row->trend_step;
	for (uint64_t i = 0; i < passed && i < NT_TREND_CELLS; i++)
		nt_trend_push(&row->trend, nt_f64_of(0));
	row->trend_step = step;
}

void nt_rows_add_trend(struct nt_rows *rows, uint32_t number, const struct nt_row *past)
{
	struct nt_row *row = nt_rows_get(rows, number), old = *past;
	move_trend(row, rows->trend_step);
	move_trend(&old, rows->trend_step);
	for (unsigned i = 0; i < NT_TREND_CELLS; i++)
		row->trend.cells[i] += old.trend.cells[i];
}

static void fill_trend(const struct nt_rows *rows, struct nt_row *row, const struct nt_span *span, struct nt_method_row *out)
{
	nt_time length = nt_span_length(span);
	if (length) {
		move_trend(row, rows->trend_step);
		row->trend.cells[NT_TREND_CELLS - 1] = (float)((double)row->self_interval * (double)NT_NS_PER_S / (double)length);
	}
	out->trend = row->trend;
	out->trend.known = rows->trend_known;
}

/* ---- showing ---- */

static enum nt_tier tier_of(const struct nt_row *row)
{
	enum nt_tier best = NT_TIER_UNKNOWN;
	bool window = row->window_total >= negligible;
	for (unsigned t = 1; t < NT_TIER_COUNT; t++) {
		bool more = window ? row->tier_window[t] > row->tier_window[best] : row->tier_samples[t] > row->tier_samples[best];
		if (more)
			best = (enum nt_tier)t;
	}
	return best;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100.0 * part / whole : 0;
}

static void fill_row(const struct nt_rows *rows, uint32_t number, const struct nt_resolver *resolver, const struct nt_span *span,
		     struct nt_method_row *out)
{
	const struct nt_row *row = &rows->items[number];
	const struct nt_key *key = nt_resolver_key(resolver, number);
	double interval = (double)rows->interval_samples, all = (double)rows->samples_all;
	*out = (struct nt_method_row){
		.id = key->id,
		.name = key->name,
		.raw_name = key->raw_name,
		.module = key->module,
		.kind = key->kind,
		.reason = key->reason,
		.naming = key->naming,
		.tier = tier_of(row),
		.self_samples = row->self_interval,
		.total_samples = row->total_interval,
		.self_samples_all = row->self_all,
		.total_samples_all = row->total_all,
		.window_self = row->window_self,
		.window_total = row->window_total,
		.self_pct = percent((double)row->self_interval, interval),
		.total_pct = percent((double)row->total_interval, interval),
		.window_self_pct = percent(row->window_self, rows->window_samples),
		.window_total_pct = percent(row->window_total, rows->window_samples),
		.all_self_pct = percent((double)row->self_all, all),
		.all_total_pct = percent((double)row->total_all, all),
		.thread = row->thread.text,
		.caller = row->caller.text,
		.fresh = row->born == span->number,
	};
	memcpy(out->tier_samples, row->tier_samples, sizeof(out->tier_samples));
	if (key->kind == NT_CODE_JIT && !key->reason)
		out->ended = nt_resolver_ended(resolver, row->address, span->t1);
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_method_row *x = a, *y = b;
	if (x->window_self != y->window_self)
		return x->window_self > y->window_self ? -1 : 1;
	int order = strcmp(x->name, y->name);
	return order ? order : x->id < y->id ? -1 : x->id > y->id;
}

void nt_rows_close(struct nt_rows *rows, const struct nt_resolver *resolver, const struct nt_span *span, bool known,
		   struct nt_process_snapshot *process)
{
	size_t capacity = 0;
	if (nt_span_length(span)) {
		rows->trend_known = nt_trend_known_next(rows->trend_known, known);
		rows->trend_step++;
	}
	for (size_t i = 0; i < rows->count; i++) {
		struct nt_row *row = &rows->items[i];
		if (!row->total_all)
			continue;
		if (!span->final && !row->total_interval && row->window_total < negligible) {
			process->methods_hidden++;
			continue;
		}
		process->methods = nt_grow(process->methods, &capacity, process->method_count + 1, sizeof(*process->methods));
		struct nt_method_row *out = &process->methods[process->method_count++];
		fill_row(rows, (uint32_t)i, resolver, span, out);
		fill_trend(rows, row, span, out);
		row->self_interval = row->total_interval = 0;
	}
	if (process->method_count)
		qsort(process->methods, process->method_count, sizeof(*process->methods), compare_rows);
	process->window_samples_milli = (uint64_t)(rows->window_samples * 1000 + 0.5);
	process->samples_all = rows->samples_all;
	rows->interval_samples = 0;
}
