// SPDX-License-Identifier: GPL-2.0-only
/* How long a work item waits, by Little's law. */
#include "build.h"

#include "model/pool/waiting.h"

static const struct nt_f64 nobody_counts = { 0 };

static struct nt_u64 total;

static struct nt_u64 told;

/* An interval of a second that ends at second `end`. */
static void close_second(struct nt_pool_waiting *waiting, unsigned end, struct nt_f64 done_per_s)
{
	const struct nt_span span = { .t0 = (end - 1) * NT_NS_PER_S, .t1 = end * NT_NS_PER_S };
	told = (struct nt_u64){ 0 };
	nt_pool_waiting_close(waiting, &span, done_per_s, &told, &total);
}

static void test_mean_by_rate(void **state_)
{
	(void)state_;
	struct nt_pool_waiting waiting = { 0 };
	nt_pool_waiting_seen(&waiting, NT_NS_PER_S, nt_f64_of(50));
	nt_pool_waiting_seen(&waiting, NT_NS_PER_S * 3 / 2, nt_f64_of(150));
	/* 100 on average, 200 a second. */
	close_second(&waiting, 2, nt_f64_of(200));
	assert_known(told, NT_NS_PER_S / 2);
	assert_known(total, NT_NS_PER_S / 2);
	/* The last look holds; since attach it is that of all items, not the mean of intervals. */
	close_second(&waiting, 3, nt_f64_of(50));
	assert_known(told, 3 * NT_NS_PER_S);
	assert_known(total, NT_NS_PER_S);
}

static void test_what_is_not_known(void **state_)
{
	(void)state_;
	struct nt_pool_waiting waiting = { 0 };
	close_second(&waiting, 1, nt_f64_of(200));
	assert_unknown(told); /* not looked at */
	nt_pool_waiting_seen(&waiting, NT_NS_PER_S, nt_f64_of(0));
	close_second(&waiting, 2, nt_f64_of(200));
	assert_unknown(told); /* shorter than looks are apart */
	nt_pool_waiting_seen(&waiting, 2 * NT_NS_PER_S, nt_f64_of(10));
	close_second(&waiting, 3, nt_f64_of(0));
	assert_unknown(told); /* nobody gets on */
	close_second(&waiting, 4, nobody_counts);
	assert_unknown(told);
	nt_pool_waiting_seen(&waiting, 4 * NT_NS_PER_S, nobody_counts);
	close_second(&waiting, 5, nt_f64_of(200));
	assert_unknown(told);
	close_second(&waiting, 6, nt_f64_of(1e-300));
	assert_unknown(told);
}

/* Only the time counts for which it is known how many wait. */
static void test_a_look_holds_for_some_time(void **state_)
{
	(void)state_;
	struct nt_pool_waiting waiting = { 0 };
	nt_pool_waiting_seen(&waiting, NT_NS_PER_S / 2, nt_f64_of(20));
	close_second(&waiting, 1, nt_f64_of(10));
	assert_known(told, 2 * NT_NS_PER_S);
	close_second(&waiting, 2, nt_f64_of(10));
	assert_known(told, 2 * NT_NS_PER_S);
	close_second(&waiting, 3, nt_f64_of(10));
	assert_known(told, 2 * NT_NS_PER_S);
	close_second(&waiting, 4, nt_f64_of(10));
	assert_known(told, 2 * NT_NS_PER_S); /* for half of it */
	close_second(&waiting, 5, nt_f64_of(10));
	assert_unknown(told);
	nt_pool_waiting_seen(&waiting, NT_NS_PER_S / 4, nt_f64_of(1000)); /* late */
	close_second(&waiting, 6, nt_f64_of(10));
	assert_unknown(told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean_by_rate),
		cmocka_unit_test(test_what_is_not_known),
		cmocka_unit_test(test_a_look_holds_for_some_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
