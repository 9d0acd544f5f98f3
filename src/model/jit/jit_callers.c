// SPDX-License-Identifier: GPL-2.0-only
#include "model/jit/jit_callers.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* The begin of one compilation has a time of its own in each of two streams: between both writings a thread may lose its CPU. */
static const nt_time apart_ns = 100 * NT_NS_PER_MS;
/* A half that has not met the other one by then does not. A compilation that fails has no second half. */
static const nt_time late_ns = 3 * NT_NS_PER_S, failed_after_ns = 10 * NT_NS_PER_S;
/* Opening the session takes some time: who began before has no first half. */
static const nt_time opening_ns = 2 * NT_NS_PER_S;
/* For so many closings a place without a name is waited for. */
enum { NAMING_CLOSINGS = 3 };

static const struct nt_site other_places = { .name = "(other places)" }, background = { .name = "(tiered compilation)" };
static const char replacement[] = "(on-stack replacement)";

void nt_jit_callers_init(struct nt_jit_callers *callers)
{
	*callers = (struct nt_jit_callers){ .since = NT_TIME_UNKNOWN };
}

void nt_jit_callers_fini(struct nt_jit_callers *callers)
{
	free(callers->begun);
	free(callers->waiting);
	free(callers->placed);
	free(callers->items);
	nt_jit_callers_init(callers);
}

/* ---- the two halves ---- */

static void cover(struct nt_jit_callers *callers, nt_time until)
{
	if (!nt_jit_callers_told(callers) || until <= callers->counted_until)
		return;
	callers->interval_ns += until - callers->counted_until;
	callers->counted_until = until;
}

void nt_jit_callers_source(struct nt_jit_callers *callers, bool brings, nt_time time)
{
	if (brings == nt_jit_callers_told(callers))
		return;
	if (!brings)
		cover(callers, time);
	callers->since = brings ? time : NT_TIME_UNKNOWN;
	callers->counted_until = time;
	callers->ever |= brings;
}

bool nt_jit_callers_told(const struct nt_jit_callers *callers)
{
	return callers->since != NT_TIME_UNKNOWN;
}

void nt_jit_callers_begun(struct nt_jit_callers *callers, const struct nt_event *event, nt_site_ref stack)
{
	if (callers->begun_count == NT_JIT_CALLERS_OPEN)
		return;
	callers->begun = nt_grow(callers->begun, &callers->begun_capacity, callers->begun_count + 1, sizeof(*callers->begun));
	callers->begun[callers->begun_count++] = (struct nt_jit_begun){ event->u.jit_start.method_id, event->tid, event->time, stack };
}

void nt_jit_callers_ended(struct nt_jit_callers *callers, const struct nt_jit_caused *caused)
{
	if (callers->waiting_count == NT_JIT_CALLERS_OPEN)
		return;
	callers->waiting = nt_grow(callers->waiting, &callers->waiting_capacity, callers->waiting_count + 1, sizeof(*callers->waiting));
	callers->waiting[callers->waiting_count++] = *caused;
}

static int compare_keys(uint32_t tid_a, uint64_t method_a, uint32_t tid_b, uint64_t method_b)
{
	if (tid_a != tid_b)
		return tid_a < tid_b ? -1 : 1;
	return method_a < method_b ? -1 : method_a > method_b;
}

static int compare_begun(const void *a, const void *b)
{
	const struct nt_jit_begun *x = a, *y = b;
	int order = compare_keys(x->tid, x->method_id, y->tid, y->method_id);
	return order ? order : (x->time > y->time) - (x->time < y->time);
}

static int compare_waiting(const void *a, const void *b)
{
	const struct nt_jit_caused *x = a, *y = b;
	int order = compare_keys(x->tid, x->method_id, y->tid, y->method_id);
	return order ? order : (x->begun > y->begun) - (x->begun < y->begun);
}

static void place(struct nt_jit_callers *callers, const struct nt_jit_caused *caused, nt_site_ref stack)
{
	callers->placed = nt_grow(callers->placed, &callers->placed_capacity, callers->placed_count + 1, sizeof(*callers->placed));
	callers->placed[callers->placed_count] = *caused;
	callers->placed[callers->placed_count++].stack = stack;
}

/* Is a first half one of this second half, before any that is (-1), or behind it (1)? */
static int side_of(const struct nt_jit_begun *begun, const struct nt_jit_caused *caused)
{
	int order = compare_keys(begun->tid, begun->method_id, caused->tid, caused->method_id);
	if (order)
		return order;
	return begun->time + apart_ns < caused->begun ? -1 : caused->begun + apart_ns < begun->time ? 1 : 0;
}

/* Keep what may still meet its other half. */
static void keep_begun(struct nt_jit_callers *callers, size_t *kept, const struct nt_jit_begun *begun, nt_time now)
{
	if (begun->time + failed_after_ns > now)
		callers->begun[(*kept)++] = *begun;
}

static void keep_waiting(struct nt_jit_callers *callers, size_t *kept, const struct nt_jit_caused *caused, const struct nt_span *span)
{
	if (caused->background)
		place(callers, caused, 0);
	else if (caused->ended + late_ns > span->t1 && !span->final)
		callers->waiting[(*kept)++] = *caused;
	else if (nt_jit_callers_told(callers) && caused->begun > callers->since + opening_ns)
		place(callers, caused, 0); /* it is not told where */
}

static void pair(struct nt_jit_callers *callers, const struct nt_span *span)
{
	size_t b = 0, w = 0, begun_kept = 0, waiting_kept = 0;
	if (callers->begun_count)
		qsort(callers->begun, callers->begun_count, sizeof(*callers->begun), compare_begun);
	if (callers->waiting_count)
		qsort(callers->waiting, callers->waiting_count, sizeof(*callers->waiting), compare_waiting);
	while (b < callers->begun_count && w < callers->waiting_count) {
		const struct nt_jit_begun begun = callers->begun[b];
		const struct nt_jit_caused caused = callers->waiting[w];
		int side = side_of(&begun, &caused);
		b += side <= 0;
		w += side >= 0;
		if (side < 0)
			keep_begun(callers, &begun_kept, &begun, span->t1);
		else if (side > 0 || caused.background)
			keep_waiting(callers, &waiting_kept, &caused, span);
		else
			place(callers, &caused, begun.stack);
	}
	for (; b < callers->begun_count; b++) {
		const struct nt_jit_begun begun = callers->begun[b];
		keep_begun(callers, &begun_kept, &begun, span->t1);
	}
	for (; w < callers->waiting_count; w++) {
		const struct nt_jit_caused caused = callers->waiting[w];
		keep_waiting(callers, &waiting_kept, &caused, span);
	}
	callers->begun_count = begun_kept;
	callers->waiting_count = waiting_kept;
}

/* ---- rows ---- */

static struct nt_jit_caller *find(struct nt_jit_callers *callers, const struct nt_site *site, const char *via)
{
	for (size_t i = 0; i < callers->count; i++) {
		struct nt_jit_caller *item = &callers->items[i];
		if (item->site.name == site->name && item->site.module == site->module && item->via == via) /* texts of the table */
			return item;
	}
	return NULL;
}

static struct nt_jit_caller *add(struct nt_jit_callers *callers, const struct nt_site *site, const char *via)
{
	callers->items = nt_grow(callers->items, &callers->capacity, callers->count + 1, sizeof(*callers->items));
	struct nt_jit_caller *item = &callers->items[callers->count++];
	*item = (struct nt_jit_caller){ .id = ++callers->made, .site = *site, .via = via };
	return item;
}

static void merge(struct nt_jit_caller *into, const struct nt_jit_caller *from)
{
	into->count += from->count;
	into->count_all += from->count_all;
	into->time_ns += from->time_ns;
	into->time_all_ns += from->time_all_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
}

/* The place that has caused least goes into the row of the others. */
static void make_room(struct nt_jit_callers *callers)
{
	struct nt_jit_caller *other = find(callers, &other_places, NULL), *least = NULL;
	if (!other)
		other = add(callers, &other_places, NULL);
	for (size_t i = 0; i < callers->count; i++) {
		struct nt_jit_caller *item = &callers->items[i];
		if (item != other && (!least || item->time_all_ns <= least->time_all_ns))
			least = item;
	}
	merge(other, least);
	*least = callers->items[--callers->count];
}

static struct nt_jit_caller *row_of(struct nt_jit_callers *callers, const struct nt_site *site, const char *via)
{
	struct nt_jit_caller *item = find(callers, site, via);
	if (item)
		return item;
	if (callers->count >= NT_JIT_CALLERS - 1)
		make_room(callers);
	return add(callers, site, via);
}

/* What the site called, if it was not itself that something was compiled for. */
static const char *via_of(struct nt_sites *sites, nt_site_ref stack)
{
	uint32_t count, site;
	const struct nt_call_frame *frames = stack ? nt_sites_frames(sites, stack, &count, &site) : NULL;
	return frames && site ? frames[site - 1].name : NULL;
}

static void count(struct nt_jit_callers *callers, struct nt_sites *sites, const struct nt_jit_caused *caused, const struct nt_site *site)
{
	nt_time took_ns = caused->ended > caused->begun ? caused->ended - caused->begun : 0;
	const char *via = caused->replaced && caused->stack ? replacement : via_of(sites, caused->stack);
	struct nt_jit_caller *item = row_of(callers, site, via);
	item->site = *site;
	if (caused->stack)
		item->stack = caused->stack;
	item->compiled = caused->compiled;
	item->count++;
	item->count_all++;
	item->time_ns += took_ns;
	item->time_all_ns += took_ns;
	if (took_ns > item->max_ns)
		item->max_ns = took_ns;
}

static void count_placed(struct nt_jit_callers *callers, const struct nt_span *span, struct nt_sites *sites)
{
	size_t kept = 0;
	for (size_t i = 0; i < callers->placed_count; i++) {
		struct nt_jit_caused caused = callers->placed[i];
		const struct nt_site site = caused.background ? background : nt_sites_keep(sites, &caused.stack);
		bool waits = site.open && caused.closings++ < NAMING_CLOSINGS && !span->final && i < NT_JIT_CALLERS_OPEN;
		if (waits)
			callers->placed[kept++] = caused;
		else
			count(callers, sites, &caused, &site);
	}
	callers->placed_count = kept;
}

/* Names have come: rows of one place become one row. */
static void name_again(struct nt_jit_callers *callers, struct nt_sites *sites)
{
	for (size_t i = 0; i < callers->count; i++) {
		struct nt_jit_caller *item = &callers->items[i];
		if (!item->stack)
			continue;
		item->site = nt_sites_keep(sites, &item->stack);
		if (item->via != replacement)
			item->via = via_of(sites, item->stack);
		struct nt_jit_caller *earlier = find(callers, &item->site, item->via);
		if (earlier == item)
			continue;
		merge(earlier, item);
		*item = callers->items[--callers->count];
		i--;
	}
}

/* ---- the snapshot ---- */

static int compare_rows(const void *a, const void *b)
{
	const struct nt_jit_caller_row *x = a, *y = b;
	if (x->time_all_ns != y->time_all_ns)
		return x->time_all_ns > y->time_all_ns ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void make_rows(struct nt_jit_callers *callers, struct nt_sites *sites, struct nt_snapshot *snapshot,
		      struct nt_process_snapshot *process)
{
	process->jit_callers = nt_realloc(NULL, callers->count, sizeof(*process->jit_callers));
	process->jit_caller_count = callers->count;
	for (size_t i = 0; i < callers->count; i++) {
		struct nt_jit_caller *item = &callers->items[i];
		process->jit_callers[i] = (struct nt_jit_caller_row){ .id = item->id,
								      .site = item->site.name,
								      .via = item->via,
								      .compiled = item->compiled,
								      .count = item->count,
								      .count_all = item->count_all,
								      .time_ns = item->time_ns,
								      .time_all_ns = item->time_all_ns,
								      .max_ns = item->max_ns,
								      .compiled_from = nt_sites_stack(sites, item->stack, snapshot),
								      .fresh = !item->shown };
		item->shown = true;
		item->count = item->time_ns = 0;
	}
	if (callers->count)
		qsort(process->jit_callers, callers->count, sizeof(*process->jit_callers), compare_rows);
}

void nt_jit_callers_close(struct nt_jit_callers *callers, const struct nt_span *span, struct nt_sites *sites, struct nt_snapshot *snapshot,
			  struct nt_process_snapshot *process)
{
	pair(callers, span);
	for (size_t i = 0; i < callers->begun_count; i++)
		nt_sites_keep(sites, &callers->begun[i].stack);
	name_again(callers, sites);
	count_placed(callers, span, sites);
	make_rows(callers, sites, snapshot, process);
	if (!callers->ever)
		return;
	cover(callers, span->t1);
	callers->covered_ns += callers->interval_ns;
	process->interval.jit.callers_covered_ns = nt_u64_of(callers->interval_ns);
	process->total.jit.callers_covered_ns = nt_u64_of(callers->covered_ns);
	callers->interval_ns = 0;
}

void nt_jit_callers_each_text(const struct nt_jit_callers *callers, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < callers->waiting_count; i++)
		visit(callers->waiting[i].compiled, context);
	for (size_t i = 0; i < callers->placed_count; i++)
		visit(callers->placed[i].compiled, context);
	for (size_t i = 0; i < callers->count; i++) {
		visit(callers->items[i].site.name, context);
		visit(callers->items[i].site.module, context);
		visit(callers->items[i].via, context);
		visit(callers->items[i].compiled, context);
	}
}
