// SPDX-License-Identifier: GPL-2.0-only
/* What the memory of a process consists of: sums and shares, what is only a bound, and that nothing is made up where a part is not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/memory_part.h"

#include <string.h>

#define MB (UINT64_C(1) << 20)

static struct nt_memory_part parts[NT_MEMORY_PARTS];

static const struct nt_memory_part *part(const char *name)
{
	for (size_t i = 0; i < NT_MEMORY_PARTS; i++)
		if (strcmp(parts[i].name, name) == 0)
			return &parts[i];
	fail_msg("no part %s", name);
	return NULL;
}

static struct nt_figures divided(void)
{
	return (struct nt_figures){ .memory = { .rss_bytes = NT_KNOWN(200 * MB),
						.anon_bytes = NT_KNOWN(150 * MB),
						.file_bytes = NT_KNOWN(40 * MB),
						.shared_bytes = NT_KNOWN(10 * MB),
						.swap_bytes = NT_KNOWN(3 * MB) },
				    .gc = { .committed_bytes = NT_KNOWN(90 * MB), .heap_bytes = NT_KNOWN(70 * MB) } };
}

static void test_divided(void **state)
{
	(void)state;
	const struct nt_figures figures = divided();
	char text[NT_MEMORY_PART_BYTES];
	nt_memory_parts(&figures, parts);
	uint64_t sum = 0;
	for (size_t i = 0; i < NT_MEMORY_PARTS; i++)
		sum += parts[i].depth == 1 ? parts[i].bytes.v : 0;
	assert_int_equal(sum, part("resident")->bytes.v);
	assert_true(part("beside that")->at_least);
	assert_int_equal(part("beside that")->bytes.v, 60 * MB);
	assert_string_equal(nt_memory_part_text(part("anonymous"), text), "  anonymous            150M   75%");
	assert_string_equal(nt_memory_part_text(part("heap"), text), "      heap            70.0M      ");
	assert_string_equal(nt_memory_part_text(part("beside that"), text), "    beside that      >60.0M      ");
}

/* The GC may have more than is resident, or nobody says what it has: then nothing is known of what is beside it. */
static void test_nothing_is_guessed(void **state)
{
	(void)state;
	struct nt_figures figures = divided();
	figures.gc.committed_bytes = nt_u64_of(150 * MB);
	nt_memory_parts(&figures, parts);
	assert_false(part("beside that")->bytes.known);
	figures.gc.committed_bytes = (struct nt_u64){ 0 };
	nt_memory_parts(&figures, parts);
	assert_false(part("beside that")->bytes.known);
	assert_false(part("GC committed")->bytes.known);
	assert_true(part("anonymous")->bytes.known);
}

/* The kernel does not divide it. */
static void test_not_divided(void **state)
{
	(void)state;
	const struct nt_figures figures = { .memory = { .rss_bytes = NT_KNOWN(200 * MB) }, .gc = { .committed_bytes = NT_KNOWN(90 * MB) } };
	char text[NT_MEMORY_PART_BYTES];
	nt_memory_parts(&figures, parts);
	assert_string_equal(nt_memory_part_text(part("resident"), text), "resident               200M  100%");
	assert_string_equal(nt_memory_part_text(part("files"), text), "  files                          ");
	assert_false(part("beside that")->bytes.known || part("anonymous")->bytes.known || part("swapped out")->bytes.known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_divided),
		cmocka_unit_test(test_nothing_is_guessed),
		cmocka_unit_test(test_not_divided),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
