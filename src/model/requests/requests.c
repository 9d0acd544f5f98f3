// SPDX-License-Identifier: GPL-2.0-only
#include "model/requests/requests.h"

#include "base/affix.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/texts.h"
#include "model/common/series.h"
#include "model/common/trend_push.h"
#include "model/requests/request_tags.h"
#include "model/requests/route_match.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 256 };

/* A state is told in each period, which is as long as an interval: so much later than the next it is no longer known. */
static const nt_time state_late_ns = 4 * NT_NS_PER_S;

enum state { IN_FLIGHT, MADE_IN_FLIGHT, MADE_CONNECTIONS, CONNECTIONS, QUEUED, STATES };

static const struct {
	const char *instrument;
	enum state state;
} state_instruments[] = {
	{ "http.server.active_requests", IN_FLIGHT },  { "http.client.active_requests", MADE_IN_FLIGHT },
	{ "kestrel.active_connections", CONNECTIONS }, { "kestrel.queued_connections", QUEUED },
	{ "kestrel.queued_requests", QUEUED },         { "http.client.open_connections", MADE_CONNECTIONS },
};

void nt_requests_init(struct nt_requests *requests)
{
	*requests = (struct nt_requests){ 0 };
}

void nt_requests_fini(struct nt_requests *requests)
{
	nt_single_requests_fini(&requests->singles);
	nt_request_times_fini(&requests->times);
	free(requests->rows);
	free(requests->usual);
	free(requests->states);
	nt_index_fini(&requests->by_id);
	*requests = (struct nt_requests){ 0 };
}

/* ---- whether there may be any ---- */

void nt_requests_mapped(struct nt_requests *requests, const char *path, size_t length)
{
	requests->mapped = true;
	requests->serves |= nt_slice_ends_with(path, length, "/Microsoft.AspNetCore.Hosting.dll");
	requests->calls |= nt_slice_ends_with(path, length, "/System.Net.Http.dll");
	nt_databases_mapped(&requests->databases, path, length);
}

/* Of the open interval up to `until`, without what was before a break. */
static nt_time covered_until(const struct nt_requests *requests, nt_time until)
{
	nt_time from = requests->told_since > requests->opened ? requests->told_since : requests->opened;
	return requests->told_since && until > from ? until - from : 0;
}

void nt_requests_told(struct nt_requests *requests, bool told, nt_time time)
{
	if (!told)
		requests->left_out = false;
	/* Asked for anew the runtime counts anew: what it said last lasts no longer than at the usual pace. */
	for (size_t i = 0; !told && i < requests->state_count; i++)
		if (requests->states[i].fresh_until > time + NT_NS_PER_S + state_late_ns)
			requests->states[i].fresh_until = time + NT_NS_PER_S + state_late_ns;
	if (told == (requests->told_since != 0))
		return;
	/* What was counted until then stays counted. Where nothing ever came it may have been refused: then nothing was counted. */
	if (requests->collected)
		requests->covered_ns += covered_until(requests, time);
	requests->told_since = told ? time : 0;
}

void nt_requests_left_out(struct nt_requests *requests)
{
	requests->left_out = true;
}

bool nt_requests_is_provider(const char *name, size_t length)
{
	static const char *const providers[] = { "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Server.Kestrel", "System.Net.Http" };
	for (size_t i = 0; i < sizeof(providers) / sizeof(*providers); i++)
		if (strlen(providers[i]) == length && memcmp(providers[i], name, length) == 0)
			return true;
	return nt_database_is_meter(name, length);
}

/* ---- events ---- */

static uint64_t id_of(const char *name, const char *tags, size_t tags_length, uint32_t instrument)
{
	return nt_hash_mix(nt_hash_bytes(tags, tags_length) ^ nt_hash_mix(nt_hash_bytes(name, strlen(name)) ^ instrument));
}

static const char *keep_tag(const char *tags, size_t tags_length, const char *key, struct nt_texts *texts)
{
	size_t length;
	const char *value = nt_request_tag(tags, tags_length, key, &length);
	return value && length ? nt_texts_intern(texts, value, nt_utf8_cut(value, length, TEXT)) : NULL;
}

/* host:port; the port is left out where it is not told. */
static const char *peer_of(const char *tags, size_t tags_length, struct nt_texts *texts)
{
	char peer[TEXT];
	size_t host_length, port_length;
	const char *host = nt_request_tag(tags, tags_length, "server.address", &host_length);
	const char *port = nt_request_tag(tags, tags_length, "server.port", &port_length);
	if (!host || !host_length)
		return NULL;
	int length = snprintf(peer, sizeof(peer), "%.*s%s%.*s", (int)nt_utf8_cut(host, host_length, TEXT / 2), host, port ? ":" : "",
			      port ? (int)nt_utf8_cut(port, port_length, 16) : 0, port ? port : "");
	return nt_texts_intern(texts, peer, (size_t)length);
}

static const char *const method_tags[NT_REQUEST_WAY_COUNT] = { "http.request.method", "http.request.method", "db.operation.name" };

/* NULL: there are too many. */
static struct nt_request_row *row_of(struct nt_requests *requests, uint64_t id, enum nt_request_way way, const char *tags,
				     size_t tags_length, struct nt_texts *texts)
{
	uint32_t index = nt_index_get(&requests->by_id, id);
	if (index != NT_INDEX_NONE)
		return &requests->rows[index];
	if (requests->count == NT_REQUEST_ROWS)
		return NULL;
	requests->rows = nt_grow(requests->rows, &requests->capacity, requests->count + 1, sizeof(*requests->rows));
	requests->usual = nt_grow(requests->usual, &requests->usual_capacity, requests->count + 1, sizeof(*requests->usual));
	requests->usual[requests->count] = (struct nt_usual){ 0 };
	struct nt_request_row *row = &requests->rows[requests->count];
	*row = (struct nt_request_row){ .id = id,
					.way = way,
					.method = keep_tag(tags, tags_length, method_tags[way], texts),
					.status = keep_tag(tags, tags_length, "http.response.status_code", texts),
					.error = keep_tag(tags, tags_length, "error.type", texts),
					.fresh = true };
	row->route = way == NT_REQUEST_SERVED ? keep_tag(tags, tags_length, "http.route", texts)
		     : way == NT_REQUEST_MADE ? peer_of(tags, tags_length, texts)
					      : nt_database_name(tags, tags_length, texts);
	nt_index_put(&requests->by_id, id, (uint32_t)requests->count++);
	return row;
}

static bool is_failed(const char *tags, size_t tags_length)
{
	size_t length;
	const char *status = nt_request_tag(tags, tags_length, "http.response.status_code", &length);
	bool server_error = status && length == 3 && *status == '5';
	return server_error || nt_request_tag(tags, tags_length, "error.type", &length);
}

static void count(struct nt_request_figures *figures, enum nt_request_way way, bool failed, uint64_t number)
{
	struct nt_u64 *const counts[NT_REQUEST_WAY_COUNT] = { &figures->count, &figures->made_count, &figures->database_count };
	struct nt_u64 *const errors[NT_REQUEST_WAY_COUNT] = { &figures->error_count, &figures->made_error_count,
							      &figures->database_error_count };
	counts[way]->v += number;
	if (failed)
		errors[way]->v += number;
}

/* The runtime tells seconds. */
static struct nt_u64 duration(double seconds)
{
	const double most_s = 1e9;
	bool known = seconds >= 0 && seconds < most_s;
	return (struct nt_u64){ .known = known, .v = known ? (uint64_t)(seconds * (double)NT_NS_PER_S) : 0 };
}

/* False: it is no count. */
static bool number_of(const struct nt_ev_counter *told, uint64_t *out)
{
	const double most = 1e15;
	bool known = told->known & NT_COUNTER_CHANGE && told->change >= 0 && told->change < most;
	*out = known ? (uint64_t)told->change : 0;
	return known;
}

static void take_durations(struct nt_requests *requests, enum nt_request_way way, uint64_t id, const struct nt_ev_counter *told,
			   const char *tags, size_t tags_length, struct nt_texts *texts)
{
	uint64_t number;
	if (!number_of(told, &number))
		return;
	bool failed = is_failed(tags, tags_length);
	count(&requests->now, way, failed, number);
	count(&requests->all, way, failed, number);
	struct nt_request_row *row = row_of(requests, id, way, tags, tags_length, texts);
	if (!row) {
		requests->now.uncounted_count.v += number;
		requests->all.uncounted_count.v += number;
		return;
	}
	struct nt_u64 time_ns = duration(told->known & NT_COUNTER_VALUE ? told->value : 0);
	row->failed = failed;
	row->count += number;
	row->count_all += number;
	row->time_ns += time_ns.v;
	row->time_all_ns += time_ns.v;
	if (!number || !(told->known & NT_COUNTER_QUANTILES))
		return;
	row->p50_ns = duration(told->p50);
	row->p95_ns = duration(told->p95);
	row->p99_ns = duration(told->p99);
	row->fresh_quantiles = true;
}

/* It tells of all series within some ms, once in a period. */
static void note_period(struct nt_requests *requests, const struct nt_event *event)
{
	nt_time period_ns = event->u.counter.period_ns;
	if (!period_ns || (requests->collected && event->time < requests->collected + period_ns / 2))
		return;
	requests->collected = event->time;
	requests->period_ns = period_ns;
	requests->periods_ns += period_ns;
}

/* How long connections of HttpClient were open, told when they are closed. */
static void take_closed(struct nt_requests *requests, const struct nt_ev_counter *told, const char *tags, size_t tags_length,
			struct nt_texts *texts)
{
	uint64_t number;
	if (!number_of(told, &number))
		return;
	requests->now.closed_count.v += number;
	requests->all.closed_count.v += number;
	if (number <= requests->most_closed)
		return;
	requests->most_closed = number;
	requests->closed_peer = peer_of(tags, tags_length, texts);
}

static nt_time fresh_until(const struct nt_event *event)
{
	nt_time period_ns = event->u.counter.period_ns;
	return event->time + (period_ns > NT_NS_PER_S ? period_ns : NT_NS_PER_S) + state_late_ns;
}

static void take_state(struct nt_requests *requests, enum state what, uint64_t id, const struct nt_event *event)
{
	const struct nt_ev_counter *told = &event->u.counter;
	size_t i = 0, stale = NT_REQUEST_STATES;
	for (; i < requests->state_count && requests->states[i].id != id; i++)
		if (requests->states[i].fresh_until < event->time)
			stale = i;
	/* A peer that is told of no more has no claim to a place. */
	if (i == NT_REQUEST_STATES)
		i = stale;
	if (!(told->known & NT_COUNTER_VALUE) || i == NT_REQUEST_STATES)
		return;
	if (i == requests->state_count) {
		requests->states = nt_grow(requests->states, &requests->state_capacity, i + 1, sizeof(*requests->states));
		requests->state_count++;
	}
	requests->states[i] = (struct nt_request_state){
		.id = id,
		.what = what,
		.value = isfinite(told->value) ? told->value : 0,
		.fresh_until = fresh_until(event),
	};
}

void nt_requests_apply(struct nt_requests *requests, const struct nt_event *event, const char *name, const char *tags, size_t tags_length,
		       struct nt_texts *texts)
{
	const struct nt_ev_counter *told = &event->u.counter;
	uint64_t id = id_of(name, tags, tags_length, told->instrument);
	bool durations = told->kind == NT_COUNTER_HISTOGRAM;
	if (durations)
		note_period(requests, event);
	if (durations && strcmp(name, "http.server.request.duration") == 0)
		take_durations(requests, NT_REQUEST_SERVED, id, told, tags, tags_length, texts);
	else if (durations && strcmp(name, "http.client.request.duration") == 0)
		take_durations(requests, NT_REQUEST_MADE, id, told, tags, tags_length, texts);
	else if (durations && strcmp(name, "http.client.connection.duration") == 0)
		take_closed(requests, told, tags, tags_length, texts);
	else if (durations && nt_database_is_duration(name))
		take_durations(requests, NT_REQUEST_DATABASE, id, told, tags, tags_length, texts);
	else if (!durations)
		nt_databases_apply(&requests->databases, event, fresh_until(event), name, tags, tags_length, texts);
	for (size_t i = 0; told->kind == NT_COUNTER_UP_DOWN && i < sizeof(state_instruments) / sizeof(*state_instruments); i++)
		if (strcmp(name, state_instruments[i].instrument) == 0)
			take_state(requests, state_instruments[i].state, id, event);
}

/* ---- closing ---- */

/* Sum of those that are told now, each `least` at least; not known when none is. */
static struct nt_f64 sum_of(const struct nt_requests *requests, enum state what, nt_time now, double least)
{
	struct nt_f64 sum = { 0 };
	for (size_t i = 0; i < requests->state_count; i++) {
		const struct nt_request_state *state = &requests->states[i];
		if (state->what != (unsigned)what || state->fresh_until < now)
			continue;
		sum.v += state->value > least ? state->value : least;
		sum.known = true;
	}
	return sum;
}

/* What was there before somebody listened ends below zero. */
static struct nt_u64 state_sum(const struct nt_requests *requests, enum state what, nt_time now)
{
	struct nt_f64 sum = sum_of(requests, what, now, 0);
	return (struct nt_u64){ .known = sum.known, .v = sum.known ? (uint64_t)(sum.v + 0.5) : 0 };
}

/* "GET /pay 200" */
static const char *words_of(const struct nt_request_row *row, struct nt_snapshot *snapshot)
{
	char text[2 * TEXT];
	bool silent = !row->method && row->way == NT_REQUEST_DATABASE;
	int length = snprintf(text, sizeof(text), "%s%s%s%s%s",
			      silent        ? ""
			      : row->method ? row->method
					    : "?",
			      silent ? "" : " ",
			      row->route                      ? row->route
			      : row->way == NT_REQUEST_SERVED ? "(no route)"
							      : "(not told)",
			      row->status ? " " : "", row->status ? row->status : "");
	return nt_arena_text(snapshot->arena, text, (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

static const struct nt_request_row *worst_of(const struct nt_requests *requests, enum nt_request_way way)
{
	const struct nt_request_row *worst = NULL;
	for (size_t i = 0; i < requests->count; i++) {
		const struct nt_request_row *row = &requests->rows[i];
		if (row->way == way && row->fresh_quantiles && row->p99_ns.known && (!worst || row->p99_ns.v > worst->p99_ns.v))
			worst = row;
	}
	return worst;
}

static void fill_counts(const struct nt_request_figures *from, nt_time covered_ns, const struct nt_requests *requests,
			struct nt_request_figures *out)
{
	bool told = covered_ns != 0, serves = told && (requests->serves || from->count.v),
	     calls = told && (requests->calls || from->made_count.v), asks = told && (requests->databases.asks || from->database_count.v);
	out->covered_ns = (struct nt_u64){ .known = told, .v = covered_ns };
	out->count = (struct nt_u64){ .known = serves, .v = from->count.v };
	out->error_count = (struct nt_u64){ .known = serves, .v = from->error_count.v };
	out->made_count = (struct nt_u64){ .known = calls, .v = from->made_count.v };
	out->made_error_count = (struct nt_u64){ .known = calls, .v = from->made_error_count.v };
	out->closed_count = (struct nt_u64){ .known = calls, .v = from->closed_count.v };
	out->database_count = (struct nt_u64){ .known = asks, .v = from->database_count.v };
	out->database_error_count = (struct nt_u64){ .known = asks, .v = from->database_error_count.v };
	out->uncounted_count = (struct nt_u64){ .known = told, .v = from->uncounted_count.v };
	out->at_least = told && requests->left_out;
}

static void fill_states(const struct nt_requests *requests, const struct nt_span *span, struct nt_snapshot *snapshot,
			struct nt_request_figures *out)
{
	const struct nt_request_row *served = worst_of(requests, NT_REQUEST_SERVED), *made = worst_of(requests, NT_REQUEST_MADE),
				    *asked = worst_of(requests, NT_REQUEST_DATABASE);
	if (served) {
		out->p99_ns = served->p99_ns;
		out->worst = words_of(served, snapshot);
	}
	if (made) {
		out->made_p99_ns = made->p99_ns;
		out->made_worst = words_of(made, snapshot);
	}
	if (asked) {
		out->database_p99_ns = asked->p99_ns;
		out->database_worst = words_of(asked, snapshot);
	}
	if (requests->closed_peer)
		out->closed_peer = nt_arena_text(snapshot->arena, requests->closed_peer, strlen(requests->closed_peer));
	if (!requests->told_since)
		return;
	out->in_flight_count = state_sum(requests, IN_FLIGHT, span->t1);
	out->made_in_flight_count = state_sum(requests, MADE_IN_FLIGHT, span->t1);
	/* Opened less closed, whatever they do now: an older one that is taken into use is one idle fewer and one active more. */
	out->made_connections = sum_of(requests, MADE_CONNECTIONS, span->t1, -INFINITY);
	out->connection_count =
		requests->open.fresh_until >= span->t1 ? nt_u64_of(requests->open.count) : state_sum(requests, CONNECTIONS, span->t1);
	out->queued_count = state_sum(requests, QUEUED, span->t1);
}

/* Counts are known, and not all. */
static struct nt_why why_less(const struct nt_requests *requests)
{
	static const struct nt_why limits = { "the runtime keeps no more series of requests: routes or peers beyond them are not counted",
					      NULL };
	return requests->left_out ? limits : (struct nt_why){ 0 };
}

static bool wants(const struct nt_requests *requests)
{
	return requests->serves || requests->calls || requests->databases.asks || requests->unseen;
}

/* Why nothing is known: that there is nothing that serves comes before who would tell of it. */
static struct nt_why why_unknown(const struct nt_requests *requests, const struct nt_why *why)
{
	static const struct nt_why none = { "no ASP.NET Core, no HttpClient and no Npgsql in the program", NULL };
	static const struct nt_why early = { "requests are asked for when the runtime has told its own counters", NULL };
	static const struct nt_why untold = {
		"whether the program has loaded anything that serves is not known: the sources perf and map tell it", NULL
	};
	if (requests->mapped && !wants(requests))
		return none;
	if (why->reason)
		return *why;
	return wants(requests) ? early : untold;
}

static int by_count(const void *a, const void *b)
{
	const struct nt_request_row *left = a, *right = b;
	if (left->count_all != right->count_all)
		return left->count_all < right->count_all ? 1 : -1;
	return (left->id > right->id) - (left->id < right->id);
}

/* What the runtime told of last is the newest, until the next period is late, or they are asked for anew: a process that stands still has no requests. */
static bool is_late(const struct nt_requests *requests, nt_time now)
{
	return requests->collected < requests->told_since || requests->collected + 2 * requests->period_ns < now;
}

/*
 * A period is a second at least, and ends when the runtime's clock says so. Of intervals that are shorter most have the end of none, and one has all that ended in ten:
 * rates are of periods.
 */
static void fill_rates(struct nt_requests *requests, const struct nt_span *span, struct nt_request_figures *out)
{
	const struct nt_request_figures *now = &requests->now;
	if (requests->periods_ns) {
		requests->per_s = nt_per_second(nt_u64_of(now->count.v), requests->periods_ns);
		requests->error_per_s = nt_per_second(nt_u64_of(now->error_count.v), requests->periods_ns);
		requests->made_per_s = nt_per_second(nt_u64_of(now->made_count.v), requests->periods_ns);
	}
	if (is_late(requests, span->t1))
		return;
	if (out->count.known) {
		out->per_s = requests->per_s;
		out->error_per_s = requests->error_per_s;
	}
	if (out->made_count.known)
		out->made_per_s = requests->made_per_s;
}

static void close_row(const struct nt_requests *requests, struct nt_request_row *row, const struct nt_span *span, bool told)
{
	if (requests->periods_ns)
		row->per_s = nt_per_second(nt_u64_of(row->count), requests->periods_ns);
	if (!told || is_late(requests, span->t1))
		row->per_s = (struct nt_f64){ 0 };
	struct nt_f64 of_interval = told ? nt_per_second(nt_u64_of(row->count), nt_span_length(span)) : (struct nt_f64){ 0 };
	nt_trend_push(&row->trend, row->per_s.known ? row->per_s : of_interval);
}

/* Five seconds of those that end all the time, and of those that end seldom, too. */
static void close_usual(struct nt_request_row *row, struct nt_usual *usual, const struct nt_span *span)
{
	const nt_time least_ns = 2 * NT_USUAL_SECONDS * NT_NS_PER_S;
	nt_time within_ns = NT_USUAL_SECONDS * nt_span_length(span);
	if (row->fresh_quantiles && row->p99_ns.known)
		nt_usual_add(usual, span->t1, row->count, row->p99_ns.v);
	struct nt_usual_now now = nt_usual_close(usual, span->t1, within_ns > least_ns ? within_ns : least_ns);
	row->now_p99_ns = now.level_ns;
	row->now_count = now.count;
	row->usual_p99_ns = now.usual_ns;
	row->usual_over_ns = now.usual_over_ns;
}

void nt_requests_close(struct nt_requests *requests, const struct nt_span *span, const struct nt_why *why, const struct nt_pauses *pauses,
		       struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	struct nt_request_figures *interval = &process->interval.requests, *total = &process->total.requests;
	nt_time covered_ns = requests->covered_ns + covered_until(requests, span->t1);
	if (covered_ns > nt_span_length(span)) /* states do not wait for their interval */
		covered_ns = nt_span_length(span);
	requests->covered_all_ns += covered_ns;
	fill_counts(&requests->now, covered_ns, requests, interval);
	fill_counts(&requests->all, requests->covered_all_ns, requests, total);
	fill_rates(requests, span, interval);
	fill_states(requests, span, snapshot, interval);
	nt_databases_close(&requests->databases, span->t1, snapshot, interval, total);
	interval->serves = total->serves = requests->serves || requests->all.count.v;
	interval->why = covered_ns ? why_less(requests) : why_unknown(requests, why);
	total->why = requests->covered_all_ns ? why_less(requests) : why_unknown(requests, why);
	nt_single_requests_close(&requests->singles, span, requests->now.count.v, covered_ns ? &(struct nt_why){ 0 } : &interval->why,
				 snapshot, process);
	nt_request_times_close(&requests->times, span, &interval->single_why, pauses, process);
	process->requests = nt_realloc(NULL, requests->count, sizeof(*process->requests));
	process->request_count = requests->count;
	for (size_t i = 0; i < requests->count; i++) {
		struct nt_request_row *row = &requests->rows[i];
		close_row(requests, row, span, covered_ns != 0);
		close_usual(row, &requests->usual[i], span);
		process->requests[i] = *row;
		row->fresh = row->fresh_quantiles = false;
		row->count = 0;
		row->time_ns = 0;
	}
	for (size_t i = 0; i < process->single_request_count; i++) {
		struct nt_single_request_row *single = &process->single_requests[i];
		single->route = nt_route_of(requests->rows, requests->count, single->method, single->path);
	}
	if (requests->count)
		qsort(process->requests, requests->count, sizeof(*process->requests), by_count);
	process->wants_requests = wants(requests);
	requests->now = (struct nt_request_figures){ 0 };
	requests->periods_ns = 0;
	requests->most_closed = 0;
	requests->closed_peer = NULL;
	requests->opened = span->t1;
	requests->covered_ns = 0;
}

static void single(struct nt_requests *requests, const struct nt_event *event, const char *method, const char *path)
{
	const struct nt_ev_request *told = &event->u.request;
	bool begins = told->op == NT_REQUEST_BEGUN && requests->times.asked;
	struct nt_request_awaited awaited;
	bool knows = nt_single_requests_awaited(&requests->singles, event, &awaited);
	nt_single_requests_apply(&requests->singles, event, method, path);
	nt_request_times_request(&requests->times, event, method,
				 begins ? nt_route_of(requests->rows, requests->count, method, path) : NULL, knows ? &awaited : NULL);
}

void nt_requests_covered(struct nt_requests *requests, const struct nt_ev_cover *said, nt_time time)
{
	if (said->what & NT_WANT_SINGLE_REQUESTS)
		nt_single_requests_covered(&requests->singles, said->covered, time);
	if (said->what & NT_WANT_EACH_REQUEST)
		nt_request_times_covered(&requests->times, said->what & NT_WANT_ACTIVITIES ? NT_TIMES_OF_ACTIVITIES : NT_TIMES_OF_REQUESTS,
					 said->covered, time);
}

void nt_requests_lost(struct nt_requests *requests, uint32_t of, nt_time until)
{
	if (of & NT_WANT_SINGLE_REQUESTS)
		nt_single_requests_lost(&requests->singles, until);
	if (of & NT_WANT_EACH_REQUEST)
		nt_request_times_lost(&requests->times, until);
}

void nt_requests_each(struct nt_requests *requests, const struct nt_event *event, const char *text, const char *path)
{
	if (event->kind == NT_EV_REQUEST)
		single(requests, event, text, path);
	else if (event->kind == NT_EV_REQUEST_MADE)
		nt_single_requests_made(&requests->singles, event, text);
	else if (event->kind == NT_EV_ACTIVITY)
		nt_request_times_turn(&requests->times, event);
	else if (event->kind == NT_EV_CONNECTIONS)
		requests->open = (struct nt_open_connections){ event->u.connections.count, event->time + NT_NS_PER_S + state_late_ns };
}

void nt_requests_each_text(const struct nt_requests *requests, nt_text_visit *visit, void *context)
{
	visit(requests->closed_peer, context);
	nt_databases_each_text(&requests->databases, visit, context);
	nt_single_requests_each_text(&requests->singles, visit, context);
	nt_request_times_each_text(&requests->times, visit, context);
	for (size_t i = 0; i < requests->count; i++) {
		const struct nt_request_row *row = &requests->rows[i];
		const char *const texts[] = { row->method, row->status, row->route, row->error };
		for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); t++)
			visit(texts[t], context);
	}
}
