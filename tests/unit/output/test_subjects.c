// SPDX-License-Identifier: GPL-2.0-only
/* The table of subjects: what stands in one row fits the others, and what it names is there. */
#include "nettop/column.h"
#include "nettop/subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* An event counts for one subject, else two sources could own it. */
static void test_kinds_are_of_one_subject(void **state_)
{
	(void)state_;
	bool seen[NT_EV_LIMIT] = { false };
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++) {
		bool opens = nt_subjects[s]->opens == NT_EV_NONE, closes = nt_subjects[s]->closes == NT_EV_NONE;
		for (const struct nt_subject_kind *of = nt_subjects[s]->kinds; of && of->kind != NT_EV_NONE; of++) {
			assert_true(nt_event_kind_exists(of->kind));
			assert_false(seen[of->kind]);
			seen[of->kind] = true;
			opens |= of->kind == nt_subjects[s]->opens && of->stream == NT_STREAM_MAIN;
			closes |= of->kind == nt_subjects[s]->closes && of->stream == NT_STREAM_MAIN;
		}
		assert_true(opens && closes);
	}
}

static void test_figures_have_names_of_their_own(void **state_)
{
	(void)state_;
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++) {
			const struct nt_figure *figure = &nt_subjects[s]->figures[i];
			for (size_t other = 0; other < NT_SUBJECT_COUNT; other++)
				for (size_t j = 0; j < nt_subjects[other]->figure_count; j++) {
					const struct nt_figure *that = &nt_subjects[other]->figures[j];
					bool same = strcmp(figure->section, that->section) == 0 && strcmp(figure->key, that->key) == 0;
					assert_int_equal(same, figure == that);
					assert_int_equal(figure->offset == that->offset, figure == that);
				}
			assert_true(figure->help && *figure->help);
			/* A share and a text do not grow. */
			if (figure->type != NT_FIGURE_U64)
				assert_int_not_equal(figure->sort, NT_COUNTER);
		}
}

/* The figure of a tile and the time that it is a rate of are among the figures of its subject. */
static void test_headlines_are_figures(void **state_)
{
	(void)state_;
	for (size_t s = 0; s < NT_SUBJECT_TILES; s++) {
		const struct nt_subject *subject = nt_subjects[s];
		bool headline = false, covered = false;
		for (size_t i = 0; i < subject->figure_count; i++) {
			bool is_f64 = subject->figures[i].type == NT_FIGURE_F64;
			headline |= subject->figures[i].offset == subject->headline && is_f64 == subject->headline_is_f64;
			covered |= subject->figures[i].offset == subject->covered_ns;
		}
		assert_true(headline && covered);
		assert_true(subject->label && subject->help && subject->screen);
		assert_true(subject->much > 0); /* a trend that is scaled to itself makes a storm of what is harmless */
	}
}

static void test_lists_have_tables(void **state_)
{
	(void)state_;
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (const struct nt_subject_list *list = nt_subjects[s]->lists; list && list->key; list++) {
			size_t i = 0;
			while (nt_tables[i] && strcmp(nt_tables[i]->key, list->table) != 0)
				i++;
			assert_non_null(nt_tables[i]);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_kinds_are_of_one_subject),
					    cmocka_unit_test(test_figures_have_names_of_their_own),
					    cmocka_unit_test(test_headlines_are_figures), cmocka_unit_test(test_lists_have_tables) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
