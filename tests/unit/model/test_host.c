// SPDX-License-Identifier: GPL-2.0-only
/* The machine and the control groups: from readings to figures. */
#include "build.h"

#include "model/host/host.h"

enum { ALL = NT_HOST_CPUS | NT_HOST_MEMORY | NT_HOST_PRESSURE << NT_PRESSURE_CPU };

struct world {
	struct nt_host host;
	struct nt_process_snapshot process;
};

static void machine(struct world *w, double at, uint64_t busy_ms, uint64_t steal_ms, uint64_t pressure_ms)
{
	const struct nt_ev_host said = { .busy_ns = busy_ms * NT_NS_PER_MS,
					 .steal_ns = steal_ms * NT_NS_PER_MS,
					 .pressure_ns = { pressure_ms * NT_NS_PER_MS },
					 .memory_bytes = 1000,
					 .available_bytes = 400,
					 .cpu_count = 2,
					 .known = ALL };
	nt_host_machine(&w->host, ms(at), &said, NULL);
}

static void group(struct world *w, double at, uint64_t periods, uint64_t throttled)
{
	const struct nt_ev_cgroup said = { .quota_ns = 50 * NT_NS_PER_MS,
					   .period_ns = 100 * NT_NS_PER_MS,
					   .period_count = periods,
					   .throttled_count = throttled,
					   .throttled_ns = throttled * NT_NS_PER_MS,
					   .known = NT_HOST_QUOTA };
	nt_host_group(&w->host, ms(at), &said);
}

static const struct nt_host_figures *close_span(struct world *w, double from, double until)
{
	const struct nt_span span = { .start = ms(0), .t0 = ms(from), .t1 = ms(until) };
	w->process = (struct nt_process_snapshot){ 0 };
	w->process.interval.cpu.usage_pct = nt_f64_of(30);
	w->process.interval.cpu.waited_ns = nt_u64_of(5);
	w->process.interval.cpu.covered_ns = nt_u64_of(ms(until) - ms(from));
	nt_host_close(&w->host, &span, &w->process);
	return &w->process.interval.host;
}

static void test_differences(void **state)
{
	(void)state;
	struct world w = { 0 };
	nt_host_init(&w.host);
	machine(&w, 0, 5000, 100, 40);
	group(&w, 0, 100, 20);
	const struct nt_host_figures *host = close_span(&w, 0, 0.1);
	assert_false(host->busy_pct.known || host->throttled_count.known); /* one reading */
	assert_true(host->quota_pct.known && host->quota_pct.v == 50);
	machine(&w, 1000, 6500, 350, 90);
	group(&w, 1000, 110, 29);
	host = close_span(&w, 0, 1000);
	assert_true(host->busy_pct.v == 150 && host->steal_pct.v == 25 && host->others_pct.v == 120);
	assert_int_equal(host->pressure_ns[NT_PRESSURE_CPU].v, 50 * NT_NS_PER_MS);
	assert_false(host->pressure_ns[NT_PRESSURE_IO].known);
	assert_string_equal(host->pressure_of, "machine");
	assert_int_equal(host->period_count.v, 10);
	assert_int_equal(host->throttled_count.v, 9);
	assert_int_equal(host->covered_ns.v, NT_NS_PER_S);
	assert_int_equal(w.process.total.host.throttled_count.v, 9);
	assert_false(host->oom_kill_count.known || host->memory_limit_bytes.known);
}

/* It moves to another group, or the kernel counts anew: what was before is nobody's. */
static void test_another_group(void **state)
{
	(void)state;
	struct world w = { 0 };
	nt_host_init(&w.host);
	machine(&w, 0, 1, 0, 0);
	group(&w, 0, 100, 20);
	machine(&w, 1000, 2, 0, 0);
	group(&w, 1000, 3, 1);
	const struct nt_host_figures *host = close_span(&w, 0, 1000);
	assert_false(host->throttled_count.known);
	machine(&w, 2000, 3, 0, 0);
	group(&w, 2000, 13, 6);
	host = close_span(&w, 1000, 2000);
	assert_int_equal(host->throttled_count.v, 5);
	assert_int_equal(w.process.total.host.throttled_count.v, 5);
}

/* What was read long ago says nothing of now. */
static void test_stale(void **state)
{
	(void)state;
	struct world w = { 0 };
	nt_host_init(&w.host);
	machine(&w, 0, 1, 0, 0);
	group(&w, 0, 1, 0);
	machine(&w, 1000, 2, 0, 0);
	assert_true(close_span(&w, 0, 1000)->quota_pct.known);
	machine(&w, 8900, 3, 0, 0); /* its groups cannot be read any more */
	machine(&w, 9900, 4, 0, 0);
	assert_false(close_span(&w, 9000, 10000)->quota_pct.known);
	const struct nt_host_figures *host = close_span(&w, 19000, 20000);
	assert_false(host->busy_pct.known || host->memory_bytes.known || host->others_pct.known);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_differences), cmocka_unit_test(test_another_group),
					    cmocka_unit_test(test_stale) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
