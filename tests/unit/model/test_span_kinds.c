// SPDX-License-Identifier: GPL-2.0-only
/*
 * Types allocated and routes of two spans that are made up: of a program that does the same in both nothing is named, of one in which a type or a route changes that is first. The methods' own CPU time is
 * there, too, in test_span_compare.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "chance.h"

#include "base/arena.h"
#include "model/past/batch_change.h"
#include "model/past/pair_rows.h"
#include "model/past/span_compare.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_MOST = 30, PAIRS = 10000 };

/* What the rows of a list do in a second, on average. */
struct list {
	unsigned rows;
	double per_s[ROWS_MOST], each[ROWS_MOST]; /* samples or requests; bytes of a sample, or ns of a request */
	double unevenness;                        /* of the load, by second */
	bool tailed;                              /* now and then a request takes much longer */
};

static struct list make_list(double most_per_s)
{
	struct list list = { .rows = 1 + (unsigned)between(0, ROWS_MOST - 1), .unevenness = between(0, 0.4), .tailed = roll() < 0.5 };
	for (unsigned i = 0; i < list.rows; i++) {
		list.per_s[i] = most_per_s / (1 + between(0, 20));
		list.each[i] = between(1e5, 1e8);
	}
	return list;
}

static const char *name_of(unsigned row)
{
	static char name[32];
	snprintf(name, sizeof(name), "Row%u", row);
	return name;
}

static const struct nt_span_compared *compared_of(enum nt_difference_kind kind)
{
	for (size_t i = 0; i < NT_SPAN_LISTS; i++)
		if (nt_span_lists[i].compared && nt_span_lists[i].compared->figures[0].kind == kind)
			return nt_span_lists[i].compared;
	return NULL;
}

/* Of so many requests or samples. */
static double amount_of(const struct list *list, unsigned row, unsigned count, bool sampled)
{
	double sum = 0;
	if (sampled)
		return count * list->each[row];
	for (unsigned i = 0; i < count; i++)
		sum += -log(1 - roll()) * list->each[row] * (list->tailed && roll() < 0.002 ? 50 : 1);
	return sum;
}

/* The list for so many seconds; of the first row there are `more` times as many, each of them `longer`. */
static void run(struct nt_span_pair *pair, enum nt_pair_side side, const struct list *list, bool sampled, unsigned seconds, double more,
		double longer)
{
	struct nt_pair_span *span = &pair->spans[side];
	nt_span_pair_begin(pair, side, 0, seconds * NT_NS_PER_S);
	for (unsigned second = 0; second < seconds; second++) {
		double load = fmax(0, 1 + list->unevenness * normal());
		size_t batch = nt_pair_batch(span, second * NT_NS_PER_S);
		span->seconds[batch] += 1;
		for (unsigned i = 0; i < list->rows; i++) {
			unsigned count = events(load * list->per_s[i] * (i ? 1 : more));
			double amount = amount_of(list, i, count, sampled) * (i ? 1 : longer),
			       second_amount = sampled ? count * 1000.0 : count;
			size_t row = nt_span_pair_row(pair, name_of(i), NULL);
			nt_span_pair_add(pair, side, row, 0, batch, amount, count);
			nt_span_pair_add(pair, side, row, 1, batch, second_amount, count);
			span->totals[0][batch] += amount;
			span->totals[1][batch] += second_amount;
		}
	}
	nt_span_pair_end(pair, side);
}

struct change {
	double more, longer;
};

/* Both lists, of which the first rows change; no methods, which were not told. */
static struct nt_difference compare(const struct list *types, struct change of_types, const struct list *routes, struct change of_routes,
				    unsigned before, unsigned after, struct nt_arena *arena)
{
	struct nt_span_pair methods = { .arena = arena }, allocated = { .arena = arena }, requests = { .arena = arena };
	const struct nt_span_pair_of pairs[] = { { &nt_span_methods_compared, &methods },
						 { compared_of(NT_DIFFER_BYTES), &allocated },
						 { compared_of(NT_DIFFER_REQUEST_TIME), &requests } };
	struct nt_difference difference;
	nt_span_pair_begin(&methods, NT_PAIR_BEFORE, 0, before * NT_NS_PER_S);
	nt_span_pair_begin(&methods, NT_PAIR_AFTER, 0, after * NT_NS_PER_S);
	nt_span_pair_end(&methods, NT_PAIR_BEFORE);
	nt_span_pair_end(&methods, NT_PAIR_AFTER);
	run(&allocated, NT_PAIR_BEFORE, types, true, before, 1, 1);
	run(&allocated, NT_PAIR_AFTER, types, true, after, of_types.more, of_types.longer);
	run(&requests, NT_PAIR_BEFORE, routes, false, before, 1, 1);
	run(&requests, NT_PAIR_AFTER, routes, false, after, of_routes.more, of_routes.longer);
	nt_span_compare(pairs, 3, 0, arena, &difference);
	nt_span_pair_fini(&methods);
	nt_span_pair_fini(&allocated);
	nt_span_pair_fini(&requests);
	return difference;
}

static const struct change same = { 1, 1 };

static void of_the_same_no_type_and_no_route_is_named(void **state)
{
	(void)state;
	unsigned named = 0;
	for (unsigned i = 0; i < PAIRS; i++) {
		dice = i;
		struct nt_arena *arena = nt_arena_new();
		struct list types = make_list(between(5, 200)), routes = make_list(between(1, 40));
		struct nt_difference difference =
			compare(&types, same, &routes, same, (unsigned)between(10, 90), (unsigned)between(10, 90), arena);
		assert_true(difference.compared[NT_DIFFER_BYTES] > 0);
		if (difference.row_count)
			printf("pair %u: %s, kind %d, %g -> %g, by chance %g\n", i, difference.rows[0].name, difference.rows[0].kind,
			       difference.rows[0].before.v, difference.rows[0].after.v, difference.rows[0].chance);
		named += difference.row_count > 0;
		nt_arena_free(arena);
	}
	printf("%u of %d pairs of equal spans have something named\n", named, PAIRS);
	assert_true(named <= PAIRS / 1000);
}

/* Of 200 comparisons, in how many the first row is named first, by that, and nothing else. */
static unsigned alone_in_200(struct change of_types, struct change of_routes, enum nt_difference_kind kind)
{
	unsigned alone = 0;
	for (unsigned i = 0; i < 200; i++) {
		dice = i + 1000000;
		struct nt_arena *arena = nt_arena_new();
		struct list types = { .rows = 12, .unevenness = 0.2 }, routes = { .rows = 3, .unevenness = 0.2 };
		for (unsigned row = 0; row < ROWS_MOST; row++) {
			types.per_s[row] = 30;
			routes.per_s[row] = 10;
			types.each[row] = routes.each[row] = 1e6;
		}
		struct nt_difference difference = compare(&types, of_types, &routes, of_routes, 60, 60, arena);
		alone += difference.row_count == 1 && strcmp(difference.rows[0].name, name_of(0)) == 0 && difference.rows[0].kind == kind;
		nt_arena_free(arena);
	}
	printf("kind %d: alone in %u of 200\n", (int)kind, alone);
	return alone;
}

static void what_changes_is_named_alone(void **state)
{
	(void)state;
	assert_true(alone_in_200((struct change){ 1.5, 1 }, same, NT_DIFFER_BYTES) >= 190);
	assert_true(alone_in_200((struct change){ 0.5, 1 }, same, NT_DIFFER_BYTES) >= 190);
	assert_true(alone_in_200(same, (struct change){ 1, 2 }, NT_DIFFER_REQUEST_TIME) >= 190);
	assert_true(alone_in_200(same, (struct change){ 2, 1 }, NT_DIFFER_REQUESTS) >= 190);
}

/* Where there is twice as much to do twice as much is allocated of each type, and none has changed; that there are more requests is said. */
static void more_to_do_is_no_change_of_types(void **state)
{
	(void)state;
	struct nt_arena *arena = nt_arena_new();
	struct nt_span_pair methods = { .arena = arena }, allocated = { .arena = arena };
	const struct nt_span_pair_of pairs[] = { { &nt_span_methods_compared, &methods }, { compared_of(NT_DIFFER_BYTES), &allocated } };
	struct list types = { .rows = 12, .unevenness = 0.2 }, busy;
	struct nt_difference difference;
	dice = 5;
	for (unsigned row = 0; row < types.rows; row++) {
		types.per_s[row] = 40;
		types.each[row] = 1e5;
	}
	busy = types;
	for (unsigned row = 0; row < types.rows; row++)
		busy.per_s[row] *= 2;
	run(&allocated, NT_PAIR_BEFORE, &types, true, 60, 1, 1);
	run(&allocated, NT_PAIR_AFTER, &busy, true, 60, 1, 1);
	nt_span_compare(pairs, 2, 0, arena, &difference);
	assert_int_equal(difference.compared[NT_DIFFER_BYTES], 12);
	assert_int_equal(difference.row_count, 0);
	assert_non_null(difference.reason); /* of CPU time */
	nt_span_pair_fini(&allocated);
	/* Of one type alone it is said: nobody knows what became of most. */
	types.rows = busy.rows = 1;
	allocated.arena = arena;
	run(&allocated, NT_PAIR_BEFORE, &types, true, 60, 1, 1);
	run(&allocated, NT_PAIR_AFTER, &busy, true, 60, 1, 1);
	nt_span_compare(pairs, 2, 0, arena, &difference);
	assert_int_equal(difference.row_count, 1);
	assert_true(fabs(difference.rows[0].change_pct - 100) < 4 * difference.rows[0].error_pct);
	assert_false(difference.rows[0].after_pct.known);
	nt_span_pair_fini(&allocated);
	nt_arena_free(arena);
}

/* An interval has all collections that are kept, with those of before: each counts in the one in which it ended, and where its pause is told. Waits for work are none. */
static void collections_and_waits_count_once(void **state)
{
	(void)state;
	const struct nt_span_list *lists[2] = { NULL };
	for (size_t i = 0; i < NT_SPAN_LISTS; i++) {
		const struct nt_span_compared *compared = nt_span_lists[i].compared;
		if (compared && (compared->figures[0].kind == NT_DIFFER_PAUSE || compared->figures[0].kind == NT_DIFFER_WAIT_TIME))
			lists[compared->figures[0].kind == NT_DIFFER_WAIT_TIME] = &nt_span_lists[i];
	}
	static const struct nt_gc_row rows[] = {
		{ .id = 1, .generation = 0, .finished = true, .end = NT_NS_PER_S / 2, .pause_ns = { 4000000, true } },
		{ .id = 2, .generation = 2, .type = 1, .finished = true, .end = 3 * NT_NS_PER_S / 2, .pause_ns = { 1000000, true } },
		{ .id = 3, .generation = 0, .finished = true, .end = 3 * NT_NS_PER_S / 2, .pause_ns = { 6000000, true } },
		{ .id = 4, .generation = 0, .finished = true, .end = 3 * NT_NS_PER_S / 2 }, /* not told */
		{ .id = 5, .generation = 0, .start = 3 * NT_NS_PER_S / 2 },                 /* goes on */
	};
	const struct nt_gc_row *collections[] = { &rows[0], &rows[1], &rows[2], &rows[3], &rows[4] };
	struct nt_wait_row waits[] = { { .id = 1, .site = "Shop.Pay()", .means = "Task.Wait", .count = 2, .spent_ns = 5000000 },
				       { .id = 2, .site = "Shop.Idle()", .idle = true, .count = 9, .spent_ns = 900000000 } };
	struct nt_arena *arena = nt_arena_new();
	struct nt_span_pair gc = { .arena = arena }, blocked = { .arena = arena };
	nt_span_pair_begin(&gc, NT_PAIR_BEFORE, 0, 2 * NT_NS_PER_S);
	nt_span_pair_begin(&blocked, NT_PAIR_BEFORE, 0, 2 * NT_NS_PER_S);
	for (unsigned second = 0; second < 2; second++) {
		struct nt_process_snapshot process = { .collections = collections,
						       .collection_count = sizeof(collections) / sizeof(collections[0]),
						       .waits = waits,
						       .wait_count = 2 };
		process.interval.gc.covered_ns = process.interval.waits.covered_ns = (struct nt_u64){ NT_NS_PER_S, true };
		const struct nt_snapshot interval = { .t0 = second * NT_NS_PER_S, .t1 = (second + 1) * NT_NS_PER_S };
		nt_pair_rows_read(&gc, NT_PAIR_BEFORE, lists[0], &interval, &process);
		nt_pair_rows_read(&blocked, NT_PAIR_BEFORE, lists[1], &interval, &process);
	}
	assert_int_equal(gc.count, 2);
	const struct nt_pair_row *young = &gc.rows[nt_span_pair_row(&gc, "gen0", NULL)],
				 *old = &gc.rows[nt_span_pair_row(&gc, "gen2 bg", NULL)];
	assert_true(young->figures[0].sums[NT_PAIR_BEFORE] == 10000000 && young->figures[0].counts[NT_PAIR_BEFORE] == 2);
	assert_true(old->figures[0].sums[NT_PAIR_BEFORE] == 1000000 && old->figures[1].sums[NT_PAIR_BEFORE] == 1);
	assert_int_equal(blocked.count, 1);
	assert_string_equal(blocked.rows[0].name, "Shop.Pay() in Task.Wait");
	assert_true(blocked.rows[0].figures[0].sums[NT_PAIR_BEFORE] == 10000000);
	nt_span_pair_fini(&gc);
	nt_span_pair_fini(&blocked);
	nt_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collections_and_waits_count_once),
		cmocka_unit_test(of_the_same_no_type_and_no_route_is_named),
		cmocka_unit_test(what_changes_is_named_alone),
		cmocka_unit_test(more_to_do_is_no_change_of_types),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
