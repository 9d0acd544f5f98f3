// SPDX-License-Identifier: GPL-2.0-only
/* What findings about requests say. */
#include "model/findings/findings.h"

#include "model/findings/blame.h"
#include "model/findings/finding_words.h"
#include "nettop/column.h"

#include <inttypes.h>

/* `POST /checkout`, `pay:443` */
static void put_name(nt_text text, const struct nt_request_row *row)
{
	bool served = row->way == NT_REQUEST_SERVED;
	if (served)
		nt_words_put(text, "%s ", row->method ? row->method : "?");
	nt_words_put(text, "%s", row->route ? row->route : served ? "(no route)" : "(no peer)");
}

/* `POST /checkout 500` */
static void put_route(nt_text text, const struct nt_request_row *row)
{
	put_name(text, row);
	if (row->status)
		nt_words_put(text, " %s", row->status);
}

void nt_findings_tell_failures(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT])
{
	const struct nt_request_row *worst = nt_blame_request(about->process);
	double pct = nt_words_value(about, NT_QUANTITY_FAILED_PCT);
	char rate[NUMBER], name[NAME];
	nt_format_count(nt_words_value(about, NT_QUANTITY_FAILED), rate, sizeof(rate));
	for (int form = LONG; form <= SHORT; form++)
		nt_words_put(texts[form], "Requests fail: %.0f%%, %s/s", pct, rate);
	nt_words_put(texts[BRIEF], "Requests fail: %.0f%%", pct);
	if (!worst)
		return;
	for (int form = LONG; form <= SHORT; form++) {
		nt_words_put(texts[form], form == LONG ? "; most often " : "; ");
		put_route(texts[form], worst);
	}
	if (worst->error && (!worst->status || strcmp(worst->error, worst->status) != 0))
		nt_words_put(texts[LONG], ", %s", nt_words_last_parts(worst->error, 1, name));
}

void nt_findings_tell_connections(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT])
{
	bool closes = about->condition->limits[0].quantity == NT_QUANTITY_CLOSED;
	const char *peer = closes ? about->process->interval.requests.closed_peer : nt_blame_peer(about->process);
	double pct = nt_words_value(about, closes ? NT_QUANTITY_CLOSED_PCT : NT_QUANTITY_OPENED_PCT);
	char rate[NUMBER];
	nt_format_count(nt_words_value(about, closes ? NT_QUANTITY_CLOSED : NT_QUANTITY_OPENED), rate, sizeof(rate));
	nt_words_put(texts[LONG], "A connection per request: HttpClient %s %s connections/s, %.0f%% of the requests that it makes",
		     closes ? "closes" : "opens", rate, pct);
	nt_words_put(texts[SHORT], "A connection per request: %s %s/s", rate, closes ? "closed" : "opened");
	nt_words_put(texts[BRIEF], "Connections %s: %s/s", closes ? "closed" : "opened", rate);
	if (!peer)
		return;
	nt_words_put(texts[LONG], ", most to %s", peer);
	nt_words_put(texts[SHORT], ", %s", peer);
}

void nt_findings_tell_connection_pool(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT])
{
	const struct nt_request_figures *figures = &about->process->interval.requests;
	char most[NUMBER], waiting[NUMBER], now[NUMBER];
	nt_format_whole(figures->pool_max_count.v, most, sizeof(most));
	nt_format_whole(figures->pool_waiting_count.v, waiting, sizeof(waiting));
	for (int form = LONG; form <= SHORT; form++)
		nt_words_put(texts[form], "Connection pool used up: all %s", most);
	nt_words_put(texts[BRIEF], "Connection pool: all %s used", most);
	for (int form = LONG; form <= SHORT && figures->pool; form++)
		nt_words_put(texts[form], " to %s", figures->pool);
	if (figures->pool_waiting_count.known && figures->pool_waiting_count.v)
		nt_words_put(texts[LONG], ", %s wait for one", waiting);
	if (!figures->database_p99_ns.known)
		return;
	nt_format_duration(figures->database_p99_ns.v, now, sizeof(now));
	nt_words_put(texts[LONG], "; p99 of its operations %s", now);
}

/* What it calls that has become slow, too: the likely cause. */
static void put_slow_call(const struct nt_process_snapshot *process, nt_text *texts)
{
	const struct nt_request_row *call = nt_blame_slow(process, NT_REQUEST_MADE);
	char now[NUMBER], before[NUMBER];
	if (!call || !nt_request_is_slow(call->now_p99_ns, call->usual_p99_ns))
		return;
	nt_format_duration(call->now_p99_ns.v, now, sizeof(now));
	nt_format_duration(call->usual_p99_ns.v, before, sizeof(before));
	nt_words_put(texts[LONG], "; its calls to %s, too: %s, %s before", call->route ? call->route : "?", now, before);
	nt_words_put(texts[SHORT], "; %s, too", call->route ? call->route : "its calls");
}

static void tell_pile(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT])
{
	const struct nt_pile *pile = &about->step->pile;
	const struct nt_u64 *calls = &about->process->interval.requests.made_in_flight_count;
	char flying[NUMBER], usual[NUMBER], ending[NUMBER], ended[NUMBER], over[NUMBER];
	nt_format_whole((uint64_t)pile->in_flight, flying, sizeof(flying));
	nt_format_whole((uint64_t)pile->in_flight_usual, usual, sizeof(usual));
	nt_format_count(pile->ended_per_s, ending, sizeof(ending));
	nt_format_count(pile->ended_usual, ended, sizeof(ended));
	nt_format_duration(pile->over_ns, over, sizeof(over));
	nt_words_put(texts[LONG], "Requests pile up: %s in flight, %s in the %s before; %s/s end, %s/s before", flying, usual, over, ending,
		     ended);
	nt_words_put(texts[SHORT], "Requests pile up: %s in flight, were %s; %s/s end, were %s/s", flying, usual, ending, ended);
	nt_words_put(texts[BRIEF], "Pile up: %s in flight, were %s", flying, usual);
	if (calls->known && calls->v)
		nt_words_put(texts[LONG], "; %" PRIu64 " calls of its own are in flight", calls->v);
}

/* The condition whose second limit is how long none has ended. */
static void tell_stuck(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT])
{
	const struct nt_pile *pile = &about->step->pile;
	const struct nt_u64 *calls = &about->process->interval.requests.made_in_flight_count;
	char flying[NUMBER], ended[NUMBER], stuck[NUMBER];
	nt_format_whole((uint64_t)pile->in_flight, flying, sizeof(flying));
	nt_format_count(pile->ended_usual, ended, sizeof(ended));
	nt_format_duration(pile->stuck_ns, stuck, sizeof(stuck));
	nt_words_put(texts[LONG], "Requests are stuck: %s in flight, none has ended for %s; %s/s before", flying, stuck, ended);
	nt_words_put(texts[SHORT], "Requests are stuck: %s in flight, none ended for %s", flying, stuck);
	nt_words_put(texts[BRIEF], "Stuck: %s in flight for %s", flying, stuck);
	if (calls->known && calls->v)
		nt_words_put(texts[LONG], "; %" PRIu64 " calls of its own are in flight", calls->v);
}

static void tell_call(const struct nt_case *about, nt_text *texts)
{
	struct nt_slow_call call;
	char served[NUMBER], made[NUMBER];
	nt_blame_slow_call(about->process, &call); /* there is one: the condition holds in this step */
	nt_format_duration(call.served->now_p99_ns.v, served, sizeof(served));
	nt_format_duration(call.made->now_p99_ns.v, made, sizeof(made));
	/* The peer first: it is the cause, and what does not fit is cut at the end. */
	for (int form = LONG; form <= SHORT; form++) {
		nt_words_put(texts[form], "Requests wait for calls to ");
		put_name(texts[form], call.made);
		nt_words_put(texts[form], form == LONG ? ", p99 %s: " : ", %s: ", made);
		put_name(texts[form], call.served);
		nt_words_put(texts[form], form == LONG ? " p99 %s" : " %s", served);
	}
	nt_words_put(texts[BRIEF], "Slow calls: ");
	put_name(texts[BRIEF], call.made);
	nt_words_put(texts[BRIEF], " %s", made);
}

void nt_findings_tell_slow(const struct nt_case *about, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT])
{
	const struct nt_request_row *row = nt_blame_slow(about->process, NT_REQUEST_SERVED);
	char now[NUMBER], before[NUMBER], over[NUMBER], count[NUMBER];
	if (about->condition->limits[0].quantity == NT_QUANTITY_SLOW_CALL) {
		tell_call(about, texts);
		return;
	}
	if (about->condition->limits[0].quantity != NT_QUANTITY_SLOWER) {
		(about->condition->limits[1].quantity == NT_QUANTITY_STUCK ? tell_stuck : tell_pile)(about, texts);
		nt_words_put_cpu_wait(about, texts);
		return;
	}
	nt_format_duration(row->now_p99_ns.v, now, sizeof(now));
	nt_format_duration(row->usual_p99_ns.v, before, sizeof(before));
	nt_format_duration(row->usual_over_ns, over, sizeof(over));
	nt_format_whole(row->now_count, count, sizeof(count));
	for (int form = LONG; form <= BRIEF; form++) {
		nt_words_put(texts[form], form == BRIEF ? "Slow: " : "Requests are slow: ");
		put_route(texts[form], row);
		nt_words_put(texts[form], " %s%s", form == BRIEF ? "" : "p99 ", now);
	}
	nt_words_put(texts[LONG], " of the last %s, %s in the %s before", count, before, over);
	nt_words_put(texts[SHORT], ", was %s", before);
	put_slow_call(about->process, texts);
	nt_words_put_cpu_wait(about, texts);
}
