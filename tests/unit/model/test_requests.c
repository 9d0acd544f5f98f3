// SPDX-License-Identifier: GPL-2.0-only
/* Requests: from what Meters tell to rows and figures. */
#include "build.h"

#include "model/requests/request_tags.h"
#include "model/requests/requests.h"
#include "model/requests/route_match.h"

#include <math.h>

struct world {
	struct nt_model *model;
	struct feed procfs, eventpipe;
	struct nt_snapshot *s;
};

static void begin(struct world *w)
{
	*w = (struct world){ .model = new_model() };
	feed_init(&w->procfs, w->model, NT_SOURCE_PROCFS);
	feed_init(&w->eventpipe, w->model, NT_SOURCE_EVENTPIPE);
	delivering(&w->procfs);
}

static void end(struct world *w)
{
	feed_fini(&w->procfs);
	feed_fini(&w->eventpipe);
	nt_model_free(w->model);
}

static void map(struct world *w, const char *path)
{
	nt_str image = text(&w->procfs, path);
	event(&w->procfs, NT_EV_MAP, 0, 0)->u.map = (struct nt_ev_map){ .start = 0x1000, .length = 0x1000, .image = image };
}

static void told(struct world *w, double at, bool brings)
{
	event(&w->eventpipe, NT_EV_SOURCE_STATE, at, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .brings = brings ? NT_WANT_REQUESTS : 0 };
}

static struct nt_ev_counter *instrument(struct world *w, double at, const char *provider, const char *name, const char *tags, uint32_t kind)
{
	const nt_str ids[] = { text(&w->eventpipe, provider), text(&w->eventpipe, name), text(&w->eventpipe, tags) };
	struct nt_ev_counter *counter = &event(&w->eventpipe, NT_EV_COUNTER, at, 0)->u.counter;
	*counter = (struct nt_ev_counter){ .provider = ids[0], .name = ids[1], .tags = ids[2], .kind = kind, .period_ns = NT_NS_PER_S };
	return counter;
}

static void durations(struct world *w, double at, bool served, const char *tags, double count, double sum_s, double p99_s)
{
	struct nt_ev_counter *counter =
		instrument(w, at, served ? "Microsoft.AspNetCore.Hosting" : "System.Net.Http",
			   served ? "http.server.request.duration" : "http.client.request.duration", tags, NT_COUNTER_HISTOGRAM);
	counter->known = NT_COUNTER_CHANGE | NT_COUNTER_VALUE | (count > 0 ? NT_COUNTER_QUANTILES : 0);
	counter->change = count;
	counter->value = sum_s;
	counter->p50 = p99_s / 2;
	counter->p95 = p99_s * 0.9;
	counter->p99 = p99_s;
}

static const struct nt_process_snapshot *close_interval(struct world *w, double at)
{
	feed_send(&w->procfs);
	feed_send(&w->eventpipe);
	if (w->s)
		nt_snapshot_release(w->s);
	w->s = close_at(w->model, at);
	return &w->s->processes[0];
}

#define TAGS(route, status)                                                                                                                \
	"http.request.method=GET,http.response.status_code=" status ",http.route=" route ",network.protocol.version=1.1,url.scheme=http"

static void test_routes(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map(&w, "/usr/share/dotnet/shared/Microsoft.AspNetCore.App/10.0.0/Microsoft.AspNetCore.Hosting.dll");
	told(&w, 0, true);
	durations(&w, 500, true, TAGS("/pay/{id:int}", "200"), 30, 6, 0.4);
	durations(&w, 500, true, TAGS("/pay/{id:int}", "500"), 2, 6, 3);
	durations(&w, 500, false, "http.request.method=POST,server.address=pay,server.port=443,error.type=timeout", 1, 5, 5);
	struct nt_ev_counter *flying =
		instrument(&w, 500, "Microsoft.AspNetCore.Hosting", "http.server.active_requests", "a=b", NT_COUNTER_UP_DOWN);
	flying->known = NT_COUNTER_VALUE;
	flying->value = 7;
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	const struct nt_request_figures *figures = &process->interval.requests;
	assert_true(process->wants_requests);
	assert_int_equal(figures->count.v, 32);
	assert_int_equal(figures->error_count.v, 2);
	assert_int_equal(figures->made_count.v, 1);
	assert_int_equal(figures->made_error_count.v, 1);
	assert_int_equal(figures->in_flight_count.v, 7);
	assert_int_equal(figures->p99_ns.v, 3 * NT_NS_PER_S);
	assert_string_equal(figures->worst, "GET /pay/{id:int} 500");
	assert_string_equal(figures->made_worst, "POST pay:443");
	assert_int_equal(process->request_count, 3);
	assert_int_equal(process->requests[0].count, 30);
	assert_int_equal(process->requests[0].time_ns, 6 * NT_NS_PER_S);
	assert_true(process->requests[1].failed && !process->requests[0].failed);
	process = close_interval(&w, 2000); /* a second without requests */
	assert_true(process->interval.requests.count.known && process->interval.requests.count.v == 0);
	assert_false(process->interval.requests.p99_ns.known);
	assert_int_equal(process->total.requests.count.v, 32);
	assert_int_equal(process->requests[0].count_all, 30);
	nt_snapshot_release(w.s);
	end(&w);
}

#define SHOP "db.client.connection.pool.name=Host=db,replica;Port=5433;Username=shop;Database=shop"

static struct nt_ev_counter *of_database(struct world *w, double at, const char *name, const char *tags, uint32_t kind, double value)
{
	struct nt_ev_counter *counter = instrument(w, at, "Npgsql", name, tags, kind);
	counter->known = NT_COUNTER_VALUE;
	counter->value = value;
	return counter;
}

static void operations(struct world *w, double at, double count, double sum_s, double p99_s)
{
	struct nt_ev_counter *counter = of_database(w, at, "db.client.operation.duration", SHOP, NT_COUNTER_HISTOGRAM, sum_s);
	counter->known |= NT_COUNTER_CHANGE | NT_COUNTER_QUANTILES;
	counter->change = count;
	counter->p50 = counter->p95 = counter->p99 = p99_s;
}

static void failures(struct world *w, double at, double count)
{
	struct nt_ev_counter *counter = of_database(w, at, "db.client.operation.failed", SHOP, NT_COUNTER_TOTAL, count);
	counter->known |= NT_COUNTER_CHANGE;
	counter->change = count;
}

/* Operations are rows and figures of their own; of pools the fullest is told. */
static void test_databases(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map(&w, "/app/Npgsql.dll");
	told(&w, 0, true);
	operations(&w, 500, 40, 2, 0.3);
	failures(&w, 500, 3);
	of_database(&w, 500, "db.client.connection.count", SHOP ",db.client.connection.state=used", NT_COUNTER_UP_DOWN, 19);
	of_database(&w, 500, "db.client.connection.count", SHOP ",db.client.connection.state=idle", NT_COUNTER_UP_DOWN, 1);
	of_database(&w, 500, "db.client.connection.max", SHOP, NT_COUNTER_UP_DOWN, 20);
	of_database(&w, 500, "db.client.connection.pending_requests", SHOP, NT_COUNTER_UP_DOWN, -2);
	/* One of the years before, as MySqlConnector has them. */
	of_database(&w, 500, "db.client.connections.usage", "pool.name=Server=old;Database=stock,state=used", NT_COUNTER_UP_DOWN, 50);
	of_database(&w, 500, "db.client.connections.max", "pool.name=Server=old;Database=stock", NT_COUNTER_UP_DOWN, 100);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	const struct nt_request_figures *figures = &process->interval.requests;
	assert_true(process->wants_requests);
	assert_false(figures->count.known && figures->count.v);
	assert_int_equal(figures->database_count.v, 40);
	assert_int_equal(figures->database_error_count.v, 3);
	assert_int_equal(figures->database_p99_ns.v, 300 * NT_NS_PER_MS);
	assert_string_equal(figures->database_worst, "shop at db,replica:5433");
	assert_int_equal(process->request_count, 1);
	assert_int_equal(process->requests[0].way, NT_REQUEST_DATABASE);
	assert_string_equal(process->requests[0].route, "shop at db,replica:5433");
	assert_string_equal(figures->pool, "shop at db,replica:5433");
	assert_int_equal(figures->pool_used_count.v, 19);
	assert_int_equal(figures->pool_idle_count.v, 1);
	assert_int_equal(figures->pool_max_count.v, 20);
	assert_true(figures->pool_waiting_count.known);
	assert_int_equal(figures->pool_waiting_count.v, 0);
	of_database(&w, 1500, "db.client.connections.usage", "pool.name=Server=old;Database=stock,state=used", NT_COUNTER_UP_DOWN, 100);
	process = close_interval(&w, 2000);
	figures = &process->interval.requests;
	assert_string_equal(figures->pool, "stock at old");
	assert_int_equal(figures->pool_used_count.v, 100);
	assert_false(figures->pool_waiting_count.known);
	assert_int_equal(figures->database_error_count.v, 0);
	assert_int_equal(process->total.requests.database_error_count.v, 3);
	process = close_interval(&w, 20000); /* nobody has told for long */
	assert_false(process->interval.requests.pool_used_count.known);
	nt_snapshot_release(w.s);
	end(&w);
}

/* What is no connection string stays as it is; neither it nor a value of no number does harm. */
static void test_strange_databases(void **state_)
{
	(void)state_;
	static const char *const names[][2] = {
		{ "pool.name=orders", "orders" },
		{ "pool.name=;;=;Host=", ";;=;Host=" },
		{ "db.namespace=shop,server.address=db,server.port=1", "shop at db:1" },
		{ "pool.name=HOST = db ;DATABASE= a b ", "a b at db" },
		{ "pool.name=", NULL },
		{ "", NULL },
	};
	struct world w;
	begin(&w);
	told(&w, 0, true);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		of_database(&w, 100, "db.client.connections.max", names[i][0], NT_COUNTER_UP_DOWN, NAN);
		struct nt_ev_counter *counter =
			of_database(&w, 100, "db.client.commands.duration", names[i][0], NT_COUNTER_HISTOGRAM, INFINITY);
		counter->known |= NT_COUNTER_CHANGE;
		counter->change = 100 - (double)i;
	}
	for (int i = 0; i < 2 * NT_DATABASE_POOLS; i++) {
		char tags[64];
		snprintf(tags, sizeof(tags), "pool.name=Host=h%d,state=used", i);
		of_database(&w, 200, "db.client.connections.usage", tags, NT_COUNTER_UP_DOWN, 1e300);
	}
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(process->request_count, sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < process->request_count; i++) {
		if (names[i][1])
			assert_string_equal(process->requests[i].route, names[i][1]);
		else
			assert_null(process->requests[i].route);
	}
	assert_false(process->interval.requests.pool_used_count.known);
	nt_snapshot_release(w.s);
	end(&w);
}

static void closed(struct world *w, double at, const char *peer, double count)
{
	char tags[128];
	snprintf(tags, sizeof(tags), "network.protocol.version=1.1,server.address=%s,server.port=443,url.scheme=https", peer);
	struct nt_ev_counter *counter = instrument(w, at, "System.Net.Http", "http.client.connection.duration", tags, NT_COUNTER_HISTOGRAM);
	counter->known = NT_COUNTER_CHANGE;
	counter->change = count;
}

/* They are no requests; who had most is told of the interval, and how many of all. */
static void test_closed_connections(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map(&w, "/x/System.Net.Http.dll");
	told(&w, 0, true);
	closed(&w, 500, "stock", 2);
	closed(&w, 500, "pay", 20);
	closed(&w, 500, "audit", -3);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(process->interval.requests.closed_count.v, 22);
	assert_string_equal(process->interval.requests.closed_peer, "pay:443");
	assert_int_equal(process->interval.requests.made_count.v, 0);
	assert_int_equal(process->request_count, 0);
	process = close_interval(&w, 2000);
	assert_true(process->interval.requests.closed_count.known);
	assert_int_equal(process->interval.requests.closed_count.v, 0);
	assert_null(process->interval.requests.closed_peer);
	assert_int_equal(process->total.requests.closed_count.v, 22);
	nt_snapshot_release(w.s);
	end(&w);
}

/* Nobody tells: that there was none is not said, and why is. */
static void test_unknown(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map(&w, "/app/Shop.dll");
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_false(process->interval.requests.count.known || process->wants_requests);
	assert_string_equal(process->interval.requests.why.reason, "no ASP.NET Core, no HttpClient and no Npgsql in the program");
	map(&w, "/x/System.Net.Http.dll");
	told(&w, 1500, false);
	process = close_interval(&w, 2000);
	assert_true(process->wants_requests);
	assert_false(process->interval.requests.made_count.known);
	assert_non_null(process->interval.requests.why.reason);
	told(&w, 2500, true);
	process = close_interval(&w, 3000);
	assert_true(process->interval.requests.made_count.known); /* none was made, and of served ones nothing is known */
	assert_false(process->interval.requests.count.known);
	assert_int_equal(process->interval.requests.covered_ns.v, NT_NS_PER_S / 2);
	nt_snapshot_release(w.s);
	end(&w);
}

/* The runtime tells once a second, whatever the interval: a rate is of its period, until the next is late. */
static void test_rates_of_short_intervals(void **state_)
{
	(void)state_;
	struct world w;
	const struct nt_process_snapshot *process = NULL;
	begin(&w);
	map(&w, "/x/Microsoft.AspNetCore.Hosting.dll");
	told(&w, 0, true);
	for (unsigned half = 0; half < 8; half++) {
		if (half % 2) {
			durations(&w, half * 500 + 100, true, TAGS("/pay", "200"), 30, 6, 0.4);
			durations(&w, half * 500 + 101, true, TAGS("/pay", "500"), 10, 6, 0.4);
		}
		process = close_interval(&w, (half + 1) * 500);
		assert_int_equal(process->interval.requests.count.v, half % 2 ? 40 : 0);
		if (!half)
			continue;
		assert_true(process->interval.requests.per_s.known && process->requests[0].per_s.known);
		assert_near(process->interval.requests.per_s.v, 40);
		assert_near(process->interval.requests.error_per_s.v, 10);
		assert_near(process->requests[0].per_s.v, 30);
		assert_near(process->requests[0].trend.cells[NT_TREND_CELLS - 1], 30);
	}
	process = close_interval(&w, 9000); /* it stands still */
	assert_false(process->interval.requests.per_s.known || process->requests[0].per_s.known);
	assert_near(process->requests[0].trend.cells[NT_TREND_CELLS - 1], 0);
	nt_snapshot_release(w.s);
	end(&w);
}

/* A screen is opened, for which EventPipe is asked for more: what it tells all the time goes on, and is of the whole second. */
static void test_another_session_beside(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map(&w, "/x/Microsoft.AspNetCore.Hosting.dll");
	told(&w, 0, true);
	instrument(&w, 100, "System.Diagnostics.Metrics", "", "", NT_COUNTER_GAUGE); /* a limit, told once */
	close_interval(&w, 1000);
	durations(&w, 1500, true, TAGS("/pay", "200"), 30, 6, 0.4);
	event(&w.eventpipe, NT_EV_SOURCE_STATE, 1600, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = NT_STATE_STARTING, .brings = NT_WANT_REQUESTS };
	told(&w, 1900, true);
	const struct nt_process_snapshot *process = close_interval(&w, 2000);
	assert_int_equal(process->interval.requests.count.v, 30);
	assert_int_equal(process->interval.requests.covered_ns.v, NT_NS_PER_S);
	assert_true(process->interval.requests.at_least);
	/* It is asked for anew: what was counted before the break is of the time before it. */
	durations(&w, 2500, true, TAGS("/pay", "200"), 30, 6, 0.4);
	event(&w.eventpipe, NT_EV_SOURCE_STATE, 2600, 0)->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_STARTING };
	told(&w, 2900, true);
	process = close_interval(&w, 3000);
	assert_int_equal(process->interval.requests.covered_ns.v, 700 * NT_NS_PER_MS);
	assert_false(process->interval.requests.at_least);
	nt_snapshot_release(w.s);
	end(&w);
}

/* The runtime tells once in an interval, also where that is long. */
static void test_in_flight_of_long_intervals(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map(&w, "/x/Microsoft.AspNetCore.Hosting.dll");
	told(&w, 0, true);
	struct nt_ev_counter *flying =
		instrument(&w, 12000, "Microsoft.AspNetCore.Hosting", "http.server.active_requests", "a=b", NT_COUNTER_UP_DOWN);
	flying->known = NT_COUNTER_VALUE;
	flying->value = 7;
	flying->period_ns = 30 * NT_NS_PER_S;
	const struct nt_process_snapshot *process = close_interval(&w, 30000);
	assert_known(process->interval.requests.in_flight_count, 7);
	assert_false(close_interval(&w, 60000)->interval.requests.in_flight_count.known); /* the one of 42 s did not come */
	/* Peers that there are no more take no place for ever. */
	for (unsigned i = 0; i < NT_REQUEST_STATES; i++) {
		char tags[64];
		snprintf(tags, sizeof(tags), "server.address=h%u", i);
		instrument(&w, 60100, "System.Net.Http", "http.client.active_requests", tags, NT_COUNTER_UP_DOWN)->known = NT_COUNTER_VALUE;
	}
	close_interval(&w, 90000);
	flying = instrument(&w, 90500, "Microsoft.AspNetCore.Hosting", "http.server.active_requests", "a=c", NT_COUNTER_UP_DOWN);
	flying->known = NT_COUNTER_VALUE;
	flying->value = 3;
	process = close_interval(&w, 91000);
	assert_known(process->interval.requests.in_flight_count, 3);
	nt_snapshot_release(w.s);
	end(&w);
}

/* Compiled ahead of time, or packed into one file: what is in it nobody sees, so that it has nothing to serve with is not said, and it is asked. */
static void test_all_in_one_file(void **state_)
{
	(void)state_;
	static const enum nt_deployment kinds[] = { NT_DEPLOYED_SINGLE_FILE, NT_DEPLOYED_NATIVE_AOT };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct world w;
		begin(&w);
		event(&w.procfs, NT_EV_TARGET, 0, 0)->u.target = (struct nt_ev_target){ .kind = kinds[i] };
		map(&w, "/usr/lib/libc.so.6");
		const struct nt_process_snapshot *process = close_interval(&w, 1000);
		assert_true(process->wants_requests);
		assert_string_not_equal(process->interval.requests.why.reason,
					"no ASP.NET Core, no HttpClient and no Npgsql in the program");
		nt_snapshot_release(w.s);
		end(&w);
	}
}

/* More routes than there are rows, and numbers that are none. */
static void test_hostile(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map(&w, "/x/Microsoft.AspNetCore.Hosting.dll");
	told(&w, 0, true);
	for (unsigned i = 0; i < 1100; i++) {
		char tags[128];
		snprintf(tags, sizeof(tags), "http.request.method=GET,http.response.status_code=200,http.route=/r%u", i);
		durations(&w, 500, true, tags, 1, 1, 1);
	}
	durations(&w, 500, true, "", -5, 1, 1);
	durations(&w, 500, true, "", 1e300, 1, 1);
	durations(&w, 500, true, "http.route", 1, -1, 1e300);
	instrument(&w, 500, "System.Diagnostics.Metrics", "", "", NT_COUNTER_GAUGE); /* a limit of the runtime's is reached */
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_true(process->interval.requests.at_least && process->interval.requests.why.reason);
	assert_int_equal(process->interval.requests.count.v, 1101);
	assert_int_equal(process->request_count, 1024);
	assert_int_equal(process->interval.requests.uncounted_count.v, 1101 - 1024);
	nt_snapshot_release(w.s);
	end(&w);
}

/* Of each row it is known what it takes now and what is usual, as long as somebody tells. */
static void test_slower_than_usual(void **state_)
{
	(void)state_;
	struct world w;
	double at = 0;
	const struct nt_process_snapshot *process = NULL;
	begin(&w);
	map(&w, "/x/Microsoft.AspNetCore.Hosting.dll");
	told(&w, 0, true);
	for (unsigned second = 0; second < 100; second++, at += 1000) {
		durations(&w, at + 500, true, TAGS("/pay", "200"), 30, 1, 0.05);
		durations(&w, at + 500, true, TAGS("/list", "200"), 20, 8, 0.9);
		process = close_interval(&w, at + 1000);
	}
	assert_known(process->requests[0].now_p99_ns, 50 * NT_NS_PER_MS);
	assert_known(process->requests[0].usual_p99_ns, 50 * NT_NS_PER_MS);
	assert_known(process->requests[1].usual_p99_ns, 900 * NT_NS_PER_MS);
	assert_int_equal(process->requests[0].now_count, 150);
	for (unsigned second = 0; second < 5; second++, at += 1000) {
		durations(&w, at + 500, true, TAGS("/pay", "200"), 30, 30, 1.5);
		durations(&w, at + 500, true, TAGS("/list", "200"), 20, 8, 0.9);
		process = close_interval(&w, at + 1000);
	}
	assert_known(process->requests[0].now_p99_ns, 1500 * NT_NS_PER_MS);
	assert_true(nt_request_is_slow(process->requests[0].now_p99_ns, process->requests[0].usual_p99_ns));
	assert_false(nt_request_is_slow(process->requests[1].now_p99_ns, process->requests[1].usual_p99_ns));
	told(&w, at, false);
	for (unsigned second = 0; second < 12; second++, at += 1000)
		process = close_interval(&w, at + 1000);
	assert_false(process->requests[0].now_p99_ns.known);
	nt_snapshot_release(w.s);
	end(&w);
}

static void check_tag(const char *tags, const char *key, const char *expected)
{
	size_t length = 0;
	const char *value = nt_request_tag(tags, strlen(tags), key, &length);
	if (!expected) {
		assert_null(value);
		return;
	}
	assert_int_equal(length, strlen(expected));
	assert_memory_equal(value, expected, length);
}

static void test_tags(void **state_)
{
	(void)state_;
	check_tag("a=1,b=2", "a", "1");
	check_tag("a=1,b=2", "b", "2");
	check_tag("http.route=/a,b/{c},url.scheme=http", "http.route", "/a,b/{c}"); /* a comma of its own */
	check_tag("http.route=/a=b,c,x=1", "x", "1");
	check_tag("a=,b=", "a", "");
	check_tag("a=,b=", "b", "");
	check_tag("ab=1", "a", NULL);
	check_tag("", "a", NULL);
	check_tag("=1,a=2", "a", "2");
	/* The program's own, of which the runtime puts those with capital letters first. */
	check_tag("TenantId=acme,http.request.method=GET,http.response.status_code=500", "http.response.status_code", "500");
	check_tag("http.request.method=GET,http-tier=1,http.route=/a", "http.request.method", "GET");
	check_tag("my key=1,http.route=/a", "http.route", "/a");
	check_tag("a", "a", NULL);
}

/* As the server takes them; what is no template does no harm. */
static void test_route_of_a_path(void **state_)
{
	(void)state_;
	static const struct {
		const char *routes[4], *path, *route;
	} cases[] = {
		{ { "/cart/{id:int}", "/cart/all", "/cart/{*rest}" }, "/cart/4711", "/cart/{id:int}" },
		{ { "/cart/{id:int}", "/cart/all", "/cart/{*rest}" }, "/Cart/ALL/", "/cart/all" },
		{ { "/cart/{id:int}", "/cart/all", "/cart/{**rest}" }, "/cart/4711/items", "/cart/{**rest}" },
		{ { "/cart/{id:int}" }, "/cart", NULL },
		{ { "/cart/{id:int}" }, "/carts/1", NULL },
		{ { "{controller=Home}/{action=Index}/{id?}" }, "/", "{controller=Home}/{action=Index}/{id?}" },
		{ { "{controller=Home}/{action=Index}/{id?}" }, "/a/b/c/d", NULL },
		{ { "/files/{name}.json", "/files/{name}" }, "/files/a.json", "/files/{name}.json" },
		{ { "/files/{name}.json" }, "/files/.json", NULL },
		{ { "/a/{x}", "/a/{y}" }, "/a/1", NULL }, /* nobody can say which */
		{ { "/a/{x}", "/{y}/b", "/a/{z}" }, "/a/b", NULL },
		{ { "/r/{p:regex(^a/{{2}}$)}/x" }, "/r/aa/x", "/r/{p:regex(^a/{{2}}$)}/x" },
		{ { "}{", "{", "{}", "" }, "/x", "{}" },
		{ { "" }, "/", "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_request_row rows[4] = { { 0 } };
		for (size_t r = 0; r < 4; r++)
			rows[r] = (struct nt_request_row){ .way = NT_REQUEST_SERVED, .method = "GET", .route = cases[i].routes[r] };
		const char *route = nt_route_of(rows, 4, "GET", cases[i].path);
		if (cases[i].route)
			assert_string_equal(route, cases[i].route);
		else
			assert_null(route);
		assert_null(nt_route_of(rows, 4, "POST", cases[i].path));
		assert_null(nt_route_of(rows, 4, "GET", NULL));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_routes),
					    cmocka_unit_test(test_closed_connections),
					    cmocka_unit_test(test_databases),
					    cmocka_unit_test(test_route_of_a_path),
					    cmocka_unit_test(test_strange_databases),
					    cmocka_unit_test(test_slower_than_usual),
					    cmocka_unit_test(test_unknown),
					    cmocka_unit_test(test_all_in_one_file),
					    cmocka_unit_test(test_in_flight_of_long_intervals),
					    cmocka_unit_test(test_another_session_beside),
					    cmocka_unit_test(test_rates_of_short_intervals),
					    cmocka_unit_test(test_hostile),
					    cmocka_unit_test(test_tags) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
