// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two spans that are made up: of a program that does the same in both nothing is named, of one in which a method takes more that method is first. Bursts, phases and loads of its own make a program as uneven as
 * real ones are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "chance.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/past/batch_change.h"
#include "model/past/span_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS_MOST = 40, RATE_HZ = 99, PAIRS = 10000 };

/* ---- a program ---- */

struct program {
	unsigned methods;
	double shares[METHODS_MOST], phase_shares[METHODS_MOST];
	double cpus;                    /* it uses, on average */
	double unevenness;              /* of its load, by second */
	double phase_s, phase_part;     /* how long a phase of the other sort lasts, and of all time */
	bool regular;                   /* phases all have one length */
	double burst_per_s, burst_size; /* samples of the last method, all at once */
};

static void make_shares(unsigned count, double shares[])
{
	double sum = 0;
	for (unsigned i = 0; i < count; i++)
		sum += shares[i] = 1 / (1 + between(0, count));
	for (unsigned i = 0; i < count; i++)
		shares[i] /= sum;
}

static struct program make_program(void)
{
	struct program program = { .methods = 3 + (unsigned)between(0, METHODS_MOST - 3) };
	make_shares(program.methods, program.shares);
	make_shares(program.methods, program.phase_shares);
	program.cpus = between(0.1, 1) * pow(2, (double)(int)between(0, 5));
	program.unevenness = between(0, 0.4);
	program.phase_s = roll() < 0.5 ? between(0.3, 6) : 0;
	program.phase_part = between(0.1, 0.6);
	program.regular = roll() < 0.5;
	program.burst_per_s = roll() < 0.5 ? between(0.01, 0.5) : 0;
	program.burst_size = between(5, 60);
	return program;
}

/* In which sort of phase the program is, for how long yet. */
struct phase {
	bool other;
	double left_s;
};

static void next_phase(const struct program *program, struct phase *phase)
{
	phase->other = !phase->other;
	double mean = phase->other ? program->phase_s : program->phase_s * (1 - program->phase_part) / program->phase_part;
	phase->left_s = program->regular ? mean : -mean * log(1 - roll());
}

/* Of the next second, how much is of the other sort. */
static double pass(const struct program *program, struct phase *phase)
{
	double other = 0, left = 1;
	if (program->phase_s <= 0)
		return 0;
	while (left > 0) {
		double piece = phase->left_s < left ? phase->left_s : left;
		other += phase->other ? piece : 0;
		left -= piece;
		phase->left_s -= piece;
		if (phase->left_s <= 0)
			next_phase(program, phase);
	}
	return other;
}

static const char *name_of(unsigned method)
{
	static char name[32];
	snprintf(name, sizeof(name), "Shop.M%u()", method);
	return name;
}

/* The program for so many seconds; the first method takes `slower` times its time. `full`: there is no more CPU, so the others get less. */
static void run(struct nt_span_pair *pair, enum nt_pair_side side, const struct program *program, unsigned seconds, double slower,
		bool full)
{
	struct nt_pair_span *span = &pair->spans[side];
	struct phase phase = { .left_s = 0 };
	nt_span_pair_begin(pair, side, 0, seconds * NT_NS_PER_S);
	span->told_ns = seconds * NT_NS_PER_S;
	for (int i = 0; i < 50; i++)
		pass(program, &phase);
	for (unsigned second = 0; second < seconds; second++) {
		double load = RATE_HZ * program->cpus * fmax(0, 1 + program->unevenness * normal()), other = pass(program, &phase);
		size_t batch = nt_pair_batch(span, second * NT_NS_PER_S);
		span->seconds[batch] += 1;
		for (unsigned i = 0; i < program->methods; i++) {
			double share = (1 - other) * program->shares[i] + other * program->phase_shares[i];
			unsigned samples = events(load * share * (i ? 1 : slower) / (full ? 1 + program->shares[0] * (slower - 1) : 1));
			if (i == program->methods - 1)
				samples += (unsigned)(events(program->burst_per_s) * program->burst_size);
			nt_span_pair_add(pair, side, nt_span_pair_row(pair, name_of(i), NULL), 0, batch, samples, samples);
			span->totals[0][batch] += samples;
		}
	}
	nt_span_pair_end(pair, side);
}

static void compare_pair(struct nt_span_pair *pair, unsigned rate_hz, struct nt_arena *arena, struct nt_difference *difference)
{
	const struct nt_span_pair_of methods = { &nt_span_methods_compared, pair };
	nt_span_compare(&methods, 1, rate_hz, arena, difference);
}

static struct nt_difference compare(const struct program *program, unsigned before, unsigned after, double slower, bool full,
				    struct nt_arena *arena)
{
	struct nt_span_pair pair = { .arena = arena };
	struct nt_difference difference;
	run(&pair, NT_PAIR_BEFORE, program, before, 1, full);
	run(&pair, NT_PAIR_AFTER, program, after, slower, full);
	compare_pair(&pair, RATE_HZ, arena, &difference);
	nt_span_pair_fini(&pair);
	return difference;
}

/* ---- tests ---- */

static void of_the_same_nothing_is_named(void **state)
{
	(void)state;
	unsigned named = 0;
	for (unsigned i = 0; i < PAIRS; i++) {
		dice = i;
		struct nt_arena *arena = nt_arena_new();
		struct program program = make_program();
		struct nt_difference difference =
			compare(&program, (unsigned)between(30, 120), (unsigned)between(30, 120), 1, false, arena);
		assert_null(difference.reason);
		if (difference.row_count)
			printf("pair %u: %s %.1f%% -> %.1f%%, by chance %g; %.1f CPUs, phases of %.1f s (%.2f of all, regular %d), %.2f "
			       "bursts/s of %.0f\n",
			       i, difference.rows[0].name, difference.rows[0].before_pct.v, difference.rows[0].after_pct.v,
			       difference.rows[0].chance, program.cpus, program.phase_s, program.phase_part, program.regular,
			       program.burst_per_s, program.burst_size);
		named += difference.row_count > 0;
		nt_arena_free(arena);
	}
	printf("%u of %d pairs of equal spans have something named\n", named, PAIRS);
	assert_true(named <= PAIRS / 1000);
}

/* A program of twenty methods on so many CPUs, the first of which has that share. */
static struct program with_share(double share, double cpus, double unevenness)
{
	struct program program = { .methods = 20, .cpus = cpus, .unevenness = unevenness };
	make_shares(program.methods, program.shares);
	double others = 1 - program.shares[0];
	for (unsigned i = 1; i < program.methods; i++)
		program.shares[i] *= (1 - share) / others;
	program.shares[0] = share;
	return program;
}

/* Of 200 comparisons, in how many the first method is named first. */
static unsigned first_in_200(double cpus, double unevenness, double slower, unsigned seconds, bool full)
{
	unsigned first = 0;
	for (unsigned i = 0; i < 200; i++) {
		dice = i + 1000000;
		struct nt_arena *arena = nt_arena_new();
		struct program program = with_share(0.1, cpus, unevenness);
		struct nt_difference difference = compare(&program, seconds, seconds, slower, full, arena);
		first += difference.row_count && strcmp(difference.rows[0].name, name_of(0)) == 0 &&
			 (difference.rows[0].change_pct > 0) == (slower > 1);
		nt_arena_free(arena);
	}
	printf("%.0f CPUs, %u s, uneven by %.1f, %.1f times as slow, %s: first in %u of 200\n", cpus, seconds, unevenness, slower,
	       full ? "all CPU is used" : "there is more CPU", first);
	return first;
}

/* A fifth more in a tenth of the CPU time: what 99 samples in a second of a CPU's time can tell. */
static void what_takes_more_is_named_first(void **state)
{
	(void)state;
	for (int full = 0; full < 2; full++) {
		assert_true(first_in_200(4, 0, 1.2, 60, full) >= 140);
		assert_true(first_in_200(4, 0.1, 1.2, 90, full) >= 190);
		assert_true(first_in_200(1, 0.1, 1.2, 240, full) >= 180);
		assert_true(first_in_200(1, 0.1, 1.5, 60, full) >= 180);
		assert_true(first_in_200(1, 0.1, 0.5, 60, full) >= 190);
	}
}

static void how_long_spans_must_be_is_said(void **state)
{
	(void)state;
	struct nt_arena *arena = nt_arena_new();
	dice = 1;
	struct program one = with_share(0.1, 1, 0), four = with_share(0.1, 4, 0);
	struct nt_difference of_one = compare(&one, 60, 60, 1, false, arena), of_four = compare(&four, 60, 60, 1, false, arena);
	assert_true(of_one.needs.known && of_one.needs.v * 60 > 200 && of_one.needs.v * 60 < 280);
	assert_true(of_four.needs.v > of_one.needs.v / 4.4 && of_four.needs.v < of_one.needs.v / 3.6);
	nt_arena_free(arena);
}

/* Where there is twice as much to do each method takes twice as much, and none has changed; nor have others where one takes much more. */
static void more_to_do_is_no_change(void **state)
{
	(void)state;
	struct nt_arena *arena = nt_arena_new();
	struct nt_span_pair pair = { .arena = arena };
	struct nt_difference difference;
	dice = 2;
	struct program usual = with_share(0.1, 2, 0.1), busy = usual;
	busy.cpus *= 2;
	run(&pair, NT_PAIR_BEFORE, &usual, 60, 1, false);
	run(&pair, NT_PAIR_AFTER, &busy, 60, 1, false);
	compare_pair(&pair, RATE_HZ, arena, &difference);
	assert_int_equal(difference.row_count, 0);
	assert_true(difference.compared[NT_DIFFER_CPU] > 10);
	assert_true(fabs(difference.load - 2) < 0.2);
	nt_span_pair_fini(&pair);
	/* Much less to do, and one method takes more of that: less than before all the same. */
	struct program idle = usual;
	idle.cpus *= 0.4;
	pair.arena = arena;
	run(&pair, NT_PAIR_BEFORE, &usual, 60, 1, false);
	run(&pair, NT_PAIR_AFTER, &idle, 60, 1.8, false);
	compare_pair(&pair, RATE_HZ, arena, &difference);
	assert_int_equal(difference.row_count, 1);
	assert_string_equal(difference.rows[0].name, name_of(0));
	assert_true(fabs(difference.rows[0].change_pct - 80) < 3 * difference.rows[0].error_pct);
	assert_true(difference.rows[0].after.v < difference.rows[0].before.v);
	nt_span_pair_fini(&pair);
	difference = compare(&usual, 60, 60, 10, false, arena);
	assert_int_equal(difference.row_count, 1);
	assert_string_equal(difference.rows[0].name, name_of(0));
	assert_true(fabs(difference.rows[0].change_pct - 900) < 3 * difference.rows[0].error_pct);
	assert_true(fabs(difference.rows[0].before.v - 0.2e9) < 0.02e9);
	nt_arena_free(arena);
}

/* What was not there before has no quotient; what is there in neither is no reason to fail. */
static void what_is_new_is_named(void **state)
{
	(void)state;
	struct nt_arena *arena = nt_arena_new();
	dice = 3;
	struct program program = with_share(0.1, 1, 0);
	struct program other = program;
	program.shares[1] += program.shares[0];
	program.shares[0] = 0;
	struct nt_difference difference = compare(&program, 60, 60, 1, false, arena);
	assert_int_equal(difference.row_count, 0);
	struct nt_span_pair pair = { .arena = arena };
	run(&pair, NT_PAIR_BEFORE, &program, 60, 1, false);
	run(&pair, NT_PAIR_AFTER, &other, 60, 1, false);
	compare_pair(&pair, 0, arena, &difference);
	assert_true(difference.row_count >= 1);
	assert_string_equal(difference.rows[0].name, name_of(0));
	assert_true(isinf(difference.rows[0].change_pct));
	assert_false(difference.rows[0].after.known);
	nt_span_pair_fini(&pair);
	nt_arena_free(arena);
}

/* Its caller takes more as well, and is told behind it; one that has been compiled into another is in no sample any more, which says nothing. */
static void a_caller_is_told_by_what_it_calls(void **state)
{
	(void)state;
	struct nt_arena *arena = nt_arena_new();
	struct nt_span_pair pair = { .arena = arena };
	struct nt_difference difference;
	struct program program = with_share(0.1, 4, 0);
	dice = 6;
	run(&pair, NT_PAIR_BEFORE, &program, 60, 1, false);
	run(&pair, NT_PAIR_AFTER, &program, 60, 2, false);
	size_t caller = nt_span_pair_row(&pair, "Shop.Serve()", NULL), inlined = nt_span_pair_row(&pair, "Shop.Next()", NULL);
	for (int side = 0; side < NT_PAIR_SIDES; side++) {
		const double *slow = pair.rows[nt_span_pair_row(&pair, name_of(0), NULL)].figures[0].amounts[side];
		for (size_t batch = 0; batch < pair.spans[side].count; batch++) {
			nt_span_pair_add(&pair, side, caller, 1, batch, slow[batch] + 60, slow[batch] + 60);
			nt_span_pair_add(&pair, side, inlined, 1, batch, side ? 1 : 200, side ? 1 : 200);
			pair.spans[side].totals[1][batch] = pair.spans[side].totals[0][batch];
		}
	}
	compare_pair(&pair, RATE_HZ, arena, &difference);
	assert_int_equal(difference.row_count, 2);
	assert_string_equal(difference.rows[0].name, name_of(0));
	assert_int_equal(difference.rows[0].kind, NT_DIFFER_CPU);
	assert_string_equal(difference.rows[1].name, "Shop.Serve()");
	assert_int_equal(difference.rows[1].kind, NT_DIFFER_CPU_CALLS);
	assert_true(difference.rows[1].change_pct > 0 && difference.rows[1].change_pct < difference.rows[0].change_pct);
	nt_span_pair_fini(&pair);
	nt_arena_free(arena);
}

static void too_little_is_said_to_be_so(void **state)
{
	(void)state;
	struct nt_arena *arena = nt_arena_new();
	dice = 4;
	struct program program = with_share(0.1, 1, 0);
	struct nt_difference difference = compare(&program, 60, NT_BATCHES_LEAST - 1, 2, false, arena);
	assert_non_null(strstr(difference.reason, "too small a part"));
	program.cpus = 0;
	difference = compare(&program, 60, 60, 2, false, arena);
	assert_non_null(strstr(difference.reason, "no CPU samples"));
	assert_false(difference.needs.known);
	nt_arena_free(arena);
}

/* ---- the arithmetic alone ---- */

static void a_constant_is_known_exactly(void **state)
{
	(void)state;
	double ones[20], twos[20], none[20] = { 0 };
	struct nt_change change;
	for (int i = 0; i < 20; i++)
		twos[i] = 2 * (ones[i] = 1);
	const struct nt_batches one = { ones, ones, 20 }, two = { twos, ones, 20 }, nothing = { none, none, 20 }, few = { ones, ones, 7 };
	assert_true(nt_change_between(&one, &one, 0, &change));
	assert_true(change.chance == 1 && change.error == 0);
	assert_true(nt_change_between(&one, &two, 0, &change));
	assert_true(change.chance == 0 && change.before == 1 && change.after == 2);
	assert_true(nt_change_between(&one, &two, 1, &change)); /* counted: 20 and 40 */
	assert_true(change.chance > 0 && change.chance < 0.01);
	assert_false(nt_change_between(&one, &nothing, 1, &change));
	assert_false(nt_change_between(&few, &one, 1, &change));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_the_same_nothing_is_named),   cmocka_unit_test(what_takes_more_is_named_first),
		cmocka_unit_test(how_long_spans_must_be_is_said), cmocka_unit_test(more_to_do_is_no_change),
		cmocka_unit_test(what_is_new_is_named),           cmocka_unit_test(too_little_is_said_to_be_so),
		cmocka_unit_test(a_constant_is_known_exactly),    cmocka_unit_test(a_caller_is_told_by_what_it_calls),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
