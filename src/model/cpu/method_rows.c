// SPDX-License-Identifier: GPL-2.0-only
/* Counting. What is shown of the rows: rows_close.c. */
#include "model/cpu/method_rows.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* A row may be given up with less than this in the window, when its code is gone. */
static const double outlived = 0.1;
enum { FORGET_INTERVALS = 60, OUTLIVED_INTERVALS = 15 }; /* not seen for this long: may be folded */

void nt_rows_init(struct nt_rows *rows, enum nt_sample_kind kind)
{
	*rows = (struct nt_rows){ .kind = kind };
	nt_slots_init(&rows->windows, sizeof(struct nt_row_window));
	nt_slots_init(&rows->tiers, sizeof(struct nt_row_tiers));
	nt_slots_init(&rows->contexts, sizeof(struct nt_row_context));
}

void nt_rows_fini(struct nt_rows *rows)
{
	free(rows->items);
	nt_slots_fini(&rows->windows);
	nt_slots_fini(&rows->tiers);
	nt_slots_fini(&rows->contexts);
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

/* ---- the parts that not every row has ---- */

static struct nt_row_window *window_of(struct nt_rows *rows, struct nt_row *row)
{
	if (!row->window) {
		row->window = nt_slots_take(&rows->windows);
		nt_row_window(rows, row)->trend.step = rows->trend_step;
	}
	return nt_row_window(rows, row);
}

void nt_row_leave_window(struct nt_rows *rows, struct nt_row *row)
{
	struct nt_row_tiers *tiers = nt_row_tiers(rows, row);
	if (tiers)
		memset(tiers->window, 0, sizeof(tiers->window));
	if (row->window)
		nt_slots_give_back(&rows->windows, row->window);
	row->window = 0;
}

/* From now on its samples are counted by tier. */
static struct nt_row_tiers *part_tiers(struct nt_rows *rows, struct nt_row *row)
{
	const struct nt_row_window *window = nt_row_window(rows, row);
	row->tiers = nt_slots_take(&rows->tiers);
	struct nt_row_tiers *tiers = nt_row_tiers(rows, row);
	tiers->samples[row->tier] = (uint32_t)row->total_all;
	tiers->window[row->tier] = window ? window->total : 0;
	return tiers;
}

struct nt_row_context *nt_rows_context(struct nt_rows *rows, uint32_t number)
{
	struct nt_row *row = nt_rows_get(rows, number);
	if (!row->context)
		row->context = nt_slots_take(&rows->contexts);
	return nt_slots_at(&rows->contexts, row->context);
}

/* Only what the chain that is being resolved, if any, has said of it stays. */
static void empty(struct nt_rows *rows, struct nt_row *row)
{
	if (row->window)
		nt_slots_give_back(&rows->windows, row->window);
	if (row->tiers)
		nt_slots_give_back(&rows->tiers, row->tiers);
	if (row->context)
		nt_slots_give_back(&rows->contexts, row->context);
	*row = (struct nt_row){ .mark = row->mark };
}

/* ---- counting ---- */

static void be_seen(struct nt_row *row, const struct nt_span *span)
{
	row->fresh |= !row->total_all;
	row->seen = (uint32_t)span->number;
	row->seen_until = span->t1;
}

static void add_total(struct nt_rows *rows, struct nt_row *row, enum nt_tier tier, uint64_t samples, double weight)
{
	struct nt_row_tiers *tiers = nt_row_tiers(rows, row);
	if (!row->total_all)
		row->tier = (uint8_t)tier;
	else if (!tiers && row->tier != tier)
		tiers = part_tiers(rows, row);
	if (tiers) {
		tiers->samples[tier] += (uint32_t)samples;
		tiers->window[tier] += weight;
	}
	row->total_all += samples;
	if (weight > 0)
		window_of(rows, row)->total += weight;
}

static void add_self(struct nt_rows *rows, struct nt_row *row, uint64_t samples, double weight)
{
	row->self_all += samples;
	if (weight > 0)
		window_of(rows, row)->self += weight;
}

void nt_rows_count(struct nt_rows *rows, const nt_frame *frames, size_t count, unsigned samples, const struct nt_span *span)
{
	rows->interval_samples += samples;
	rows->samples_all += samples;
	rows->window_samples += samples;
	for (size_t i = 0; i < count; i++) {
		struct nt_row *row = &rows->items[nt_frame_row(frames[i])];
		be_seen(row, span);
		add_total(rows, row, nt_frame_tier(frames[i]), samples, samples);
		window_of(rows, row)->total_interval += samples;
		if (i)
			continue;
		add_self(rows, row, samples, samples);
		window_of(rows, row)->self_interval += samples;
	}
}

void nt_rows_own(struct nt_rows *rows, uint32_t number, unsigned samples)
{
	struct nt_row *row = nt_rows_get(rows, number);
	struct nt_row_window *window = window_of(rows, row);
	row->own_all += samples;
	window->own += samples;
	window->own_interval += samples;
}

static double less(double from, double amount)
{
	return from > amount ? from - amount : 0;
}

static void take_total(struct nt_rows *rows, struct nt_row *row, enum nt_tier tier, uint64_t samples, double weight)
{
	struct nt_row_window *window = nt_row_window(rows, row);
	struct nt_row_tiers *tiers = nt_row_tiers(rows, row);
	row->total_all -= samples;
	if (window)
		window->total = less(window->total, weight);
	if (!tiers)
		return;
	tiers->samples[tier] -= (uint32_t)samples;
	tiers->window[tier] = less(tiers->window[tier], weight);
}

void nt_rows_own_move(struct nt_rows *rows, uint32_t from, uint32_t to, uint64_t samples, double weight)
{
	struct nt_row *to_row = nt_rows_get(rows, to); /* both are there before either is pointed to */
	struct nt_row *from_row = nt_rows_get(rows, from);
	struct nt_row_window *window = nt_row_window(rows, from_row);
	from_row->own_all -= from_row->own_all > samples ? samples : from_row->own_all;
	if (window)
		window->own = less(window->own, weight);
	to_row = nt_rows_get(rows, to);
	to_row->own_all += samples;
	if (weight > 0)
		window_of(rows, to_row)->own += weight;
}

void nt_rows_take(struct nt_rows *rows, const nt_frame *frames, size_t count, uint64_t samples, double weight)
{
	for (size_t i = 0; i < count; i++) {
		struct nt_row *row = &rows->items[nt_frame_row(frames[i])];
		struct nt_row_window *window = nt_row_window(rows, row);
		take_total(rows, row, nt_frame_tier(frames[i]), samples, weight);
		if (i == 0) {
			row->self_all -= samples;
			if (window)
				window->self = less(window->self, weight);
		}
		if (!row->total_all) /* nothing is left of it: no rounding rest either */
			empty(rows, row);
	}
}

void nt_rows_give(struct nt_rows *rows, const nt_frame *frames, size_t count, uint64_t samples, double weight, const struct nt_span *span)
{
	for (size_t i = 0; i < count; i++) {
		struct nt_row *row = &rows->items[nt_frame_row(frames[i])];
		be_seen(row, span);
		add_total(rows, row, nt_frame_tier(frames[i]), samples, weight);
		if (i == 0)
			add_self(rows, row, samples, weight);
	}
}

void nt_rows_decay(struct nt_rows *rows, double decay)
{
	rows->window_samples *= decay;
	for (const struct nt_row *row = rows->items; row < rows->items + rows->count; row++) {
		struct nt_row_window *window = nt_row_window(rows, row);
		struct nt_row_tiers *tiers = nt_row_tiers(rows, row);
		if (!window)
			continue;
		window->self *= decay;
		window->total *= decay;
		window->own *= decay;
		for (unsigned t = 0; tiers && t < NT_TIER_COUNT; t++)
			tiers->window[t] *= decay;
	}
}

/* ---- when there are too many ---- */

static bool weighs_less(const struct nt_rows *rows, const struct nt_row *row, double than)
{
	const struct nt_row_window *window = nt_row_window(rows, row);
	return !window || window->total < than;
}

bool nt_rows_forgotten(const struct nt_rows *rows, uint32_t number, const struct nt_span *span)
{
	if (number >= rows->count)
		return true; /* a key that never counted */
	const struct nt_row *row = &rows->items[number];
	return row->seen + FORGET_INTERVALS < span->number && weighs_less(rows, row, NT_ROW_NEGLIGIBLE);
}

bool nt_rows_outlived(const struct nt_rows *rows, uint32_t number, const struct nt_span *span)
{
	if (number >= rows->count)
		return false;
	const struct nt_row *row = &rows->items[number];
	return row->seen + OUTLIVED_INTERVALS < span->number && weighs_less(rows, row, outlived);
}

void nt_rows_fold(struct nt_rows *rows, uint32_t number)
{
	struct nt_row *other = nt_rows_get(rows, NT_KEY_OTHER);
	if (number >= rows->count || number == NT_KEY_OTHER)
		return;
	struct nt_row *row = &rows->items[number];
	const struct nt_row_window *window = nt_row_window(rows, row);
	const struct nt_row_window weight = window ? *window : (struct nt_row_window){ 0 };
	const struct nt_row_tiers *tiers = nt_row_tiers(rows, row);
	const struct nt_row_tiers by_tier = tiers ? *tiers : (struct nt_row_tiers){ 0 };
	if (!row->tiers && row->total_all)
		add_total(rows, other, row->tier, row->total_all, weight.total);
	for (unsigned t = 0; t < NT_TIER_COUNT; t++)
		if (by_tier.samples[t])
			add_total(rows, other, t, by_tier.samples[t], by_tier.window[t]);
	add_self(rows, other, row->self_all, weight.self);
	other->own_all += row->own_all;
	if (weight.own > 0)
		window_of(rows, other)->own += weight.own;
	empty(rows, row);
}

void nt_rows_each_text(const struct nt_rows *rows, nt_text_visit *visit, void *context)
{
	for (const struct nt_row *row = rows->items; row < rows->items + rows->count; row++) {
		if (!row->context)
			continue;
		const struct nt_row_context *said = nt_slots_at(&rows->contexts, row->context);
		visit(said->thread.text, context);
		visit(said->caller.text, context);
	}
}

/* ---- trends ---- */

void nt_row_trend_move(struct nt_row_trend *trend, uint32_t step)
{
	uint32_t passed = step - trend->step;
	uint32_t left = passed < NT_TREND_CELLS ? NT_TREND_CELLS - passed : 0;
	memmove(trend->cells, trend->cells + (NT_TREND_CELLS - left), left * sizeof(*trend->cells));
	memset(trend->cells + left, 0, (NT_TREND_CELLS - left) * sizeof(*trend->cells));
	trend->step = step;
}

struct nt_row_trend nt_rows_trend(const struct nt_rows *rows, uint32_t number)
{
	const struct nt_row_window *window = number < rows->count ? nt_row_window(rows, &rows->items[number]) : NULL;
	return window ? window->trend : (struct nt_row_trend){ .step = rows->trend_step };
}

void nt_rows_add_trend(struct nt_rows *rows, uint32_t number, const struct nt_row_trend *past)
{
	struct nt_row_trend old = *past, *trend = &window_of(rows, nt_rows_get(rows, number))->trend;
	nt_row_trend_move(trend, rows->trend_step);
	nt_row_trend_move(&old, rows->trend_step);
	for (unsigned i = 0; i < NT_TREND_CELLS; i++)
		trend->cells[i] += old.cells[i];
}
