// SPDX-License-Identifier: GPL-2.0-only
/* An archive, read by unzip's rules: from the list at its end. (Python's zipfile and .NET read it in tests/live/test_export_nettrace.py.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/export/zip_file.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static uint64_t number(const char *at, size_t width)
{
	uint64_t value = 0;
	memcpy(&value, at, width);
	return value;
}

/* The content of the file that the line of the list at `line` tells of. *next: the line behind it. */
static const char *content(const char *archive, const char *line, const char *name, uint64_t *length, const char **next)
{
	enum { LINE = 46, HEAD = 30, EXTRA = 4 };
	assert_int_equal(number(line, 4), 0x02014b50);
	size_t name_length = number(line + 28, 2);
	assert_int_equal(name_length, strlen(name));
	assert_memory_equal(line + LINE, name, name_length);
	const char *numbers = line + LINE + name_length + EXTRA;
	*length = number(numbers, 8);
	assert_int_equal(number(numbers + 8, 8), *length);
	uint64_t offset = number(numbers + 16, 8);
	*next = line + LINE + name_length + number(line + 30, 2);
	const char *head = archive + offset;
	assert_int_equal(number(head, 4), 0x04034b50);
	const char *data = head + HEAD + number(head + 26, 2) + number(head + 28, 2);
	/* Behind it the same is said once more. */
	assert_int_equal(number(data + *length, 4), 0x08074b50);
	assert_int_equal(number(data + *length + 4, 4), number(line + 16, 4));
	assert_int_equal(number(data + *length + 8, 8), *length);
	assert_int_equal(number(data + *length + 16, 8), *length);
	assert_int_equal(number(head + 8, 2), 0); /* not packed */
	assert_int_equal(crc32_z(0, (const Bytef *)data, *length), number(line + 16, 4));
	return data;
}

static void files_come_back(void **state)
{
	(void)state;
	enum { LINES = 200000, END = 22, LOCATOR = 20 };
	char *archive;
	size_t size;
	FILE *out = open_memstream(&archive, &size);
	struct nt_zip *zip = nt_zip_new(out, 1700000000);
	FILE *file = nt_zip_open(zip, "perf.data.txt");
	for (unsigned i = 0; i < LINES; i++)
		fprintf(file, "line %u\n", i);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(fclose(nt_zip_open(zip, "empty")), 0);
	nt_zip_end(zip);
	fclose(out);
	uint64_t list = number(archive + size - END - LOCATOR + 8, 8);
	assert_int_equal(number(archive + list, 4), 0x06064b50);
	assert_int_equal(number(archive + list + 32, 8), 2);
	uint64_t length;
	const char *line = archive + number(archive + list + 48, 8);
	const char *text = content(archive, line, "perf.data.txt", &length, &line), *at = text;
	for (unsigned i = 0; i < LINES; i++) {
		char wanted[32];
		int width = snprintf(wanted, sizeof(wanted), "line %u\n", i);
		assert_memory_equal(at, wanted, (size_t)width);
		at += width;
	}
	assert_int_equal(at - text, length);
	content(archive, line, "empty", &length, &line);
	assert_int_equal(length, 0);
	assert_ptr_equal(line, archive + list);
	free(archive);
}

/* What the list says of the time of its first file: date and time. */
static uint32_t dated(int64_t unix_s)
{
	enum { END = 22, LOCATOR = 20 };
	char *archive;
	size_t size;
	FILE *out = open_memstream(&archive, &size);
	struct nt_zip *zip = nt_zip_new(out, unix_s);
	fclose(nt_zip_open(zip, "x"));
	nt_zip_end(zip);
	fclose(out);
	uint64_t list = number(archive + size - END - LOCATOR + 8, 8);
	uint32_t says = (uint32_t)number(archive + number(archive + list + 48, 8) + 12, 4);
	free(archive);
	return says;
}

static void times(void **state)
{
	(void)state;
	assert_int_equal(dated(1700000000), (43u << 9 | 11 << 5 | 14) << 16 | 22 << 11 | 13 << 5 | 10);
	static const int64_t beyond[] = { 0, -1, INT64_MAX, INT64_MIN, INT64_C(4354819200) };
	for (size_t i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++)
		assert_int_equal(dated(beyond[i]), (0u << 9 | 1 << 5 | 1) << 16);
}

static void a_full_disk_is_told(void **state)
{
	(void)state;
	FILE *out = fopen("/dev/full", "w");
	setvbuf(out, NULL, _IONBF, 0);
	struct nt_zip *zip = nt_zip_new(out, 0);
	FILE *file = nt_zip_open(zip, "x");
	fputs("x", file);
	fclose(file);
	nt_zip_end(zip);
	assert_true(ferror(out));
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(files_come_back), cmocka_unit_test(times),
					    cmocka_unit_test(a_full_disk_is_told) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
