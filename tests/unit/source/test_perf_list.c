// SPDX-License-Identifier: GPL-2.0-only
/* Reading rings: a record that wraps around the end of its ring comes whole, however long it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/kernel/perf_record.h"
#include "nettop/clock.h"
#include "source/perf/perf_list.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RING_BYTES = 64 << 10, DUMP_BYTES = 16 << 10, WORDS = 2 * DUMP_BYTES / 8, WRAPPED_WANTED = 3, DEADLINE_S = 60 };

/* The stack's words are this and their number, so that each tells its neighbours. */
#define MARK UINT64_C(0x6e65000000000000)

struct seen {
	uint64_t offset; /* in the ring, of the next record */
	unsigned wrapped, torn;
};

/* Words of the pattern that stand in the dump: from its first to the dump's end. */
static unsigned words_in_order(const uint8_t *bytes, size_t length)
{
	unsigned count = 0;
	uint64_t expected = 0;
	for (size_t at = 0; at + sizeof(uint64_t) <= length; at += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, bytes + at, sizeof(word));
		if (count ? word == expected : word >> 32 == MARK >> 32) {
			count++;
			expected = word + 1;
		} else if (count) {
			return count;
		}
	}
	return count;
}

static bool check(void *context, const uint8_t *bytes, size_t length)
{
	struct seen *seen = context;
	bool wraps = seen->offset % RING_BYTES + length > RING_BYTES;
	seen->offset += length;
	if (length > DUMP_BYTES && wraps) {
		seen->wrapped++;
		seen->torn += words_in_order(bytes, length - sizeof(uint64_t)) < DUMP_BYTES / 8 * 3 / 4;
	}
	return true;
}

static void stay_on_one_cpu(void)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* Use CPU time above a stack that is full of the pattern, and read the samples of it. */
static __attribute__((noinline)) void sample_pattern(struct nt_perf_list *list, struct seen *seen)
{
	volatile uint64_t pattern[WORDS];
	for (uint64_t i = 0; i < WORDS; i++)
		pattern[i] = MARK + i;
	nt_time deadline = nt_clock_now() + DEADLINE_S * NT_NS_PER_S;
	while (seen->wrapped < WRAPPED_WANTED && nt_clock_now() < deadline) {
		for (volatile unsigned i = 0; i < 10000; i++)
			;
		nt_perf_list_read(list, check, seen);
	}
	assert_int_equal(pattern[WORDS - 1], MARK + WORDS - 1);
}

static void test_long_records_that_wrap_are_whole(void **state)
{
	(void)state;
	stay_on_one_cpu();
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.freq = 1,
					.sample_freq = 999,
					.sample_type = PERF_SAMPLE_STACK_USER,
					.sample_stack_user = DUMP_BYTES,
					.exclude_kernel = 1 };
	pid_t self = gettid();
	bool at_rings;
	struct nt_perf_list *list;
	int error = nt_perf_list_open(&attr, &self, 1, RING_BYTES, &at_rings, &list);
	if (error) {
		print_message("perf: %s\n", strerror(error));
		skip();
	}
	struct seen seen = { 0 };
	sample_pattern(list, &seen);
	print_message("%u records wrapped, %u of them torn\n", seen.wrapped, seen.torn);
	nt_perf_list_free(list);
	assert_int_equal(seen.wrapped, WRAPPED_WANTED);
	assert_int_equal(seen.torn, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_long_records_that_wrap_are_whole) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
