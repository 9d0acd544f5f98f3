// SPDX-License-Identifier: GPL-2.0-only
/* Rows have only the parts that each needs: what is in no list, of one tier, or without a context takes no room for these. */
#include "sampled_world.h"

#include "model/whole/model_state.h"

#include <stdio.h>

enum { CODE = 0x100000, CODE_BYTES = 0x100 };

static uint64_t address_of(uint64_t method)
{
	return CODE + method * CODE_BYTES + 0x10;
}

static void code(struct world *w, uint64_t method, enum nt_tier tier)
{
	char name[32];
	snprintf(name, sizeof(name), "Shop.M%05u()", (unsigned)method);
	code_line(&w->codemap, 0, CODE + method * CODE_BYTES, CODE_BYTES, name, tier);
}

static const struct nt_rows *rows_of(const struct world *w)
{
	return &w->model->processes[0]->cpu.of[NT_SAMPLES_CPU]->rows;
}

static struct nt_snapshot *close_until(struct world *w, double from, double to)
{
	struct nt_snapshot *s = NULL;
	for (double at = from; at <= to; at += 1000) {
		nt_snapshot_release(s);
		s = close_all(w, at);
	}
	return s;
}

/* A thousand methods that ran once leave the list, and what they weighed there goes to those that come; what they counted stays. */
static void test_rows_leave_the_window(void **state_)
{
	(void)state_;
	enum { METHODS = 1000 };
	struct world w;
	begin(&w);
	for (uint64_t i = 0; i < 2 * METHODS; i++)
		code(&w, i, NT_TIER_0);
	for (uint64_t i = 0; i < METHODS; i++)
		sample_at(&w.perf, 10, 1, address_of(i));
	nt_snapshot_release(close_all(&w, 1000));
	assert_int_equal(rows_of(&w)->windows.used, METHODS);
	size_t capacity = rows_of(&w)->windows.capacity;

	struct nt_snapshot *s = close_until(&w, 2000, 60000);
	assert_int_equal(s->processes[0].method_count, 0);
	assert_int_equal(s->processes[0].methods_hidden, METHODS);
	assert_int_equal(rows_of(&w)->windows.used, 0);
	nt_snapshot_release(s);

	for (uint64_t i = METHODS; i < 2 * METHODS; i++)
		sample_at(&w.perf, 60010, 1, address_of(i));
	sample_at(&w.perf, 60010, 1, address_of(7));
	s = close_all(&w, 61000);
	assert_int_equal(s->processes[0].method_count, METHODS + 1);
	assert_int_equal(rows_of(&w)->windows.used, METHODS + 1);
	assert_int_equal(rows_of(&w)->windows.capacity, capacity);
	assert_int_equal(row_named(s, "Shop.M00007()")->self_samples_all, 2);
	assert_near(row_named(s, "Shop.M00007()")->window_self, 1);
	assert_false(row_named(s, "Shop.M00007()")->fresh);
	assert_true(row_named(s, "Shop.M01007()")->fresh);
	nt_snapshot_release(s);

	s = nt_model_close(w.model, ms(62000), true);
	assert_int_equal(s->processes[0].method_count, 2 * METHODS);
	assert_int_equal(s->processes[0].samples_all, 2 * METHODS + 1);
	nt_snapshot_release(s);
	end(&w);
}

/* Is Shop.M00001(), sampled once, in the list after so many seconds, beside a method with so many samples in each? */
static bool is_listed(unsigned seconds, uint32_t samples)
{
	struct world w;
	begin(&w);
	code(&w, 1, NT_TIER_0);
	code(&w, 2, NT_TIER_0);
	sample_at(&w.perf, 10, 1, address_of(1));
	struct nt_snapshot *s = NULL;
	for (unsigned i = 0; i < seconds; i++) {
		sample_at(&w.perf, 1000 * i + 20, 1, address_of(2));
		w.perf.batch->events[w.perf.batch->event_count - 1].u.sample.besides = samples - 1;
		nt_snapshot_release(s);
		s = close_all(&w, 1000 * (i + 1));
	}
	bool listed = row_named(s, "Shop.M00001()");
	assert_int_equal(s->processes[0].method_count + s->processes[0].methods_hidden, 2);
	nt_snapshot_release(s);
	end(&w);
	return listed;
}

/* What weighs next to nothing of all samples is no row of a busy program; of an idle one it is. */
static void test_a_busy_list_is_short(void **state_)
{
	(void)state_;
	assert_true(is_listed(15, 1000));
	assert_false(is_listed(22, 1000));
	assert_true(is_listed(22, 1));
	assert_true(is_listed(15, 100000)); /* of the busiest it weighs a tenth of a sample */
	assert_false(is_listed(22, 100000));
}

/* The trend moves on while there are no samples. */
static void test_trend_moves_on(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	code(&w, 1, NT_TIER_0);
	sample_at(&w.perf, 10, 1, address_of(1));
	nt_snapshot_release(close_all(&w, 1000));
	struct nt_snapshot *s = close_until(&w, 2000, 4000);
	const struct nt_trend *trend = row_named(s, "Shop.M00001()")->trend;
	assert_true(trend->cells[NT_TREND_CELLS - 4] == 1);
	assert_true(trend->cells[NT_TREND_CELLS - 3] == 0 && trend->cells[NT_TREND_CELLS - 1] == 0);
	nt_snapshot_release(s);
	end(&w);
}

/* Samples are told by tier from when there is a second one; those before are of the first. */
static void test_tiers(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint64_t i = 0; i < 10; i++)
		code(&w, i, NT_TIER_0);
	for (uint64_t i = 0; i < 10; i++)
		sample_at(&w.perf, 10, 1, address_of(i));
	nt_snapshot_release(close_all(&w, 1000));
	assert_int_equal(rows_of(&w)->tiers.used, 0);

	code(&w, 3, NT_TIER_1);
	for (unsigned i = 0; i < 5; i++)
		sample_at(&w.perf, 1100 + i, 1, address_of(3));
	struct nt_snapshot *s = close_all(&w, 2000);
	assert_int_equal(rows_of(&w)->tiers.used, 1);
	const struct nt_method_row *row = row_named(s, "Shop.M00003()");
	assert_int_equal(row->tier, NT_TIER_1);
	assert_int_equal(row->tier_samples[NT_TIER_0], 1);
	assert_int_equal(row->tier_samples[NT_TIER_1], 5);
	row = row_named(s, "Shop.M00004()");
	assert_int_equal(row->tier, NT_TIER_0);
	assert_int_equal(row->tier_samples[NT_TIER_0], 1);
	nt_snapshot_release(s);

	/* Out of the list: by the samples of all time. */
	nt_snapshot_release(close_until(&w, 3000, 80000));
	s = nt_model_close(w.model, ms(81000), true);
	row = row_named(s, "Shop.M00003()");
	assert_int_equal(row->tier, NT_TIER_1);
	assert_int_equal(row->total_samples_all, 6);
	assert_near(row->window_total, 0);
	nt_snapshot_release(s);
	end(&w);
}

/* Code is compiled again and again at the same addresses: rows are given up, their parts with them, and "(other methods)" has what they counted. */
static void test_forgotten_rows_give_their_parts_back(void **state_)
{
	(void)state_;
	enum { ROUNDS = 20, METHODS = 2000 };
	struct world w;
	begin(&w);
	size_t capacity = 0;
	uint64_t samples = 0;
	struct nt_snapshot *s = NULL;
	for (unsigned round = 0; round < ROUNDS; round++) {
		double at = 20000.0 * round;
		for (uint64_t i = 0; i < METHODS; i++) {
			char name[48];
			snprintf(name, sizeof(name), "Shop.Round%uM%05u()", round, (unsigned)i);
			code_line(&w.codemap, at + 1, CODE + i * CODE_BYTES, CODE_BYTES, name, NT_TIER_0);
			sample_at(&w.perf, at + 100, 1, address_of(i));
			samples++;
		}
		nt_snapshot_release(s);
		s = close_until(&w, at + 1000, at + 20000);
		if (round == ROUNDS / 2)
			capacity = rows_of(&w)->capacity;
	}
	assert_int_equal(rows_of(&w)->capacity, capacity);
	assert_true(rows_of(&w)->windows.used < 3 * METHODS);
	nt_snapshot_release(s);
	s = nt_model_close(w.model, ms(20000.0 * ROUNDS + 1000), true);
	assert_true(row_named(s, "(other methods)")->self_samples_all > 0);
	assert_int_equal(row_named(s, "(other methods)")->tier_samples[NT_TIER_0], row_named(s, "(other methods)")->total_samples_all);
	uint64_t told = 0;
	for (size_t i = 0; i < s->processes[0].method_count; i++)
		told += s->processes[0].methods[i].self_samples_all;
	assert_int_equal(told, samples);
	nt_snapshot_release(s);
	end(&w);
}

/* Places without a name have a row each until the name comes; what is left of those rows then is forgotten, and no sample with them. */
static void test_rows_of_places_that_got_names(void **state_)
{
	(void)state_;
	enum { PLACES = 2000, IMAGES = 5, SPACING = 0x1000, BYTES = PLACES * SPACING, PER_IMAGE_MS = 2000 };
	struct world w;
	begin(&w);
	char path[64], name[64];
	for (int i = 0; i < IMAGES; i++) {
		uint64_t start = UINT64_C(0x100000000) * (uint64_t)(i + 1);
		snprintf(path, sizeof(path), "/usr/lib/lib%d.so", i);
		snprintf(name, sizeof(name), "function%d", i);
		double at = i * PER_IMAGE_MS;
		map_image(&w.perf, at + 1, start, BYTES, path, NT_MAP_FILE);
		for (int place = 0; place < PLACES; place++)
			sample_at(&w.perf, at + 10, 1, start + (uint64_t)place * SPACING);
		nt_snapshot_release(close_all(&w, at + PER_IMAGE_MS / 2));
		assert_true(nt_resolver_key_count(w.model->processes[0]->resolver) > PLACES);
		answer_name(&w, at + PER_IMAGE_MS / 2 + 1, path, 0, BYTES, name, NULL);
		nt_snapshot_release(close_all(&w, at + PER_IMAGE_MS));
	}
	assert_in_range(nt_resolver_key_count(w.model->processes[0]->resolver), IMAGES, 2 * PLACES);
	struct nt_snapshot *s = nt_model_close(w.model, ms(IMAGES * PER_IMAGE_MS + 1000), true);
	for (int i = 0; i < IMAGES; i++) {
		snprintf(name, sizeof(name), "function%d", i);
		assert_int_equal(row_named(s, name)->self_samples_all, PLACES);
	}
	assert_null(row_named(s, "(other methods)"));
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_of_places_that_got_names),
		cmocka_unit_test(test_rows_leave_the_window),
		cmocka_unit_test(test_a_busy_list_is_short),
		cmocka_unit_test(test_trend_moves_on),
		cmocka_unit_test(test_tiers),
		cmocka_unit_test(test_forgotten_rows_give_their_parts_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
