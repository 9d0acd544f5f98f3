// SPDX-License-Identifier: GPL-2.0-only
#include "model/waits/wait_sites.h"

#include "base/alloc.h"
#include "model/waits/wait_place.h"

#include <stdlib.h>

static const struct nt_site other_sites = { .name = "(other sites)" };

void nt_wait_sites_init(struct nt_wait_sites *sites)
{
	*sites = (struct nt_wait_sites){ 0 };
}

void nt_wait_sites_fini(struct nt_wait_sites *sites)
{
	for (size_t i = 0; i < sites->count; i++)
		free(sites->items[i].waits);
	free(sites->items);
	free(sites->ended);
	free(sites->known);
	*sites = (struct nt_wait_sites){ 0 };
}

/* ---- rows ---- */

/* What makes a row: texts are the table's. */
struct place {
	struct nt_site site;
	const char *means;
	enum nt_wait_kind kind;
	nt_site_ref open; /* the stack, while better names of its frames may come: several places may share those that it has; else 0 */
};

static bool is_at(const struct nt_wait_site *item, const struct place *place)
{
	if (item->open || place->open)
		return item->open == place->open && item->kind == place->kind;
	return item->kind == place->kind && item->site.name == place->site.name && item->site.module == place->site.module;
}

static struct nt_wait_site *find(struct nt_wait_sites *sites, const struct place *place)
{
	for (size_t i = 0; i < sites->count; i++)
		if (is_at(&sites->items[i], place))
			return &sites->items[i];
	return NULL;
}

static struct nt_wait_site *add(struct nt_wait_sites *sites, const struct place *place)
{
	sites->items = nt_grow(sites->items, &sites->capacity, sites->count + 1, sizeof(*sites->items));
	struct nt_wait_site *item = &sites->items[sites->count++];
	*item = (struct nt_wait_site){
		.id = ++sites->made, .site = place->site, .means = place->means, .kind = place->kind, .open = place->open
	};
	return item;
}

static void remove_site(struct nt_wait_sites *sites, struct nt_wait_site *item)
{
	free(item->waits);
	*item = sites->items[--sites->count];
}

static struct nt_histogram *waits_of(struct nt_wait_site *item)
{
	if (!item->waits)
		item->waits = nt_alloc(sizeof(*item->waits));
	return item->waits;
}

static void merge(struct nt_wait_site *into, const struct nt_wait_site *from)
{
	if (from->waits)
		nt_histogram_merge(waits_of(into), from->waits);
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	into->what = into->what ? into->what : from->what;
	into->holder_tid = into->holder_tid ? into->holder_tid : from->holder_tid;
	into->polled |= from->polled;
	into->timed |= from->timed;
	into->interval_count += from->interval_count;
	into->count += from->count;
	into->interval_spent_ns += from->interval_spent_ns;
	into->spent_ns += from->spent_ns;
	into->interval_runq_ns += from->interval_runq_ns;
	into->runq_ns += from->runq_ns;
	into->window_count += from->window_count;
	into->window_spent_ns += from->window_spent_ns;
	into->window_runq_ns += from->window_runq_ns;
	into->waiting_count += from->waiting_count;
	into->longest = into->longest.tid ? into->longest : from->longest;
}

static double weight(const struct nt_wait_site *item)
{
	return item->window_spent_ns + (double)item->interval_spent_ns;
}

static struct nt_wait_site *other_of(struct nt_wait_sites *sites)
{
	const struct place place = { .site = other_sites };
	struct nt_wait_site *other = find(sites, &place);
	return other ? other : add(sites, &place);
}

/* The row where least was waited in the window goes into that of the others. */
static void make_room(struct nt_wait_sites *sites)
{
	struct nt_wait_site *other = other_of(sites), *least = NULL;
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_wait_site *item = &sites->items[i];
		if (item != other && (!least || weight(item) < weight(least)))
			least = item;
	}
	merge(other, least);
	remove_site(sites, least);
}

static struct nt_wait_site *row_of(struct nt_wait_sites *sites, const struct place *place)
{
	struct nt_wait_site *item = find(sites, place);
	if (item)
		return item;
	if (sites->count >= NT_WAIT_SITES - 1)
		make_room(sites);
	return add(sites, place);
}

/* ---- waits ---- */

bool nt_wait_sites_ended(struct nt_wait_sites *sites, const struct nt_wait_piece *piece)
{
	if (sites->ended_count < NT_WAIT_PIECES_ENDED) {
		sites->ended = nt_grow(sites->ended, &sites->ended_capacity, sites->ended_count + 1, sizeof(*sites->ended));
		sites->ended[sites->ended_count++] = *piece;
		return true;
	}
	struct nt_wait_site *other = other_of(sites);
	other->interval_count++;
	other->interval_spent_ns += piece->spent_ns;
	other->interval_runq_ns += piece->runq_ns;
	other->timed |= piece->timed;
	if (piece->polled)
		other->polled = true;
	else
		nt_histogram_add(waits_of(other), piece->wait_ns);
	return false;
}

/* Majority vote of Boyer and Moore: who is named more often than all others together leads in the end. 0: it is not known this time. */
static void vote(uint32_t *leader, uint64_t *lead, uint32_t tid)
{
	if (!tid)
		return;
	if (!*lead)
		*leader = tid;
	if (*leader == tid)
		++*lead;
	else
		--*lead;
}

/* Of whom that is told, and is the one who ends most waits so far. */
static void note_waker_place(struct nt_wait_site *item, struct nt_sites *stacks, struct nt_wait_piece *piece)
{
	struct nt_site at = nt_sites_keep(stacks, &piece->waker_stack);
	if (!at.open && piece->waker_tid == item->interval_waker_tid)
		nt_majority_vote(&item->interval_waker_at, at.name);
}

/* Where a stack that is kept waits; `said`: for what, as the source says. */
static struct place place_of(struct nt_sites *stacks, nt_site_ref stack, const struct nt_site *known, unsigned said, bool of_runtime)
{
	struct nt_wait_place found = { 0 };
	struct place place = { .site = *known, .open = known->open ? stack : 0 };
	if (stack) {
		uint32_t count, own;
		const struct nt_call_frame *frames = nt_sites_frames(stacks, stack, &count, &own);
		found = nt_wait_place_of(frames, count, own);
		if (found.found) {
			place.site.name = frames[found.site].name;
			place.site.module = frames[found.site].module;
		}
	}
	place.means = found.means;
	place.kind = nt_wait_place_kind(said, &found);
	if (of_runtime && !found.found && place.kind != NT_WAIT_CPU)
		place.kind = NT_WAIT_IDLE;
	return place;
}

/* A busy server waits ten thousand times a second at the same few stacks: what they are called is looked at once. */
struct nt_wait_known_place {
	nt_site_ref stack; /* 0 = none */
	uint32_t said;
	bool of_runtime;
	struct place place;
	size_t row; /* it was there */
};

static void forget_places(struct nt_wait_sites *sites)
{
	if (!sites->known)
		sites->known = nt_alloc(NT_WAIT_PLACES_KNOWN * sizeof(*sites->known));
	for (size_t i = 0; i < NT_WAIT_PLACES_KNOWN; i++)
		sites->known[i].stack = 0;
}

/* The row of a wait, whose stack is kept with this. */
static struct nt_wait_site *row_of_piece(struct nt_wait_sites *sites, struct nt_sites *stacks, const struct nt_wait_piece *piece,
					 struct nt_site site, struct place *place)
{
	struct nt_wait_known_place *known = &sites->known[piece->stack % NT_WAIT_PLACES_KNOWN];
	if (!piece->stack || known->stack != piece->stack || known->said != piece->said || known->of_runtime != piece->of_runtime) {
		*known = (struct nt_wait_known_place){ .stack = piece->stack, .said = piece->said, .of_runtime = piece->of_runtime };
		known->place = place_of(stacks, piece->stack, &site, piece->said, piece->of_runtime);
		known->row = SIZE_MAX;
	}
	*place = known->place;
	if (known->row >= sites->count || !is_at(&sites->items[known->row], place)) /* rows go, and others take their places */
		known->row = (size_t)(row_of(sites, place) - sites->items);
	return &sites->items[known->row];
}

enum nt_wait_kind nt_wait_sites_count(struct nt_wait_sites *sites, struct nt_sites *stacks, struct nt_wait_piece *piece)
{
	struct place place;
	struct nt_site site = nt_sites_keep(stacks, &piece->stack);
	struct nt_wait_site *item = row_of_piece(sites, stacks, piece, site, &place);
	item->site = place.site;
	item->means = place.means;
	item->stack = piece->stack;
	item->polled = piece->polled;
	item->timed |= piece->timed;
	item->interval_spent_ns += piece->spent_ns;
	item->interval_runq_ns += piece->runq_ns;
	nt_wait_longest_note(&item->longest, piece->tid, piece->spent_ns);
	vote(&item->interval_waker_tid, &item->waker_lead, piece->waker_tid);
	note_waker_place(item, stacks, piece);
	if (nt_wait_is_about(place.kind, piece->object, piece->what))
		nt_majority_vote(&item->interval_what, piece->what);
	if (nt_wait_is_for_lock(place.kind) && nt_wait_is_about(place.kind, piece->object, piece->what))
		vote(&item->interval_holder_tid, &item->holder_lead, piece->owner_tid);
	if (piece->wait_ns > item->max_ns)
		item->max_ns = piece->wait_ns;
	if (!piece->ended) {
		item->waiting_count++;
		return place.kind;
	}
	item->interval_count++;
	if (!piece->polled)
		nt_histogram_add(waits_of(item), piece->wait_ns);
	return place.kind;
}

/* Names have come: rows of one site become one row. */
void nt_wait_sites_settle(struct nt_wait_sites *sites, struct nt_sites *stacks)
{
	forget_places(sites);
	for (size_t i = 0; i < sites->count; i++)
		sites->items[i].waiting_count = 0;
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_wait_site *item = &sites->items[i];
		if (!item->stack)
			continue;
		struct nt_site known = nt_sites_keep(stacks, &item->stack);
		struct place place = place_of(stacks, item->stack, &known, item->kind, false);
		item->site = place.site;
		item->means = place.means;
		item->kind = place.kind;
		item->open = place.open;
		struct nt_wait_site *earlier = find(sites, &place);
		if (earlier == item)
			continue;
		merge(earlier, item);
		remove_site(sites, item);
		i--;
	}
}

/* ---- the snapshot ---- */

static void next_interval(struct nt_wait_site *item, const struct nt_span *span)
{
	item->count += item->interval_count;
	item->spent_ns += item->interval_spent_ns;
	item->runq_ns += item->interval_runq_ns;
	item->window_count = item->window_count * span->decay + (double)item->interval_count;
	item->window_spent_ns = item->window_spent_ns * span->decay + (double)item->interval_spent_ns;
	item->window_runq_ns = item->window_runq_ns * span->decay + (double)item->interval_runq_ns;
	if (item->waker_lead && item->waker_tid != item->interval_waker_tid) {
		item->waker_tid = item->interval_waker_tid;
		item->waker_at = NULL;
	}
	item->waker_lead = 0;
	if (item->interval_waker_at.text && item->waker_tid == item->interval_waker_tid)
		item->waker_at = item->interval_waker_at.text;
	item->interval_waker_at = (struct nt_majority){ 0 };
	if (item->interval_what.text)
		item->what = item->interval_what.text;
	item->interval_what = (struct nt_majority){ 0 };
	if (item->holder_lead)
		item->holder_tid = item->interval_holder_tid;
	item->holder_lead = 0;
	nt_wait_longest_step(&item->longest);
}

/* NULL: it is no living thread of the target, and then the number may mean something else. */
static const struct nt_thread_row *thread_of(const struct nt_process_snapshot *process, uint32_t tid)
{
	for (size_t i = 0; tid && i < process->thread_count; i++)
		if (process->threads[i].tid == tid && !process->threads[i].ended)
			return &process->threads[i];
	return NULL;
}

static void fill_others(struct nt_wait_row *row, const struct nt_wait_site *item, const struct nt_process_snapshot *process)
{
	const struct nt_thread_row *waker = thread_of(process, item->waker_tid), *holder = thread_of(process, item->holder_tid);
	if (item->waker_tid == NT_WAKER_INTERRUPT)
		row->waker_name = "interrupt";
	if (waker) {
		row->waker_tid = waker->tid;
		row->waker_name = waker->name;
		row->waker_at = item->waker_at;
	}
	if (holder) {
		row->holder_tid = holder->tid;
		row->holder_name = holder->name;
	}
}

static struct nt_wait_row make_row(const struct nt_wait_site *item, double window_s)
{
	struct nt_wait_row row = {
		.id = item->id,
		.site = item->site.name,
		.module = item->site.module,
		.means = item->means,
		.what = item->what,
		.kind = item->kind,
		.polled = item->polled,
		.timed = item->timed,
		.count = item->interval_count,
		.count_all = item->count,
		.spent_ns = item->interval_spent_ns,
		.spent_all_ns = item->spent_ns,
		.runq_ns = item->interval_runq_ns,
		.runq_all_ns = item->runq_ns,
		.max_ns = { .known = item->max_ns != 0, .v = item->max_ns },
		.waiting_count = item->waiting_count,
		.longest_tid = item->longest.tid,
		.idle = item->kind == NT_WAIT_IDLE,
		.fresh = !item->shown,
	};
	if (item->waits && !item->polled) {
		row.p50_ns = nt_histogram_percentile(item->waits, 500);
		row.p99_ns = nt_histogram_percentile(item->waits, 990);
	}
	if (window_s > 0) {
		row.window_per_s = item->window_count / window_s;
		row.window_spent = item->window_spent_ns / window_s;
		row.window_runq = item->window_runq_ns / window_s;
	}
	return row;
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_wait_row *x = a, *y = b;
	if (x->spent_all_ns != y->spent_all_ns)
		return x->spent_all_ns > y->spent_all_ns ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void nt_wait_sites_close(struct nt_wait_sites *sites, struct nt_sites *stacks, const struct nt_span *span, nt_time covered_ns,
			 struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	sites->window_ns = sites->window_ns * span->decay + (double)covered_ns;
	process->waits = nt_realloc(NULL, sites->count, sizeof(*process->waits));
	process->wait_count = sites->count;
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_wait_site *item = &sites->items[i];
		struct nt_wait_row *row = &process->waits[i];
		next_interval(item, span);
		*row = make_row(item, sites->window_ns / (double)NT_NS_PER_S);
		row->waited_from = nt_sites_stack(stacks, item->stack, snapshot);
		fill_others(row, item, process);
		item->shown = true;
		item->interval_count = item->interval_spent_ns = item->interval_runq_ns = 0;
	}
	qsort(process->waits, process->wait_count, sizeof(*process->waits), compare_rows);
}

void nt_wait_sites_each_text(const struct nt_wait_sites *sites, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < sites->count; i++) {
		visit(sites->items[i].site.name, context);
		visit(sites->items[i].site.module, context);
		visit(sites->items[i].means, context);
		visit(sites->items[i].what, context);
		visit(sites->items[i].interval_what.text, context);
		visit(sites->items[i].waker_at, context);
		visit(sites->items[i].interval_waker_at.text, context);
	}
	for (size_t i = 0; i < sites->ended_count; i++)
		visit(sites->ended[i].what, context);
}
