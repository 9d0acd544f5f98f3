// SPDX-License-Identifier: GPL-2.0-only
/* Rows for screen c. */
#include "fixture_rows.h"

#include "base/alloc.h"

#include <string.h>

#define RUNTIME     .provider = "System.Runtime"
#define HOSTING     .provider = "Microsoft.AspNetCore.Hosting"
#define NAMED(text) .name = (text), .label = (text)

static const struct nt_counter_row counter_rows[] = {
	{ RUNTIME, NAMED("alloc-rate"), .display_name = "Allocation Rate", .unit = "B", .kind = NT_COUNTER_INCREMENT,
	  .value = NT_KNOWN(343597383680), .change = NT_KNOWN(1406575000), .rate_per_s = NT_KNOWN(1406575000),
	  .least_per_s = NT_KNOWN(1024), .greatest_per_s = NT_KNOWN(2147483648) },
	{ RUNTIME, NAMED("cpu-usage"), .display_name = "CPU Usage", .unit = "%", .value = NT_KNOWN(63.98), .least = NT_KNOWN(0.0123),
	  .greatest = NT_KNOWN(99.9) },
	{ RUNTIME, NAMED("exception-count"), .display_name = "Exception Count", .kind = NT_COUNTER_INCREMENT, .value = NT_KNOWN(740),
	  .change = NT_KNOWN(3), .rate_per_s = NT_KNOWN(3), .least_per_s = NT_KNOWN(0), .greatest_per_s = NT_KNOWN(12.5) },
	{ RUNTIME, NAMED("gc-heap-size"), .unit = "MB", .value = NT_KNOWN(2365.4), .least = NT_KNOWN(41), .greatest = NT_KNOWN(2365.4) },
	{ RUNTIME, NAMED("threadpool-queue-length"), .display_name = "ThreadPool Queue Length", .value = NT_KNOWN(1240),
	  .least = NT_KNOWN(0), .greatest = NT_KNOWN(1240) },
	{ RUNTIME, NAMED("poh-size"), .unit = "B", .fresh = true },
	{ HOSTING, .name = "http.server.request.duration", .tags = "http.request.method=GET,http.response.status_code=200,http.route=/cart",
	  .label = "http.server.request.duration{http.request.method=GET,http.response.status_code=200,http.route=/cart}", .unit = "s",
	  .differ = 6, .description = "Duration of HTTP server requests.", .instrument_tags = "by=server",
	  .meter_tags = "version=1,part=web", .kind = NT_COUNTER_HISTOGRAM, .value = NT_KNOWN(0.00342), .p50 = NT_KNOWN(0.00342),
	  .p95 = NT_KNOWN(0.0412), .p99 = NT_KNOWN(1.2), .rate_per_s = NT_KNOWN(310), .least = NT_KNOWN(0.0011),
	  .greatest = NT_KNOWN(1.2) },
	{ HOSTING, .name = "http.server.request.duration", .tags = "http.request.method=GET,http.response.status_code=500,http.route=/pay",
	  .label = "http.server.request.duration{http.request.method=GET,http.response.status_code=500,http.route=/pay}", .unit = "s",
	  .differ = 6, .kind = NT_COUNTER_HISTOGRAM, .rate_per_s = NT_KNOWN(0) },
	{ HOSTING, NAMED("http.server.active_requests"), .unit = "{request}", .kind = NT_COUNTER_UP_DOWN, .value = NT_KNOWN(17),
	  .change = NT_KNOWN(-4), .rate_per_s = NT_KNOWN(-4), .least = NT_KNOWN(0), .greatest = NT_KNOWN(212) },
	{ HOSTING, NAMED("requests"), .kind = NT_COUNTER_TOTAL, .value = NT_KNOWN(1020000), .change = NT_KNOWN(31),
	  .rate_per_s = NT_KNOWN(31), .least_per_s = NT_KNOWN(31), .greatest_per_s = NT_KNOWN(1100) },
	{ .provider = "Shop.Orders",
	  NAMED("checkout.duration"),
	  .unit = "ms",
	  .kind = NT_COUNTER_HISTOGRAM,
	  .value = NT_KNOWN(41),
	  .p50 = NT_KNOWN(41),
	  .p95 = NT_KNOWN(3100),
	  .p99 = NT_KNOWN(9800),
	  .rate_per_s = NT_KNOWN(0.2),
	  .least = NT_KNOWN(38),
	  .greatest = NT_KNOWN(9800) },
	{ .provider = "Shop.Orders",
	  .name = "db.client.calls",
	  .tags = "server.address=orders.internal,path=/api/v2/invoices/closed",
	  .label = "db.client.calls{server.address=orders.internal,path=/api/v2/invoices/closed}",
	  .differ = 2,
	  .kind = NT_COUNTER_TOTAL,
	  .value = NT_KNOWN(310),
	  .rate_per_s = NT_KNOWN(1.5) },
	{ .provider = "Shop.Orders",
	  .name = "db.client.calls",
	  .tags = "server.address=orders.internal,path=/api/v2/invoices/open",
	  .label = "db.client.calls{server.address=orders.internal,path=/api/v2/invoices/open}",
	  .differ = 2,
	  .kind = NT_COUNTER_TOTAL,
	  .value = NT_KNOWN(4100),
	  .rate_per_s = NT_KNOWN(21) },
	{ .provider = "Shop.Orders", NAMED("stock"), .unit = "{piece}", .value = NT_KNOWN(-12), .least = NT_KNOWN(-12), .ended = true },
};

/* The many series of one instrument. */
enum { ROUTES = 30 };

void fixture_add_counters(struct nt_process_snapshot *process, nt_time t1)
{
	static const char *const trends[] = { "12356788", "88753211", "   11231" };
	static const char *const routes[] = { "route=/a", "route=/b", "route=/c" };
	static const char *const labels[] = { "route.hits{route=/a}", "route.hits{route=/b}", "route.hits{route=/c}" };
	size_t named = sizeof(counter_rows) / sizeof(counter_rows[0]);
	process->counter_count = named + ROUTES;
	process->counters = nt_alloc(process->counter_count * sizeof(*process->counters));
	memcpy(process->counters, counter_rows, sizeof(counter_rows));
	for (size_t i = 0; i < ROUTES; i++)
		process->counters[named + i] = (struct nt_counter_row){ .provider = "Shop.Routes",
									.name = "route.hits",
									.tags = routes[i % 3],
									.label = labels[i % 3],
									.differ = 1,
									.kind = NT_COUNTER_TOTAL,
									.value = NT_KNOWN((double)i * 1000),
									.rate_per_s = NT_KNOWN(1.5) };
	for (size_t i = 0; i < process->counter_count; i++) {
		process->counters[i].id = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
		process->counters[i].heard = t1 - NT_NS_PER_MS;
		process->counters[i].trend = fixture_trend(trends[i % (sizeof(trends) / sizeof(trends[0]))], 7);
	}
	process->counters_hidden = 12;
}
