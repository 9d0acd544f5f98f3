// SPDX-License-Identifier: GPL-2.0-only
/* How much room a perf map may take, and might. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "target/perfmap/perf_map_room.h"

enum { MB = 1 << 20 };

static int setup(void **state)
{
	struct fake_proc *root = nt_alloc(sizeof(*root));
	fake_proc_init(root);
	*state = root;
	return 0;
}

static int teardown(void **state)
{
	fake_proc_fini(*state);
	free(*state);
	return 0;
}

static void test_most(void **state)
{
	(void)state;
	assert_int_equal(nt_perf_map_most(256 * MB, 100000ull * MB), 256 * MB);
	assert_int_equal(nt_perf_map_most(256 * MB, 500 * MB), 50 * MB);
	assert_int_equal(nt_perf_map_most(256 * MB, 0), 0); /* a full disk */
	assert_int_equal(nt_perf_map_most(256 * MB, UINT64_MAX), 256 * MB);
	assert_int_equal(nt_perf_map_most(0, UINT64_MAX), 0);
}

static void test_needs(void **state)
{
	struct fake_proc *root = *state;
	static const char maps[] = "1000-3000 r-xs 00000000 00:01 9 /memfd:doublemapper (deleted)\n"
				   "3000-5000 rw-s 00002000 00:01 9 /memfd:doublemapper (deleted)\n"
				   "6000-7000 rwxp 00000000 00:00 0 \n"
				   "8000-9000 rw-p 00000000 00:00 0 \n"
				   "a000-f000 r-xp 00000000 08:01 7 /lib/libcoreclr.so\n"
				   "f000-f800 r-xp 00000000 00:00 0 [vdso]\n"
				   "nonsense\n"
				   "ffff0000-ffff1000 r-xp 00000000 00:00 0\n";
	fake_proc_file(root, "maps", maps, sizeof(maps) - 1);
	assert_int_equal(nt_perf_map_needs(root->root), 0x2000 + 0x1000 + 0x1000);
	assert_int_equal(nt_perf_map_needs("/nowhere"), 0);
}

static void test_check(void **state)
{
	struct fake_proc *root = *state;
	static const char maps[] = "10000000-20000000 r-xp 00000000 00:00 0 \n"; /* 256 MB */
	const struct nt_target target = { .proc_dir = root->root, .perf_map_dir = root->root };
	struct nt_error err = { 0 };
	fake_proc_file(root, "maps", maps, sizeof(maps) - 1);
	int folder = open(root->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(nt_perf_map_free(folder, root->root, "/nowhere").free_bytes > 0);
	assert_int_equal(nt_perf_map_check_room(&target, folder, 200 * MB, &err), NT_ERR_FAILED);
	assert_non_null(strstr(err.cause[0], "256MB at once, and may have 200MB"));
	fake_proc_file(root, "maps", "", 0);
	assert_int_equal(nt_perf_map_check_room(&target, folder, 200 * MB, &err), NT_OK);
	close(folder);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_most),
		cmocka_unit_test_setup_teardown(test_needs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_check, setup, teardown),
	};
	return cmocka_run_group_tests_name("target/perf_map_room", tests, NULL, NULL);
}
