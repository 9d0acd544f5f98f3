// SPDX-License-Identifier: GPL-2.0-only
/* The parts of the perf source that need no kernel: order, ownership, weights, sizes, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/common/price.h"
#include "source/perf/switch_price.h"
#include "source/perf/perf_attach.h"
#include "source/perf/perf_duty.h"
#include "source/perf/perf_queue.h"
#include "source/perf/perf_rate.h"
#include "source/perf/perf_refusal.h"
#include "source/perf/perf_weight.h"
#include "source/perf/switches.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void put(struct nt_perf_queue *queue, nt_time time, uint8_t mark)
{
	uint8_t bytes[16];
	memset(bytes, mark, sizeof(bytes));
	nt_perf_queue_put(queue, time, 0, bytes, sizeof(bytes));
}

/* The marks of all records that may leave, in order. */
static const char *taken(struct nt_perf_queue *queue)
{
	static char marks[64];
	size_t count = 0;
	const uint8_t *bytes;
	for (const struct nt_perf_queued *record; (record = nt_perf_queue_take(queue, &bytes));) {
		assert_int_equal(record->length, 16);
		assert_int_equal(bytes[0], bytes[15]);
		marks[count++] = (char)bytes[0];
	}
	marks[count] = '\0';
	return marks;
}

static void test_queue_orders_rings_by_time(void **state)
{
	(void)state;
	struct nt_perf_queue queue = { 0 };
	/* One ring, then the other; the last of each is later than the moment up to which both were read. */
	put(&queue, 10, 'a');
	put(&queue, 30, 'c');
	put(&queue, 50, 'y');
	put(&queue, 20, 'b');
	put(&queue, 30, 'd'); /* the same time: as they arrived */
	put(&queue, 60, 'z');
	nt_perf_queue_release(&queue, 40);
	assert_string_equal(taken(&queue), "abcd");
	put(&queue, 45, 'x');
	nt_perf_queue_release(&queue, 55);
	assert_string_equal(taken(&queue), "xy");
	nt_perf_queue_release(&queue, 100);
	assert_string_equal(taken(&queue), "z");
	nt_perf_queue_release(&queue, 200);
	assert_string_equal(taken(&queue), "");
	nt_perf_queue_fini(&queue);
}

static void test_queue_orders_any_arrival(void **state)
{
	(void)state;
	struct nt_perf_queue queue = { 0 };
	enum { COUNT = 1000 };
	uint32_t random = 1;
	for (unsigned i = 0; i < COUNT; i++) {
		random = random * 1664525 + 1013904223;
		put(&queue, random >> 24, 'r');
	}
	nt_perf_queue_release(&queue, 1000);
	const uint8_t *bytes;
	struct nt_perf_queued last = { 0 };
	unsigned count = 0;
	for (const struct nt_perf_queued *record; (record = nt_perf_queue_take(&queue, &bytes)); count++) {
		assert_true(record->time >= last.time);
		assert_true(count == 0 || record->time > last.time || record->order > last.order);
		last = *record;
	}
	assert_int_equal(count, COUNT);
	nt_perf_queue_fini(&queue);
}

/* In parts of nearly the same size, none larger than asked for; the last one sees the end. */
static void test_queue_leaves_in_equal_parts(void **state)
{
	(void)state;
	enum { MOST = 10 };
	for (unsigned count = 0; count < 45; count++) {
		struct nt_perf_queue queue = { 0 };
		unsigned taken_count = 0, least = MOST, most = 0;
		const uint8_t *bytes;
		bool more = true;
		for (unsigned i = 0; i < count; i++)
			put(&queue, i, 'a');
		nt_perf_queue_release(&queue, count);
		while (more) {
			unsigned part = nt_perf_queue_part(&queue, MOST);
			least = part < least ? part : least;
			most = part > most ? part : most;
			for (unsigned i = 0; i < part && more; i++)
				taken_count += more = nt_perf_queue_take(&queue, &bytes) != NULL;
		}
		assert_int_equal(taken_count, count);
		assert_true(most <= MOST && most - least <= 1);
		nt_perf_queue_fini(&queue);
	}
}

static void test_queue_keeps_its_size(void **state)
{
	(void)state;
	struct nt_perf_queue queue = { 0 };
	for (nt_time round = 0; round < 1000; round++) {
		for (nt_time i = 0; i < 20; i++)
			put(&queue, round * 20 + i, 'a');
		nt_perf_queue_release(&queue, round * 20 + 17);
		taken(&queue);
	}
	assert_true(queue.byte_capacity <= 1024 && queue.capacity <= 64);
	nt_perf_queue_fini(&queue);
}

static void test_owners(void **state)
{
	(void)state;
	struct nt_perf_owners owners = { 0 };
	assert_true(nt_perf_owners_count(&owners, 10, 0, 5));
	/* Threads 10 and 11 were born while list 0 was opened: list 1 counts them from 100 on. */
	nt_perf_owners_set(&owners, 11, 1, 100);
	nt_perf_owners_set(&owners, 10, 1, 100);
	assert_true(nt_perf_owners_count(&owners, 10, 0, 99));
	assert_false(nt_perf_owners_count(&owners, 10, 1, 99));
	assert_false(nt_perf_owners_count(&owners, 10, 0, 100));
	assert_true(nt_perf_owners_count(&owners, 10, 1, 100));
	assert_true(nt_perf_owners_count(&owners, 9, 0, 200));
	/* A child inherits both lists. */
	nt_perf_owners_born(&owners, 10, 12);
	assert_true(nt_perf_owners_count(&owners, 12, 1, 300));
	assert_false(nt_perf_owners_count(&owners, 12, 0, 300));
	/* Its tid again, for a child of somebody else. */
	nt_perf_owners_born(&owners, 9, 12);
	assert_true(nt_perf_owners_count(&owners, 12, 0, 400));
	nt_perf_owners_ended(&owners, 10);
	assert_true(nt_perf_owners_count(&owners, 10, 0, 400));
	assert_true(nt_perf_owners_count(&owners, 11, 1, 400));
	nt_perf_owners_fini(&owners);
}

static void test_tids(void **state)
{
	(void)state;
	struct nt_tids set = { 0 }, other = { 0 };
	static const pid_t in[] = { 5, 3, 9, 3, 7 };
	for (size_t i = 0; i < 5; i++)
		nt_tids_insert(&set, in[i]);
	assert_int_equal(set.count, 4);
	assert_int_equal(set.tids[0], 3);
	assert_int_equal(set.tids[3], 9);
	assert_true(nt_tids_contains(&set, 7));
	assert_false(nt_tids_contains(&set, 8));
	nt_tids_remove(&set, 7);
	nt_tids_remove(&set, 8);
	nt_tids_insert(&other, 9);
	nt_tids_insert(&other, 3);
	nt_tids_insert(&other, 4);
	nt_tids_intersect(&set, &other);
	assert_int_equal(set.count, 2);
	assert_int_equal(set.tids[1], 9);
	nt_tids_fini(&set);
	nt_tids_fini(&other);
	char own[32];
	snprintf(own, sizeof(own), "/proc/%d", getpid());
	assert_int_equal(nt_tids_list(&set, own), 0);
	assert_true(nt_tids_contains(&set, getpid()));
	nt_tids_fini(&set);
	assert_int_equal(nt_tids_list(&set, "/proc/no-such"), ESRCH);
}

static void test_weight(void **state)
{
	(void)state;
	struct nt_perf_weight weight;
	nt_perf_weight_init(&weight, 1000);
	assert_int_equal(nt_perf_weight_ns(&weight, 12345), 1000000); /* nothing known: the nominal distance */
	nt_perf_weight_measure(&weight, 3000000, 1000);               /* too short to tell */
	assert_int_equal(nt_perf_weight_ns(&weight, 12345), 1000000);
	nt_perf_weight_measure(&weight, 3000000000, 1000000000); /* 3 cycles per ns */
	assert_int_equal(nt_perf_weight_ns(&weight, 3000000), 1000000);
	nt_perf_weight_measure(&weight, 5000000000, 3000000000); /* since then 1 per ns */
	assert_int_equal(nt_perf_weight_ns(&weight, 3000000), 3000000);
	nt_perf_weight_is_time(&weight);
	assert_int_equal(nt_perf_weight_ns(&weight, 1001001), 1001001);
}

enum { SECOND = 1000000000 };

/* A second of a target that uses so much CPU time without us and switches so often; what the events add to it is added. Returns the parts in force then. */
static unsigned after_busy_second(struct nt_perf_duty *duty, double cpu_s, unsigned switches, uint64_t sums[2], nt_time *now)
{
	double paid_s = switches * (double)nt_prices[NT_PRICE_TASK_SWITCH].ns / SECOND / duty->parts;
	sums[0] += (uint64_t)((cpu_s + paid_s) * SECOND);
	sums[1] += switches;
	*now += SECOND;
	nt_perf_duty_look(duty, sums[0], sums[1], *now);
	return duty->parts;
}

static void test_duty(void **state)
{
	(void)state;
	struct nt_perf_duty duty;
	uint64_t sums[2] = { 5 * (uint64_t)SECOND, 1000 };
	nt_time now = 100 * (nt_time)SECOND;
	nt_perf_duty_init(&duty, NT_PRICE_TASK_SWITCH, 5);
	assert_false(nt_perf_duty_look(&duty, sums[0], sums[1], now)); /* what was before us */
	/* Who seldom switches is sampled all the time, and who is idle as well: of nothing there is no part. */
	assert_int_equal(after_busy_second(&duty, 1, 2000, sums, &now), 1);
	assert_int_equal(after_busy_second(&duty, 0.001, 50, sums, &now), 1);
	assert_false(nt_perf_duty_turn(&duty, now));
	/* 100 000 switches of 10 us beside a second of work: twentyfold the limit. */
	unsigned parts = after_busy_second(&duty, 1, 100000, sums, &now);
	assert_in_range(parts, 20, 22);
	for (unsigned i = 0; i < 10; i++)
		assert_in_range(after_busy_second(&duty, 1, 100000, sums, &now), 19, 24);
	assert_true(duty.whole > 0.9 && duty.whole < 1.1);
	/* It turns off at once, and is on for one part of each cycle. */
	unsigned on_ms = 0, off_ms = 0;
	for (unsigned ms = 0; ms < 20000; ms++) {
		nt_perf_duty_turn(&duty, now + ms * NT_NS_PER_MS);
		*(duty.on ? &on_ms : &off_ms) += 1;
	}
	assert_true(on_ms > 0 && on_ms + off_ms == 20000);
	assert_in_range(off_ms / on_ms, duty.parts - 3, duty.parts + 1);
	/* It switches no more: all the time again. */
	now += 20 * (nt_time)SECOND;
	assert_int_equal(after_busy_second(&duty, 1, 100, sums, &now), 1);
	assert_true(duty.on || nt_perf_duty_turn(&duty, now));
	assert_true(duty.on);
}

static void test_records_too_dear(void **state)
{
	(void)state;
	struct nt_perf_duty duty;
	uint64_t sums[2] = { 0 };
	nt_time now = 100 * (nt_time)SECOND;
	struct nt_probe about = { 0 };
	nt_perf_duty_init(&duty, NT_PRICE_SWITCH_RECORD, 5);
	nt_perf_duty_look(&duty, 0, 0, now);
	after_busy_second(&duty, 1, 2000, sums, &now);
	assert_false(nt_perf_duty_is_too_dear(&duty));
	/* It rests most of the time: a fifth of 4 ms. */
	after_busy_second(&duty, 0.004, 400, sums, &now);
	assert_false(nt_perf_duty_is_too_dear(&duty));
	duty.parts = 1;
	after_busy_second(&duty, 0.5, 100000, sums, &now);
	assert_true(nt_perf_duty_is_too_dear(&duty));
	nt_perf_duty_say_ended(&duty, 3 * (nt_time)SECOND, &about);
	assert_non_null(strstr(about.reason, "ended after 3.0 s, because --max-target-cost is 5 %"));
	assert_non_null(strstr(about.fix, "--max-target-cost "));
}

/* Where all may be paid nothing is too dear, however much is estimated; and a price that was measured counts in place of the table's. */
static void test_records_at_any_price(void **state)
{
	(void)state;
	struct nt_perf_duty duty;
	uint64_t sums[2] = { 0 };
	nt_time now = 100 * (nt_time)SECOND;
	struct nt_probe about = { 0 };
	nt_perf_duty_init(&duty, NT_PRICE_SWITCH_TOLD, 100);
	nt_perf_duty_look(&duty, 0, 0, now);
	nt_perf_duty_look(&duty, sums[0] += SECOND / 10, sums[1] += 400000, now += SECOND);
	assert_true(duty.whole > 1 && duty.paid_ns > 0);
	assert_false(nt_perf_duty_is_too_dear(&duty));

	nt_perf_duty_init(&duty, NT_PRICE_SWITCH_TOLD, 5);
	duty.price_ns = 400;
	nt_perf_duty_look(&duty, sums[0], sums[1], now);
	after_busy_second(&duty, 0.5, 100000, sums, &now); /* 40 ms of more than half a second */
	assert_false(nt_perf_duty_is_too_dear(&duty));
	assert_int_equal(duty.paid_ns, 400 * 100000);
	duty.price_ns = 2000;
	after_busy_second(&duty, 0.5, 100000, sums, &now);
	assert_true(nt_perf_duty_is_too_dear(&duty));
	nt_perf_duty_say_dear(&duty, "each costs", &about);
	assert_non_null(strstr(about.reason, "each costs ~"));
	assert_non_null(strstr(about.reason, "--max-target-cost is 5 %"));
	assert_non_null(strstr(about.fix, "--max-target-cost "));
}

static void test_price_of_switches(void **state)
{
	(void)state;
	struct nt_switch_price price;
	nt_switch_price_init(&price, -1, -1);
	nt_switch_price_begin(&price, 1000); /* no programs */
	assert_int_equal(price.from, 0);
	assert_int_equal(nt_switch_price_take(&price, 9000), 0);
	price.from = 1000;
	nt_switch_price_left(&price, 999);
	for (unsigned i = 0; i < 1000; i++)
		nt_switch_price_left(&price, 1000 + i);
	assert_int_equal(nt_switch_price_take(&price, 9000), 0); /* it goes on */
	price.until = 5000;
	price.took_ns = 500000;
	nt_switch_price_left(&price, 5000);
	uint64_t ns = nt_switch_price_take(&price, 9000);
	assert_in_range(ns, 500, 1500);
	assert_int_equal(price.from, 0);
	/* Too few, or some that were not told: as before. What others have made of it has its limit. */
	price = (struct nt_switch_price){ .stats = -1, .from = 1, .until = 2, .took_ns = 1000000, .left = 10, .switch_ns = ns };
	assert_int_equal(nt_switch_price_take(&price, 9000), ns);
	price = (struct nt_switch_price){ .stats = -1, .from = 1, .until = 2, .took_ns = 1000000, .left = 1000, .switch_ns = ns };
	nt_switch_price_missed(&price);
	assert_int_equal(nt_switch_price_take(&price, 9000), ns);
	price = (struct nt_switch_price){ .stats = -1, .from = 1, .until = 2, .took_ns = 1000000000, .left = 1000, .switch_ns = ns };
	assert_int_equal(nt_switch_price_take(&price, 9000), 9000);
}

static void test_prices(void **state)
{
	(void)state;
	for (unsigned i = 0; i < NT_PRICE_COUNT; i++)
		assert_true(nt_prices[i].ns && nt_prices[i].measured);
	assert_int_equal(nt_price_of(NT_PRICE_LTTNG, 3), 3 * nt_prices[NT_PRICE_LTTNG].ns);
}

static void test_switches(void **state)
{
	(void)state;
	struct nt_switches switches = { 0 };
	char own[32];
	snprintf(own, sizeof(own), "/proc/%d", getpid());
	if (!nt_switches_read(&switches, own))
		skip();                      /* a kernel without CONFIG_SCHED_INFO */
	assert_int_equal(switches.count, 0); /* what was before counts for nothing */
	for (unsigned i = 0; i < 20; i++)
		poll(NULL, 0, 1);
	assert_true(nt_switches_read(&switches, own));
	assert_in_range(switches.count, 20, 2000);
	assert_true(switches.cpu_ns > 0);
	uint64_t before = switches.count;
	assert_false(nt_switches_read(&switches, "/proc/no-such"));
	assert_int_equal(switches.count, before);
	nt_switches_fini(&switches);
}

/* Samples that arrive in the next second when so many CPUs are busy. Returns the divisor in force then. */
static unsigned after_second(struct nt_perf_rate *rate, unsigned cpus, uint64_t *arrived, nt_time *now)
{
	*arrived += cpus * 1000 / rate->divisor;
	*now += SECOND;
	unsigned before = rate->divisor;
	bool changed = nt_perf_rate_look(rate, *arrived, *now);
	assert_int_equal(changed, rate->divisor != before);
	return rate->divisor;
}

static void test_rate(void **state)
{
	(void)state;
	struct nt_perf_rate rate;
	uint64_t arrived = 0;
	nt_time now = 100 * (nt_time)SECOND;
	nt_perf_rate_init(&rate, 1000, 0);
	assert_false(nt_perf_rate_look(&rate, arrived, now));
	/* Whatever is busy, no more arrive than four CPUs give at the full rate, and as many as that allows. */
	assert_int_equal(after_second(&rate, 1, &arrived, &now), 1);
	assert_int_equal(after_second(&rate, 4, &arrived, &now), 1);
	assert_int_equal(after_second(&rate, 8, &arrived, &now), 2);
	assert_int_equal(nt_perf_rate_times(&rate, now - 1), 1);
	assert_int_equal(nt_perf_rate_times(&rate, now), 2);
	assert_int_equal(after_second(&rate, 64, &arrived, &now), 16);
	assert_int_equal(nt_perf_rate_times(&rate, now - 1), 2);
	assert_int_equal(after_second(&rate, 64, &arrived, &now), 16);
	/* It is not looked at more than once a second. */
	assert_false(nt_perf_rate_look(&rate, arrived + 1000000, now + SECOND / 2));
	/* A pause of some seconds changes nothing; a longer one step by step. */
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(after_second(&rate, 1, &arrived, &now), 16);
	assert_int_equal(after_second(&rate, 64, &arrived, &now), 16);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(after_second(&rate, 1, &arrived, &now), 16);
	assert_int_equal(after_second(&rate, 1, &arrived, &now), 8);
	for (unsigned i = 0; i < 15; i++)
		after_second(&rate, 1, &arrived, &now);
	assert_int_equal(rate.divisor, 1);
	assert_int_equal(nt_perf_rate_times(&rate, now - 1), 2);
	/* A fifth of the rate may come from five times the CPUs. */
	nt_perf_rate_init(&rate, 200, 0);
	assert_false(nt_perf_rate_look(&rate, arrived, now));
	assert_int_equal(after_second(&rate, 4, &arrived, &now), 1);
	nt_perf_rate_init(&rate, 200, 0);
	assert_false(nt_perf_rate_look(&rate, arrived, now));
	assert_int_equal(after_second(&rate, 5, &arrived, &now), 2);
}

static void test_ring_sizes(void **state)
{
	(void)state;
	static const unsigned rates[] = { 1, 99, 999, 4999, 25000 };
	static const size_t cpus[] = { 1, 2, 3, 16, 64, 128, 512 };
	for (size_t r = 0; r < 5; r++) {
		for (size_t c = 0; c < 7; c++) {
			const struct nt_perf_features features = { .hz = rates[r], .stack_max = 127 };
			size_t bytes = nt_perf_ring_bytes(&features, cpus[c]);
			assert_true(bytes >= 4096 && (bytes & (bytes - 1)) == 0);
			assert_true(bytes * cpus[c] <= NT_PERF_RINGS_BYTES);
		}
	}
	/* Three quarters of a second of full stacks where there is room. */
	struct nt_perf_features features = { .hz = 999, .stack_max = 127 };
	assert_true(nt_perf_ring_bytes(&features, 2) >= 999 * (72 + 8 * 127) / 4 * 3);
	features.dump_bytes = 16 << 10;
	features.hz = 199;
	assert_true(nt_perf_ring_bytes(&features, 2) >= 199 * (72 + 8 * 127 + (16 << 10)) / 4 * 3);
}

static void test_refusals(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	assert_int_equal(nt_perf_refusal_error(4711, geteuid() + 1, EACCES, 0, &err), NT_ERR_FORBIDDEN);
	assert_true(err.cause[0][0] && err.fix[0]);
	assert_int_equal(nt_perf_refusal_error(4711, geteuid(), EPERM, 0, &err), NT_ERR_FORBIDDEN);
	assert_true(err.cause[0][0] && err.fix[0]);
	/* Six lines of 80 for both together. */
	assert_true(strlen(err.cause[0]) + strlen(err.fix) <= 6 * 80);
	assert_int_equal(nt_perf_refusal_error(4711, geteuid(), ENOSYS, 0, &err), NT_ERR_UNSUPPORTED);
	assert_non_null(strstr(err.cause[0], "CONFIG_PERF_EVENTS"));
	assert_int_equal(nt_perf_refusal_error(4711, geteuid(), ENOMEM, 0, &err), NT_ERR_FAILED);
	assert_int_equal(nt_perf_refusal_error(4711, geteuid(), ESRCH, 0, &err), NT_ERR_GONE);
	assert_non_null(strstr(err.cause[0], "4711 has just ended"));
	assert_int_equal(nt_perf_refusal_several(EACCES, &err), NT_ERR_FORBIDDEN);
	assert_true(err.cause[0][0]);
	assert_null(strstr(err.fix, "   or: ")); /* one thing */
	assert_int_equal(nt_perf_refusal_several(EMFILE, &err), NT_ERR_FAILED);
	assert_non_null(strstr(err.cause[0], "Too many open files"));
	assert_int_equal(nt_perf_refusal_rings(1 << 20, &err), NT_ERR_FORBIDDEN);
	assert_non_null(strstr(err.cause[0], "rings of 16 KB may not be locked"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queue_orders_rings_by_time),
		cmocka_unit_test(test_queue_orders_any_arrival),
		cmocka_unit_test(test_queue_leaves_in_equal_parts),
		cmocka_unit_test(test_queue_keeps_its_size),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_tids),
		cmocka_unit_test(test_weight),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_duty),
		cmocka_unit_test(test_records_too_dear),
		cmocka_unit_test(test_records_at_any_price),
		cmocka_unit_test(test_price_of_switches),
		cmocka_unit_test(test_prices),
		cmocka_unit_test(test_switches),
		cmocka_unit_test(test_ring_sizes),
		cmocka_unit_test(test_refusals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
