// SPDX-License-Identifier: GPL-2.0-only
/* Files of the target's: each is looked at before it is opened, and the refusal says what it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/apart.h"
#include "fake_proc.h"
#include "source/common/foreign_file.h"
#include "target/process/executable.h"
#include "tests/unit/waiting_writer.h"

enum { PID = 77 };

static void check_refused(const struct nt_foreign_file *file, enum nt_refusal refusal, const char *objection)
{
	assert_int_equal(file->fd, -1);
	assert_int_equal(file->refusal, refusal);
	assert_string_equal(file->objection, objection);
}

/* As a perf map, as what a mapping maps, and as an executable. */
static void test_fifo_is_not_opened(void **state)
{
	const struct fake_proc *proc = *state;
	char *dir = nt_format("%s/%d", proc->root, PID), *path = nt_format("%s/exe", dir);
	const struct nt_target target = { .pid = PID, .uid = getuid(), .proc_dir = dir };
	struct nt_executable found;
	struct waiting_writer writer;
	assert_int_equal(mkdir(dir, 0755), 0);
	waiting_writer_begin(&writer, path);

	struct nt_foreign_file file = nt_foreign_open(dir, "/exe", getuid());
	check_refused(&file, NT_REFUSAL_OBJECTION, "is a FIFO");
	assert_true(waiting_writer_waits(&writer));

	file = nt_foreign_open_mapped(path, getuid());
	check_refused(&file, NT_REFUSAL_OBJECTION, "is a FIFO");
	assert_true(waiting_writer_waits(&writer));

	nt_executable_read(&target, &found);
	assert_int_equal(found.deployment, NT_DEPLOYED_UNKNOWN);
	assert_string_equal(found.reason, ""); /* there was nothing to read */
	assert_true(waiting_writer_waits(&writer));

	waiting_writer_end(&writer);
	free(path);
	free(dir);
}

static void test_refusals(void **state)
{
	const struct fake_proc *proc = *state;
	fake_proc_text(proc, PID, "map", "text");
	char *dir = nt_format("%s/%d", proc->root, PID), *path = nt_format("%s/map", dir), *link = nt_format("%s/link", dir);
	assert_int_equal(symlink("/map", link), 0); /* within that root */
	int socket = fake_proc_socket(proc, "77/socket", 1);

	struct nt_foreign_file file = nt_foreign_open(dir, "/map", getuid());
	assert_true(file.fd >= 0);
	assert_int_equal(file.stat.st_size, 4);
	close(file.fd);
	file = nt_foreign_open(dir, "/link", getuid());
	check_refused(&file, NT_REFUSAL_OBJECTION, "is a symbolic link");
	file = nt_foreign_open(dir, "/socket", getuid());
	check_refused(&file, NT_REFUSAL_OBJECTION, "is no regular file");
	file = nt_foreign_open(dir, "/nothing", getuid());
	check_refused(&file, NT_REFUSAL_ABSENT, "");
	file = nt_foreign_open(dir, "/map/beneath", getuid());
	check_refused(&file, NT_REFUSAL_ABSENT, "");
	file = nt_foreign_open("/", "/dev/null", getuid());
	check_refused(&file, NT_REFUSAL_OBJECTION, "is a device");
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 4242, 4242), 0);
		file = nt_foreign_open(dir, "/map", 4243);
		check_refused(&file, NT_REFUSAL_OBJECTION, "belongs to uid 4242, not to the target's user or root");
	}
	close(socket);
	free(link);
	free(path);
	free(dir);
}

/* More than fit into one errand, of two roots and two users. */
static void test_the_first_of_many(void **state)
{
	const struct fake_proc *proc = *state;
	fake_proc_text(proc, PID, "second", "second");
	fake_proc_text(proc, PID, "third", "the third");
	char *dir = nt_format("%s/%d", proc->root, PID), *third = nt_format("%s/third", dir);
	const struct nt_foreign_name absent = { .root_dir = dir, .path = "/nothing", .uid = getuid() };
	const struct nt_foreign_name second = { .root_dir = dir, .path = "/second", .uid = getuid() };
	struct nt_foreign_name names[2 * NT_FOREIGN_NAMES_MAX];
	const size_t count = sizeof(names) / sizeof(*names);
	size_t opened;
	for (size_t i = 0; i < count; i++)
		names[i] = absent;

	struct nt_foreign_file file = nt_foreign_open_first(names, count, &opened);
	check_refused(&file, NT_REFUSAL_ABSENT, "");
	names[count - 1] = second;
	names[count - 2] = (struct nt_foreign_name){ .root_dir = "/", .path = "/dev/null", .uid = getuid() };
	file = nt_foreign_open_first(names, count, &opened);
	assert_true(file.fd >= 0);
	assert_int_equal(opened, count - 1);
	assert_int_equal(file.stat.st_size, strlen("second"));
	close(file.fd);
	names[1] = (struct nt_foreign_name){ .root_dir = "/", .path = third, .uid = getuid() };
	names[2] = second;
	file = nt_foreign_open_first(names, count, &opened);
	assert_int_equal(opened, 1);
	assert_int_equal(file.stat.st_size, strlen("the third"));
	close(file.fd);
	file = nt_foreign_open_first(names, 1, &opened);
	check_refused(&file, NT_REFUSAL_ABSENT, "");
	file = nt_foreign_open_first(names, 0, &opened);
	check_refused(&file, NT_REFUSAL_ABSENT, "");
	free(third);
	free(dir);
}

/* By a process apart, too. */
static void test_the_first_of_many_apart(void **state)
{
	nt_apart_start();
	test_the_first_of_many(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_fifo_is_not_opened, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_refusals, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_the_first_of_many, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_the_first_of_many_apart, fake_proc_setup, fake_proc_teardown),
	};
	return cmocka_run_group_tests_name("source/foreign_file", tests, NULL, NULL);
}
