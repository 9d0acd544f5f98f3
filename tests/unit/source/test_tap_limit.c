// SPDX-License-Identifier: GPL-2.0-only
/* What somebody asks for does not cost the target more than it may, and is told whole as long as it does not. */
#include "source/perf/tap_limit.h"
#include "source/perf/tap_return.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

enum { PCT = 5, MOST_HZ = 4000, HIT_NS = 1600, TOLD_NS = 4000 };

static const nt_time step = 50 * NT_NS_PER_MS;

struct world {
	struct nt_tap_limit limit;
	struct nt_tap_sums sums;
	nt_time now;
};

static struct world begin(void)
{
	struct world w = { .sums = { .hit_price_ns = HIT_NS, .told_price_ns = TOLD_NS, .removable = true }, .now = NT_NS_PER_S };
	nt_tap_limit_look(&w.limit, &w.sums, PCT, MOST_HZ, w.now);
	return w;
}

/* 50 ms in which it would happen so often if it cost nothing, of a target that uses so much of a CPU. */
static void go_on(struct world *w, uint64_t hits, double cpu)
{
	uint64_t seen = w->limit.off ? 0 : hits;
	w->sums.hits += seen;
	w->sums.told += seen / w->limit.divisor;
	w->sums.cpu_ns += (uint64_t)(cpu * (double)step);
	w->now += step;
	nt_tap_limit_look(&w->limit, &w->sums, PCT, MOST_HZ, w->now);
}

static void a_burst_is_told_whole(void **state)
{
	(void)state;
	struct world w = begin();
	go_on(&w, 2000, 0.2);
	assert_false(w.limit.off);
	assert_int_equal(w.limit.divisor, 1);
	go_on(&w, 0, 0);
	assert_false(w.limit.off);
}

static void a_flood_is_taken_away(void **state)
{
	(void)state;
	struct world w = begin();
	const unsigned steps = 2000; /* 100 s */
	for (unsigned i = 0; i < steps; i++)
		go_on(&w, 20000, 1);
	double part = (double)w.limit.paid_ns / ((double)steps * (double)step);
	assert_true(part > 0.01 && part < 0.06);
	double on = nt_tap_limit_on_pct(&w.limit);
	assert_true(on > 0.5 && on < 15);
	assert_true(w.limit.divisor > 1);
}

static void it_comes_back(void **state)
{
	(void)state;
	struct world w = begin();
	for (unsigned i = 0; i < 20; i++)
		go_on(&w, 20000, 1);
	for (unsigned i = 0; i < 600 && (w.limit.off || w.limit.divisor > 1); i++)
		go_on(&w, 10, 0.5);
	assert_false(w.limit.off);
	assert_int_equal(w.limit.divisor, 1);
}

static void steady_and_cheap(void **state)
{
	(void)state;
	struct world w = begin();
	for (unsigned i = 0; i < 1000; i++) {
		go_on(&w, 100, 1); /* 2000 a second: 11 ms of it */
		assert_false(w.limit.off);
		assert_int_equal(w.limit.divisor, 1);
	}
	assert_true(nt_tap_limit_on_pct(&w.limit) == 100);
}

/* Two looks at one time, and a clock of the target that cannot be read. */
static void nothing_to_judge_by(void **state)
{
	(void)state;
	struct world w = begin();
	assert_false(nt_tap_limit_look(&w.limit, &w.sums, PCT, MOST_HZ, w.now));
	for (unsigned i = 0; i < 100; i++)
		go_on(&w, 20000, 0);
	assert_true(w.limit.paid_ns < 100 * step / 10);
}

/* ---- who called ---- */

static size_t record(uint8_t *bytes, const uint64_t *chain, uint64_t count, uint64_t caller, uint16_t type)
{
	struct {
		struct perf_event_header header;
		uint64_t ip;
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, res;
		uint64_t period, count;
	} head = {
		.header = { .type = type, .misc = PERF_RECORD_MISC_USER }, .ip = chain[1], .pid = 1, .tid = 1, .time = 9, .count = count
	};
	const struct {
		uint32_t size;
		uint8_t caller[8], padding[4];
	} empty = { .size = 12 }, *raw = &empty;
	size_t length = sizeof(head) + count * sizeof(*chain) + NT_TAP_RAW_BYTES;
	head.header.size = (uint16_t)length;
	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), chain, count * sizeof(*chain));
	memcpy(bytes + length - NT_TAP_RAW_BYTES, raw, NT_TAP_RAW_BYTES);
	memcpy(bytes + length - NT_TAP_RAW_BYTES + 4, &caller, sizeof(caller));
	return length;
}

static void check_chain(uint64_t caller, bool at_entry, const uint64_t *expected, unsigned count)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x100, 0x300, 0x400 };
	uint8_t bytes[512], out[NT_PERF_REPLACED_MAX];
	struct nt_perf_record parsed;
	uint64_t addresses[16];
	unsigned kernel_count;
	size_t length = nt_tap_mend(bytes, record(bytes, chain, 4, caller, PERF_RECORD_SAMPLE), at_entry, out);
	assert_true(length);
	assert_int_equal(nt_perf_record_parse(out, length, &parsed), NT_OK);
	assert_int_equal(nt_perf_chain(&parsed, addresses, 16, &kernel_count), count);
	assert_memory_equal(addresses, expected, count * sizeof(*expected));
}

static void the_caller_is_put_in(void **state)
{
	(void)state;
	check_chain(0x200, true, (const uint64_t[]){ 0x100, 0x200, 0x300, 0x400 }, 4);
	check_chain(0x300, true, (const uint64_t[]){ 0x100, 0x300, 0x400 }, 3); /* the kernel had it */
	check_chain(0, true, (const uint64_t[]){ 0x100, 0x300, 0x400 }, 3);     /* it could not be read */
	check_chain(0x200, false, (const uint64_t[]){ 0x100, 0x300, 0x400 }, 3);
}

static void what_is_no_such_record(void **state)
{
	(void)state;
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x100 };
	uint8_t bytes[512], out[NT_PERF_REPLACED_MAX];
	size_t length = record(bytes, chain, 2, 1, PERF_RECORD_SAMPLE);
	for (size_t cut = 0; cut < length; cut++)
		assert_int_equal(nt_tap_mend(bytes, cut, true, out), 0);
	length = record(bytes, chain, 2, 1, PERF_RECORD_LOST);
	assert_int_equal(nt_tap_mend(bytes, length, true, out), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_burst_is_told_whole),  cmocka_unit_test(a_flood_is_taken_away), cmocka_unit_test(it_comes_back),
		cmocka_unit_test(steady_and_cheap),       cmocka_unit_test(nothing_to_judge_by),   cmocka_unit_test(the_caller_is_put_in),
		cmocka_unit_test(what_is_no_such_record),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
