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
	.trend = { .cells = { 8, 8, 7, 7, 6, 5, 4, 4 }, .known = 0xff }

static const struct nt_request_row request_rows[] = {
	{ SERVED("GET", "/catalog/{id:int}", "200"), TOOK(390, 812400, 4, 3, 9, 41) },
	{ SERVED("POST", "/checkout", "200"), TOOK(31, 40120, 900, 840, 1310, 1520) },
	{ SERVED("POST", "/checkout", "500"), .error = "System.TimeoutException", .failed = true, TOOK(8, 931, 3001, 3001, 3004, 3010) },
	{ SERVED("GET", NULL, "404"), TOOK(2, 377, 1, 1, 1, 1), .fresh = true },
	{ .way = NT_REQUEST_MADE, .method = "POST", .route = "pay:443", .status = "200", TOOK(30, 40001, 870, 820, 1290, 1490) },
	{ .way = NT_REQUEST_MADE, .method = "POST", .route = "pay:443", .error = "connection_error", .failed = true, .count_all = 17 },
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
							    .uncounted_count = NT_KNOWN(0) };

void fixture_add_requests(struct nt_process_snapshot *process)
{
	process->request_count = sizeof(request_rows) / sizeof(request_rows[0]);
	process->requests = nt_alloc(sizeof(request_rows));
	memcpy(process->requests, request_rows, sizeof(request_rows));
	for (size_t i = 0; i < process->request_count; i++)
		process->requests[i].id = i + 1;
}
