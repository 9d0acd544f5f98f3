// SPDX-License-Identifier: GPL-2.0-only
/* The shop's requests: four routes, one of which fails, and a payment service that it asks. */
#include "fixture_rows.h"

#include "base/alloc.h"

#include <string.h>

#define MS NT_NS_PER_MS

/* clang-format off */
#define SERVED(method_, route_, status_) .way = NT_REQUEST_SERVED, .method = (method_), .route = (route_), .status = (status_)
#define TOOK(count_, all_, mean_ms, p50, p95, p99) \
	.count = (count_), .count_all = (all_), .time_ns = (count_) * (mean_ms) * MS, .time_all_ns = (all_) * (mean_ms) * MS, \
	.p50_ns = NT_KNOWN((p50) * MS), .p95_ns = NT_KNOWN((p95) * MS), .p99_ns = NT_KNOWN((p99) * MS), \
	.trend = { .cells = { 2 * (count_), 2 * (count_), 1.8f * (count_), 1.8f * (count_), 1.5f * (count_), 1.2f * (count_), count_, count_ }, .known = 0xff }

static const struct nt_request_row request_rows[] = {
	{ SERVED("GET", "/catalog/{id:int}", "200"), TOOK(390, 812400, 4, 3, 9, 41) },
	{ SERVED("POST", "/checkout", "200"), TOOK(31, 40120, 900, 840, 1310, 1520) },
	{ SERVED("POST", "/checkout", "500"), .error = "System.TimeoutException", .failed = true, TOOK(8, 931, 3001, 3001, 3004, 3010) },
	{ SERVED("GET", NULL, "404"), TOOK(2, 377, 1, 1, 1, 1), .fresh = true },
	{ .way = NT_REQUEST_MADE, .method = "POST", .route = "pay:443", .status = "200", TOOK(30, 40001, 870, 820, 1290, 1490) },
	{ .way = NT_REQUEST_MADE, .method = "POST", .route = "pay:443", .error = "connection_error", .failed = true, .count_all = 17 },
};
/* clang-format on */

/* clang-format off */
#define FLYING(method_, path_, ms_, trace_) .stage = NT_REQUEST_IN_FLIGHT, .method = (method_), .path = (path_), .time_ns = (ms_) * MS, .trace = (trace_)
#define DONE(method_, path_, ms_, status_, ago_s) \
	.stage = NT_REQUEST_ENDED, .method = (method_), .path = (path_), .time_ns = (ms_) * MS, .status = NT_KNOWN(status_), .ended_ns = NT_KNOWN((ago_s) * NT_NS_PER_S)

static const struct nt_single_request_row single_rows[] = {
	{ .stage = NT_REQUEST_NO_END, .method = "POST", .path = "/checkout", .time_ns = UINT64_C(94113) * MS, .trace = "6f0c1e53a2b04d1f9f7c2f4f0a1b2c3d", .span = "00f067aa0ba902b7" },
	{ FLYING("POST", "/checkout", 2871, "4bf92f3577b34da6a3ce929d0e0e4736"), .span = "00f067aa0ba902b8", .awaited_ns = NT_KNOWN(2840 * MS), .awaits = "pay.example:443" },
	{ FLYING("GET", "/catalog/4711", 3, "9d1f0a6be7c14b5c8f3e2d1c0b9a8877"), .span = "00f067aa0ba902b9", .awaited_ns = NT_KNOWN(0) },
	{ DONE("POST", "/checkout", 3010, 500, 41), .trace = "0af7651916cd43dd8448eb211c80319c", .span = "b7ad6b7169203331", .awaited_ns = NT_KNOWN(2990 * MS), .awaits = "pay.example:443" },
	{ DONE("POST", "/checkout", 1520, 200, 7), .trace = "0af7651916cd43dd8448eb211c80319d", .span = "b7ad6b7169203332" },
	{ .stage = NT_REQUEST_ENDED, .time_ns = 812 * MS, .status = NT_KNOWN(200), .ended_ns = NT_KNOWN(112 * NT_NS_PER_S), .span = "b7ad6b7169203333" },
};
/* clang-format on */

/* clang-format off */
#define USED(now_ms, all_ms, pct_) .cpu_ns = NT_KNOWN((now_ms) * MS), .cpu_all_ns = NT_KNOWN((all_ms) * MS), .cpu_pct = NT_KNOWN(pct_)

static const struct nt_request_time_row time_rows[] = {
	{ .method = "GET", .route = "/catalog/{id:int}", .count = 390, .count_all = 46020, .time_ns = 1560 * MS, .time_all_ns = 184080 * MS, .gc_ns = 11045 * MS, .gc_of_ns = 184080 * MS, .awaited_of_ns = 184080 * MS, USED(1190, 140300, 71.6) },
	{ .method = "POST", .route = "/checkout", .count = 39, .count_all = 4601, .time_ns = 51900 * MS, .time_all_ns = UINT64_C(6124200) * MS, .gc_ns = 1000 * MS, .gc_of_ns = UINT64_C(6124200) * MS,
	  .awaited_ns = UINT64_C(5634000) * MS, .awaited_of_ns = UINT64_C(6124200) * MS, .awaited = "pay.example:443", USED(262, 30900, 15.8) },
	{ .method = "GET", .count_all = 1, .time_all_ns = MS, USED(0, 0, 0) },
	{ USED(0, 10, 0) },
};
/* clang-format on */

const struct nt_request_figures fixture_request_figures = { .count = NT_KNOWN(431),
							    .error_count = NT_KNOWN(8),
							    .p99_ns = NT_KNOWN(3010 * MS),
							    .worst = "POST /checkout 500",
							    .in_flight_count = NT_KNOWN(63),
							    .connection_count = NT_KNOWN(212),
							    .queued_count = NT_KNOWN(0),
							    .made_count = NT_KNOWN(30),
							    .made_error_count = NT_KNOWN(0),
							    .made_p99_ns = NT_KNOWN(1490 * MS),
							    .made_worst = "POST pay:443 200",
							    .made_in_flight_count = NT_KNOWN(61),
							    .uncounted_count = NT_KNOWN(0),
							    .single_covered_ns = NT_KNOWN(NT_NS_PER_S),
							    .single_begun_count = NT_KNOWN(429),
							    .single_ended_count = NT_KNOWN(427),
							    .single_in_flight_count = NT_KNOWN(3),
							    .single_since_ns = NT_KNOWN(118 * NT_NS_PER_S),
							    .single_doubtful_count = NT_KNOWN(1),
							    .single_oldest_ns = NT_KNOWN(94113 * MS),
							    .single_unseen_count = NT_KNOWN(0),
							    .single_unkept_count = NT_KNOWN(0),
							    .times_covered_ns = NT_KNOWN(NT_NS_PER_S),
							    .times_cpu_ns = NT_KNOWN(1452 * MS),
							    .times_other_cpu_ns = NT_KNOWN(210 * MS) };

void fixture_add_requests(struct nt_process_snapshot *process)
{
	process->request_count = sizeof(request_rows) / sizeof(request_rows[0]);
	process->requests = nt_alloc(sizeof(request_rows));
	memcpy(process->requests, request_rows, sizeof(request_rows));
	for (size_t i = 0; i < process->request_count; i++)
		process->requests[i].id = i + 1;
	process->single_request_count = sizeof(single_rows) / sizeof(single_rows[0]);
	process->single_requests = nt_alloc(sizeof(single_rows));
	memcpy(process->single_requests, single_rows, sizeof(single_rows));
	for (size_t i = 0; i < process->single_request_count; i++)
		process->single_requests[i].id = i + 1;
	process->request_time_count = sizeof(time_rows) / sizeof(time_rows[0]);
	process->request_times = nt_alloc(sizeof(time_rows));
	memcpy(process->request_times, time_rows, sizeof(time_rows));
	for (size_t i = 0; i < process->request_time_count; i++)
		process->request_times[i].id = i + 1;
}

/* Who calls chooses the path. */
void fixture_name_requests(struct nt_process_snapshot *process, const char *const *names, size_t count)
{
	for (size_t i = 0; i < process->single_request_count; i++)
		process->single_requests[i].path = names[i % count];
}
