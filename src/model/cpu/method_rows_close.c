// SPDX-License-Identifier: GPL-2.0-only
/* What is shown of the method rows. */
#include "model/cpu/method_rows.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/common/trend_push.h"
#include "model/cpu/purposes.h"

#include <stdlib.h>
#include <string.h>

static enum nt_tier tier_of(const struct nt_row *row, const struct nt_row_window *window, const struct nt_row_tiers *tiers)
{
	if (!tiers)
		return (enum nt_tier)row->tier;
	enum nt_tier best = NT_TIER_UNKNOWN;
	bool weighs = window->total >= NT_ROW_NEGLIGIBLE;
	for (unsigned t = 1; t < NT_TIER_COUNT; t++) {
		bool more = weighs ? tiers->window[t] > tiers->window[best] : tiers->samples[t] > tiers->samples[best];
		if (more)
			best = (enum nt_tier)t;
	}
	return best;
}

/* Most rows have all samples in one tier, and few of them; most were not sampled lately. */
enum { SHARED_SAMPLES = 64 };

struct shared {
	struct nt_arena *arena;                                      /* of the snapshot */
	const uint32_t *tier_samples[NT_TIER_COUNT][SHARED_SAMPLES]; /* NULL = no row has needed it yet */
	const struct nt_trend *flat;                                 /* likewise */
};

static const uint32_t *tier_samples_of(struct shared *shared, const struct nt_row *row, const struct nt_row_tiers *tiers)
{
	bool few = !tiers && row->total_all < SHARED_SAMPLES;
	const uint32_t **known = few ? &shared->tier_samples[row->tier][row->total_all] : NULL;
	if (known && *known)
		return *known;
	uint32_t *samples = nt_arena_alloc(shared->arena, NT_TIER_COUNT * sizeof(*samples));
	memset(samples, 0, NT_TIER_COUNT * sizeof(*samples));
	if (tiers)
		memcpy(samples, tiers->samples, sizeof(tiers->samples));
	else
		samples[row->tier] = (uint32_t)row->total_all;
	if (known)
		*known = samples;
	return samples;
}

static const struct nt_trend *trend_of(struct shared *shared, const struct nt_trend *trend)
{
	static const float nothing[NT_TREND_CELLS];
	bool flat = memcmp(trend->cells, nothing, sizeof(nothing)) == 0;
	if (flat && shared->flat)
		return shared->flat;
	struct nt_trend *kept = nt_arena_alloc(shared->arena, sizeof(*kept));
	*kept = *trend;
	if (flat)
		shared->flat = kept;
	return kept;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100.0 * part / whole : 0;
}

static void fill_row(const struct nt_rows *rows, uint32_t number, const struct nt_row_window *window, const struct nt_resolver *resolver,
		     const struct nt_span *span, struct shared *shared, struct nt_method_row *out)
{
	const struct nt_row *row = &rows->items[number];
	const struct nt_row_tiers *tiers = nt_row_tiers(rows, row);
	const struct nt_row_context *context = row->context ? nt_slots_at(&rows->contexts, row->context) : NULL;
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
		.tier = tier_of(row, window, tiers),
		.tier_samples = tier_samples_of(shared, row, tiers),
		.self_samples = window->self_interval,
		.total_samples = window->total_interval,
		.self_samples_all = row->self_all,
		.total_samples_all = row->total_all,
		.window_self = window->self,
		.window_total = window->total,
		.self_pct = percent((double)window->self_interval, interval),
		.total_pct = percent((double)window->total_interval, interval),
		.window_self_pct = percent(window->self, rows->window_samples),
		.window_total_pct = percent(window->total, rows->window_samples),
		.all_self_pct = percent((double)row->self_all, all),
		.all_total_pct = percent((double)row->total_all, all),
		.thread = context ? context->thread.text : NULL,
		.caller = context ? context->caller.text : NULL,
		.sample_kind = (uint8_t)rows->kind,
		.fresh = row->fresh,
		.own = nt_purpose_of_key(key) == NT_PURPOSE_PROGRAM,
	};
	if (key->kind == NT_CODE_JIT && !key->reason)
		out->ended = nt_resolver_ended(resolver, row->address, span->t1);
}

/* Its interval becomes a cell of its trend, and the next one begins. An interval without length has no cell. */
static void step_trend(const struct nt_rows *rows, struct nt_row_window *window, const struct nt_span *span)
{
	nt_time length = nt_span_length(span);
	if (length) {
		nt_row_trend_move(&window->trend, rows->trend_step);
		window->trend.cells[NT_TREND_CELLS - 1] = (float)((double)window->self_interval * (double)NT_NS_PER_S / (double)length);
	}
	window->self_interval = window->total_interval = window->own_interval = 0;
}

static const struct nt_trend *trend_now(const struct nt_rows *rows, const struct nt_row_window *window, struct shared *shared)
{
	struct nt_trend trend = { .known = rows->trend_known };
	memcpy(trend.cells, window->trend.cells, sizeof(trend.cells));
	return trend_of(shared, &trend);
}

/* What a row's place in the list depends on. The list is written in order: to sort it would move its rows, which are large. */
struct place {
	double self, total; /* in the window */
	uint64_t id;
	uint32_t number;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->total != y->total) /* of most rows, which were only called through */
		return x->total > y->total ? -1 : 1;
	return x->id < y->id
		       ? -1
		       : x->id > y->id; /* not by name: who shows rows has an order for equal ones, and a thousand names are all over memory */
}

/* A row leaves the list with less than this part of the window's samples, a fiftieth of what would be seen, but not with more than so many. */
#define LEAST_PART    0.00001
#define LEAST_SAMPLES 0.1

/*
 * With how many samples in the window a row leaves the list. Of a busy program thousands of rows weigh next to nothing; of an idle one what little there is
 * stays longer.
 */
static double least_samples(const struct nt_rows *rows)
{
	double part = rows->window_samples * LEAST_PART;
	if (part < NT_ROW_NEGLIGIBLE)
		return NT_ROW_NEGLIGIBLE;
	return part < LEAST_SAMPLES ? part : LEAST_SAMPLES;
}

static bool in_view(const struct nt_rows *rows, const struct nt_row_window *window)
{
	return window->total_interval || window->total >= least_samples(rows);
}

/* Out of the list, and none of its samples is in a cell of its trend. */
static bool is_over(const struct nt_rows *rows, const struct nt_row_window *window)
{
	return !in_view(rows, window) && rows->trend_step - window->trend.step >= NT_TREND_CELLS;
}

static void show_row(struct nt_rows *rows, uint32_t number, const struct nt_resolver *resolver, const struct nt_span *span,
		     struct shared *shared, struct nt_method_row *out)
{
	struct nt_row_window nothing = { .trend.step = rows->trend_step }, *window = nt_row_window(rows, &rows->items[number]);
	if (!window)
		window = &nothing;
	fill_row(rows, number, window, resolver, span, shared, out);
	step_trend(rows, window, span);
	out->trend = trend_now(rows, window, shared);
}

/* The rows of all kinds of samples: those of the shown kind first, NULL after the last. */
struct kinds {
	struct nt_rows *of[NT_SAMPLE_KINDS + 1];
	size_t row_count; /* of the longest */
};

/* Some of its samples are in view. */
static bool is_in_view(struct nt_rows *rows, uint32_t number)
{
	struct nt_row *row = &rows->items[number];
	const struct nt_row_window *window = nt_row_window(rows, row);
	if (window && is_over(rows, window)) {
		nt_row_leave_window(rows, row);
		window = NULL;
	}
	return window && in_view(rows, window);
}

/* Those that are in the list, in its order; *count of them, owned by the caller. The others are hidden. */
static struct place *choose_rows(const struct kinds *kinds, const struct nt_resolver *resolver, const struct nt_span *span, size_t *count,
				 size_t *hidden)
{
	struct place *places = NULL;
	size_t capacity = 0;
	*count = *hidden = 0;
	for (uint32_t i = 0; i < kinds->row_count; i++) {
		bool counted = false, listed = span->final;
		for (struct nt_rows *const *rows = kinds->of; *rows; rows++)
			if (i < (*rows)->count && (*rows)->items[i].total_all) {
				counted = true;
				listed |= is_in_view(*rows, i);
			}
		if (!counted)
			continue;
		struct nt_rows *shown = kinds->of[0];
		const struct nt_row_window *window = nt_row_window(shown, &shown->items[i]);
		if (listed) {
			places = nt_grow(places, &capacity, *count + 1, sizeof(*places));
			places[(*count)++] = (struct place){ .self = window ? window->self : 0,
							     .total = window ? window->total : 0,
							     .id = nt_resolver_key(resolver, i)->id,
							     .number = i };
		} else {
			++*hidden;
			shown->items[i].fresh = false;
		}
	}
	if (*count)
		qsort(places, *count, sizeof(*places), compare_places);
	return places;
}

static const struct nt_method_weight *weights_of(const struct kinds *kinds, uint32_t number, struct nt_arena *arena)
{
	if (!kinds->of[1])
		return NULL;
	struct nt_method_weight *weights = nt_arena_alloc(arena, NT_SAMPLE_KINDS * sizeof(*weights));
	memset(weights, 0, NT_SAMPLE_KINDS * sizeof(*weights));
	for (struct nt_rows *const *rows = kinds->of; *rows; rows++) {
		struct nt_method_weight *weight = &weights[(*rows)->kind];
		weight->known = true;
		if (number >= (*rows)->count)
			continue;
		const struct nt_row *row = &(*rows)->items[number];
		const struct nt_row_window *window = nt_row_window(*rows, row);
		weight->self_samples = window ? window->self_interval : 0;
		weight->total_samples = window ? window->total_interval : 0;
		weight->self_samples_all = row->self_all;
		weight->total_samples_all = row->total_all;
	}
	return weights;
}

static void begin_close(struct nt_rows *rows, bool known, const struct nt_span *span)
{
	if (nt_span_length(span)) {
		rows->trend_known = nt_trend_known_next(rows->trend_known, known);
		rows->trend_step++;
	}
}

/* Of a kind that is not shown: the rows' next interval begins. */
static void pass(struct nt_rows *rows, const struct nt_span *span)
{
	for (uint32_t i = 0; i < rows->count; i++) {
		struct nt_row_window *window = nt_row_window(rows, &rows->items[i]);
		rows->items[i].fresh = false;
		if (window)
			step_trend(rows, window, span);
	}
	rows->interval_samples = 0;
}

void nt_rows_close(struct nt_rows *rows, struct nt_rows *const *others, const struct nt_resolver *resolver, const struct nt_span *span,
		   bool known, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	struct shared shared = { .arena = snapshot->arena };
	struct kinds kinds = { .of = { rows }, .row_count = rows->count };
	begin_close(rows, known, span);
	for (size_t i = 0, n = 1; i < NT_SAMPLE_KINDS; i++) {
		if (!others[i])
			continue;
		begin_close(others[i], others[i]->interval_samples, span);
		kinds.of[n++] = others[i];
		kinds.row_count = others[i]->count > kinds.row_count ? others[i]->count : kinds.row_count;
	}
	if (kinds.row_count > rows->count)
		nt_rows_get(rows, (uint32_t)kinds.row_count - 1);
	size_t count, hidden;
	struct place *places = choose_rows(&kinds, resolver, span, &count, &hidden);
	process->methods = count ? nt_realloc(NULL, count, sizeof(*process->methods)) : NULL;
	process->method_count = count;
	process->methods_hidden = hidden;
	for (size_t i = 0; i < count; i++) {
		const struct nt_method_weight *weights = weights_of(&kinds, places[i].number, snapshot->arena);
		show_row(rows, places[i].number, resolver, span, &shared, &process->methods[i]);
		process->methods[i].weights = weights;
		rows->items[places[i].number].fresh = false;
	}
	free(places);
	process->window_samples_milli = (uint64_t)(rows->window_samples * 1000 + 0.5);
	process->samples_all = rows->samples_all;
	rows->interval_samples = 0;
	for (struct nt_rows *const *other = kinds.of + 1; *other; other++)
		pass(*other, span);
}
