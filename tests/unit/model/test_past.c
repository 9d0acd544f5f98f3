// SPDX-License-Identifier: GPL-2.0-only
/* What is kept of the past: how far it reaches, what goes first, and that it is as it was. */
#include "build.h"

#include "model/past/past.h"

static struct nt_past *past;
static struct nt_snapshot *snapshot;
static struct nt_process_snapshot process;
static struct nt_thread_row threads[3];
static char name[64];

static int set_up(void **state)
{
	(void)state;
	process = (struct nt_process_snapshot){ 0 };
	memset(threads, 0, sizeof(threads));
	snapshot = calloc(1, sizeof(*snapshot));
	*snapshot = (struct nt_snapshot){ .processes = &process, .process_count = 1, .start = START, .t1 = START };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	nt_past_free(past);
	past = NULL;
	free(snapshot);
	return 0;
}

static void begin(nt_time span_ns, size_t limit_bytes)
{
	past = nt_past_new(&(struct nt_past_config){ .span_ns = span_ns, .limit_bytes = limit_bytes });
}

/* An interval of a second, in which three threads have names with its number in one of them. */
static void pass(void)
{
	snapshot->sequence++;
	snapshot->t0 = snapshot->t1;
	snapshot->t1 += NT_NS_PER_S;
	snprintf(name, sizeof(name), "worker-%llu", (unsigned long long)snapshot->sequence);
	for (size_t i = 0; i < 3; i++)
		threads[i] = (struct nt_thread_row){ .id = i + 1, .name = i == 1 ? name : i ? NULL : "main" };
	process.threads = threads;
	process.thread_count = 3;
	nt_past_add(past, snapshot);
	memset(name, 'x', sizeof(name) - 1); /* nobody may still look at it */
}

static void pass_times(size_t times)
{
	for (size_t i = 0; i < times; i++)
		pass();
}

static void check_interval(uint64_t sequence)
{
	char expected[64];
	struct nt_snapshot *again = nt_past_get(past, sequence);
	assert_non_null(again);
	assert_int_equal(again->sequence, sequence);
	assert_int_equal(again->t1, START + sequence * NT_NS_PER_S);
	assert_int_equal(again->process_count, 1);
	assert_int_equal(again->processes[0].thread_count, 3);
	snprintf(expected, sizeof(expected), "worker-%llu", (unsigned long long)sequence);
	assert_string_equal(again->processes[0].threads[0].name, "main");
	assert_string_equal(again->processes[0].threads[1].name, expected);
	assert_null(again->processes[0].threads[2].name);
	nt_snapshot_release(again);
}

static void every_interval_is_as_it_was(void **state)
{
	(void)state;
	begin(0, 0);
	assert_int_equal(nt_past_reach(past).last, 0);
	assert_null(nt_past_get(past, 1));
	assert_int_equal(nt_past_at(past, START), 0);
	pass_times(100);
	struct nt_past_reach reach = nt_past_reach(past);
	assert_int_equal(reach.first, 1);
	assert_int_equal(reach.last, 100);
	assert_int_equal(reach.from, START + NT_NS_PER_S);
	assert_int_equal(reach.to, START + 100 * NT_NS_PER_S);
	assert_false(reach.crowded);
	for (uint64_t sequence = 100; sequence; sequence--)
		check_interval(sequence);
	assert_null(nt_past_get(past, 0));
	assert_null(nt_past_get(past, 101));
}

static void a_time_has_the_interval_that_ended_last(void **state)
{
	(void)state;
	begin(0, 0);
	pass_times(70);
	assert_int_equal(nt_past_at(past, START + 60 * NT_NS_PER_S), 60);
	assert_int_equal(nt_past_at(past, START + 60 * NT_NS_PER_S + 1), 60);
	assert_int_equal(nt_past_at(past, START + 61 * NT_NS_PER_S - 1), 60);
	assert_int_equal(nt_past_at(past, START), 1); /* before all */
	assert_int_equal(nt_past_at(past, NT_TIME_UNKNOWN), 70);
}

static void what_is_older_than_the_span_goes(void **state)
{
	(void)state;
	begin(100 * NT_NS_PER_S, 0);
	pass_times(1000);
	struct nt_past_reach reach = nt_past_reach(past);
	assert_int_equal(reach.last, 1000);
	assert_in_range(reach.first, 1000 - 100 - 32, 900);
	assert_false(reach.crowded);
	check_interval(reach.first);
	assert_null(nt_past_get(past, reach.first - 1));
}

static void the_oldest_go_where_there_is_no_room(void **state)
{
	(void)state;
	enum { LIMIT = 96 * 1024 };
	begin(0, LIMIT);
	for (int i = 0; i < 800; i++) {
		pass();
		assert_true(nt_past_reach(past).bytes <= LIMIT || nt_past_reach(past).last - nt_past_reach(past).first < 32);
	}
	struct nt_past_reach reach = nt_past_reach(past);
	assert_true(reach.crowded);
	assert_int_equal(reach.last, 800);
	assert_in_range(reach.first, 2, 799);
	check_interval(reach.first);
}

/* nettop counts on from where it was told to: what has nothing to do with it is not its past. */
static void a_gap_in_the_sequences_is_a_new_beginning(void **state)
{
	(void)state;
	begin(0, 0);
	pass_times(40);
	snapshot->sequence += 5;
	pass_times(2);
	struct nt_past_reach reach = nt_past_reach(past);
	assert_int_equal(reach.first, 46);
	assert_int_equal(reach.last, 47);
}

static void what_does_not_change_is_kept_once(void **state)
{
	(void)state;
	static struct nt_jit_row rows[1000];
	begin(0, 0);
	for (size_t i = 0; i < 1000; i++)
		rows[i] = (struct nt_jit_row){ .id = i + 1, .name = "Shop.Cart.Add(int)", .time_ns = 1000 * i };
	process.jit_methods = rows;
	process.jit_method_count = 1000;
	pass();
	size_t before = nt_past_reach(past).bytes;
	pass_times(30);
	assert_true(nt_past_reach(past).bytes - before < 30 * sizeof(rows) / 4);
	struct nt_snapshot *again = nt_past_get(past, 31);
	assert_int_equal(again->processes[0].jit_methods[999].time_ns, 999000);
	assert_string_equal(again->processes[0].jit_methods[999].name, "Shop.Cart.Add(int)");
	nt_snapshot_release(again);
}

/* A collection ends in each interval, and the newest has its pause in the one after; the last 500 are in the list. */
enum { LISTED = 500 };
static struct nt_gc_row collections[4 * LISTED];
static const struct nt_gc_row *listed[LISTED];

static void collect(size_t number)
{
	struct nt_gc_row *row = &collections[number];
	*row = (struct nt_gc_row){ .id = number, .generation = number % 3, .asked_by = number % 2 ? "Shop.Cart.Add(int)" : NULL };
	if (number)
		collections[number - 1].pause_ns = (struct nt_u64){ .v = 1000 * number, .known = true };
	process.collection_count = number + 1 < LISTED ? number + 1 : LISTED;
	for (size_t i = 0; i < process.collection_count; i++)
		listed[i] = row - i;
	process.collections = listed;
	pass();
}

static void check_collections(size_t number, uint64_t sequence)
{
	struct nt_snapshot *again = nt_past_get(past, sequence);
	assert_non_null(again);
	const struct nt_process_snapshot *then = &again->processes[0];
	assert_int_equal(then->collection_count, number + 1 < LISTED ? number + 1 : LISTED);
	for (size_t i = 0; i < then->collection_count; i++) {
		const struct nt_gc_row *row = then->collections[i];
		assert_int_equal(row->id, number - i);
		assert_int_equal(row->pause_ns.known, i > 0);
		assert_int_equal(row->pause_ns.v, i > 0 ? 1000 * (row->id + 1) : 0);
		if (row->id % 2)
			assert_string_equal(row->asked_by, "Shop.Cart.Add(int)");
		else
			assert_null(row->asked_by);
	}
	nt_snapshot_release(again);
}

static void rows_of_many_chunks_are_kept_once(void **state)
{
	(void)state;
	enum { ALL = 4 * LISTED, SPAN = 900 };
	begin(SPAN * NT_NS_PER_S, 0);
	for (size_t i = 0; i < LISTED; i++)
		collect(i);
	size_t bytes = nt_past_reach(past).bytes;
	for (size_t i = LISTED; i < ALL; i++)
		collect(i);
	/* Packed with each chunk they would come to more. */
	assert_true(nt_past_reach(past).bytes < bytes + SPAN * sizeof(struct nt_gc_row) / 4);
	const uint64_t first = nt_past_reach(past).first;
	assert_true(first > 1 && first <= ALL - SPAN);
	for (uint64_t sequence = first; sequence <= ALL; sequence += 37)
		check_collections(sequence - 1, sequence);
	check_collections(ALL - 1, ALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_interval_is_as_it_was, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_time_has_the_interval_that_ended_last, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_older_than_the_span_goes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_oldest_go_where_there_is_no_room, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_gap_in_the_sequences_is_a_new_beginning, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_does_not_change_is_kept_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rows_of_many_chunks_are_kept_once, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
