// SPDX-License-Identifier: GPL-2.0-only
#include "build.h"

#include "ui/rows/rows.h"

#include <stdio.h>
#include <string.h>

static struct nt_ui_rows rows;
static struct nt_filter filter;
static struct nt_snapshot *snapshot; /* what the rows point into */

static int begin(void **state)
{
	(void)state;
	rows = (struct nt_ui_rows){ 0 };
	filter = (struct nt_filter){ 0 };
	snapshot = NULL;
	return 0;
}

static int end(void **state)
{
	(void)state;
	nt_ui_rows_fini(&rows);
	nt_filter_fini(&filter);
	nt_snapshot_release(snapshot);
	return 0;
}

static const struct nt_column *column(const char *key)
{
	for (size_t i = 0; i < nt_table_methods.column_count; i++)
		if (strcmp(nt_table_methods.columns[i].key, key) == 0)
			return &nt_table_methods.columns[i];
	return NULL;
}

static bool hide_kernel(const void *row, unsigned hide)
{
	return hide && ((const struct nt_method_row *)row)->kind == NT_CODE_KERNEL;
}

/* Takes the snapshot; `how` gives what differs from sorting by self_pct, descending. */
static void update(struct nt_snapshot *next, struct nt_row_query how)
{
	const struct nt_column_context context = { .snapshot = next, .process = &next->processes[0], .window = NT_WINDOW_RECENT };
	how.table = &nt_table_methods;
	how.context = &context;
	how.filter = &filter;
	how.hidden = hide_kernel;
	if (!how.sort)
		how.sort = column("self_pct");
	nt_ui_rows_update(&rows, &how);
	nt_snapshot_release(snapshot);
	snapshot = next;
}

/* The first letters of the names, in order. */
static void assert_order(const char *letters)
{
	char got[64] = "";
	for (size_t i = 0; i < rows.count; i++)
		snprintf(got + i, sizeof(got) - i, "%c", ((const struct nt_method_row *)rows.refs[i].row)->name[0]);
	assert_string_equal(got, letters);
}

static const struct nt_row_query plain = { 0 };

static void the_largest_share_comes_first(void **state)
{
	(void)state;
	update(SNAPSHOT(1, { "a", 1 }, { "b", 30 }, { "c", 7 }), plain);
	assert_order("bca");
	update(SNAPSHOT(2, { "a", 1 }, { "b", 30 }, { "c", 7 }), (struct nt_row_query){ .ascending = true, .anew = true });
	assert_order("acb");
}

static void equal_shares_are_ordered_by_name(void **state)
{
	(void)state;
	update(SNAPSHOT(1, { "c", 5 }, { "a", 5 }, { "b", 5 }), plain);
	assert_order("abc");
}

/* After a filter most rows have no share of their own that can be seen: the one below which everything happens comes first. */
static void shares_that_look_the_same_are_ordered_by_the_total(void **state)
{
	(void)state;
	struct nt_snapshot *next = SNAPSHOT(1, { "a", 0.04 }, { "b", 0.02 }, { "c", 0 }, { "d", 0.3 });
	next->processes[0].methods[1].window_total_pct = 3;
	next->processes[0].methods[2].window_total_pct = 72;
	update(next, plain);
	assert_order("dcba");
	next = SNAPSHOT(2, { "a", 0.04 }, { "b", 0.02 }, { "c", 0 }, { "d", 0.3 });
	next->processes[0].methods[1].window_total_pct = 72.1; /* it jitters */
	next->processes[0].methods[2].window_total_pct = 72;
	update(next, plain);
	assert_order("dbca");
	next = SNAPSHOT(3, { "a", 0.04 }, { "b", 0.02 }, { "c", 0 }, { "d", 0.3 });
	next->processes[0].methods[1].window_total_pct = 72;
	next->processes[0].methods[2].window_total_pct = 72.1;
	update(next, plain);
	assert_order("dbca");
}

static int falling(double a, double b)
{
	return (a < b) - (a > b);
}

/* Of all rows, whatever they were before: those of the same figures by name. */
static void assert_sorted(void)
{
	for (size_t i = 1; i < rows.count; i++) {
		const struct nt_row_ref *a = &rows.refs[i - 1], *b = &rows.refs[i];
		int order = falling(a->shown_key, b->shown_key);
		order = order ? order : falling(a->shown_tie, b->shown_tie);
		order = order ? order : falling(a->key, b->key);
		order = order ? order : strcmp(a->name, b->name);
		assert_true(order < 0 || (order == 0 && a->id <= b->id));
	}
}

static void rows_that_come_go_and_change_are_sorted_each_time(void **state)
{
	(void)state;
	enum { ROWS = 200, TIMES = 60, NAMES = 70 };
	static char names[NAMES][8];
	uint32_t random = 1;
	for (unsigned i = 0; i < NAMES; i++)
		snprintf(names[i], sizeof(names[i]), "%c%u", 'a' + i % 10, i * 37 % NAMES);
	for (unsigned time = 1; time <= TIMES; time++) {
		struct share shares[ROWS];
		size_t count = 0;
		for (unsigned i = 0; i < ROWS; i++) {
			random = random * 1103515245 + 12345;
			unsigned drawn = random >> 16;
			if (drawn % 8)
				shares[count++] = (struct share){ names[drawn % NAMES], i % 3 ? 0 : drawn % (time % 5 + 1) };
		}
		struct nt_snapshot *next = make_snapshot(time, shares, count);
		for (size_t i = 0; i < count; i++) {
			next->processes[0].methods[i].id = time % 7 ? i : i % 5; /* twice the same, too */
			next->processes[0].methods[i].window_total_pct = (double)(i * time % 4) / 10;
		}
		update(next, plain);
		assert_int_equal(rows.count, count);
		assert_sorted();
	}
}

static void small_changes_move_no_row(void **state)
{
	(void)state;
	update(SNAPSHOT(1, { "a", 10.0 }, { "b", 9.9 }, { "c", 1 }), plain);
	assert_order("abc");
	update(SNAPSHOT(2, { "a", 9.9 }, { "b", 10.05 }, { "c", 1 }), plain);
	assert_order("abc");
	update(SNAPSHOT(3, { "a", 9.9 }, { "b", 10.2 }, { "c", 1 }), plain);
	assert_order("bac");
}

static void small_shares_move_when_it_can_be_seen(void **state)
{
	(void)state;
	update(SNAPSHOT(1, { "a", 0.10 }, { "b", 0.08 }), plain);
	update(SNAPSHOT(2, { "a", 0.10 }, { "b", 0.12 }), plain);
	assert_order("ab");
	update(SNAPSHOT(3, { "a", 0.10 }, { "b", 0.21 }), plain);
	assert_order("ba");
}

static void small_changes_that_go_on_do_move_it(void **state)
{
	(void)state;
	update(SNAPSHOT(1, { "a", 10.0 }, { "b", 9.5 }), plain);
	for (unsigned i = 1; i <= 8; i++)
		update(SNAPSHOT(1 + i, { "a", 10.0 }, { "b", 9.5 + 0.1 * i }), plain);
	assert_order("ba");
}

static void new_rows_take_their_place_at_once(void **state)
{
	(void)state;
	update(SNAPSHOT(1, { "a", 10 }, { "b", 5 }), plain);
	update(SNAPSHOT(2, { "a", 10 }, { "b", 5 }, { "c", 7 }, { "d", 20 }), plain);
	assert_order("dacb");
	update(SNAPSHOT(3, { "b", 5 }, { "d", 20 }), plain);
	assert_order("db");
}

static void while_still_only_new_rows_are_added_at_the_end(void **state)
{
	const struct nt_row_query still = { .still = true };
	(void)state;
	update(SNAPSHOT(1, { "a", 10 }, { "b", 5 }, { "c", 1 }), plain);
	update(SNAPSHOT(2, { "a", 1 }, { "b", 5 }, { "c", 50 }, { "d", 80 }, { "e", 90 }), still);
	assert_order("abced");
	update(SNAPSHOT(3, { "a", 1 }, { "b", 5 }, { "c", 50 }, { "d", 80 }, { "e", 90 }), plain);
	assert_order("edcba");
}

static void another_column_starts_anew(void **state)
{
	(void)state;
	update(SNAPSHOT(1, { "a", 10 }, { "b", 5 }), plain);
	update(SNAPSHOT(2, { "a", 10 }, { "b", 5 }), (struct nt_row_query){ .sort = column("name"), .anew = true, .still = true });
	assert_order("ba");
}

static void a_filter_leaves_out_and_counts(void **state)
{
	(void)state;
	nt_filter_set(&filter, "^(b|c)", false);
	update(SNAPSHOT(1, { "a", 10 }, { "b", 5 }, { "c", 1 }), (struct nt_row_query){ .anew = true });
	assert_order("bc");
	assert_int_equal(rows.all_count, 3);
}

static void a_followed_row_stays_though_filtered(void **state)
{
	(void)state;
	nt_filter_set(&filter, "b", false);
	update(SNAPSHOT(1, { "a", 10 }, { "b", 5 }, { "c", 1 }), (struct nt_row_query){ .follow = true, .followed = 'a' });
	assert_order("ab");
	assert_true(rows.refs[0].kept);
	assert_false(rows.refs[1].kept);
}

static void hidden_rows_do_not_count(void **state)
{
	(void)state;
	update(SNAPSHOT(1, { "a", 10 }, { "k", 5 }), (struct nt_row_query){ .hide = 1 });
	assert_order("a");
	assert_int_equal(rows.all_count, 1);
}

static void rows_are_found_by_id(void **state)
{
	(void)state;
	update(SNAPSHOT(1, { "a", 1 }, { "b", 5 }), plain);
	assert_int_equal(nt_ui_rows_find(&rows, 'a'), 1);
	assert_true(nt_ui_rows_find(&rows, 'x') == SIZE_MAX);
}

static bool matches(const char *expression, const char *name)
{
	const struct nt_method_row row = { .name = name, .module = "Shop.Web", .kind = NT_CODE_JIT };
	const struct nt_column_context context = { .window = NT_WINDOW_RECENT };
	nt_filter_set(&filter, expression, false);
	return nt_filter_matches(&filter, &nt_table_methods, &context, &row);
}

static void a_filter_looks_at_all_texts(void **state)
{
	(void)state;
	assert_true(matches("", "anything"));
	assert_true(matches("cart", "Shop.Cart.Total()"));
	assert_true(matches("shop\\.web", "Total()"));
	assert_true(matches("^jit$", "Total()"));
	assert_false(matches("Cart", "Shop.cart.Total()"));
	assert_true(matches("Cart", "Shop.Cart.Total()"));
	assert_false(matches("nothing", "Total()"));
}

static void an_invalid_filter_leaves_the_last_valid_one(void **state)
{
	(void)state;
	assert_false(matches("cart", "Total()"));
	assert_false(matches("cart(", "Total()"));
	assert_true(filter.invalid);
	assert_string_equal(filter.text, "cart(");
	assert_true(matches("cart(", "Shop.Cart"));
	assert_true(matches("", "Total()"));
	assert_false(filter.invalid || filter.active);
}

#define WITH_ROWS(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ROWS(the_largest_share_comes_first),
		WITH_ROWS(equal_shares_are_ordered_by_name),
		WITH_ROWS(shares_that_look_the_same_are_ordered_by_the_total),
		WITH_ROWS(rows_that_come_go_and_change_are_sorted_each_time),
		WITH_ROWS(small_changes_move_no_row),
		WITH_ROWS(small_shares_move_when_it_can_be_seen),
		WITH_ROWS(small_changes_that_go_on_do_move_it),
		WITH_ROWS(new_rows_take_their_place_at_once),
		WITH_ROWS(while_still_only_new_rows_are_added_at_the_end),
		WITH_ROWS(another_column_starts_anew),
		WITH_ROWS(a_filter_leaves_out_and_counts),
		WITH_ROWS(a_followed_row_stays_though_filtered),
		WITH_ROWS(hidden_rows_do_not_count),
		WITH_ROWS(rows_are_found_by_id),
		WITH_ROWS(a_filter_looks_at_all_texts),
		WITH_ROWS(an_invalid_filter_leaves_the_last_valid_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
