// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/kernel/kallsyms.h"

#include <string.h>

struct seen {
	struct nt_kallsym symbol[4];
	unsigned count;
};

static void see(void *context, const struct nt_kallsym *symbol)
{
	struct seen *seen = context;
	assert_true(seen->count < 4);
	seen->symbol[seen->count++] = *symbol;
}

static void test_functions_of_kernel_and_modules(void **state)
{
	(void)state;
	struct nt_kallsyms_parser parser = { 0 };
	struct seen seen = { 0 };
	const char *text = "ffffffff81000000 T _text\n"
			   "ffffffff81000000 D data\n"
			   "ffffffff81000060 t __pfx_do one\n"
			   "ffffffffc0001000 t ext4_read\t[ext4]\n"
			   "ffffffff8200";
	size_t complete = (size_t)(strrchr(text, '\n') - text) + 1;
	assert_int_equal(nt_kallsyms_parse(&parser, text, strlen(text), see, &seen), complete);
	assert_int_equal(seen.count, 3);
	assert_true(seen.symbol[0].address == UINT64_C(0xffffffff81000000));
	assert_int_equal(seen.symbol[0].type, 'T');
	assert_int_equal(seen.symbol[0].name_length, 5);
	assert_memory_equal(seen.symbol[0].name, "_text", 5);
	assert_int_equal(seen.symbol[0].module_length, 0);
	assert_int_equal(seen.symbol[2].name_length, 9);
	assert_memory_equal(seen.symbol[2].name, "ext4_read", 9);
	assert_int_equal(seen.symbol[2].module_length, 4);
	assert_memory_equal(seen.symbol[2].module, "ext4", 4);
	assert_int_equal(parser.symbol_count, 3);
	assert_int_equal(parser.bad_count, 0);
}

static void test_places(void **state)
{
	(void)state;
	struct nt_kernel_place place;
	const char *good = "finish_task_switch.isra.0+0x93/0x2b0", *module = "ext4_read+0x0/0x40 [ext4]";
	assert_true(nt_kernel_place_parse(good, strlen(good), &place));
	assert_int_equal(place.name_length, strlen("finish_task_switch.isra.0"));
	assert_ptr_equal(place.name, good);
	assert_int_equal(place.offset, 0x93);
	assert_int_equal(place.size, 0x2b0);
	assert_true(nt_kernel_place_parse(module, strlen(module), &place));
	assert_int_equal(place.name_length, strlen("ext4_read"));
	assert_int_equal(place.offset, 0);
	const char *const bad[] = { "", "0xffffffff83b00000", "+0x1/0x2", "f", "f+0x", "f+0x1", "f+0x1/", "f+0x1/0x", "f+0x1/0x2]" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(nt_kernel_place_parse(bad[i], strlen(bad[i]), &place));
}

static void test_hidden_and_bad(void **state)
{
	(void)state;
	struct nt_kallsyms_parser parser = { 0 };
	struct seen seen = { 0 };
	const char *text = "0000000000000000 T hidden\n"
			   "0000000000000000 t hidden_too\t[ext4]\n"
			   "\n"
			   "ffffffff81000000\n"
			   "ffffffff81000000 T\n"
			   "ffffffff81000000 T \n"
			   "ffffffff81000000 T f\t[\n"
			   "ffffffff81000000  T f\n";
	assert_int_equal(nt_kallsyms_parse(&parser, text, strlen(text), see, &seen), strlen(text));
	assert_int_equal(seen.count, 0);
	assert_int_equal(parser.hidden_count, 2);
	assert_int_equal(parser.bad_count, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions_of_kernel_and_modules),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_hidden_and_bad),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
