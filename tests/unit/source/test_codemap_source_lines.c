// SPDX-License-Identifier: GPL-2.0-only
/* Questions for source lines: a target that has mapped a small assembly, whose PDB is beside it, or within it, or is another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codemap_fixture.h"

#define CORPUS "tests/data/corpus/pdb"

/* The assembly as /app/tiny.dll, mapped; its PDB beside it, if any. */
static struct fixture *target_with(const char *assembly, const char *pdb)
{
	struct fixture *f = fixture_new();
	char path[128], *here = getcwd(NULL, 0);
	struct stat stat_of;
	fixture_shell(f, "cp '%s/" CORPUS "/%s' root/app/tiny.dll", here, assembly);
	if (pdb)
		fixture_shell(f, "cp '%s/" CORPUS "/%s' root/app/tiny.pdb", here, pdb);
	snprintf(path, sizeof(path), "%s/root/app/tiny.dll", f->dir);
	assert_int_equal(stat(path, &stat_of), 0);
	fixture_shell(f, "echo '7f0000300000-7f0000301000 r--s 00000000 08:01 %llu /app/tiny.dll' >> proc/maps",
		      (unsigned long long)stat_of.st_ino);
	free(here);
	fixture_start(f);
	return f;
}

static bool has_answer(const struct fixture *f, size_t from, const void *what)
{
	(void)what;
	return fixture_count(f, from, NT_EV_SOURCE_LINES) > 0;
}

static const struct seen *ask(struct fixture *f, const char *method)
{
	const struct nt_question question = { .pid = FIXTURE_PID, .map_start = 0x7000, .image = NT_LINES_IMAGE, .method = method };
	size_t seen = f->seen_count;
	assert_int_equal(nt_source_codemap.ask(f->source, &question, 1), 1);
	fixture_wait(f, seen, has_answer, NULL);
	const struct seen *answer = fixture_last(f, seen, NT_EV_SOURCE_LINES);
	assert_int_equal(answer->event.u.source_lines.asked, 0x7000);
	return answer;
}

static void check_lines(struct fixture *f, const char *method, uint32_t count, uint32_t first_line)
{
	const struct seen *answer = ask(f, method);
	assert_string_equal(answer->text[0], "");
	assert_int_equal(answer->event.u.source_lines.count, count);
	assert_int_equal(answer->line.start, 0);
	assert_int_equal(answer->line.size, first_line);
	assert_string_equal(answer->text[1], "/src/tiny.cs");
}

static void check_reason(struct fixture *f, const char *method, const char *reason)
{
	const struct seen *answer = ask(f, method);
	assert_int_equal(answer->event.u.source_lines.count, 0);
	assert_string_equal(answer->text[0], reason);
}

#define SUM "int32 [tiny] Tiny::Sum(int32)[OptimizedTier1]"

static void test_pdb_beside(void **state)
{
	(void)state;
	struct fixture *f = target_with("beside", "small");
	check_lines(f, SUM, 7, 5);
	check_lines(f, "int32 [tiny] Tiny::Sum(string)", 1, 13); /* an overload */
	check_lines(f, "!0 [tiny] Tiny+Inner`1[System.Int32]::Same(!0)[Tier0]", 1, 18);
	fixture_free(f);
}

static void test_methods_without_lines(void **state)
{
	(void)state;
	struct fixture *f = target_with("beside", "small");
	check_reason(f, "int32 [tiny] Tiny::Product(int32)", "tiny.dll has no such method, or several that cannot be told apart");
	check_reason(f, "int32 [tiny] Tiny::Sum(float64)", "tiny.dll has no such method, or several that cannot be told apart");
	check_reason(f, "instance void [tiny] Tiny::.ctor()", "the PDB has no lines of this method");
	check_reason(f, "void [other] Tiny::Sum()", "the assembly other is in no file of its own");
	check_reason(f, "Tiny.Sum(int)", "its name does not say which assembly it is in");
	check_reason(f, NULL, "its name does not say which assembly it is in");
	fixture_free(f);
}

static void test_embedded_pdb(void **state)
{
	(void)state;
	struct fixture *f = target_with("embedded", NULL);
	check_lines(f, SUM, 7, 5);
	fixture_free(f);
}

static void test_pdb_that_is_not_to_be_had(void **state)
{
	(void)state;
	struct fixture *f = target_with("beside", NULL);
	const struct seen *answer = ask(f, SUM);
	assert_non_null(strstr(answer->text[0], "tiny.pdb, which has the lines: it is not there"));
	fixture_free(f);
	f = target_with("beside", "beside");
	check_reason(f, SUM, "tiny.pdb, which has the lines: it is no portable PDB");
	fixture_free(f);
}

/* One byte of the id is another: as of the next build. */
static void test_pdb_of_another_build(void **state)
{
	(void)state;
	struct fixture *f = target_with("beside", "small");
	char path[128];
	snprintf(path, sizeof(path), "%s/root/app/tiny.pdb", f->dir);
	FILE *file = fopen(path, "r+");
	assert_non_null(file);
	uint8_t bytes[1 << 15];
	size_t size = fread(bytes, 1, sizeof(bytes), file);
	const uint8_t *name = memmem(bytes, size, "#Pdb", 4);
	assert_non_null(name);
	uint32_t offset;
	memcpy(&offset, name - 8, sizeof(offset));
	fseek(file, (long)offset, SEEK_SET);
	fputc(bytes[offset] ^ 1, file);
	fclose(file);
	check_reason(f, SUM, "tiny.pdb is not of this build");
	fixture_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pdb_beside),           cmocka_unit_test(test_methods_without_lines),
		cmocka_unit_test(test_embedded_pdb),         cmocka_unit_test(test_pdb_that_is_not_to_be_had),
		cmocka_unit_test(test_pdb_of_another_build),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
