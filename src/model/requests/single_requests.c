// SPDX-License-Identifier: GPL-2.0-only
#include "model/requests/single_requests.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MINUTE (60 * NT_NS_PER_S)

/* After a loss, so long an end may still be seen. */
static const nt_time doubt_ns = MINUTE;

/* So long nothing comes of requests, and so many end meanwhile: somebody else has the setting that they come by. */
static const nt_time silence_ns = 5 * NT_NS_PER_S;
enum { SILENCE_COUNT = 20 };

void nt_single_requests_fini(struct nt_single_requests *singles)
{
	free(singles->flying);
	nt_index_fini(&singles->by_span);
	nt_index_fini(&singles->by_trace);
	nt_request_calls_fini(&singles->calls);
	*singles = (struct nt_single_requests){ 0 };
}

void nt_single_requests_source(struct nt_single_requests *singles, bool asked, const struct nt_why *lacks)
{
	singles->asked = asked;
	singles->lacks = *lacks;
}

/* ---- in flight ---- */

/* 0 = it has none. */
static uint64_t trace_of(uint64_t high, uint64_t low)
{
	return high || low ? nt_hash_mix(high) ^ low : 0;
}

static bool is_last_of_trace(const struct nt_single_requests *singles, uint64_t trace, uint32_t index)
{
	return trace && nt_index_get(&singles->by_trace, trace) == index;
}

static void take_out(struct nt_single_requests *singles, uint32_t index)
{
	struct nt_single_request *place = &singles->flying[index], *last = &singles->flying[singles->count - 1];
	uint64_t trace = trace_of(place->trace_high, place->trace_low), last_trace = trace_of(last->trace_high, last->trace_low);
	nt_index_remove(&singles->by_span, place->span);
	if (is_last_of_trace(singles, trace, index))
		nt_index_remove(&singles->by_trace, trace);
	if (place != last && is_last_of_trace(singles, last_trace, (uint32_t)(singles->count - 1)))
		nt_index_put(&singles->by_trace, last_trace, index);
	*place = *last;
	if (index < --singles->count)
		nt_index_put(&singles->by_span, place->span, index);
}

static void forget_all(struct nt_single_requests *singles)
{
	nt_index_fini(&singles->by_span);
	nt_index_fini(&singles->by_trace);
	nt_request_calls_fini(&singles->calls);
	singles->count = 0;
}

static void forget_older(struct nt_single_requests *singles, nt_time than)
{
	for (size_t i = singles->count; i-- > 0;)
		if (singles->flying[i].began < than)
			take_out(singles, (uint32_t)i);
}

/* Of the open interval up to `until`. */
static nt_time covered_until(const struct nt_single_requests *singles, nt_time until)
{
	nt_time from = singles->told_since > singles->opened ? singles->told_since : singles->opened;
	return singles->told_since && until > from ? until - from : 0;
}

void nt_single_requests_covered(struct nt_single_requests *singles, bool covered, nt_time time)
{
	singles->now.covered_ns += covered_until(singles, time);
	/* What ends while nobody tells would be in flight for ever. The first ones come before it is said that they do. */
	if (covered)
		forget_older(singles, time);
	else
		forget_all(singles);
	singles->told_since = covered ? time : 0;
	singles->missed = 0;
}

void nt_single_requests_lost(struct nt_single_requests *singles, nt_time until)
{
	if (until > singles->lost_until)
		singles->lost_until = until;
	for (size_t i = 0; i < singles->count; i++)
		if (singles->flying[i].began < until)
			singles->flying[i].doubted = until;
	nt_request_calls_forget(&singles->calls, until);
}

/* What waited for its interval may be of a time before they were told anew. */
static void begin(struct nt_single_requests *singles, const struct nt_single_request *request)
{
	uint32_t index = nt_index_get(&singles->by_span, request->span);
	singles->now.begun++;
	if (request->began < singles->told_since)
		return;
	uint64_t trace = trace_of(request->trace_high, request->trace_low);
	if (index != NT_INDEX_NONE) { /* no two have one id: its end was not seen */
		singles->flying[index] = *request;
		if (trace)
			nt_index_put(&singles->by_trace, trace, index);
		singles->now.unseen++;
		return;
	}
	if (!request->span || singles->count == NT_SINGLE_REQUESTS) {
		singles->now.unkept++;
		return;
	}
	singles->flying = nt_grow(singles->flying, &singles->capacity, singles->count + 1, sizeof(*singles->flying));
	nt_index_put(&singles->by_span, request->span, (uint32_t)singles->count);
	if (trace)
		nt_index_put(&singles->by_trace, trace, (uint32_t)singles->count);
	singles->flying[singles->count++] = *request;
}

/* ---- what they wait for ---- */

static struct nt_single_request *flying_of(const struct nt_single_requests *singles, uint64_t span)
{
	uint32_t index = span ? nt_index_get(&singles->by_span, span) : NT_INDEX_NONE;
	return index == NT_INDEX_NONE ? NULL : &singles->flying[index];
}

static struct nt_single_request *maker_of(const struct nt_single_requests *singles, const struct nt_ev_request_made *made)
{
	struct nt_single_request *maker = flying_of(singles, made->parent);
	uint64_t trace = maker ? 0 : trace_of(made->trace_high, made->trace_low);
	uint32_t index = trace ? nt_index_get(&singles->by_trace, trace) : NT_INDEX_NONE;
	return index == NT_INDEX_NONE ? maker : &singles->flying[index];
}

void nt_single_requests_made(struct nt_single_requests *singles, const struct nt_event *event, const char *peer)
{
	const struct nt_ev_request_made *made = &event->u.request_made;
	struct nt_request_call call;
	if (made->op == NT_REQUEST_BEGUN) {
		struct nt_single_request *maker = maker_of(singles, made);
		if (maker)
			nt_request_calls_begin(&singles->calls, &(struct nt_request_call){ made->span, maker->span, event->time, peer },
					       &maker->awaited);
	} else if (nt_request_calls_end(&singles->calls, made->span, &call)) {
		struct nt_single_request *maker = flying_of(singles, call.of);
		if (maker)
			nt_request_awaited_end(&maker->awaited, &call, event->time);
	}
}

static bool knows_awaited(const struct nt_single_request *request)
{
	return !request->doubted && !request->awaited.unknown;
}

bool nt_single_requests_awaited(const struct nt_single_requests *singles, const struct nt_event *event, struct nt_request_awaited *out)
{
	const struct nt_single_request *request = event->u.request.op == NT_REQUEST_DONE ? flying_of(singles, event->u.request.span) : NULL;
	if (!request || !knows_awaited(request))
		return false;
	*out = request->awaited;
	out->ns = nt_request_awaited_until(&request->awaited, event->time);
	out->open = 0;
	return true;
}

/* ---- the slowest ---- */

/* The minute in which it ended; NULL = that was too long ago. */
static struct nt_slow_period *period_of(struct nt_single_requests *singles, nt_time ended)
{
	uint64_t number = ended / MINUTE;
	struct nt_slow_period *period = &singles->periods[number % NT_SLOW_PERIODS];
	if (period->number > number)
		return NULL;
	if (period->number < number) {
		period->number = number;
		period->count = 0;
	}
	return period;
}

static void keep_if_slow(struct nt_single_requests *singles, const struct nt_slow_request *slow)
{
	struct nt_slow_period *period = period_of(singles, slow->ended);
	if (!period)
		return;
	if (period->count < NT_SLOW_REQUESTS) {
		period->slowest[period->count++] = *slow;
		return;
	}
	struct nt_slow_request *least = &period->slowest[0];
	for (size_t i = 1; i < period->count; i++)
		if (period->slowest[i].time_ns < least->time_ns)
			least = &period->slowest[i];
	if (slow->time_ns > least->time_ns)
		*least = *slow;
}

/* How long one took whose beginning was not told nobody knows. */
static void end(struct nt_single_requests *singles, const struct nt_event *event)
{
	const struct nt_ev_request *told = &event->u.request;
	uint32_t index = told->span ? nt_index_get(&singles->by_span, told->span) : NT_INDEX_NONE;
	singles->now.ended++;
	if (index == NT_INDEX_NONE)
		return;
	struct nt_slow_request slow = { .request = singles->flying[index], .ended = event->time, .status = told->status };
	slow.time_ns = event->time > slow.request.began ? event->time - slow.request.began : 0;
	slow.request.awaited.ns = nt_request_awaited_until(&slow.request.awaited, event->time);
	slow.request.awaited.open = 0;
	take_out(singles, index);
	keep_if_slow(singles, &slow);
}

void nt_single_requests_apply(struct nt_single_requests *singles, const struct nt_event *event, const char *method, const char *path)
{
	const struct nt_ev_request *told = &event->u.request;
	const struct nt_single_request request = {
		.span = told->span,
		.trace_high = told->trace_high,
		.trace_low = told->trace_low,
		.began = event->time,
		.doubted = event->time < singles->lost_until ? singles->lost_until : 0,
		.method = method,
		.path = path,
	};
	if (event->time > singles->heard)
		singles->heard = event->time;
	singles->missed = 0;
	if (told->op == NT_REQUEST_BEGUN)
		begin(singles, &request);
	else
		end(singles, event);
}

/* ---- closing ---- */

static void drop_doubtful(struct nt_single_requests *singles, nt_time now)
{
	for (size_t i = singles->count; i-- > 0;) {
		const struct nt_single_request *request = &singles->flying[i];
		if (!request->doubted || request->doubted + doubt_ns > now)
			continue;
		take_out(singles, (uint32_t)i);
		singles->now.unseen++;
	}
}

static nt_time newest_word(const struct nt_single_requests *singles)
{
	return singles->heard > singles->told_since ? singles->heard : singles->told_since;
}

/* Meters tell once a second, or once in an interval, of what ended before: at first of requests that were told. */
static void count_missed(struct nt_single_requests *singles, const struct nt_span *span, uint64_t ended_count)
{
	nt_time length = nt_span_length(span) > NT_NS_PER_S ? nt_span_length(span) : NT_NS_PER_S;
	if (singles->told_since && span->t0 > newest_word(singles) + 2 * length)
		singles->missed += ended_count;
}

/* One setting of the process decides which of them are written, and all tools share it. */
static bool is_taken_away(const struct nt_single_requests *singles, nt_time now)
{
	return singles->told_since && singles->missed >= SILENCE_COUNT && now > newest_word(singles) + silence_ns;
}

static struct nt_why why_of(const struct nt_single_requests *singles, bool taken_away, const struct nt_why *why)
{
	static const struct nt_why taken = {
		"requests end, and none of them is told singly: all have begun before, or another tool has set what "
		"the process tells of its requests",
		"end that tool, then open screen R again"
	};
	static const struct nt_why soon = { "single requests have been asked for, and have not begun to come yet", NULL };
	static const struct nt_why unasked = {
		"single requests are told while screen R is open or with --requests, from when the runtime has "
		"told its own counters on",
		NULL
	};
	if (singles->told_since)
		return taken_away ? taken : (struct nt_why){ 0 };
	if (singles->lacks.reason)
		return singles->lacks;
	return why->reason ? *why : singles->asked ? soon : unasked;
}

static void fill_counts(const struct nt_single_counts *from, bool told, struct nt_request_figures *out)
{
	out->single_covered_ns = nt_u64_if(told, from->covered_ns);
	out->single_begun_count = nt_u64_if(told, from->begun);
	out->single_ended_count = nt_u64_if(told, from->ended);
	out->single_unseen_count = nt_u64_if(told, from->unseen);
	out->single_unkept_count = nt_u64_if(told, from->unkept);
}

static void fill_states(const struct nt_single_requests *singles, nt_time now, struct nt_request_figures *out)
{
	uint64_t doubtful = 0, oldest_ns = 0;
	for (size_t i = 0; i < singles->count; i++) {
		const struct nt_single_request *request = &singles->flying[i];
		doubtful += request->doubted != 0;
		if (now > request->began && now - request->began > oldest_ns)
			oldest_ns = now - request->began;
	}
	out->single_in_flight_count = nt_u64_of(singles->count);
	out->single_doubtful_count = nt_u64_of(doubtful);
	out->single_oldest_ns = nt_u64_if(singles->count != 0, oldest_ns);
	out->single_since_ns = nt_u64_if(now > singles->told_since, now - singles->told_since);
}

static const char *id_text(uint64_t high, uint64_t low, bool is_trace, struct nt_snapshot *snapshot)
{
	char text[40];
	if (!high && !low)
		return NULL;
	int length = is_trace ? snprintf(text, sizeof(text), "%016" PRIx64 "%016" PRIx64, high, low)
			      : snprintf(text, sizeof(text), "%016" PRIx64, low);
	return nt_arena_text(snapshot->arena, text, (size_t)length);
}

static struct nt_single_request_row row_of(const struct nt_single_request *request, enum nt_request_stage stage, uint64_t time_ns,
					   struct nt_snapshot *snapshot)
{
	return (struct nt_single_request_row){
		.id = request->span,
		.stage = stage,
		.time_ns = time_ns,
		.method = request->method,
		.path = request->path,
		.trace = id_text(request->trace_high, request->trace_low, true, snapshot),
		.span = id_text(0, request->span, false, snapshot),
	};
}

static int by_beginning(const void *a, const void *b)
{
	const struct nt_single_request *left = a, *right = b;
	if (left->began != right->began)
		return left->began < right->began ? -1 : 1;
	return (left->span > right->span) - (left->span < right->span);
}

static int by_time(const void *a, const void *b)
{
	const struct nt_slow_request *left = a, *right = b;
	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? 1 : -1;
	return (left->ended > right->ended) - (left->ended < right->ended);
}

/* They are put in order where they are: their places in the index are those of before. */
static void sort_flying(struct nt_single_requests *singles)
{
	if (!singles->count)
		return;
	qsort(singles->flying, singles->count, sizeof(*singles->flying), by_beginning);
	nt_index_fini(&singles->by_trace);
	for (size_t i = 0; i < singles->count; i++) {
		uint64_t trace = trace_of(singles->flying[i].trace_high, singles->flying[i].trace_low);
		nt_index_put(&singles->by_span, singles->flying[i].span, (uint32_t)i);
		if (trace)
			nt_index_put(&singles->by_trace, trace, (uint32_t)i);
	}
}

/* Into the rows of those in flight, which are in their order: for whom each has waited longest of those that have not answered. */
static void fill_awaits(const struct nt_single_requests *singles, struct nt_single_request_row *rows, size_t row_count)
{
	const struct nt_request_call *longest[NT_SINGLE_REQUEST_ROWS] = { NULL };
	for (size_t i = 0; i < singles->calls.count; i++) {
		const struct nt_request_call *call = &singles->calls.calls[i];
		uint32_t index = nt_index_get(&singles->by_span, call->of);
		if (index >= row_count || (longest[index] && longest[index]->began <= call->began))
			continue;
		longest[index] = call;
		rows[index].awaits = call->peer;
	}
}

/* `unseen`: their ends may come untold. */
static void add_flying(struct nt_single_requests *singles, bool unseen, nt_time now, struct nt_snapshot *snapshot,
		       struct nt_process_snapshot *process)
{
	sort_flying(singles);
	for (size_t i = 0; i < singles->count && i < NT_SINGLE_REQUEST_ROWS; i++) {
		const struct nt_single_request *request = &singles->flying[i];
		bool no_end = unseen || request->doubted;
		struct nt_single_request_row *row = &process->single_requests[process->single_request_count++];
		*row = row_of(request, no_end ? NT_REQUEST_NO_END : NT_REQUEST_IN_FLIGHT, now > request->began ? now - request->began : 0,
			      snapshot);
		row->awaited_ns = nt_u64_if(!no_end && knows_awaited(request), nt_request_awaited_until(&request->awaited, now));
	}
	fill_awaits(singles, process->single_requests, process->single_request_count);
}

static void add_slowest(const struct nt_single_requests *singles, nt_time now, struct nt_snapshot *snapshot,
			struct nt_process_snapshot *process)
{
	struct nt_slow_request all[NT_SLOW_PERIODS * NT_SLOW_REQUESTS];
	size_t count = 0;
	for (size_t p = 0; p < NT_SLOW_PERIODS; p++)
		for (size_t i = 0; i < singles->periods[p].count; i++)
			if (singles->periods[p].slowest[i].ended + NT_SLOW_REQUEST_MINUTES * MINUTE > now)
				all[count++] = singles->periods[p].slowest[i];
	qsort(all, count, sizeof(*all), by_time);
	for (size_t i = 0; i < count && i < NT_SLOW_REQUESTS; i++) {
		struct nt_single_request_row *row = &process->single_requests[process->single_request_count++];
		*row = row_of(&all[i].request, NT_REQUEST_ENDED, all[i].time_ns, snapshot);
		row->ended_ns = nt_u64_of(now > all[i].ended ? now - all[i].ended : 0);
		row->status = nt_u64_if(all[i].status != 0, all[i].status);
		row->awaited_ns = nt_u64_if(knows_awaited(&all[i].request), all[i].request.awaited.ns);
		row->awaits = all[i].request.awaited.peer;
	}
}

static void add_up(struct nt_single_counts *sum, const struct nt_single_counts *more)
{
	sum->begun += more->begun;
	sum->ended += more->ended;
	sum->unseen += more->unseen;
	sum->unkept += more->unkept;
	sum->covered_ns += more->covered_ns;
}

void nt_single_requests_close(struct nt_single_requests *singles, const struct nt_span *span, uint64_t ended_count,
			      const struct nt_why *why, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	struct nt_request_figures *interval = &process->interval.requests, *total = &process->total.requests;
	if (!singles->told_since)
		forget_all(singles);
	drop_doubtful(singles, span->t1);
	singles->now.covered_ns += covered_until(singles, span->t1);
	count_missed(singles, span, ended_count);
	add_up(&singles->all, &singles->now);
	bool taken_away = is_taken_away(singles, span->t1);
	fill_counts(&singles->now, singles->now.covered_ns && !taken_away, interval);
	fill_counts(&singles->all, singles->all.covered_ns, total);
	interval->single_why = total->single_why = why_of(singles, taken_away, why);
	if (singles->told_since && !taken_away)
		fill_states(singles, span->t1, interval);
	size_t room = (singles->count < NT_SINGLE_REQUEST_ROWS ? singles->count : NT_SINGLE_REQUEST_ROWS) + NT_SLOW_REQUESTS;
	process->single_requests = nt_realloc(NULL, room, sizeof(*process->single_requests));
	process->single_request_count = 0;
	add_flying(singles, taken_away, span->t1, snapshot, process);
	add_slowest(singles, span->t1, snapshot, process);
	singles->now = (struct nt_single_counts){ 0 };
	singles->opened = span->t1;
}

void nt_single_requests_each_text(const struct nt_single_requests *singles, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < singles->count; i++) {
		visit(singles->flying[i].method, context);
		visit(singles->flying[i].path, context);
		visit(singles->flying[i].awaited.peer, context);
	}
	for (size_t i = 0; i < singles->calls.count; i++)
		visit(singles->calls.calls[i].peer, context);
	for (size_t p = 0; p < NT_SLOW_PERIODS; p++)
		for (size_t i = 0; i < singles->periods[p].count; i++) {
			visit(singles->periods[p].slowest[i].request.method, context);
			visit(singles->periods[p].slowest[i].request.path, context);
			visit(singles->periods[p].slowest[i].request.awaited.peer, context);
		}
	visit(singles->lacks.reason, context);
	visit(singles->lacks.fix, context);
}
