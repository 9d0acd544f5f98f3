// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's own answer against its list of functions. Needs what nettop needs for it (root); skipped without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/codemap/kernel_lookup.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Address of a function that every kernel has; 0: hidden. */
static uint64_t address_of(const char *wanted)
{
	FILE *list = fopen("/proc/kallsyms", "r");
	char line[1024], name[512], type;
	uint64_t address = 0, found = 0;
	while (list && !found && fgets(line, sizeof(line), list))
		if (sscanf(line, "%" SCNx64 " %c %511s", &address, &type, name) == 3 && strcmp(name, wanted) == 0)
			found = address;
	if (list)
		fclose(list);
	return found;
}

static void test_finds_functions(void **state)
{
	(void)state;
	struct nt_kernel_lookup *lookup = nt_kernel_lookup_new();
	uint64_t address = address_of("vfs_read");
	struct nt_kernel_function function;
	if (!lookup || !address) {
		nt_kernel_lookup_free(lookup);
		skip();
	}
	assert_int_equal(nt_kernel_lookup_find(lookup, address + 1, &function), NT_OK);
	assert_string_equal(function.name, "vfs_read");
	assert_true(function.start == address);
	assert_true(function.end > address + 1);
	/* The place before it is another function's, or nobody's. */
	if (nt_kernel_lookup_find(lookup, address - 1, &function) == NT_OK)
		assert_true(function.end <= address && strcmp(function.name, "vfs_read") != 0);
	nt_kernel_lookup_free(lookup);
}

static void test_places_without_a_function(void **state)
{
	(void)state;
	static const uint64_t places[] = { 0, 0x1000, UINT64_C(1) << 63, UINT64_MAX };
	struct nt_kernel_lookup *lookup = nt_kernel_lookup_new();
	struct nt_kernel_function function;
	if (!lookup)
		skip();
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		assert_int_equal(nt_kernel_lookup_find(lookup, places[i], &function), NT_ERR_ABSENT);
	nt_kernel_lookup_free(lookup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_functions),
		cmocka_unit_test(test_places_without_a_function),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
