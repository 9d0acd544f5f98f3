// SPDX-License-Identifier: GPL-2.0-only
/* The subject: requests that the program serves and makes. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = { { NT_EV_NONE, 0 } };

static const struct nt_subject_list lists[] = {
	{ .section = "requests", .key = "routes", .table = "requests", .top = true },
	{ .section = "requests", .key = "single", .table = "single_requests" },
	{ .section = "requests", .key = "times", .table = "request_times" },
	{ .key = NULL },
};

static const struct nt_figure figures[] = {
	COUNTER("requests", "covered_ns", requests.covered_ns, "for how long of the span requests were told"),
	COUNTER("requests", "count", requests.count,
		"requests served that ended in a period of the runtime's (1 s) which ended in the span; those begun before nettop asked "
		"are not "
		"among them"),
	COUNTER("requests", "error_count", requests.error_count, "of them, those with an error, or a status of 500 and more"),
	GAUGE("requests", "p99_ns", requests.p99_ns,
	      "99th percentile of the durations of the route, method and status that has the largest. Those of several cannot be added"),
	TEXT("requests", "worst", requests.worst, "which that is"),
	STATE("requests", "in_flight_count", requests.in_flight_count,
	      "requests that were begun since nettop came and have not ended; the runtime's counter does not know older ones"),
	STATE("requests", "connection_count", requests.connection_count,
	      "connections to Kestrel: those opened since nettop came; all that are open while screen R is, or with --requests"),
	STATE("requests", "queued_count", requests.queued_count, "connections and requests that wait in Kestrel's queues"),
	COUNTER("requests", "made_count", requests.made_count, "requests made with HttpClient that ended, likewise"),
	COUNTER("requests", "made_error_count", requests.made_error_count, "of them, those with an error, or a status of 500 and more"),
	GAUGE("requests", "made_p99_ns", requests.made_p99_ns, "as p99_ns, of requests made, by peer"),
	TEXT("requests", "made_worst", requests.made_worst, "which that is"),
	STATE("requests", "made_in_flight_count", requests.made_in_flight_count, "requests made that have not ended"),
	COUNTER("requests", "closed_count", requests.closed_count, "connections of HttpClient that were closed, by whomever"),
	TEXT("requests", "closed_peer", requests.closed_peer, "the peer of most of them"),
	COUNTER("requests", "database_count", requests.database_count,
		"operations of databases that ended, likewise: of clients that tell of them (Npgsql)"),
	COUNTER("requests", "database_error_count", requests.database_error_count, "of them, those that failed"),
	GAUGE("requests", "database_p99_ns", requests.database_p99_ns, "as p99_ns, of operations, by database"),
	TEXT("requests", "database_worst", requests.database_worst, "which that is"),
	STATE_TEXT("requests", "pool", requests.pool, "the pool of connections that is fullest, by its database (Npgsql, MySqlConnector)"),
	STATE("requests", "pool_used_count", requests.pool_used_count, "its connections in use"),
	STATE("requests", "pool_idle_count", requests.pool_idle_count, "its idle connections"),
	STATE("requests", "pool_max_count", requests.pool_max_count, "how many it may have"),
	STATE("requests", "pool_waiting_count", requests.pool_waiting_count,
	      "who waits for one of them, of those who have begun to since nettop came"),
	COUNTER("requests", "uncounted_count", requests.uncounted_count, "requests of routes and peers beyond those that have a row"),
	COUNTER("requests", "single_covered_ns", requests.single_covered_ns,
		"for how long of the span single requests were told: while screen R is open, or with --requests"),
	COUNTER("requests", "single_begun_count", requests.single_begun_count, "requests served that began in that time"),
	COUNTER("requests", "single_ended_count", requests.single_ended_count,
		"of those that have begun since then, the ones that ended in the span"),
	STATE("requests", "single_in_flight_count", requests.single_in_flight_count, "of those, the ones that have not ended"),
	STATE("requests", "single_since_ns", requests.single_since_ns, "for how long they have been told: older requests are not known"),
	STATE("requests", "single_oldest_ns", requests.single_oldest_ns, "for how long the oldest in flight has been under way"),
	STATE("requests", "single_doubtful_count", requests.single_doubtful_count,
	      "of those in flight, the ones that may have ended: events were lost since they began"),
	COUNTER("requests", "single_unseen_count", requests.single_unseen_count,
		"requests no longer counted as in flight although no end was seen: a minute after events were lost"),
	COUNTER("requests", "single_unkept_count", requests.single_unkept_count,
		"requests that began and are not among those in flight: beyond 4096, or without an id"),
	STATE_TEXT("requests", "single_reason", requests.single_why.reason, "why single requests are not told now"),
	STATE_TEXT("requests", "single_fix", requests.single_why.fix, "what helps"),
	COUNTER("requests", "times_covered_ns", requests.times_covered_ns,
		"for how long of the span it was told which requests CPU time is for: while that grouping of screen R is open, or with "
		"--request-cpu; up to half a second before the span's end"),
	COUNTER("requests", "times_cpu_ns", requests.times_cpu_ns,
		"CPU time in that time that was for requests which have begun since, an estimate by samples"),
	COUNTER("requests", "times_other_cpu_ns", requests.times_other_cpu_ns,
		"CPU time in that time that was for none of them, or is not known to be"),
	STATE_TEXT("requests", "times_reason", requests.times_why.reason, "why that is not told now"),
};

const struct nt_subject nt_subject_requests = {
	.name = "requests",
	.kinds = kinds,
	.source = NT_SOURCE_EVENTPIPE,
	.wanted = NT_WANT_REQUESTS,
	.while_looked_at = true,
	FIGURES(figures),
	.why = offsetof(struct nt_figures, requests.why),
	.whys = "requests.",
	.covered_ns = offsetof(struct nt_figures, requests.covered_ns),
	.lists = lists,
	.label = "REQ",
	.help = "requests served per second; p99 of the worst route, in flight, errors, made to others, asked of databases. Source: Meters "
		"of ASP.NET Core, HttpClient, Npgsql, over EventPipe.",
	.headline = offsetof(struct nt_figures, requests.count),
	.headline_per_s = 1,
	.headline_rate = offsetof(struct nt_figures, requests.per_s),
	.much = 100, /* for nobody too many, but three a second are no high bar */
	.screen = "R Requests",
	.screen_short = "R",
};
