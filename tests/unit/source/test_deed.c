// SPDX-License-Identifier: GPL-2.0-only
/* What the keeper lets be done in a target's place: deeds of these forms, and nothing that looks like one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/common/as_user.h"
#include "target/common/deed.h"
#include "target/common/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const int none[NT_DEED_FDS_MAX] = { -1, -1 };

static void test_text_and_back(void **state)
{
	(void)state;
	char text[NT_DEED_TEXT_BYTES];
	struct nt_deed back, deed = { .kind = NT_DEED_REMOVE_MAP,
				      .uid = 4294967294u,
				      .gid = 7,
				      .device = UINT64_MAX,
				      .inode = 12,
				      .name = "perf-12.map",
				      .fds = { 5 } };
	assert_true(nt_deed_parse(nt_deed_text(&deed, text), deed.fds, 1, &back));
	assert_int_equal(back.kind, deed.kind);
	assert_int_equal(back.uid, deed.uid);
	assert_int_equal(back.gid, deed.gid);
	assert_true(back.device == deed.device && back.inode == deed.inode);
	assert_string_equal(back.name, deed.name);
	assert_int_equal(back.fds[0], 5);
}

static void test_only_these_forms(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t fds;
		bool valid;
	} cases[] = {
		{ "0 1 1 0 0 -", 0, true },
		{ "1 1 1 0 0 /tmp/nettop-x/startup", 0, true },
		{ "1 1 1 0 0 tmp/startup", 0, false },
		{ "1 1 1 0 0 /etc/shadow", 0, false },
		{ "2 1 1 0 0 perf-1.map", 1, true },
		{ "2 1 1 0 0 perf-1.map", 0, false },
		{ "2 1 1 0 0 perf-1.map", 2, false },
		{ "2 1 1 0 0 perf-.map", 1, false },
		{ "2 1 1 0 0 ../perf-1.map", 1, false },
		{ "2 1 1 0 0 perf-1/../x.map", 1, false },
		{ "5 1 1 0 0 nettop-abc/core", 1, true },
		{ "5 1 1 0 0 nettop-abc/core", 0, false },
		{ "5 1 1 0 0 nettop-abc/startup", 1, false },
		{ "6 1 1 0 0 nettop-abc/core", 1, true },
		{ "6 1 1 0 0 nettop-../core", 1, false },
		{ "6 1 1 0 0 nettop-abc/core/x", 1, false },
		{ "6 1 1 0 0 abc/core", 1, false },
		{ "2 1 1 0 0 perf-1.map.x", 1, false },
		{ "2 1 1 0 0 shadow", 1, false },
		{ "3 1 1 0 0 nettop-Ab3dEf/startup", 2, true },
		{ "3 1 1 0 0 nettop-/startup", 2, false },
		{ "3 1 1 0 0 nettop-a/b/startup", 2, false },
		{ "3 1 1 0 0 nettop-a../startup", 2, false },
		{ "3 1 1 0 0 x/startup", 2, false },
		{ "4 1 1 0 0 nettop-Ab3dEf/startup", 1, true },
		{ "5 1 1 0 0 nettop-Ab3dEf/startup", 1, false },
		{ "4294967295 1 1 0 0 -", 0, false },
		{ "0 1 1 0 0 ", 0, false },
		{ "0 1 1 0", 0, false },
		{ "", 0, false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_deed deed;
		if (nt_deed_parse(cases[i].text, none, cases[i].fds, &deed) != cases[i].valid)
			fail_msg("\"%s\" with %zu descriptors", cases[i].text, cases[i].fds);
	}
}

static void test_a_long_name_is_none(void **state)
{
	(void)state;
	char text[2048];
	struct nt_deed deed;
	int at = snprintf(text, sizeof(text), "1 1 1 0 0 /");
	memset(text + at, 'x', 1000);
	strcpy(text + at + 1000, "/startup");
	assert_false(nt_deed_parse(text, none, 0, &deed));
}

/* Without a helper, as ourselves: made, and removed again. */
static void test_lent_and_taken_back(void **state)
{
	(void)state;
	char folder[] = "/tmp/nt-deed.XXXXXX";
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chmod(folder, 0755) | chown(folder, geteuid(), getegid()), 0);
	int place = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), socket_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct nt_deed deed = {
		.kind = NT_DEED_LEND, .uid = geteuid(), .gid = getegid(), .name = "nettop-abc/startup", .fds = { place, socket_fd }
	};
	struct stat stat;
	assert_int_equal(nt_deed_do(&deed), 0);
	assert_int_equal(fstatat(place, deed.name, &stat, 0), 0);
	assert_true(S_ISSOCK(stat.st_mode));
	deed.kind = NT_DEED_TAKE_BACK;
	assert_int_equal(nt_deed_do(&deed), 0);
	assert_int_equal(fstatat(place, "nettop-abc", &stat, 0), -1);
	/* Who made it was killed before there was a socket. */
	assert_int_equal(mkdirat(place, "nettop-abc", 0700), 0);
	assert_int_equal(nt_deed_do(&deed), 0);
	assert_int_equal(fstatat(place, "nettop-abc", &stat, 0), -1);
	close(socket_fd);
	close(place);
	assert_int_equal(rmdir(folder), 0);
}

/* Where a dump is written: with what may lie in it, with nothing, and when it is not there. */
static void test_room_made_and_cleared(void **state)
{
	(void)state;
	char folder[] = "/tmp/nt-deed.XXXXXX";
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chmod(folder, 0755) | chown(folder, geteuid(), getegid()), 0);
	int place = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct nt_deed deed = { .uid = geteuid(), .gid = getegid(), .name = "nettop-abc/core", .fds = { place } };
	struct stat stat;
	for (int files = 0; files < 3; files++) {
		deed.kind = NT_DEED_MAKE_ROOM;
		assert_int_equal(nt_deed_do(&deed), 0);
		assert_int_equal(fstatat(place, "nettop-abc", &stat, 0), 0);
		assert_int_equal(stat.st_mode & 07777, 0700);
		assert_int_equal(nt_deed_do(&deed), EEXIST);
		if (files > 0)
			close(openat(place, "nettop-abc/core", O_CREAT | O_WRONLY, 0600));
		if (files > 1)
			close(openat(place, "nettop-abc/core.crashreport.json", O_CREAT | O_WRONLY, 0600));
		deed.kind = NT_DEED_CLEAR_ROOM;
		assert_int_equal(nt_deed_do(&deed), 0);
		assert_int_equal(fstatat(place, "nettop-abc", &stat, 0), -1);
	}
	assert_int_equal(nt_deed_do(&deed), 0);
	close(place);
	assert_int_equal(rmdir(folder), 0);
}

/* Who has the rights ends before it answers, or is not there at all. */
static void test_nobody_answers(void **state)
{
	(void)state;
	const struct nt_deed deed = { .kind = NT_DEED_BECOME, .uid = geteuid(), .gid = getegid(), .name = "-" };
	int ends[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	close(ends[0]);
	nt_helper_is_at(ends[1]);
	assert_int_equal(nt_deed_do(&deed), NT_AS_USER_REFUSED);
	nt_helper_is_at(-1);
	close(ends[1]);
	assert_int_equal(nt_deed_do(&deed), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_and_back),         cmocka_unit_test(test_only_these_forms),
		cmocka_unit_test(test_a_long_name_is_none),   cmocka_unit_test(test_lent_and_taken_back),
		cmocka_unit_test(test_room_made_and_cleared), cmocka_unit_test(test_nobody_answers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
