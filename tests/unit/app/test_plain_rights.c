// SPDX-License-Identifier: GPL-2.0-only
/* What nettop makes for itself, when its file has rights that the person has not: nothing where the person may make nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/common/runtime_dir.h"
#include "base/file.h"
#include "source/lttng/lttng_daemons.h"
#include "target/launch/startup_port.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PERSON = 54321, NO_RIGHTS = 99 };

static char folder[64];

/* As after exec of such a file: another user, and what root may in other users' folders. */
static bool become_person(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const uint32_t rights = 1u << CAP_DAC_OVERRIDE | 1u << CAP_FOWNER;
	const struct __user_cap_data_struct data[2] = { { .effective = rights, .permitted = rights } };
	return prctl(PR_SET_KEEPCAPS, 1) == 0 && setgroups(0, NULL) == 0 && setresgid(PERSON, PERSON, PERSON) == 0 &&
	       setresuid(PERSON, PERSON, PERSON) == 0 && syscall(SYS_capset, &head, data) == 0;
}

/* What the function returns there, in the folder of root's in which nobody else may do anything. */
static int as_person(enum nt_status (*make)(struct nt_error *err))
{
	pid_t pid = fork();
	if (pid == 0) {
		struct nt_error err = { 0 };
		char path[128];
		snprintf(path, sizeof(path), "%s/with-these-rights", folder);
		if (!become_person() || mkdir(path, 0700) < 0 || rmdir(path) < 0)
			_exit(NO_RIGHTS);
		_exit(make(&err) == NT_ERR_FAILED ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_not_equal(WEXITSTATUS(status), NO_RIGHTS);
	return WEXITSTATUS(status);
}

static enum nt_status make_runtime_dir(struct nt_error *err)
{
	char *path = NULL;
	setenv("TMPDIR", folder, 1);
	return nt_runtime_dir_make(&path, err);
}

static enum nt_status open_port(struct nt_error *err)
{
	struct nt_startup_port *port;
	return nt_startup_port_open(folder, NULL, &port, err);
}

static enum nt_status start_relay(struct nt_error *err)
{
	struct nt_lttng_relay relay;
	return nt_lttng_relay_start(folder, &relay, err);
}

static void test_nothing_is_made_with_these_rights(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		enum nt_status (*make)(struct nt_error *err);
	} made[] = { { "the folder of a run", make_runtime_dir },
		     { "the port of a start", open_port },
		     { "the folder of a relay", start_relay } };
	if (geteuid() != 0) {
		print_message("not root: nobody has such rights here\n");
		skip();
	}
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		if (as_person(made[i].make) != 0)
			fail_msg("%s is made where the person may not", made[i].what);
	assert_int_equal(rmdir(folder), 0); /* empty */
	assert_int_equal(mkdir(folder, 0700), 0);
}

static void test_a_folder_is_nobody_elses(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	struct stat st;
	char *path;
	setenv("TMPDIR", folder, 1);
	umask(0);
	assert_int_equal(nt_runtime_dir_make(&path, &err), NT_OK);
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISDIR(st.st_mode) && st.st_uid == geteuid());
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(strncmp(path, folder, strlen(folder)), 0);
	free(path);
}

static int set_up(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/nettop-plain-rights.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	nt_file_remove_tree(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_nothing_is_made_with_these_rights),
					    cmocka_unit_test(test_a_folder_is_nobody_elses) };
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
