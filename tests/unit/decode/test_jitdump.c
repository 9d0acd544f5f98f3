// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/codemap/jitdump.h"

#include "tests/unit/jitdump_file.h"

static const char add[] = "void [Shop.Web] Shop.Cart::Add(int32)[QuickJitted]";
static const char resolve[] = "stub ReportStubBlock<VSD_ResolveStub>";

static void assert_load(const struct nt_jitdump_lines *loads, const struct jitdump_file *file, size_t i, const char *name, uint64_t start,
			uint64_t size, nt_time time)
{
	assert_true(i < loads->lines.count);
	const struct nt_batch_line *line = &loads->lines.items[i];
	assert_int_equal(line->start, start);
	assert_int_equal(line->size, size);
	assert_int_equal(line->length, strlen(name));
	assert_memory_equal(file->bytes + line->offset, name, strlen(name));
	assert_int_equal(loads->times[i], time);
}

static void test_loads(void **state)
{
	(void)state;
	struct jitdump_file file = { 0 };
	struct nt_jitdump_parser parser = { 0 };
	struct nt_jitdump_lines loads;
	jitdump_begin(&file);
	jitdump_load(&file, add, 0x7f0000100000, 64, 2000);
	jitdump_record(&file, 2, 33); /* JIT_CODE_DEBUG_INFO */
	jitdump_load(&file, resolve, 0x7f0000100200, 32, 3000);
	assert_int_equal(nt_jitdump_parse(&parser, file.bytes, file.length, &loads), file.length);
	assert_int_equal(loads.lines.count, 2);
	assert_load(&loads, &file, 0, add, 0x7f0000100000, 64, 2000);
	assert_load(&loads, &file, 1, resolve, 0x7f0000100200, 32, 3000);
	assert_int_equal(loads.lines.items[0].kind, NT_CODE_JIT);
	assert_int_equal(loads.lines.items[1].kind, NT_CODE_STUB);
	assert_int_equal(parser.line_count, 2);
	assert_int_equal(parser.bad_count, 0);
}

/* Whatever is there already: nothing is lost, nothing twice. */
static void test_cut_anywhere(void **state)
{
	(void)state;
	struct jitdump_file file = { 0 };
	jitdump_begin(&file);
	jitdump_load(&file, add, 0x1000, 64, 2000);
	jitdump_record(&file, 2, 5);
	jitdump_load(&file, resolve, 0x2000, 7, 3000);
	for (size_t cut = 0; cut <= file.length; cut++) {
		struct nt_jitdump_parser parser = { 0 };
		struct nt_jitdump_lines loads;
		size_t used = nt_jitdump_parse(&parser, file.bytes, cut, &loads), before = loads.lines.count;
		used += nt_jitdump_parse(&parser, file.bytes + used, file.length - used, &loads);
		assert_int_equal(used, file.length);
		assert_int_equal(before + loads.lines.count, 2);
		assert_int_equal(parser.bad_count, 0);
	}
}

static void test_a_load_is_there_before_its_code(void **state)
{
	(void)state;
	struct jitdump_file file = { 0 };
	struct nt_jitdump_parser parser = { 0 };
	struct nt_jitdump_lines loads;
	jitdump_begin(&file);
	jitdump_load(&file, add, 0x1000, 64, 2000);
	assert_int_equal(nt_jitdump_parse(&parser, file.bytes, file.length - 40, &loads), file.length - 40);
	assert_int_equal(loads.lines.count, 1);
	assert_int_equal(parser.skip, 40);
}

static void test_more_than_fit_at_once(void **state)
{
	(void)state;
	static struct jitdump_file file;
	struct nt_jitdump_parser parser = { 0 };
	struct nt_jitdump_lines loads;
	jitdump_begin(&file);
	for (unsigned i = 0; i < NT_PERFMAP_LINES + 10; i++)
		jitdump_load(&file, add, 0x1000 + i * 64, 8, i);
	size_t used = nt_jitdump_parse(&parser, file.bytes, file.length, &loads);
	assert_int_equal(loads.lines.count, NT_PERFMAP_LINES);
	assert_int_equal(used + nt_jitdump_parse(&parser, file.bytes + used, file.length - used, &loads), file.length);
	assert_int_equal(loads.lines.count, 10);
	assert_int_equal(loads.times[9], NT_PERFMAP_LINES + 9);
}

static void test_what_cannot_be(void **state)
{
	static const struct {
		const char *what;
		size_t at; /* in the file of one load */
		uint32_t value;
		bool lost; /* nothing after it can be read */
	} cases[] = {
		{ "the magic of a big-endian machine", 0, 0x4454694a, true },
		{ "a version to come", 4, 2, true },
		{ "a header without end", 8, 0xfffffff0, true },
		{ "a record shorter than its header", 40 + 4, 15, true },
		{ "code longer than its record", 40 + 40, 4000, false },
		{ "code of no length", 40 + 40, 0, false },
		{ "code of 4 GB and more", 40 + 44, 1, false },
		{ "an address at which it would wrap", 40 + 36, 0xffffffff, false },
		{ "no name", 40 + NT_JITDUMP_NAME_AT, 0, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jitdump_file file = { 0 };
		struct nt_jitdump_parser parser = { 0 };
		struct nt_jitdump_lines loads;
		jitdump_begin(&file);
		jitdump_load(&file, add, 0xffffffc8, 64, 2000);
		memcpy(file.bytes + cases[i].at, &cases[i].value, sizeof(cases[i].value));
		jitdump_load(&file, resolve, 0x2000, 8, 3000);
		assert_int_equal(nt_jitdump_parse(&parser, file.bytes, file.length, &loads), file.length);
		if (parser.bad_count != 1 || loads.lines.count != !cases[i].lost || parser.lost != cases[i].lost)
			fail_msg("%s: %u bad, %zu loads", cases[i].what, (unsigned)parser.bad_count, loads.lines.count);
	}
}

/* Then they say nothing of when: the counter of the processor is not our clock. */
static void test_timestamps_of_another_clock(void **state)
{
	(void)state;
	struct jitdump_file file = { 0 };
	struct nt_jitdump_parser parser = { 0 };
	struct nt_jitdump_lines loads;
	jitdump_begin(&file);
	file.bytes[32] = 1; /* JITDUMP_FLAGS_ARCH_TIMESTAMP */
	jitdump_load(&file, add, 0x1000, 64, 2000);
	nt_jitdump_parse(&parser, file.bytes, file.length, &loads);
	assert_load(&loads, &file, 0, add, 0x1000, 64, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_a_load_is_there_before_its_code),
		cmocka_unit_test(test_more_than_fit_at_once),
		cmocka_unit_test(test_what_cannot_be),
		cmocka_unit_test(test_timestamps_of_another_clock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
