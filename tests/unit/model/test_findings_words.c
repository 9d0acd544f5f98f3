// SPDX-License-Identifier: GPL-2.0-only
/* What findings say: about locks, CPUs, requests. */
#include "finding_seconds.h"

static const struct nt_hot_method hot = { .name = "Shop.Audit.Sign(byte[])", .pct = 90 };

/* A process of two threads, of which the first waits for a lock of the other one. */
static struct nt_thread_row *waiting_second(const struct nt_thread_row *owner)
{
	struct nt_process_snapshot *process = next_second();
	process->interval.locks.count = nt_u64_of(0);
	process->threads = nt_alloc(2 * sizeof(*process->threads));
	process->thread_count = 2;
	process->threads[0] = (struct nt_thread_row){ .id = 77,
						      .tid = 7,
						      .name = "orders",
						      .lock_owner_tid = 8,
						      .lock_ns = nt_u64_of(30 * NT_NS_PER_S),
						      .wait_at = "Shop.Orders.Add()" };
	process->threads[1] = *owner;
	process->threads[1].id = 78;
	process->threads[1].tid = 8;
	process->threads[1].name = "audit";
	return process->threads;
}

/* Who holds the lock that a thread waits for, and what that one does: there the cause is. */
static void who_blocks_a_thread_is_told_with_what_it_does(void **state)
{
	static const struct {
		struct nt_thread_row owner;
		const char *text;
	} cases[] = {
		{ { .waits = true, .wait = NT_WAIT_SOCKET, .wait_what = "10.2.0.7:5432", .wait_at = "Shop.Audit.Write(string)" },
		  ", which waits for socket 10.2.0.7:5432 at Audit.Write, for" },
		{ { .waits = true, .wait = NT_WAIT_MONITOR, .wait_what = "Shop.Ledger" }, ", which waits for monitor Ledger, for" },
		{ { .waits = true, .wait = NT_WAIT_SLEEP }, ", which waits for sleep, for" },
		{ { .hot = &hot, .hot_count = 1, .samples = 9 }, ", which runs Audit.Sign, for" },
		{ { .waits = true }, ", for" },               /* for what is not known */
		{ { .hot = &hot, .hot_count = 1 }, ", for" }, /* what it ran once */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (int second = 0; second < 5; second++) {
			waiting_second(&cases[i].owner);
			close_second();
		}
		char text[256];
		snprintf(text, sizeof(text), "t7 orders waits at Orders.Add for a lock of t8 audit%s", cases[i].text);
		assert_non_null(strstr(the_finding(NT_FINDING_BLOCKED_THREAD)->text, text));
	}
}

/* Where each of them waits, as far as it is known. */
static void a_deadlock_is_told_around_the_circle(void **state)
{
	(void)state;
	for (int second = 0; second < 5; second++) {
		struct nt_thread_row *rows =
			waiting_second(&(struct nt_thread_row){ .lock_owner_tid = 7, .lock_ns = nt_u64_of(31 * NT_NS_PER_S) });
		rows[0].deadlocked = rows[1].deadlocked = true;
		rows[0].wait_what = "Shop.Ledger";
		rows[1].wait_what = "object";
		close_second();
	}
	assert_string_equal(
		the_finding(NT_FINDING_DEADLOCK)->text,
		"Deadlock: t7 orders waits at Orders.Add for Ledger of t8 audit, which waits for t7 orders, for 30s (2 threads)");
	assert_string_equal(the_finding(NT_FINDING_DEADLOCK)->short_text, "Deadlock: 2 threads, t7 at Orders.Add, for 30s");
}

/* Who keeps the CPUs from it: its own quota before the hypervisor, and that before its neighbours. */
static void who_has_the_cpus_is_told(void **state)
{
	static const struct {
		struct nt_host_figures host;
		const char *text;
	} cases[] = {
		{ { .quota_pct = NT_KNOWN(50), .period_count = NT_KNOWN(10), .throttled_count = NT_KNOWN(9), .others_pct = NT_KNOWN(100) },
		  "; the CPU quota of its cgroup, 0.5, was used up in 90% of the periods" },
		{ { .steal_pct = NT_KNOWN(80), .others_pct = NT_KNOWN(100) },
		  "; the hypervisor gives 0.8 of the machine's CPUs to others" },
		{ { .others_pct = NT_KNOWN(187), .other_pct = NT_KNOWN(170), .other_name = "stress", .other_count = NT_KNOWN(2) },
		  "; noisy neighbours use 1.9, the busiest stress x2 (1.7)" },
		{ { .others_pct = NT_KNOWN(187) }, "; noisy neighbours use 1.9" },
		{ { .others_pct = NT_KNOWN(187), .other_pct = NT_KNOWN(7), .other_name = "dotnet" }, "; noisy neighbours use 1.9" },
		{ { .quota_pct = NT_KNOWN(50), .period_count = NT_KNOWN(10), .throttled_count = NT_KNOWN(1), .others_pct = NT_KNOWN(3) },
		  "of 2 CPUs" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (int second = 0; second < 5; second++) {
			struct nt_process_snapshot *process = next_second();
			process->target.cpu_count = nt_u64_of(2);
			process->interval.cpu.time_ns = nt_u64_of(60 * NT_NS_PER_MS);
			process->interval.cpu.waited_ns = nt_u64_of(900 * NT_NS_PER_MS);
			process->interval.host = cases[i].host;
			close_second();
		}
		const char *text = the_finding(NT_FINDING_CPU_WAIT)->text;
		assert_string_equal(text + strlen(text) - strlen(cases[i].text), cases[i].text);
	}
}

/* Those of one's own requests; that a peer closes now and then is none. */
static void a_connection_per_request_is_told(void **state)
{
	static const unsigned closed[] = { 1, 4, 30 };
	for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++) {
		set_up(state);
		for (int second = 0; second < 5; second++) {
			struct nt_request_figures *requests = &next_second()->interval.requests;
			requests->made_count = nt_u64_of(i == 1 ? 4 : 40);
			requests->closed_count = nt_u64_of(closed[i]);
			requests->closed_peer = "pay:443";
			close_second();
		}
		assert_int_equal(the_finding(NT_FINDING_CONNECTIONS) != NULL, i == 2);
	}
	assert_string_equal(
		the_finding(NT_FINDING_CONNECTIONS)->text,
		"A connection per request: HttpClient closes 30.0 connections/s, 75% of the requests that it makes, most to pay:443");
}

/* Clients that nobody disposes: what they opened stays open. A pool that fills, and connections that are taken into use, are none. */
static void connections_that_stay_open_are_told(void **state)
{
	static const struct {
		unsigned made, opened, seconds;
		bool told;
	} cases[] = { { 15, 15, 14, true }, { 15, 15, 6, false }, { 40, 15, 14, false }, { 3, 3, 14, false }, { 40, 0, 14, false } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (unsigned second = 0; second < cases[i].seconds; second++) {
			struct nt_process_snapshot *process = next_second();
			struct nt_request_figures *requests = &process->interval.requests;
			requests->made_count = nt_u64_of(cases[i].made);
			requests->closed_count = nt_u64_of(second % 7 == 6 ? 20 : 0); /* a collection closes some */
			requests->made_connections =
				nt_f64_of((double)(cases[i].opened * second) - 20.0 * (second / 7 + (second % 7 == 6)));
			process->requests = nt_alloc(sizeof(*process->requests));
			process->request_count = 1;
			process->requests[0] =
				(struct nt_request_row){ .id = 1, .way = NT_REQUEST_MADE, .route = "pay:443", .count = cases[i].made };
			close_second();
		}
		assert_int_equal(the_finding(NT_FINDING_CONNECTIONS) != NULL, cases[i].told);
		if (cases[i].told)
			assert_string_equal(the_finding(NT_FINDING_CONNECTIONS)->short_text,
					    "A connection per request: 15.0 opened/s, pay:443");
	}
}

/* Who waits where is worth more than that workers were added. */
/* Four workers that all wait at one place, for a task or for a lock. */
static struct nt_process_snapshot *second_of_workers(enum nt_wait_kind wait, const char *means)
{
	enum { WORKERS = 4 };
	struct nt_process_snapshot *process = next_second();
	process->threads = nt_alloc(WORKERS * sizeof(*process->threads));
	process->thread_count = WORKERS;
	for (uint32_t i = 0; i < WORKERS; i++)
		process->threads[i] = (struct nt_thread_row){ .id = i + 1,
							      .tid = i + 1,
							      .name = ".NET TP Worker",
							      .role = NT_ROLE_POOL,
							      .cpu_pct = nt_f64_of(0),
							      .state = 'S',
							      .wait = wait,
							      .wait_means = means,
							      .wait_at = "Shop.Checkout.Pay(Order)" };
	process->interval.pool.worker_count = nt_u64_of(WORKERS);
	process->interval.pool.starved_count = nt_u64_of(1);
	return process;
}

static void a_starved_pool_says_where(void **state)
{
	(void)state;
	for (int second = 0; second < 5; second++) {
		second_of_workers(NT_WAIT_TASK, "Task.Wait");
		close_second();
	}
	assert_string_equal(the_finding(NT_FINDING_POOL_STARVATION)->short_text,
			    "Pool starvation: 4 of 4 workers in Task.Wait at Checkout.Pay");
}

/* Workers that wait for a lock are the queue before it: who holds it comes first. Where they wait for something else they are what is wrong. */
static void a_lock_that_starves_the_pool_comes_first(void **state)
{
	for (int for_lock = 0; for_lock < 2; for_lock++) {
		const struct nt_process_snapshot *seen = NULL;
		set_up(state);
		for (int second = 0; second < 5; second++) {
			struct nt_process_snapshot *process =
				second_of_workers(for_lock ? NT_WAIT_MONITOR : NT_WAIT_TASK, for_lock ? "Monitor.Enter" : "Task.Wait");
			process->interval.locks.spent_ns = nt_u64_of(3 * NT_NS_PER_S);
			process->interval.locks.same_lock_count = nt_u64_of(5);
			close_second();
			seen = process;
		}
		assert_int_equal(seen->finding_count, 2);
		assert_int_equal(seen->findings[!for_lock].kind, NT_FINDING_LOCK_CONVOY);
		assert_int_equal(seen->findings[for_lock].kind, NT_FINDING_POOL_STARVATION);
	}
}

static void memory_second(bool server_gc)
{
	struct nt_process_snapshot *process = next_second();
	process->target.server_gc = nt_u64_of(server_gc);
	process->interval.gc.heap_bytes = nt_u64_of(UINT64_C(200) << 20);
	process->interval.host.memory_limit_bytes = nt_u64_of(UINT64_C(512) << 20);
	process->interval.host.memory_used_bytes = nt_u64_of(UINT64_C(480) << 20);
	close_second();
}

/* Where the mode of the collector has a part in it, it is said. */
static void the_mode_of_the_collector_is_told(void **state)
{
	for (int second = 0; second < 5; second++)
		memory_second(false);
	assert_null(strstr(the_finding(NT_FINDING_MEMORY_LIMIT)->text, "GC,"));
	set_up(state);
	for (int second = 0; second < 5; second++)
		memory_second(true);
	assert_non_null(strstr(the_finding(NT_FINDING_MEMORY_LIMIT)->text, "; the GC heap has 200M; server GC, which keeps more"));
	assert_non_null(strstr(the_finding(NT_FINDING_MEMORY_LIMIT)->short_text, ", server GC"));
	for (int cpus = 4; cpus <= 16; cpus *= 4) {
		set_up(state);
		for (int second = 0; second < 5; second++) {
			struct nt_process_snapshot *process = next_second();
			process->target.server_gc = nt_u64_of(0);
			process->target.cpu_count = nt_u64_of((uint64_t)cpus);
			process->interval.gc.pause_ns = nt_u64_of(500 * NT_NS_PER_MS);
			process->interval.gc.count[2] = nt_u64_of(0);
			close_second();
		}
		const char *told = strstr(the_finding(NT_FINDING_GC_STORM)->text, "; workstation GC on 16 CPUs");
		assert_int_equal(told != NULL, cpus == 16);
	}
	set_up(state); /* of the 16 it may have one */
	for (int second = 0; second < 5; second++) {
		struct nt_process_snapshot *process = next_second();
		process->target.server_gc = nt_u64_of(0);
		process->target.cpu_count = nt_u64_of(16);
		process->interval.host.quota_pct = nt_f64_of(100);
		process->interval.gc.pause_ns = nt_u64_of(500 * NT_NS_PER_MS);
		process->interval.gc.count[2] = nt_u64_of(0);
		close_second();
	}
	assert_null(strstr(the_finding(NT_FINDING_GC_STORM)->text, "workstation GC"));
}

/* Which route, and with what; what is no failure of the program's is none. */
static void requests_that_fail_are_named(void **state)
{
	(void)state;
	for (int second = 0; second < 5; second++) {
		have_errors(next_second());
		close_second();
	}
	assert_string_equal(the_finding(NT_FINDING_REQUEST_ERRORS)->text,
			    "Requests fail: 9%, 9.0/s; most often POST /pay 500, TimeoutException");
	set_up(state);
	for (int second = 0; second < 5; second++) {
		struct nt_process_snapshot *process = next_second();
		process->interval.requests.count = nt_u64_of(1000);
		process->interval.requests.error_count = nt_u64_of(9);
		close_second();
	}
	assert_null(the_finding(NT_FINDING_REQUEST_ERRORS));
}

/* Which route, since when it was otherwise, and what it calls that is slow, too. */
static void requests_that_are_slow_are_named(void **state)
{
	(void)state;
	for (int second = 0; second < 5; second++) {
		have_slow_requests(next_second());
		close_second();
	}
	const struct nt_finding *finding = the_finding(NT_FINDING_SLOW_REQUESTS);
	assert_string_equal(finding->text,
			    "Requests are slow: GET /pay/{id} 200 p99 1.2s of the last 34, 85ms in the 4m30s before; its calls to "
			    "bank:443, too: 1.2s, 60ms before");
	assert_string_equal(finding->short_text, "Requests are slow: GET /pay/{id} 200 p99 1.2s, was 85ms; bank:443, too");
	assert_string_equal(finding->brief_text, "Slow: GET /pay/{id} 200 1.2s");
	assert_string_equal(finding->unit, "ns");
	assert_true(finding->value == 1115e6);
	assert_null(the_finding(NT_FINDING_REQUEST_ERRORS));
}

/* Without anything to compare with: of the calls that take as long, and of no others. */
static void calls_that_requests_wait_for_are_named(void **state)
{
	(void)state;
	static const struct {
		unsigned served_ms, made_ms;
		nt_time usual_over_ns;
		bool told;
	} cases[] = {
		{ 3000, 2900, 0, true },
		{ 900, 900, 0, false },
		{ 3000, 400, 0, false },
		{ 1200, 9000, 0, false }, /* somebody else's */
		{ 3000, 2900, 600 * NT_NS_PER_S, false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (int second = 0; second < 5; second++) {
			struct nt_process_snapshot *process = next_second();
			process->requests = nt_alloc(2 * sizeof(*process->requests));
			process->request_count = 2;
			process->requests[0] =
				(struct nt_request_row){ .id = 51,
							 .way = NT_REQUEST_SERVED,
							 .method = "POST",
							 .route = "/checkout",
							 .status = "200",
							 .now_p99_ns = nt_u64_of(cases[i].served_ms * NT_NS_PER_MS),
							 .usual_p99_ns = { .known = cases[i].usual_over_ns != 0, .v = 3000 * NT_NS_PER_MS },
							 .usual_over_ns = cases[i].usual_over_ns };
			process->requests[1] = (struct nt_request_row){ .id = 52,
									.way = NT_REQUEST_MADE,
									.route = "bank:443",
									.now_p99_ns = nt_u64_of(cases[i].made_ms * NT_NS_PER_MS) };
			close_second();
		}
		const struct nt_finding *finding = the_finding(NT_FINDING_SLOW_REQUESTS);
		assert_int_equal(finding != NULL, cases[i].told);
		if (!finding)
			continue;
		assert_string_equal(finding->text, "Requests wait for calls to bank:443, p99 2.9s: POST /checkout p99 3.0s");
		assert_string_equal(finding->short_text, "Requests wait for calls to bank:443, 2.9s: POST /checkout 3.0s");
		assert_string_equal(finding->brief_text, "Slow calls: bank:443 2.9s");
		assert_int_equal(finding->row_id.v, 52);
	}
}

/* Full alone is no harm: somebody waits for a connection, or a route is slow meanwhile. */
static void a_pool_of_connections_that_is_used_up_is_told(void **state)
{
	static const struct {
		unsigned used, waiting, served_ms;
		bool waiting_known;
		const char *text;
	} cases[] = {
		{ 20, 7, 0, true, "Connection pool used up: all 20 to shop at db:5432, 7 wait for one; p99 of its operations 40ms" },
		{ 20, 0, 1500, true, "Connection pool used up: all 20 to shop at db:5432; p99 of its operations 40ms" },
		{ 20, 0, 1500, false, "Connection pool used up: all 20 to shop at db:5432; p99 of its operations 40ms" },
		{ 20, 0, 30, true, NULL },
		{ 19, 7, 1500, true, NULL },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (int second = 0; second < 5; second++) {
			struct nt_process_snapshot *process = next_second();
			struct nt_request_figures *requests = &process->interval.requests;
			requests->pool = "shop at db:5432";
			requests->pool_used_count = nt_u64_of(cases[i].used);
			requests->pool_max_count = nt_u64_of(20);
			requests->pool_waiting_count = (struct nt_u64){ .known = cases[i].waiting_known, .v = cases[i].waiting };
			requests->database_p99_ns = nt_u64_of(40 * NT_NS_PER_MS);
			process->requests = nt_alloc(sizeof(*process->requests));
			process->request_count = 1;
			process->requests[0] = (struct nt_request_row){ .id = 51,
									.way = NT_REQUEST_SERVED,
									.method = "GET",
									.route = "/cart",
									.now_p99_ns = nt_u64_of(cases[i].served_ms * NT_NS_PER_MS) };
			close_second();
		}
		const struct nt_finding *finding = the_finding(NT_FINDING_CONNECTION_POOL);
		assert_int_equal(finding != NULL, cases[i].text != NULL);
		if (finding)
			assert_string_equal(finding->text, cases[i].text);
		if (finding)
			assert_string_equal(finding->short_text, "Connection pool used up: all 20 to shop at db:5432");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FINDINGS(who_blocks_a_thread_is_told_with_what_it_does),
		WITH_FINDINGS(a_deadlock_is_told_around_the_circle),
		WITH_FINDINGS(who_has_the_cpus_is_told),
		WITH_FINDINGS(requests_that_fail_are_named),
		WITH_FINDINGS(a_starved_pool_says_where),
		WITH_FINDINGS(a_lock_that_starves_the_pool_comes_first),
		WITH_FINDINGS(a_connection_per_request_is_told),
		WITH_FINDINGS(connections_that_stay_open_are_told),
		WITH_FINDINGS(the_mode_of_the_collector_is_told),
		WITH_FINDINGS(requests_that_are_slow_are_named),
		WITH_FINDINGS(calls_that_requests_wait_for_are_named),
		WITH_FINDINGS(a_pool_of_connections_that_is_used_up_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
