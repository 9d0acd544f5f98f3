// SPDX-License-Identifier: GPL-2.0-only
/* In which file system a path lies, by the table of mounts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mount_of.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const char table[] = "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
			    "23 22 0:21 / /proc rw - proc proc rw\n"
			    "24 22 0:30 / /data rw shared:1 - fuse x rw\n"
			    "25 24 0:31 / /data/in\\040side rw - tmpfs tmpfs rw\n"
			    "26 24 0:32 / /data/twice rw - tmpfs tmpfs rw\n"
			    "not a line\n"
			    "27 26 0:33 / /data/twice rw - tmpfs tmpfs rw\n"
			    "28 22 0:34 / /odd\\1 rw - tmpfs tmpfs rw\n"
			    "29 22\n";

static void check_found(const char *path, const char *expected)
{
	char device[NT_MOUNT_DEVICE_BYTES] = "", *copy = strdup(table);
	assert_true(nt_mount_find(copy, path, device));
	assert_string_equal(device, expected);
	free(copy);
}

static void test_longest_and_latest(void **state)
{
	(void)state;
	check_found("/", "254:0");
	check_found("/usr/lib/", "254:0");
	check_found("/database/", "254:0");
	check_found("/data", "0:30");
	check_found("/data/", "0:30");
	check_found("/data/in/", "0:30");
	check_found("/data/in side/deep/", "0:31");
	check_found("/data/twice/", "0:33");
	check_found("/odd\\1/", "0:34");
}

static void test_what_is_no_table(void **state)
{
	(void)state;
	char nothing[] = "", junk[] = "1 2 3 4\n\n 36\n5 6 1:1", device[NT_MOUNT_DEVICE_BYTES];
	assert_false(nt_mount_find(nothing, "/", device));
	assert_false(nt_mount_find(junk, "/", device));
}

static void test_of_a_process(void **state)
{
	(void)state;
	char path[64], device[NT_MOUNT_DEVICE_BYTES], expected[NT_MOUNT_DEVICE_BYTES];
	struct stat is;
	assert_int_equal(stat("/dev/shm", &is), 0);
	snprintf(expected, sizeof(expected), "%u:%u", major(is.st_dev), minor(is.st_dev));
	assert_true(nt_mount_of("/dev/shm/", device));
	assert_string_equal(device, expected);
	snprintf(path, sizeof(path), "/proc/%d/root/dev/shm/", (int)getpid());
	*device = '\0';
	assert_true(nt_mount_of(path, device));
	assert_string_equal(device, expected);
	assert_false(nt_mount_of("/proc/self/fd/", device));
	assert_false(nt_mount_of("/proc/4294967294/root/tmp/", device));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_longest_and_latest), cmocka_unit_test(test_what_is_no_table),
					    cmocka_unit_test(test_of_a_process) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
