/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests that a program serves, and makes: as the Meters of ASP.NET Core, HttpClient and clients of databases tell them, for each route or peer, method and status; and while somebody
 * looks each one that it serves (NT_EV_REQUEST).
 */
#ifndef NETTOP_REQUEST_ROW_H
#define NETTOP_REQUEST_ROW_H

#include "nettop/clock.h"
#include "nettop/known.h"
#include "nettop/trend.h"

enum nt_request_way {
	NT_REQUEST_SERVED,   /* to this program */
	NT_REQUEST_MADE,     /* by it, with HttpClient */
	NT_REQUEST_DATABASE, /* by it, of a database, with a client that tells of them: Npgsql */
	NT_REQUEST_WAY_COUNT
};

/* How a single request stands. */
enum nt_request_stage {
	NT_REQUEST_IN_FLIGHT,
	NT_REQUEST_NO_END, /* no end was seen, and that may have been lost since it began, or not told: it may have ended */
	NT_REQUEST_ENDED,
	NT_REQUEST_STAGE_COUNT
};

/* Stable lower-case names for screens and JSON. Never NULL; "?" for a value out of range. */
const char *nt_request_way_name(enum nt_request_way way);
const char *nt_request_stage_name(enum nt_request_stage stage); /* in flight, no end seen, ended */

/* So much longer than usual is slow: so many times, and by so much at least. */
enum { NT_REQUEST_SLOW_TIMES = 3 };
#define NT_REQUEST_SLOW_BY_NS (250 * NT_NS_PER_MS)

/* What nobody likes to wait for, whatever is usual. */
#define NT_REQUEST_LONG_NS NT_NS_PER_S

/* Does what takes `now` take much longer than what is usual? Not where either is not known. */
static inline bool nt_request_is_slow(struct nt_u64 now_ns, struct nt_u64 usual_ns)
{
	return now_ns.known && usual_ns.known && now_ns.v >= NT_REQUEST_SLOW_TIMES * usual_ns.v &&
	       now_ns.v >= usual_ns.v + NT_REQUEST_SLOW_BY_NS;
}

struct nt_request_row {
	uint64_t id;
	enum nt_request_way way;
	const char *method,
		*status;   /* as told: GET, 200; status NULL = there was no response; of a database: the operation's name, if it is told */
	const char *route; /* served: its template, NULL = none matched; made: the peer, host:port; of a database: `shop at db:5432` */
	const char *error; /* type of the error; NULL = none */
	bool failed;       /* it has an error, or its status is 500 and more */
	uint64_t count, count_all;     /* that ended: in the interval, since attach */
	uint64_t time_ns, time_all_ns; /* that they took, all together */
	/* Of those that ended in the last period in which some did. Of several rows they cannot be added. */
	struct nt_u64 p50_ns, p95_ns, p99_ns;
	bool fresh_quantiles; /* that was in this interval */
	/* The p99 that three of the last five seconds with requests reached, and how many those five had; that of the minutes before (model/history/usual.h). */
	struct nt_u64 now_p99_ns, usual_p99_ns;
	uint64_t now_count;
	uint64_t usual_over_ns; /* the minutes */
	struct nt_trend trend;  /* that ended in a second */
	struct nt_f64 per_s;    /* the same, of the runtime's newest period: an interval may have no end of one, or two */
	bool fresh;             /* first interval of the row */
};

/* A request that is served now, or one of the slowest that have ended in the last NT_SLOW_REQUEST_MINUTES. */
struct nt_single_request_row {
	uint64_t id;
	enum nt_request_stage stage;
	uint64_t time_ns;          /* how long it has been under way, or took */
	struct nt_u64 ended_ns;    /* so long ago */
	struct nt_u64 status;      /* of the response */
	const char *method, *path; /* NULL = not told */
	const char *route;         /* the template that its path fits, of those whose requests have ended; NULL = none, or not one alone */
	/* Of requests that it makes itself, with HttpClient: so much of its time at least one was under way; the peer of the one that has been for longest, or, when it has ended, took longest. */
	struct nt_u64 awaited_ns;
	const char *awaits;       /* NULL = none, or not told */
	const char *trace, *span; /* ids of W3C, as in logs and in headers; NULL = not told. In the snapshot */
};

enum { NT_SLOW_REQUEST_MINUTES = 5 };

/* What the requests of a route take, of the time in which it is told: CPU time by samples, whichever threads worked for them. */
struct nt_request_time_row {
	uint64_t id;
	const char *method,
		*route; /* route NULL = that of its path was not known when it began; both NULL = of all routes beyond those that have a row */
	uint64_t count, count_all;        /* that ended: in the interval, since they are told */
	uint64_t time_ns, time_all_ns;    /* that they took, all together */
	struct nt_u64 cpu_ns, cpu_all_ns; /* of all of them, ended or not: an estimate. Not known where there are no CPU samples */
	uint64_t gc_ns, gc_of_ns; /* since they are told: all threads stood for collections, of so much time of requests that ended */
	/* Likewise, in which requests were under way that they made themselves, with HttpClient; the peer of most of that. */
	uint64_t awaited_ns, awaited_of_ns;
	const char *awaited;   /* NULL = none, or not told */
	struct nt_f64 cpu_pct; /* of the CPU time of the process, in the same time; nor where it used none */
};

/*
 * Counts are of requests that ended in periods of the runtime's, a second each, of which the last ended in the span. One that began before somebody listened is not
 * counted at all: ASP.NET Core decides at its begin.
 */
struct nt_request_figures {
	struct nt_u64 covered_ns;
	struct nt_u64 count, error_count; /* served; of them, those that failed */
	/* Per second of the runtime's newest periods; not known where it has told of none lately: then the counts say it. Of an interval alone. */
	struct nt_f64 per_s, error_per_s, made_per_s;
	struct nt_u64 p99_ns;          /* of the route, method and status that has the largest */
	const char *worst;             /* "GET /pay 200"; NULL = not known. In the snapshot */
	struct nt_u64 in_flight_count; /* begun since nettop came, and not ended: older ones are not known to the runtime's counter */
	struct nt_u64
		connection_count;   /* of Kestrel: all that are open, while single requests are told; else those opened since nettop came */
	struct nt_u64 queued_count; /* of Kestrel; likewise */
	struct nt_u64 made_count, made_error_count;
	struct nt_u64 made_p99_ns;
	const char *made_worst; /* "GET pay:443 200" */
	struct nt_u64 made_in_flight_count;
	struct nt_f64 made_connections;                     /* of HttpClient: opened less closed since somebody listens; may be negative */
	struct nt_u64 closed_count;                         /* connections of HttpClient that were closed, by whomever */
	const char *closed_peer;                            /* of most of them; NULL = not known */
	struct nt_u64 database_count, database_error_count; /* operations of databases */
	struct nt_u64 database_p99_ns;
	const char *database_worst; /* "shop at db:5432" */
	/* Of the pool of connections to a database that is fullest. */
	const char *pool; /* its database, likewise; NULL = not told */
	struct nt_u64 pool_used_count, pool_idle_count, pool_max_count;
	struct nt_u64 pool_waiting_count; /* who waits for a connection, of those who have begun to since somebody listens */
	struct nt_u64 uncounted_count;    /* served and made by routes or peers beyond those that have a row: they are in the figures */
	bool serves;                      /* the program has loaded ASP.NET Core, or has served a request */
	bool at_least;                    /* the runtime leaves out routes or peers beyond its limits: counts are lower bounds */
	struct nt_why why;

	/* Single ones, of the time in which they were told. */
	struct nt_u64 single_covered_ns;
	struct nt_u64 single_begun_count, single_ended_count;
	struct nt_u64 single_in_flight_count; /* begun since they are told, and not ended: older ones are not known */
	struct nt_u64 single_since_ns;        /* so long they have been told */
	struct nt_u64 single_doubtful_count;  /* of those in flight: NT_REQUEST_NO_END */
	struct nt_u64 single_oldest_ns;       /* of those in flight */
	struct nt_u64 single_unseen_count;    /* no longer counted as in flight, although no end was seen */
	struct nt_u64 single_unkept_count;    /* begun, and not among those in flight: too many, or without an id */
	struct nt_why single_why;

	/* CPU time of the process by what it was for, by samples, of the time in which that is told. It ends half a second before the interval does. */
	struct nt_u64 times_covered_ns;
	struct nt_u64 times_cpu_ns, times_other_cpu_ns; /* of requests; of none that has begun since */
	struct nt_why times_why;
};

#endif
