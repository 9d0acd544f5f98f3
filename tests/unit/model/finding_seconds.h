/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings fed with the figures of processes made by hand, one second after the other. */
#ifndef NT_TESTS_MODEL_FINDING_SECONDS_H
#define NT_TESTS_MODEL_FINDING_SECONDS_H

#include "../covered.h"
#include "build.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/findings/findings.h"

static struct nt_findings findings;
static struct nt_lock_waits waits;
static struct nt_kept_figures kept;
static struct nt_snapshot *snapshot; /* of the last second */
static nt_time now;

static inline int set_up(void **state)
{
	(void)state;
	now = START;
	kept = (struct nt_kept_figures){ 0 };
	nt_findings_init(&findings, &waits, &kept, START);
	return 0;
}

static inline int tear_down(void **state)
{
	(void)state;
	nt_snapshot_release(snapshot);
	snapshot = NULL;
	return 0;
}

/* The process that the next second is about; its rows are taken. */
static inline struct nt_process_snapshot *next_second(void)
{
	nt_snapshot_release(snapshot);
	snapshot = nt_alloc(sizeof(*snapshot));
	snapshot->refs = 1;
	snapshot->arena = nt_arena_new();
	snapshot->processes = nt_alloc(sizeof(*snapshot->processes));
	snapshot->process_count = 1;
	struct nt_process_snapshot *process = &snapshot->processes[0];
	process->target.uptime_ns = nt_u64_of(3600 * NT_NS_PER_S);
	process->interval.span_ns = NT_NS_PER_S;
	cover_all(&process->interval);
	return process;
}

static inline void close_second(void)
{
	const struct nt_span span = { .t0 = now, .t1 = now + NT_NS_PER_S, .start = START };
	now = span.t1;
	snapshot->t0 = span.t0;
	snapshot->t1 = span.t1;
	nt_kept_add(&kept, &span, &snapshot->processes[0]);
	nt_findings_close(&findings, &span, snapshot, &snapshot->processes[0]);
}

static inline const struct nt_finding *the_finding(enum nt_finding_kind kind)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	for (size_t i = 0; i < process->finding_count; i++)
		if (process->findings[i].kind == kind)
			return &process->findings[i];
	return NULL;
}

#define WITH_FINDINGS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

/* A tenth of the requests of a second fail, of one route; those that the program makes are no matter. */
static inline void have_errors(struct nt_process_snapshot *process)
{
	static const struct nt_request_row rows[] = {
		{ .id = 40, .method = "GET", .route = "/", .status = "200", .count = 90, .count_all = 90 },
		{ .id = 41,
		  .method = "POST",
		  .route = "/pay",
		  .status = "500",
		  .error = "System.TimeoutException",
		  .failed = true,
		  .count = 9,
		  .count_all = 9 },
		{ .id = 42, .way = NT_REQUEST_MADE, .method = "GET", .route = "bank:443", .failed = true, .count = 50, .count_all = 50 },
	};
	process->interval.requests.count = nt_u64_of(99);
	process->interval.requests.error_count = nt_u64_of(9);
	process->request_count = 3;
	process->requests = nt_realloc(NULL, 3, sizeof(*rows));
	memcpy(process->requests, rows, sizeof(rows));
}

/* Of two routes one has become slow, because what it calls has; the other has more to do, and is not. */
static inline void have_slow_requests(struct nt_process_snapshot *process)
{
	static const struct nt_request_row rows[] = {
		{ .id = 50,
		  .method = "GET",
		  .route = "/list",
		  .status = "200",
		  .now_p99_ns = NT_KNOWN(9 * NT_NS_PER_S),
		  .usual_p99_ns = NT_KNOWN(4 * NT_NS_PER_S),
		  .now_count = 80 },
		{ .id = 51,
		  .method = "GET",
		  .route = "/pay/{id}",
		  .status = "200",
		  .now_p99_ns = NT_KNOWN(1200 * NT_NS_PER_MS),
		  .usual_p99_ns = NT_KNOWN(85 * NT_NS_PER_MS),
		  .now_count = 34,
		  .usual_over_ns = 270 * NT_NS_PER_S },
		{ .id = 52, .method = "GET", .route = "/new", .status = "200", .now_p99_ns = NT_KNOWN(60 * NT_NS_PER_S) },
		{ .id = 53,
		  .way = NT_REQUEST_MADE,
		  .method = "POST",
		  .route = "bank:443",
		  .status = "200",
		  .now_p99_ns = NT_KNOWN(1180 * NT_NS_PER_MS),
		  .usual_p99_ns = NT_KNOWN(60 * NT_NS_PER_MS) },
	};
	enum { ROWS = sizeof(rows) / sizeof(rows[0]) };
	process->interval.requests.count = nt_u64_of(20);
	process->interval.requests.error_count = nt_u64_of(0);
	process->request_count = ROWS;
	process->requests = nt_realloc(NULL, ROWS, sizeof(*rows));
	memcpy(process->requests, rows, sizeof(rows));
}

#endif
