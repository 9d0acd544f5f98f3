// SPDX-License-Identifier: GPL-2.0-only
/* What the sources of a list cost: that of a closed one stays in the sum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/many/many_sources.h"

static int fd_of(struct nt_source *source)
{
	(void)source;
	return -1;
}

static void cost_of(struct nt_source *source, struct nt_source_stats *out)
{
	(void)source;
	*out = (struct nt_source_stats){ .helper_cpu_ns = 300, .helper_bytes = 4096, .price_ns = 50 };
}

static void close_it(struct nt_source *source)
{
	(void)source;
}

static void test_a_closed_one(void **state)
{
	(void)state;
	static const struct nt_source_ops ops = { .id = NT_SOURCE_CODEMAP, .fd = fd_of, .stats = cost_of, .close = close_it };
	const struct nt_options options = { .source_mask = ~0u };
	const struct nt_many_setup setup = { .options = &options, .runtime_dir = "/nonexistent" };
	struct nt_source source = { .ops = &ops };
	struct nt_many_sources sources;
	nt_many_sources_init(&sources, &setup);
	for (uint64_t opened = 1; opened <= 3; opened++) {
		struct nt_ev_self open = { 0 }, closed = { 0 };
		sources.sources[NT_SOURCE_CODEMAP] = &source;
		nt_many_sources_cost(&sources, &open);
		nt_many_sources_close(&sources, NT_SOURCE_CODEMAP);
		nt_many_sources_cost(&sources, &closed);
		assert_int_equal(open.self_ns, opened * 300);
		assert_int_equal(closed.self_ns, opened * 300);
		assert_int_equal(closed.target_ns, opened * 50);
		assert_true(closed.target_known);
		assert_int_equal(open.rss_bytes, 4096);
		assert_int_equal(closed.rss_bytes, 0); /* nobody has it any more */
	}
	nt_many_sources_fini(&sources);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_a_closed_one) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
