// SPDX-License-Identifier: GPL-2.0-only
/* The list of processes over time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/process/process_list.h"

#include <string.h>

static struct nt_process_row process(uint64_t id, const char *name, uint64_t cpu_ms)
{
	return (struct nt_process_row){
		.id = id, .pid = (uint32_t)id, .name = name, .cpu_ns = nt_u64_of(cpu_ms * NT_NS_PER_MS), .ended_at = NT_TIME_UNKNOWN
	};
}

/* Takes `previous`. */
static struct nt_snapshot *next(struct nt_snapshot *previous, const struct nt_process_row *seen, size_t count, nt_time at)
{
	struct nt_snapshot *snapshot = nt_process_list_next(previous, seen, count, at);
	nt_snapshot_release(previous);
	return snapshot;
}

static void test_share_of_cpu(void **state)
{
	(void)state;
	char name[] = "shop";
	struct nt_process_row seen[] = { process(1, name, 100), process(2, "pay", 50) };
	struct nt_snapshot *list = next(NULL, seen, 2, 10 * NT_NS_PER_S);
	assert_int_equal(list->listed_count, 2);
	assert_false(list->listed[0].cpu_pct.known);
	memset(name, 'x', strlen(name)); /* the texts are the snapshot's own */
	assert_string_equal(list->listed[0].name, "shop");
	struct nt_process_row later[] = { process(2, "pay", 50), process(1, "shop", 600), process(3, "new", 900) };
	list = next(list, later, 3, 12 * NT_NS_PER_S);
	assert_int_equal(list->sequence, 2);
	assert_int_equal(list->t0, 10 * NT_NS_PER_S);
	assert_true(list->listed[0].cpu_pct.known && list->listed[0].cpu_pct.v == 0.0);
	assert_true(list->listed[1].cpu_pct.known && list->listed[1].cpu_pct.v == 25.0);
	assert_false(list->listed[2].cpu_pct.known);
	/* The last cell of the trend is the newest. */
	assert_true(list->listed[1].trend.cells[NT_TREND_CELLS - 1] == 25.0F);
	assert_int_equal(list->listed[1].trend.known, 1U << (NT_TREND_CELLS - 1));
	nt_snapshot_release(list);
}

/* What cannot be: the clock of the process went back, or no time passed. */
static void test_no_share(void **state)
{
	(void)state;
	struct nt_process_row row = process(1, "shop", 600);
	struct nt_snapshot *list = next(NULL, &row, 1, NT_NS_PER_S);
	row = process(1, "shop", 500);
	list = next(list, &row, 1, 2 * NT_NS_PER_S);
	assert_false(list->listed[0].cpu_pct.known);
	row = process(1, "shop", 700);
	list = next(list, &row, 1, 2 * NT_NS_PER_S);
	assert_false(list->listed[0].cpu_pct.known);
	row.cpu_ns.known = false;
	list = next(list, &row, 1, 3 * NT_NS_PER_S);
	assert_false(list->listed[0].cpu_pct.known);
	nt_snapshot_release(list);
}

static void test_one_that_ended(void **state)
{
	(void)state;
	struct nt_process_row row = process(1, "shop", 600);
	struct nt_snapshot *list = next(NULL, &row, 1, NT_NS_PER_S);
	for (unsigned second = 2; second < 7; second++) {
		list = next(list, NULL, 0, second * NT_NS_PER_S);
		assert_int_equal(list->listed_count, 1);
		assert_string_equal(list->listed[0].name, "shop");
		assert_int_equal(list->listed[0].ended_at, 2 * NT_NS_PER_S);
		assert_false(list->listed[0].cpu_pct.known);
	}
	list = next(list, NULL, 0, 7 * NT_NS_PER_S);
	assert_int_equal(list->listed_count, 0);
	nt_snapshot_release(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_share_of_cpu),
		cmocka_unit_test(test_no_share),
		cmocka_unit_test(test_one_that_ended),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
