// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/elf/elf_symbols.h"
#include "decode/names/method_name.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void add(struct nt_symbols *symbols, uint64_t start, uint64_t size, unsigned rank, const char *name)
{
	nt_symbols_add(symbols, start, size, rank, name, strlen(name));
}

static void expect(const struct nt_symbols *symbols, uint64_t place, uint64_t start, uint64_t end, const char *name)
{
	struct nt_symbol found;
	assert_int_equal(nt_symbols_find(symbols, place, &found), name != NULL);
	assert_int_equal(found.start, start);
	assert_int_equal(found.end, end);
	if (name)
		assert_string_equal(found.name, name);
}

static void test_empty_table_is_one_gap(void **state)
{
	(void)state;
	struct nt_symbols *symbols = nt_symbols_new();
	nt_symbols_finish(symbols);
	expect(symbols, 0, 0, UINT64_MAX, NULL);
	expect(symbols, 12345, 0, UINT64_MAX, NULL);
	nt_symbols_free(symbols);
}

static void test_bounds_and_gaps(void **state)
{
	(void)state;
	struct nt_symbols *symbols = nt_symbols_new();
	add(symbols, 200, 50, 0, "second");
	add(symbols, 100, 50, 0, "first");
	nt_symbols_finish(symbols);
	expect(symbols, 99, 0, 100, NULL);
	expect(symbols, 100, 100, 150, "first");
	expect(symbols, 149, 100, 150, "first");
	expect(symbols, 150, 150, 200, NULL);
	expect(symbols, 249, 200, 250, "second");
	expect(symbols, 250, 250, UINT64_MAX, NULL);
	nt_symbols_free(symbols);
}

static void test_best_of_several_names(void **state)
{
	(void)state;
	struct nt_symbols *symbols = nt_symbols_new();
	add(symbols, 100, 50, 0, "local");
	add(symbols, 100, 50, 2, "__global");
	add(symbols, 100, 50, 2, "_global");
	add(symbols, 100, 50, 1, "weak");
	nt_symbols_finish(symbols);
	expect(symbols, 120, 100, 150, "_global");
	assert_int_equal(nt_symbols_count(symbols), 1);
	nt_symbols_free(symbols);
}

static void test_innermost_wins_and_outer_goes_on(void **state)
{
	(void)state;
	struct nt_symbols *symbols = nt_symbols_new();
	add(symbols, 100, 100, 0, "outer");
	add(symbols, 120, 20, 0, "inner");
	add(symbols, 190, 30, 0, "across"); /* reaches beyond outer's end */
	nt_symbols_finish(symbols);
	expect(symbols, 110, 100, 120, "outer");
	expect(symbols, 120, 120, 140, "inner");
	expect(symbols, 140, 140, 190, "outer");
	expect(symbols, 205, 190, 220, "across");
	expect(symbols, 220, 220, UINT64_MAX, NULL);
	nt_symbols_free(symbols);
}

static void test_senseless_ranges_are_passed_over(void **state)
{
	(void)state;
	struct nt_symbols *symbols = nt_symbols_new();
	add(symbols, 100, 0, 0, "empty");
	add(symbols, 100, 5, 0, "");
	add(symbols, UINT64_MAX - 2, 10, 0, "wraps");
	add(symbols, 0, UINT64_MAX, 0, "everything");
	nt_symbols_finish(symbols);
	assert_int_equal(nt_symbols_count(symbols), 0);
	nt_symbols_free(symbols);
}

/* Many nested and crossing ranges against the plain definition: of those that hold the place, the one that starts last, then the smallest. */
static void test_agrees_with_the_definition(void **state)
{
	(void)state;
	enum { COUNT = 300, SPACE = 1000 };
	struct {
		uint64_t start, size;
		char name[12];
	} ranges[COUNT];
	struct nt_symbols *symbols = nt_symbols_new();
	uint32_t random = 1;
	for (int i = 0; i < COUNT; i++) {
		random = random * 1103515245 + 12345;
		ranges[i].start = (random >> 8) % SPACE;
		random = random * 1103515245 + 12345;
		ranges[i].size = 1 + (random >> 8) % 40;
		snprintf(ranges[i].name, sizeof(ranges[i].name), "%03d", i);
		add(symbols, ranges[i].start, ranges[i].size, 0, ranges[i].name);
	}
	nt_symbols_finish(symbols);
	for (uint64_t place = 0; place < SPACE + 50; place++) {
		int best = -1;
		for (int i = 0; i < COUNT; i++) {
			if (place < ranges[i].start || place >= ranges[i].start + ranges[i].size)
				continue;
			if (best < 0 || ranges[i].start > ranges[best].start ||
			    (ranges[i].start == ranges[best].start && ranges[i].size < ranges[best].size))
				best = i;
		}
		struct nt_symbol found;
		assert_int_equal(nt_symbols_find(symbols, place, &found), best >= 0);
		assert_true(found.start <= place && place < found.end);
		if (best >= 0)
			assert_string_equal(found.name, ranges[best].name);
	}
	nt_symbols_free(symbols);
}

/* ---- ELF symbol tables ---- */

static const char strings[] = "\0alpha\0beta@@V1\0gamma\0unending";
enum { ALPHA = 1, BETA = 7, GAMMA = 16, UNENDING = 22 };

static Elf64_Sym function(uint32_t name, unsigned bind, uint64_t value, uint64_t size)
{
	return (Elf64_Sym){
		.st_name = name, .st_info = (unsigned char)ELF64_ST_INFO(bind, STT_FUNC), .st_shndx = 1, .st_value = value, .st_size = size
	};
}

/* vaddr 0x11000.. lies at file offset 0x1000.. */
static const struct nt_elf_segment segment = { .vaddr = 0x11000, .offset = 0x1000, .file_size = 0x1000 };

static size_t read_table(const Elf64_Sym *table, size_t count, struct nt_symbols *symbols)
{
	uint8_t bytes[1 + 16 * sizeof(Elf64_Sym)]; /* at an odd address: nothing may be assumed of the alignment */
	memcpy(bytes + 1, table, count * sizeof(*table));
	const struct nt_elf_tables tables = { .is64 = true,
					      .symtab = bytes + 1,
					      .symtab_size = count * sizeof(*table),
					      .strtab = strings,
					      .strtab_size = sizeof(strings) - 1, /* the last name has no NUL */
					      .segments = &segment,
					      .segment_count = 1 };
	size_t added = nt_elf_symbols_read(&tables, symbols);
	nt_symbols_finish(symbols);
	return added;
}

/* One string of megabytes, whose end is the name of each symbol: what is taken of it is a raw name's length, and looking for its end goes no further. */
static void test_one_string_names_all(void **state)
{
	(void)state;
	enum { COUNT = 10000, STRING_BYTES = 64 << 20 };
	Elf64_Sym *table = calloc(COUNT, sizeof(*table));
	char *string = malloc(STRING_BYTES);
	memset(string, 'a', STRING_BYTES - 1);
	string[STRING_BYTES - 1] = '\0';
	for (uint32_t i = 0; i < COUNT; i++)
		table[i] = function(1 + i, STB_GLOBAL, 0x11000 + i % 0x1000, 1);
	const struct nt_elf_tables tables = { .is64 = true,
					      .symtab = (const uint8_t *)table,
					      .symtab_size = COUNT * sizeof(*table),
					      .strtab = string,
					      .strtab_size = STRING_BYTES,
					      .segments = &segment,
					      .segment_count = 1 };
	struct nt_symbols *symbols = nt_symbols_new();
	struct nt_symbol found;
	clock_t began = clock();
	assert_int_equal(nt_elf_symbols_read(&tables, symbols), COUNT);
	/* Some milliseconds; 640 GB would be half a minute. */
	assert_true(clock() - began < 5 * CLOCKS_PER_SEC);
	nt_symbols_finish(symbols);
	assert_true(nt_symbols_find(symbols, 0x1000, &found));
	assert_int_equal(strlen(found.name), NT_RAW_NAME_MAX);
	nt_symbols_free(symbols);
	free(table);
	free(string);
}

static void test_functions_by_file_offset(void **state)
{
	(void)state;
	Elf64_Sym object = function(GAMMA, STB_GLOBAL, 0x11300, 16);
	object.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
	Elf64_Sym import = function(GAMMA, STB_GLOBAL, 0x11400, 16);
	import.st_shndx = SHN_UNDEF;
	const Elf64_Sym table[] = {
		{ 0 }, function(ALPHA, STB_LOCAL, 0x11100, 0x20), function(BETA, STB_GLOBAL, 0x11200, 0x20), object, import
	};
	struct nt_symbols *symbols = nt_symbols_new();
	assert_int_equal(read_table(table, 5, symbols), 2);
	expect(symbols, 0x1110, 0x1100, 0x1120, "alpha");
	expect(symbols, 0x1210, 0x1200, 0x1220, "beta"); /* without its version */
	expect(symbols, 0x1308, 0x1220, UINT64_MAX, NULL);
	nt_symbols_free(symbols);
}

static void test_hostile_entries_are_passed_over(void **state)
{
	(void)state;
	const Elf64_Sym table[] = {
		function(sizeof(strings), STB_GLOBAL, 0x11100, 16), /* name outside the strings */
		function(UINT32_MAX, STB_GLOBAL, 0x11100, 16),
		function(UNENDING, STB_GLOBAL, 0x11100, 16),
		function(ALPHA, STB_GLOBAL, 0x10fff, 16), /* before the segment */
		function(ALPHA, STB_GLOBAL, 0x12000, 16), /* after it */
		function(ALPHA, STB_GLOBAL, UINT64_MAX, 16),
		function(ALPHA, STB_GLOBAL, 0x11100, 0),          /* no size: where it ends is not known */
		function(GAMMA, STB_GLOBAL, 0x11ff0, UINT64_MAX), /* reaches beyond: cut */
	};
	struct nt_symbols *symbols = nt_symbols_new();
	assert_int_equal(read_table(table, 8, symbols), 1);
	expect(symbols, 0x1ff8, 0x1ff0, 0x2000, "gamma");
	nt_symbols_free(symbols);
}

static void test_segment_at(void **state)
{
	(void)state;
	assert_null(nt_elf_segment_at(&segment, 1, 0xfff));
	assert_ptr_equal(nt_elf_segment_at(&segment, 1, 0x1000), &segment);
	assert_ptr_equal(nt_elf_segment_at(&segment, 1, 0x1fff), &segment);
	assert_null(nt_elf_segment_at(&segment, 1, 0x2000));
	assert_null(nt_elf_segment_at(NULL, 0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty_table_is_one_gap),
		cmocka_unit_test(test_bounds_and_gaps),
		cmocka_unit_test(test_best_of_several_names),
		cmocka_unit_test(test_innermost_wins_and_outer_goes_on),
		cmocka_unit_test(test_senseless_ranges_are_passed_over),
		cmocka_unit_test(test_agrees_with_the_definition),
		cmocka_unit_test(test_functions_by_file_offset),
		cmocka_unit_test(test_one_string_names_all),
		cmocka_unit_test(test_hostile_entries_are_passed_over),
		cmocka_unit_test(test_segment_at),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
