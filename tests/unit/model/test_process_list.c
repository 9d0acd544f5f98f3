// SPDX-License-Identifier: GPL-2.0-only
/* The list of processes over time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/arena.h"
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
	const struct nt_process_look look = { .at = at, .rows = seen, .count = count };
	struct nt_snapshot *snapshot = nt_process_list_next(previous, &look);
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

/* ---- lists that are watched ---- */

static struct nt_snapshot *watch(struct nt_snapshot *previous, const struct nt_process_row *seen, size_t count, unsigned second,
				 const struct nt_snapshot *known)
{
	const struct nt_process_look look = { .at = second * NT_NS_PER_S, .rows = seen, .count = count, .watched = true, .known = known };
	struct nt_snapshot *snapshot = nt_process_list_next(previous, &look);
	nt_snapshot_release(previous);
	return snapshot;
}

static struct nt_process_row of_user(uint64_t id, const char *command, const char *user)
{
	struct nt_process_row row = process(id, "shop", 0);
	row.command = command;
	row.user = user;
	return row;
}

/* Who begins with the command and user of one that has ended takes its place, whether that was seen before or in the same look; each place is taken once. */
static void test_taken_up(void **state)
{
	(void)state;
	struct nt_process_snapshot died = { .target = { .pid = 1, .ended = true, .end_text = "killed by SIGSEGV" } };
	const struct nt_snapshot known = { .processes = &died, .process_count = 1 };
	struct nt_process_row first[] = { of_user(1, "shop -a", "www"), of_user(9, "shop -b", "www") };
	struct nt_snapshot *list = watch(NULL, first, 2, 1, NULL);
	list = watch(list, &first[1], 1, 2, &known);
	assert_int_equal(list->listed_count, 2);
	assert_string_equal(list->listed[1].last_end_text, "killed by SIGSEGV");
	struct nt_process_row stranger[] = { first[1], of_user(2, "shop -a", "root"), of_user(3, "shop", "www") };
	list = watch(list, stranger, 3, 100, NULL); /* how it ended stays known when the rest of it is not any more */
	assert_int_equal(list->listed_count, 4);    /* it still waits for its successor */
	assert_int_equal(list->listed[1].restarts, 0);
	struct nt_process_row next_one[] = { first[1], of_user(4, "shop -a", "www"), of_user(5, "shop -a", "www") };
	list = watch(list, next_one, 3, 101, &known);
	assert_int_equal(list->listed[1].restarts, 1);
	assert_int_equal(list->listed[1].last_end, 2 * NT_NS_PER_S);
	assert_string_equal(list->listed[1].last_end_text, "killed by SIGSEGV");
	assert_int_equal(list->listed[2].restarts, 0);
	struct nt_process_row at_once[] = { first[1], of_user(6, "shop -a", "www"), next_one[2] };
	list = watch(list, at_once, 3, 102, &known);
	assert_int_equal(list->listed[1].restarts, 2);
	assert_int_equal(list->listed[1].last_end, 102 * NT_NS_PER_S);
	assert_null(list->listed[1].last_end_text); /* how that one has ended is not known */
	list = watch(list, at_once, 3, 103, &known);
	assert_int_equal(list->listed[1].restarts, 2);
	nt_snapshot_release(list);
}

/* In a list that is not watched an ended process is no matter for long, and nobody takes its place. */
static void test_not_taken_up(void **state)
{
	(void)state;
	struct nt_process_row row = of_user(1, "shop", "www"), other = of_user(2, "shop", "www");
	struct nt_snapshot *list = next(NULL, &row, 1, NT_NS_PER_S);
	list = next(list, &other, 1, 2 * NT_NS_PER_S);
	assert_int_equal(list->listed_count, 2);
	assert_int_equal(list->listed[0].restarts, 0);
	nt_snapshot_release(list);
}

static struct nt_snapshot *with_rest(struct nt_snapshot *previous, const struct nt_process_row *row, unsigned second, uint64_t busy_ms,
				     uint64_t all_ms)
{
	const struct nt_process_look look = { .at = second * NT_NS_PER_S,
					      .rows = row,
					      .count = 1,
					      .rest = true,
					      .busy_ns = nt_u64_of(busy_ms * NT_NS_PER_MS),
					      .all_ns = nt_u64_of(all_ms * NT_NS_PER_MS) };
	struct nt_snapshot *snapshot = nt_process_list_next(previous, &look);
	nt_snapshot_release(previous);
	return snapshot;
}

/* All rows together are the machine. */
static void test_rest(void **state)
{
	(void)state;
	struct nt_process_row row = process(1, "shop", 600);
	struct nt_snapshot *list = with_rest(NULL, &row, 1, 10000, 100000);
	row = process(1, "shop", 900);
	list = with_rest(list, &row, 2, 11000, 102000);
	assert_int_equal(list->listed_count, 3);
	assert_int_equal(list->listed[1].kind, NT_PROCESS_ROW_OTHERS);
	assert_true(list->listed[1].cpu_pct.known && list->listed[1].cpu_pct.v == 70.0);
	assert_int_equal(list->listed[2].kind, NT_PROCESS_ROW_IDLE);
	assert_true(list->listed[2].cpu_pct.known && list->listed[2].cpu_pct.v == 100.0);
	/* The machine's clock counts in ticks: what is less than nothing is nothing. */
	row = process(1, "shop", 1400);
	list = with_rest(list, &row, 3, 11490, 104000);
	assert_true(list->listed[1].cpu_pct.known && list->listed[1].cpu_pct.v == 0.0);
	nt_snapshot_release(list);
}

/* Into what is known of the processes: by pid, with the share of CPU that is known there; the texts are its own. */
static void test_joined(void **state)
{
	(void)state;
	struct nt_process_row rows[] = { process(1, "shop", 600), process(2, "pay", 0) };
	struct nt_snapshot *list = watch(NULL, rows, 2, 1, NULL);
	struct nt_snapshot *known = nt_alloc(sizeof(*known));
	known->refs = 1;
	known->arena = nt_arena_new();
	known->processes = nt_alloc(sizeof(*known->processes));
	known->process_count = 1;
	known->processes[0].target.pid = 2;
	known->processes[0].interval.cpu.usage_pct = nt_f64_of(33);
	nt_process_list_join(list, known);
	nt_snapshot_release(list);
	assert_int_equal(known->listed_count, 2);
	assert_null(known->listed[0].process);
	assert_string_equal(known->listed[0].name, "shop");
	assert_ptr_equal(known->listed[1].process, &known->processes[0]);
	assert_true(known->listed[1].cpu_pct.v == 33.0);
	nt_snapshot_release(known);
}

/* Another process may have the pid of one that has ended: each has its own row, with what is known of itself. */
static void test_same_pid_again(void **state)
{
	(void)state;
	struct nt_process_snapshot both[] = {
		{ .target = { .pid = 7, .start_ticks = 100, .ended = true, .end_text = "killed by SIGKILL" } },
		{ .target = { .pid = 7, .start_ticks = 900 } }
	};
	const struct nt_snapshot known = { .processes = both, .process_count = 2 };
	struct nt_process_row first = of_user(1, "shop", "www"), stranger = of_user(2, "mail", "www");
	first.pid = stranger.pid = 7;
	first.start_ticks = 100;
	stranger.start_ticks = 900;
	struct nt_snapshot *list = watch(NULL, &first, 1, 1, NULL);
	list = watch(list, &stranger, 1, 2, &known);
	assert_int_equal(list->listed_count, 2);
	assert_int_equal(list->listed[0].restarts, 0);
	assert_string_equal(list->listed[1].last_end_text, "killed by SIGKILL");
	struct nt_snapshot *joined = nt_alloc(sizeof(*joined));
	joined->refs = 1;
	joined->arena = nt_arena_new();
	joined->processes = nt_alloc(sizeof(both));
	memcpy(joined->processes, both, sizeof(both));
	joined->process_count = 2;
	nt_process_list_join(list, joined);
	assert_ptr_equal(joined->listed[0].process, &joined->processes[1]);
	assert_ptr_equal(joined->listed[1].process, &joined->processes[0]);
	nt_snapshot_release(joined);
	nt_snapshot_release(list);
}

/* The one with most CPU samples of its own in the window; samples of another kind are no CPU time. */
static void test_hottest(void **state)
{
	(void)state;
	struct nt_method_row methods[] = { { .name = "A", .window_self = 3, .window_total = 90 },
					   { .name = "B", .window_self = 40 },
					   { .name = "C", .window_self = 99, .sample_kind = NT_SAMPLES_WALL } };
	struct nt_process_row row = process(1, "shop", 0);
	struct nt_snapshot *list = watch(NULL, &row, 1, 1, NULL);
	struct nt_snapshot *known = nt_alloc(sizeof(*known));
	known->refs = 1;
	known->arena = nt_arena_new();
	known->process_count = 1;
	known->processes = nt_alloc(sizeof(*known->processes));
	known->processes[0].target.pid = 1;
	known->processes[0].methods = nt_alloc(sizeof(methods));
	memcpy(known->processes[0].methods, methods, sizeof(methods));
	known->processes[0].method_count = 3;
	nt_process_list_join(list, known);
	assert_string_equal(known->listed[0].hottest->name, "B");
	nt_snapshot_release(known);
	nt_snapshot_release(list);
}

static void test_harm(void **state)
{
	(void)state;
	static const char *const checked[] = { "collections" };
	struct nt_process_snapshot process = { 0 };
	struct nt_finding finding = { .kind = NT_FINDING_MEMORY_LIMIT };
	struct nt_process_row row = { .process = NULL };
	assert_false(nt_process_row_harm(&row).known);
	row.process = &process;
	assert_false(nt_process_row_harm(&row).known); /* nobody has looked */
	process.checked[0] = checked[0];
	process.checked_count = 1;
	assert_true(nt_process_row_harm(&row).known && !nt_process_row_harm(&row).v);
	process.findings = &finding;
	process.finding_count = 1;
	uint64_t worst = nt_process_row_harm(&row).v;
	finding.kind = NT_FINDING_BLOCKED_THREAD;
	assert_true(nt_process_row_harm(&row).v > 0 && nt_process_row_harm(&row).v < worst);
	process.target.ended = true;
	process.target.end.exit_code = nt_u64_of(0);
	assert_false(nt_process_row_harm(&row).known);
	process.target.end.exit_code = nt_u64_of(134);
	assert_true(nt_process_row_harm(&row).v > worst);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_share_of_cpu), cmocka_unit_test(test_no_share),       cmocka_unit_test(test_one_that_ended),
		cmocka_unit_test(test_taken_up),     cmocka_unit_test(test_not_taken_up),   cmocka_unit_test(test_rest),
		cmocka_unit_test(test_joined),       cmocka_unit_test(test_same_pid_again), cmocka_unit_test(test_hottest),
		cmocka_unit_test(test_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
