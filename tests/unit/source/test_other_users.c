// SPDX-License-Identifier: GPL-2.0-only
/* Whether a host has people besides us: by accounts, and by processes of people that no file names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/common/other_users.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYSTEM "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/:/usr/sbin/nologin\nnobody:x:65534:65534::/:/usr/sbin/nologin\n"

struct fixture {
	char root[64], etc[80], passwd[96], proc[80], process[96];
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	assert_non_null(f);
	strcpy(f->root, "/tmp/nt-users.XXXXXX");
	assert_non_null(mkdtemp(f->root));
	snprintf(f->etc, sizeof(f->etc), "%s/etc", f->root);
	snprintf(f->passwd, sizeof(f->passwd), "%s/passwd", f->etc);
	snprintf(f->proc, sizeof(f->proc), "%s/proc", f->root);
	snprintf(f->process, sizeof(f->process), "%s/17", f->proc);
	assert_int_equal(mkdir(f->etc, 0755) | mkdir(f->proc, 0755) | mkdir(f->process, 0755), 0);
	unsetenv("SUDO_UID");
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	unlink(f->passwd);
	rmdir(f->etc);
	rmdir(f->process);
	rmdir(f->proc);
	rmdir(f->root);
	free(f);
	return 0;
}

static void write_passwd(const struct fixture *f, const char *text)
{
	FILE *file = fopen(f->passwd, "we");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void test_accounts(void **state)
{
	static const struct {
		const char *text;
		bool others;
	} cases[] = {
		{ "", false },
		{ SYSTEM, false },
		{ SYSTEM "anna:x:54321:54321:Anna:/home/anna:/bin/bash\n", true },
		{ SYSTEM "anna:x:54321:54321:Anna:/home/anna:\n", true }, /* none is /bin/sh */
		{ SYSTEM "robot:x:54321:54321::/:/usr/sbin/nologin\n", false },
		{ SYSTEM "robot:x:54321:54321::/:/bin/false\n", false },
		{ SYSTEM "db:x:120:120::/:/bin/bash\n", false },
		{ SYSTEM "torn:x:54321\n::::\n:::\n", false },
		{ SYSTEM "anna:x:54321:54321:Anna:/home/anna:/bin/bash", true },
	};
	const struct fixture *f = *state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_passwd(f, cases[i].text);
		if (nt_host_has_other_users(f->root) != cases[i].others)
			fail_msg("case %zu: %s", i, cases[i].text);
	}
}

/* Who called sudo is us. */
static void test_who_called(void **state)
{
	const struct fixture *f = *state;
	write_passwd(f, SYSTEM "anna:x:54321:54321:Anna:/home/anna:/bin/bash\n");
	setenv("SUDO_UID", "54321", 1);
	assert_false(nt_host_has_other_users(f->root));
	setenv("SUDO_UID", "54322", 1);
	assert_true(nt_host_has_other_users(f->root));
	unsetenv("SUDO_UID");
}

static void test_processes(void **state)
{
	const struct fixture *f = *state;
	write_passwd(f, SYSTEM);
	assert_false(nt_host_has_other_users(f->root));
	if (geteuid() != 0) {
		print_message("only root can give a folder to somebody\n");
		skip();
	}
	assert_int_equal(chown(f->process, 120, 120), 0);
	assert_false(nt_host_has_other_users(f->root));
	assert_int_equal(chown(f->process, 54321, 54321), 0);
	assert_true(nt_host_has_other_users(f->root));
}

int main(void)
{
#define USERS_TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = { USERS_TEST(test_accounts), USERS_TEST(test_who_called), USERS_TEST(test_processes) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
