// SPDX-License-Identifier: GPL-2.0-only
/* Counting from a chosen moment: what grows is subtracted, what is a state or an extreme stays. */
#include "ui/rows/zero.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct nt_process_snapshot process_of(uint64_t collections, uint64_t longest_ns, uint64_t heap_bytes, uint64_t covered_ns)
{
	struct nt_process_snapshot process = { 0 };
	process.total.span_ns = process.total.lived_ns = covered_ns;
	process.total.gc.count[0] = nt_u64_of(collections);
	process.total.gc.pause_max_ns = nt_u64_of(longest_ns);
	process.total.gc.heap_bytes = nt_u64_of(heap_bytes);
	process.total.gc.covered_ns = nt_u64_of(covered_ns);
	return process;
}

static void test_figures_from_zero(void **state_)
{
	(void)state_;
	struct nt_process_snapshot then = process_of(10, 900, 5000, 1000), now = process_of(14, 900, 6000, 4000);
	struct nt_zero *zero = nt_zero_new(&then, 1000);
	struct nt_process_snapshot out = nt_zero_apply(zero, &now);
	assert_int_equal(out.total.gc.count[0].v, 4);
	assert_true(out.total.gc.count[0].known);
	assert_int_equal(out.total.gc.covered_ns.v, 3000);
	assert_int_equal(out.total.span_ns, 3000);
	assert_int_equal(out.total.gc.pause_max_ns.v, 900);
	assert_int_equal(out.total.gc.heap_bytes.v, 6000);
	assert_false(out.total.gc.count[1].known);
	nt_zero_free(zero);
}

/* Every figure that grows, and none else, is subtracted: by the table. */
static void test_every_figure(void **state_)
{
	(void)state_;
	struct nt_process_snapshot then = { 0 }, now = { 0 };
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++) {
			const struct nt_figure *figure = &nt_subjects[s]->figures[i];
			if (figure->type != NT_FIGURE_U64)
				continue;
			*(struct nt_u64 *)(void *)((char *)&then.total + figure->offset) = nt_u64_of(3);
			*(struct nt_u64 *)(void *)((char *)&now.total + figure->offset) = nt_u64_of(10);
		}
	struct nt_zero *zero = nt_zero_new(&then, 0);
	struct nt_process_snapshot out = nt_zero_apply(zero, &now);
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++) {
			const struct nt_figure *figure = &nt_subjects[s]->figures[i];
			if (figure->type != NT_FIGURE_U64)
				continue;
			const struct nt_u64 *value = (const struct nt_u64 *)(const void *)((const char *)&out.total + figure->offset);
			assert_true(value->known);
			assert_int_equal(value->v, figure->sort == NT_COUNTER ? 7 : 10);
		}
	nt_zero_free(zero);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_figures_from_zero), cmocka_unit_test(test_every_figure) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
