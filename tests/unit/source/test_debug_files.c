// SPDX-License-Identifier: GPL-2.0-only
/* Names of a stripped image, from wherever else they may be. This test program is the image, its own functions are the truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codemap_questions.h"

/*
 * Without .symtab the unwind table still has the bounds of each function; without that there are the exports, and between them nothing may be guessed. With
 * its debug file back, everything is there again.
 */
static void test_stripped_and_debug_file(void **state)
{
	(void)state;
	if (system("command -v strip objcopy >/dev/null") != 0)
		skip();
	struct fixture *f = watch_self();
	uint64_t offset = question_for(f, (uintptr_t)test_stripped_and_debug_file).offset;
	fixture_free(f);

	f = fixture_new();
	fixture_shell(f,
		      "cp /proc/%d/exe root/app/whole && cd root/app && strip -o libcoreclr.so whole && strip -R .eh_frame -o bare.so "
		      "whole && strip -o with-debug.so whole",
		      (int)getpid());
	fixture_shell(f, "cd root/app && objcopy --only-keep-debug whole with-debug.dbg && objcopy --add-gnu-debuglink=with-debug.dbg "
			 "with-debug.so");
	fixture_start(f);
	struct nt_question question = question_of_file(f, "/app/libcoreclr.so", offset);
	const struct seen *answer = ask(f, &question);
	assert_ptr_equal(strstr(answer->text[1], "libcoreclr.so!0x"), answer->text[1]);
	assert_int_equal(answer->event.u.name.naming, NT_NAMING_BOUNDED);
	assert_int_equal(answer->event.u.name.kind, NT_CODE_RUNTIME);
	assert_int_equal(answer->event.u.name.start, offset);
	uint64_t end = answer->event.u.name.end;
	assert_true(end > offset + 100);

	question = question_of_file(f, "/app/bare.so", offset);
	answer = ask(f, &question);
	assert_string_equal(answer->text[1], "");
	assert_true(strcmp(answer->text[2], "stripped: neither symbols nor an unwind table in bare.so") == 0 ||
		    strcmp(answer->text[2], "stripped: bare.so names only its exports") == 0);
	assert_int_equal(answer->event.u.name.naming, NT_NAMING_STRIPPED);

	question = question_of_file(f, "/app/with-debug.so", offset);
	answer = ask(f, &question);
	assert_string_equal(answer->text[1], "test_stripped_and_debug_file");
	assert_int_equal(answer->event.u.name.naming, NT_NAMING_NAMED);
	assert_int_equal(answer->event.u.name.start, offset);
	assert_int_equal(answer->event.u.name.end, end); /* both say where it ends */
	fixture_free(f);
}

/* This program stripped as root/app/NAME, so that its name for `offset` can only come from elsewhere; root/app/whole is as it was, root/app/debug its debug file. */
static struct nt_question question_of_stripped(struct fixture *f, const char *name, uint64_t offset)
{
	fixture_shell(f, "cd root/app && cp /proc/%d/exe whole && objcopy --only-keep-debug whole debug && strip -R .eh_frame -o %s whole",
		      (int)getpid(), name);
	char image[64];
	snprintf(image, sizeof(image), "/app/%s", name);
	return question_of_file(f, fixture_copy(f, image, strlen(image)), offset);
}

static uint64_t offset_of(void (*function)(void **))
{
	struct fixture *f = watch_self();
	uint64_t offset = question_for(f, (uintptr_t)function).offset;
	fixture_free(f);
	return offset;
}

/* What no symbol table has a line for is in the packed one. */
static void test_packed_symbols(void **state)
{
	(void)state;
	if (system("command -v strip objcopy xz >/dev/null") != 0)
		skip();
	uint64_t offset = offset_of(test_packed_symbols);
	struct fixture *f = fixture_new();
	question_of_stripped(f, "packed.so", offset);
	fixture_shell(f,
		      "cd root/app && xz -0 debug && objcopy --add-section .gnu_debugdata=debug.xz packed.so && cp packed.so damaged.so && "
		      "objcopy --update-section .gnu_debugdata=whole damaged.so && head -c 70M /dev/zero | xz -0 > bomb && "
		      "cp packed.so bomb.so && objcopy --update-section .gnu_debugdata=bomb bomb.so");
	fixture_start(f);
	struct nt_question question = question_of_file(f, "/app/packed.so", offset);
	const struct seen *answer = ask(f, &question);
	assert_string_equal(answer->text[1], "test_packed_symbols");
	assert_int_equal(answer->event.u.name.start, offset);
	question = question_of_file(f, "/app/bomb.so", offset);
	assert_string_equal(ask(f, &question)->text[2], "stripped: .gnu_debugdata of bomb.so unpacks to more than 64 MB");
	question = question_of_file(f, "/app/damaged.so", offset);
	answer = ask(f, &question);
	assert_string_equal(answer->text[2], "stripped: .gnu_debugdata of damaged.so is not in the xz format");
	assert_int_equal(answer->event.u.name.naming, NT_NAMING_STRIPPED);
	fixture_free(f);
}

/* Where tools leave debug files, and what of it is ours; %s = the build id, %.2s and the next %s = its first two digits and the others. */
static const struct debug_place {
	const char *path;             /* below the fixture's folder */
	const char *variable, *value; /* NULL = only HOME is set */
} debug_places[] = {
	{ "root/app/stripped-0.so.dbg", NULL, NULL },                                  /* dotnet-symbol */
	{ "root/usr/lib/debug/.build-id/%.2s/%s.debug", NULL, NULL },                  /* packages */
	{ "home/.debug/.build-id/%.2s/%s/elf", NULL, NULL },                           /* perf */
	{ "home/.cache/debuginfod_client/%s/debuginfo", NULL, NULL },                  /* debuginfod */
	{ "elsewhere/debuginfod_client/%s/debuginfo", "XDG_CACHE_HOME", "elsewhere" }, /* the same */
	{ "elsewhere/%s/debuginfo", "DEBUGINFOD_CACHE_PATH", "elsewhere" },
};

static void read_build_id(const struct fixture *f, char id[64])
{
	char path[128];
	fixture_shell(f, "readelf -n root/app/whole | sed -n 's/.*Build ID: //p' > id");
	snprintf(path, sizeof(path), "%s/id", f->dir);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%63s", id), 1);
	fclose(file);
}

/* The image is a new one for each place, so that it is looked for anew. */
static void try_debug_place(struct fixture *f, size_t number, uint64_t offset)
{
	const struct debug_place *place = &debug_places[number];
	char id[64], path[256], value[256], image[64];
	read_build_id(f, id);
	snprintf(path, sizeof(path), place->path, id, id + 2);
	snprintf(value, sizeof(value), "%s/%s", f->dir, place->variable ? place->value : "home");
	setenv(place->variable ? place->variable : "HOME", value, 1);
	snprintf(image, sizeof(image), "/app/stripped-%zu.so", number);
	fixture_shell(f, "cp root/app/original root%s && mkdir -p $(dirname %s) && cp root/app/debug %s", image, path, path);
	struct nt_question question = question_of_file(f, image, offset);
	assert_string_equal(ask(f, &question)->text[1], "test_debug_files");
	fixture_shell(f, "rm %s", path);
	if (place->variable)
		unsetenv(place->variable);
}

static void test_debug_files(void **state)
{
	(void)state;
	if (system("command -v strip objcopy readelf >/dev/null") != 0)
		skip();
	uint64_t offset = offset_of(test_debug_files);
	unsetenv("XDG_CACHE_HOME");
	unsetenv("DEBUGINFOD_CACHE_PATH");
	struct fixture *f = fixture_new();
	question_of_stripped(f, "original", offset);
	fixture_start(f);
	for (size_t i = 0; i < sizeof(debug_places) / sizeof(*debug_places); i++)
		try_debug_place(f, i, offset);
	fixture_free(f);
}

/* Neither the file of another build, nor one without symbols, nor one that is no ELF file at all. */
static void test_debug_files_that_do_not_belong(void **state)
{
	(void)state;
	if (system("command -v strip objcopy >/dev/null") != 0)
		skip();
	uint64_t offset = offset_of(test_debug_files_that_do_not_belong);
	static const char *const commands[] = {
		"objcopy --remove-section .note.gnu.build-id debug found",
		"objcopy --dump-section .note.gnu.build-id=id debug && (head -c 16 id; head -c 20 /dev/zero) > zeros && "
		"objcopy --update-section .note.gnu.build-id=zeros debug found",
		"cp original found",
		"echo text > found",
	};
	struct fixture *f = fixture_new();
	question_of_stripped(f, "original", offset);
	fixture_start(f);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		char image[64];
		snprintf(image, sizeof(image), "/app/other-%zu.so", i);
		fixture_shell(f, "cd root/app && %s && cp original ../%s && mv found ../%s.dbg", commands[i], image, image);
		struct nt_question question = question_of_file(f, image, offset);
		assert_string_equal(ask(f, &question)->text[1], "");
	}
	fixture_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stripped_and_debug_file),
		cmocka_unit_test(test_packed_symbols),
		cmocka_unit_test(test_debug_files),
		cmocka_unit_test(test_debug_files_that_do_not_belong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
