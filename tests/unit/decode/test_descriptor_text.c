// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/kernel/descriptor_text.h"

#include <string.h>

static void reads_what_the_kernel_counts(void **state)
{
	(void)state;
	static const char text[] = "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 18446744073709551615\n"
				   "cancelled_write_bytes: 7\n";
	struct nt_ev_io io;
	assert_true(nt_descriptor_io_parse(text, strlen(text), &io));
	assert_int_equal(io.read_bytes, 1);
	assert_int_equal(io.write_bytes, 2);
	assert_int_equal(io.read_count, 3);
	assert_int_equal(io.write_count, 4);
	assert_int_equal(io.disk_read_bytes, 5);
	assert_true(io.disk_write_bytes == UINT64_MAX);
	assert_int_equal(io.known, 1);
	/* Cut anywhere before the last line that is needed it says nothing. */
	for (size_t length = 0; length < (size_t)(strstr(text, "cancelled") - text); length++)
		assert_false(nt_descriptor_io_parse(text, length, &io));
	static const char *const wrong[] = { "rchar: x\n", "rchar: 99999999999999999999\nwchar: 2\n", "wchar: 2\nrchar: 1\n" };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(nt_descriptor_io_parse(wrong[i], strlen(wrong[i]), &io));
}

static void reads_the_limit_of_open_files(void **state)
{
	(void)state;
	static const char text[] = "Limit                     Soft Limit           Hard Limit           Units     \n"
				   "Max processes             unlimited            unlimited            processes \n"
				   "Max open files            1024                 524288               files     \n";
	uint64_t limit;
	assert_true(nt_descriptor_limit_parse(text, strlen(text), &limit));
	assert_int_equal(limit, 1024);
	for (size_t length = 0; length < (size_t)(strstr(text, " 1024 ") - text) + strlen(" 1024 "); length++)
		assert_false(nt_descriptor_limit_parse(text, length, &limit));
	static const char *const none[] = { "Max open files            unlimited            unlimited            files     \n",
					    "Max open files            99999999999999999999 1 files\n", "Max open files x 5 \n",
					    "x Max open files 5 \n" };
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_false(nt_descriptor_limit_parse(none[i], strlen(none[i]), &limit));
}

static void tells_what_a_link_is_about(void **state)
{
	(void)state;
	static const struct {
		const char *link, *name;
		enum nt_io_kind kind;
	} cases[] = {
		{ "/srv/a (deleted)", "/srv/a (deleted)", NT_IO_FILE },
		{ "/socket:[1]", "/socket:[1]", NT_IO_FILE },
		{ "socket:[273455]", "", NT_IO_SOCKET },
		{ "pipe:[1]", "", NT_IO_PIPE },
		{ "anon_inode:[eventpoll]", "eventpoll", NT_IO_OTHER },
		{ "anon_inode:inotify", "inotify", NT_IO_OTHER },
		{ "anon_inode:[", "[", NT_IO_OTHER },
		{ "net:[4026531840]", "net:[4026531840]", NT_IO_OTHER },
		{ "", "", NT_IO_OTHER },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *name;
		size_t length;
		assert_int_equal(nt_descriptor_kind(cases[i].link, strlen(cases[i].link), &name, &length), cases[i].kind);
		assert_int_equal(length, strlen(cases[i].name));
		assert_memory_equal(name, cases[i].name, length);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_the_kernel_counts),
		cmocka_unit_test(reads_the_limit_of_open_files),
		cmocka_unit_test(tells_what_a_link_is_about),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
