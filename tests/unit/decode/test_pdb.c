// SPDX-License-Identifier: GPL-2.0-only
/*
 * Portable PDBs: lines of the methods of a small program, from the file beside it and from the one within it. tests/data/corpus/pdb: what the C# compiler made
 * of the program below.
 */
#include "decode/assembly/pe_debug.h"
#include "memory_window.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/*
 *  3     static int Sum(int n)
 *  4     {
 *  5         int sum = 0;
 *  6         for (int i = 0; i < n; i++)
 *  7             sum += i;
 *  8         return sum;
 *  9     }
 * 11     static int Sum(string s)
 * 13         return s.Length;
 * 21     static void Main()
 * 23         System.Console.WriteLine(Sum(3) + Sum("x") + new Inner<int>().Same(1));
 *        #line 1000 "other.cs"
 *            System.Console.WriteLine();
 *        #line hidden
 *            System.Console.WriteLine();
 *        }
 */
enum { SUM = 1, SUM_OF_TEXT, MAIN, CONSTRUCTOR, FILE_MAX = 1 << 16 };

struct file {
	uint8_t bytes[FILE_MAX];
	struct memory memory;
	struct nt_window *window;
};

static void open_file(struct file *file, const char *name)
{
	char path[128];
	snprintf(path, sizeof(path), "tests/data/corpus/pdb/%s", name);
	FILE *stream = fopen(path, "r");
	assert_non_null(stream);
	file->memory = (struct memory){ .bytes = file->bytes, .size = fread(file->bytes, 1, FILE_MAX, stream) };
	fclose(stream);
	file->window = memory_window(&file->memory);
}

static void check_points(const struct nt_pdb *pdb, uint32_t rid, const struct nt_pdb_point *expected, size_t count)
{
	struct nt_pdb_points points;
	struct nt_pdb_point point;
	assert_true(nt_pdb_points_of(pdb, rid, &points));
	for (size_t i = 0; i < count; i++) {
		assert_true(nt_pdb_points_next(&points, &point));
		assert_int_equal(point.il_offset, expected[i].il_offset);
		assert_int_equal(point.line, expected[i].line);
		if (expected[i].line)
			assert_int_equal(point.document, expected[i].document);
	}
	assert_false(nt_pdb_points_next(&points, &point));
}

static void check_program(const struct nt_pdb *pdb)
{
	char path[64];
	static const struct nt_pdb_point sum[] = { { 0, 5, 1 },  { 2, 6, 1 },  { 4, 0, 0 }, { 6, 7, 1 },
						   { 10, 6, 1 }, { 14, 6, 1 }, { 18, 8, 1 } };
	static const struct nt_pdb_point sum_of_text[] = { { 0, 13, 1 } };
	static const struct nt_pdb_point two_files[] = { { 0, 23, 1 }, { 34, 1000, 2 }, { 39, 0, 0 }, { 44, 0, 0 } };
	check_points(pdb, SUM, sum, sizeof(sum) / sizeof(*sum));
	check_points(pdb, SUM_OF_TEXT, sum_of_text, 1);
	check_points(pdb, MAIN, two_files, sizeof(two_files) / sizeof(*two_files));
	assert_int_equal(nt_pdb_document(pdb, 1, path, sizeof(path)), strlen("/src/tiny.cs"));
	assert_string_equal(path, "/src/tiny.cs");
	nt_pdb_document(pdb, 2, path, sizeof(path));
	assert_string_equal(path, "/src/other.cs");
}

static void test_lines_of_a_pdb(void **state)
{
	(void)state;
	static struct file file;
	struct nt_pdb pdb;
	open_file(&file, "small");
	assert_true(nt_pdb_read(file.window, &pdb));
	check_program(&pdb);
	nt_window_free(file.window);
}

static void test_what_there_is_not(void **state)
{
	(void)state;
	static struct file file;
	struct nt_pdb pdb;
	struct nt_pdb_points points;
	char path[8];
	open_file(&file, "small");
	assert_true(nt_pdb_read(file.window, &pdb));
	assert_false(nt_pdb_points_of(&pdb, CONSTRUCTOR, &points)); /* made by the compiler */
	assert_false(nt_pdb_points_of(&pdb, 0, &points));
	assert_false(nt_pdb_points_of(&pdb, 1000, &points));
	assert_int_equal(nt_pdb_document(&pdb, 3, path, sizeof(path)), 0);
	assert_string_equal(path, "");
	nt_pdb_document(&pdb, 1, path, sizeof(path)); /* cut: the file's name does not fit */
	assert_string_equal(path, "/src/");
	nt_window_free(file.window);
}

static void test_assembly_knows_its_pdb(void **state)
{
	(void)state;
	static struct file assembly, file;
	struct nt_pe pe;
	struct nt_pe_debug debug;
	struct nt_pdb pdb;
	size_t size;
	open_file(&assembly, "beside");
	open_file(&file, "small");
	assert_true(nt_pe_read(assembly.window, 0, &pe));
	assert_true(nt_pe_debug_read(&pe, &debug));
	assert_true(debug.has_id);
	assert_true(nt_pdb_read(file.window, &pdb));
	assert_memory_equal(debug.id, pdb.id, sizeof(pdb.id));
	assert_int_equal(debug.embedded.size, 0);
	assert_null(nt_pe_debug_unpack(assembly.window, &debug.embedded, &size));
	nt_window_free(assembly.window);
	nt_window_free(file.window);
}

static void test_embedded_pdb(void **state)
{
	(void)state;
	static struct file assembly;
	struct nt_pe pe;
	struct nt_pe_debug debug;
	struct nt_pdb pdb;
	struct memory memory = { 0 };
	open_file(&assembly, "embedded");
	assert_true(nt_pe_read(assembly.window, 0, &pe));
	assert_true(nt_pe_debug_read(&pe, &debug));
	uint8_t *unpacked = nt_pe_debug_unpack(assembly.window, &debug.embedded, &memory.size);
	assert_non_null(unpacked);
	memory.bytes = unpacked;
	struct nt_window *window = memory_window(&memory);
	assert_true(nt_pdb_read(window, &pdb));
	assert_memory_equal(debug.id, pdb.id, sizeof(pdb.id));
	check_program(&pdb);
	nt_window_free(window);
	free(unpacked);
	nt_window_free(assembly.window);
}

/* What says that it is larger than its bytes can be is not believed, nor what is cut off. */
static void test_embedded_pdb_that_lies(void **state)
{
	(void)state;
	static struct file assembly;
	struct nt_pe pe;
	struct nt_pe_debug debug;
	size_t size;
	open_file(&assembly, "embedded");
	assert_true(nt_pe_read(assembly.window, 0, &pe));
	assert_true(nt_pe_debug_read(&pe, &debug));
	struct nt_pe_debug_part part = debug.embedded;
	part.size -= 2;
	assert_null(nt_pe_debug_unpack(assembly.window, &part, &size));
	uint8_t *said = assembly.bytes + debug.embedded.offset + 4;
	nt_window_rest(assembly.window);
	said[0]++; /* a byte more than there is */
	assert_null(nt_pe_debug_unpack(assembly.window, &debug.embedded, &size));
	nt_window_rest(assembly.window);
	said[3] = 0x01;
	assert_null(nt_pe_debug_unpack(assembly.window, &debug.embedded, &size));
	nt_window_free(assembly.window);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_of_a_pdb),         cmocka_unit_test(test_what_there_is_not),
		cmocka_unit_test(test_assembly_knows_its_pdb), cmocka_unit_test(test_embedded_pdb),
		cmocka_unit_test(test_embedded_pdb_that_lies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
