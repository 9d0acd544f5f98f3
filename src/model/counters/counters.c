// SPDX-License-Identifier: GPL-2.0-only
#include "model/counters/counters.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/common/tombstone.h"
#include "model/common/trend_push.h"
#include "model/counters/counter_series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Told less often than this, a counter has ended. */
enum { UNTOLD_PERIODS = 3 };
static const nt_time untold_ns = 3 * NT_NS_PER_S;

/* A period that somebody asks for; longer ones come from damaged recordings. */
static const nt_time longest_period_ns = 86400 * NT_NS_PER_S;

void nt_counters_init(struct nt_counters *counters)
{
	*counters = (struct nt_counters){ 0 };
}

void nt_counters_fini(struct nt_counters *counters)
{
	free(counters->items);
	nt_index_fini(&counters->by_id);
	nt_index_fini(&counters->beyond);
	nt_instruments_fini(&counters->instruments);
	*counters = (struct nt_counters){ 0 };
}

/* ---- which counter ---- */

/* Of all that tells two counters apart: 64 bits are enough for some thousand rows. The same after it has come back. */
static uint64_t id_of(const struct nt_ev_counter *told, const struct nt_counter_texts *texts, const struct nt_names *names)
{
	const nt_text_ref parts[] = { texts->provider, texts->name, texts->tags };
	uint64_t id = (uint64_t)told->kind << 32 | told->instrument;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t length;
		const char *text = nt_heap_get(names->heap, parts[i], &length);
		id = nt_hash_mix(id ^ nt_hash_bytes(text, length));
	}
	return id;
}

/* Its name and tags in one. */
static const char *label_of(const struct nt_counter_row *row, const struct nt_names *names)
{
	char label[2 * NT_COUNTER_TEXT + sizeof("{}")];
	if (!row->tags || !row->name)
		return row->name;
	int length = snprintf(label, sizeof(label), "%s{%s}", row->name, row->tags);
	return nt_texts_intern(names->texts, label, (size_t)length);
}

static struct nt_counter *counter_new(struct nt_counters *counters, uint64_t id, const struct nt_ev_counter *told,
				      const struct nt_counter_texts *texts, const struct nt_names *names)
{
	counters->items = nt_grow(counters->items, &counters->capacity, counters->count + 1, sizeof(*counters->items));
	struct nt_counter *item = &counters->items[counters->count];
	*item = (struct nt_counter){ .instrument = nt_instrument_id(texts->provider, texts->name, told->instrument, names),
				     .row = { .id = id,
					      .provider = nt_counter_keep(names, texts->provider),
					      .name = nt_counter_keep(names, texts->name),
					      .display_name = nt_counter_keep(names, texts->display_name),
					      .unit = nt_counter_keep(names, texts->unit),
					      .tags = nt_counter_keep(names, texts->tags),
					      .fresh = true } };
	item->row.label = label_of(&item->row, names);
	nt_index_put(&counters->by_id, id, (uint32_t)counters->count++);
	return item;
}

/* NULL: there are too many. */
static struct nt_counter *counter_of(struct nt_counters *counters, const struct nt_ev_counter *told, const struct nt_counter_texts *texts,
				     const struct nt_names *names)
{
	uint64_t id = id_of(told, texts, names);
	uint32_t index = nt_index_get(&counters->by_id, id);
	if (index != NT_INDEX_NONE)
		return &counters->items[index];
	if (counters->count < NT_COUNTER_ROWS)
		return counter_new(counters, id, told, texts, names);
	if (counters->beyond.used < NT_COUNTERS_BEYOND)
		nt_index_put(&counters->beyond, id, 0);
	return NULL;
}

/* ---- what it says ---- */

static bool is_state(enum nt_counter_kind kind)
{
	return kind == NT_COUNTER_GAUGE || kind == NT_COUNTER_UP_DOWN;
}

static void set(struct nt_f64 *figure, double value)
{
	if (isfinite(value))
		*figure = nt_f64_of(value);
}

static void lower(struct nt_f64 *least, struct nt_f64 figure)
{
	if (figure.known && !(least->known && least->v <= figure.v))
		*least = figure;
}

static void raise_to(struct nt_f64 *greatest, struct nt_f64 figure)
{
	if (figure.known && !(greatest->known && greatest->v >= figure.v))
		*greatest = figure;
}

static void widen(struct nt_counter_row *row, struct nt_f64 least, struct nt_f64 greatest)
{
	lower(&row->least, least);
	raise_to(&row->greatest, greatest);
}

static void take_change(struct nt_counter *item, const struct nt_ev_counter *told)
{
	if (!(told->known & NT_COUNTER_CHANGE) || !isfinite(told->change))
		return;
	item->changed = true;
	item->change += told->change;
	item->changed_ns += item->period_ns;
	item->sum += told->change;
	if (item->row.kind == NT_COUNTER_INCREMENT)
		set(&item->row.value, item->sum);
}

static void take_value(struct nt_counter *item, const struct nt_ev_counter *told)
{
	struct nt_counter_row *row = &item->row;
	if (!(told->known & NT_COUNTER_VALUE) || row->kind == NT_COUNTER_HISTOGRAM || row->kind == NT_COUNTER_INCREMENT)
		return;
	struct nt_f64 least = { 0 }, greatest = { 0 };
	set(&row->value, told->value);
	set(&least, told->known & NT_COUNTER_RANGE ? told->least : told->value);
	set(&greatest, told->known & NT_COUNTER_RANGE ? told->greatest : told->value);
	if (is_state(row->kind))
		widen(row, least, greatest);
}

/* A period without measurements has no distribution: the last one that had stays, as a state that is not told anew does. */
static void take_quantiles(struct nt_counter *item, const struct nt_ev_counter *told)
{
	struct nt_counter_row *row = &item->row;
	if (!(told->known & NT_COUNTER_QUANTILES))
		return;
	set(&row->p50, told->p50);
	set(&row->p95, told->p95);
	set(&row->p99, told->p99);
	row->value = row->p50;
	widen(row, row->p50, row->p99);
}

/* What it says of a period, for whoever writes each of them. What there is no room for is added to the one that follows: changes still add up. */
static void take_period(struct nt_counter *item, const struct nt_ev_counter *told, nt_time at)
{
	struct nt_counter_row *row = &item->row;
	bool is_change = row->kind == NT_COUNTER_INCREMENT || row->kind == NT_COUNTER_TOTAL,
	     is_histogram = row->kind == NT_COUNTER_HISTOGRAM;
	unsigned needed = is_histogram ? NT_COUNTER_QUANTILES : is_change ? NT_COUNTER_CHANGE : NT_COUNTER_VALUE;
	struct nt_counter_told said = { .at = at, .value = is_histogram ? told->p50 : is_change ? told->change : told->value };
	if (!(told->known & needed) || !isfinite(said.value))
		return;
	said.p95 = is_histogram ? told->p95 : 0;
	said.p99 = is_histogram ? told->p99 : 0;
	if (row->told_count == NT_COUNTER_TOLD) {
		row->told[1].value += is_change ? row->told[0].value : 0;
		memmove(&row->told[0], &row->told[1], (NT_COUNTER_TOLD - 1) * sizeof(row->told[0]));
		row->told_count--;
	}
	row->told[row->told_count++] = said;
}

void nt_counters_apply(struct nt_counters *counters, const struct nt_event *event, const struct nt_counter_texts *texts,
		       const struct nt_names *names)
{
	const struct nt_ev_counter *told = &event->u.counter;
	if (told->kind >= NT_COUNTER_KIND_COUNT)
		return;
	if (!texts->name) {
		counters->left_out = true;
		return;
	}
	struct nt_counter *item = counter_of(counters, told, texts, names);
	if (!item)
		return;
	item->row.kind = (enum nt_counter_kind)told->kind;
	item->row.heard = event->time > item->row.heard ? event->time : item->row.heard;
	item->period_ns = told->period_ns < longest_period_ns ? told->period_ns : longest_period_ns;
	take_change(item, told);
	take_value(item, told);
	take_quantiles(item, told);
	take_period(item, told, event->time);
}

/* ---- showing ---- */

/* For how long it may be silent, at least. */
static nt_time patience(const struct nt_counter *item, const struct nt_span *span)
{
	nt_time period_ns = item->period_ns > nt_span_length(span) ? item->period_ns : nt_span_length(span);
	return UNTOLD_PERIODS * period_ns > untold_ns ? UNTOLD_PERIODS * period_ns : untold_ns;
}

static void bury(struct nt_counters *counters, const struct nt_span *span)
{
	size_t kept = 0;
	for (size_t i = 0; i < counters->count; i++) {
		const struct nt_counter *item = &counters->items[i];
		if (span->t1 > item->row.heard + patience(item, span) + nt_tombstone_ns(span)) {
			nt_index_remove(&counters->by_id, item->row.id);
			continue;
		}
		if (kept != i)
			nt_index_put(&counters->by_id, item->row.id, (uint32_t)kept);
		counters->items[kept++] = *item;
	}
	counters->count = kept;
}

static void close_rate(struct nt_counter *item, const struct nt_span *span)
{
	struct nt_counter_row *row = &item->row;
	nt_time over_ns = item->changed_ns ? item->changed_ns : nt_span_length(span);
	row->change.known = false;
	if (row->kind == NT_COUNTER_GAUGE)
		return;
	if (item->changed || row->rate_per_s.known)
		set(&row->change, item->change);
	if (!item->changed || !over_ns)
		return;
	set(&row->rate_per_s, item->change * (double)NT_NS_PER_S / (double)over_ns);
	lower(&row->least_per_s, row->rate_per_s);
	raise_to(&row->greatest_per_s, row->rate_per_s);
}

/* What its sparkline and its range are about. */
static struct nt_f64 figure_of(const struct nt_counter_row *row)
{
	if (row->ended)
		return (struct nt_f64){ 0 };
	return is_state(row->kind) ? row->value : row->kind == NT_COUNTER_HISTOGRAM ? row->p99 : row->rate_per_s;
}

static void close_row(struct nt_counter *item, const struct nt_span *span)
{
	struct nt_counter_row *row = &item->row;
	row->ended = span->t1 > row->heard + patience(item, span);
	close_rate(item, span);
	if (nt_span_length(span))
		nt_trend_push(&row->trend, figure_of(row));
	item->change = 0;
	item->changed_ns = 0;
	item->changed = false;
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_counter_row *x = a, *y = b;
	int order = compare_texts(x->provider, y->provider);
	if (!order)
		order = compare_texts(x->label, y->label);
	return order ? order : x->id < y->id ? -1 : x->id > y->id;
}

static void close_hidden(struct nt_counters *counters, struct nt_process_snapshot *process)
{
	size_t now = counters->beyond.used;
	process->counters_hidden = now > counters->beyond_before ? now : counters->beyond_before;
	process->counters_hidden_at_least = counters->left_out || process->counters_hidden == NT_COUNTERS_BEYOND;
	counters->beyond_before = now;
	nt_index_fini(&counters->beyond);
}

void nt_counters_close(struct nt_counters *counters, const struct nt_span *span, struct nt_process_snapshot *process)
{
	bury(counters, span);
	process->counters = nt_realloc(NULL, counters->count, sizeof(*process->counters));
	process->counter_count = counters->count;
	for (size_t i = 0; i < counters->count; i++) {
		close_row(&counters->items[i], span);
		nt_instruments_describe(&counters->instruments, counters->items[i].instrument, &counters->items[i].row);
		process->counters[i] = counters->items[i].row;
		counters->items[i].row.fresh = false;
		counters->items[i].row.told_count = 0;
	}
	qsort(process->counters, process->counter_count, sizeof(*process->counters), compare_rows);
	nt_series_tell_apart(process->counters, process->counter_count);
	close_hidden(counters, process);
}

void nt_counters_each_text(const struct nt_counters *counters, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < counters->count; i++) {
		const struct nt_counter_row *row = &counters->items[i].row;
		const char *const texts[] = { row->provider, row->name,        row->display_name,    row->unit,      row->tags,
					      row->label,    row->description, row->instrument_tags, row->meter_tags };
		for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); t++)
			visit(texts[t], context);
	}
	nt_instruments_each_text(&counters->instruments, visit, context);
}
