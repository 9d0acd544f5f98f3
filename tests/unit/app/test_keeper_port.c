// SPDX-License-Identifier: GPL-2.0-only
/* The keeper answers programs that wait at their start at nettop's port: while nettop is busy with its own, and when it is dead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/keeper/keeper.h"
#include "base/file.h"
#include "decode/eventpipe/ipc.h"
#include "target/launch/startup_port.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_S = 20 };

struct fixture {
	char top[64], folder[96]; /* a scratch folder, and the port's in it */
	struct nt_keeper *keeper;
	struct nt_startup_port *port;
	pid_t heir;     /* a process that was started with the variable: it may start .NET programs at any time */
	int heir_input; /* it ends when this is closed */
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct nt_error err = { 0 };
	assert_non_null(f);
	strcpy(f->top, "/tmp/nt-keeper.XXXXXX");
	assert_non_null(mkdtemp(f->top));
	snprintf(f->folder, sizeof(f->folder), "%s/nettop-x", f->top);
	assert_int_equal(mkdir(f->folder, 0700), 0);
	assert_int_equal(nt_keeper_start(-1, &f->keeper, &err), NT_OK);
	assert_int_equal(nt_startup_port_open(f->folder, NULL, &f->port, &err), NT_OK);
	nt_keeper_note(f->keeper, "remove-dir", f->folder);
	nt_keeper_port(f->keeper, nt_startup_port_path(f->port), nt_startup_port_listener(f->port));
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	if (f->heir) {
		kill(f->heir, SIGKILL);
		waitpid(f->heir, NULL, 0);
		close(f->heir_input);
	}
	nt_startup_port_close(f->port);
	if (f->keeper)
		nt_keeper_end(f->keeper);
	nt_file_remove_tree(f->top);
	free(f);
	return 0;
}

static void start_heir(struct fixture *f)
{
	int input[2], output[2];
	char variable[256], byte;
	assert_int_equal(pipe2(input, O_CLOEXEC) | pipe2(output, O_CLOEXEC), 0);
	snprintf(variable, sizeof(variable), "DOTNET_DiagnosticPorts=%s", nt_startup_port_setting(f->port));
	f->heir = fork();
	assert_true(f->heir >= 0);
	if (f->heir == 0) {
		dup2(input[0], STDIN_FILENO);
		dup2(output[1], STDOUT_FILENO);
		execle("/bin/cat", "cat", NULL, (char *[]){ variable, NULL });
		_exit(127);
	}
	f->heir_input = input[1];
	assert_int_equal(write(input[1], "x", 1), 1);
	assert_int_equal(read(output[0], &byte, 1), 1); /* it is executed */
	close(input[0]);
	close(output[0]);
	close(output[1]);
}

static void end_heir(struct fixture *f)
{
	close(f->heir_input);
	assert_int_equal(waitpid(f->heir, NULL, 0), f->heir);
	f->heir = 0;
}

/* A runtime connects, says who it is, and gets this command. */
static void expect_command(const char *path, enum nt_ipc_command command)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	uint8_t says[NT_IPC_ADVERTISE_BYTES] = "ADVR_V1", got[256];
	const struct timeval limit = { .tv_sec = PATIENCE_S };
	says[8] = 1;
	strcpy(address.sun_path, path);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)), 0);
	assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(send(fd, says, sizeof(says), 0), sizeof(says));
	ssize_t length = recv(fd, got, sizeof(got), 0);
	if (length < NT_IPC_HEADER_BYTES)
		fail_msg("no command came");
	assert_int_equal(got[16] << 8 | got[17], command);
	close(fd);
}

static void expect_to_go_on(const char *path)
{
	expect_command(path, NT_IPC_SET_ENVIRONMENT);
	expect_command(path, NT_IPC_RESUME_RUNTIME);
}

/* nettop is stopped, or has much to do: it answers nobody. */
static void test_beside_nettop(void **state)
{
	struct fixture *f = *state;
	char *path = strdup(nt_startup_port_path(f->port));
	nt_startup_port_leave(f->port);
	nt_keeper_port_yield(f->keeper);
	expect_to_go_on(path);
	free(path);
}

/* nettop dies while it has the port: as long as a process lives that may start others, these are answered. */
static void test_after_nettop(void **state)
{
	struct fixture *f = *state;
	char *path = strdup(nt_startup_port_path(f->port));
	pid_t pid = nt_keeper_pid(f->keeper);
	start_heir(f);
	nt_startup_port_close(f->port);
	f->port = NULL;
	nt_keeper_end(f->keeper);
	f->keeper = NULL;
	expect_to_go_on(path);
	end_heir(f);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(access(f->folder, F_OK), -1);
	free(path);
}

static void test_when_nobody_has_the_variable(void **state)
{
	struct fixture *f = *state;
	pid_t pid = nt_keeper_pid(f->keeper);
	nt_keeper_end(f->keeper);
	f->keeper = NULL;
	/* Waited for by the end already, unless the machine is slow. */
	waitpid(pid, NULL, 0);
	assert_int_equal(access(f->folder, F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_beside_nettop, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_after_nettop, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_when_nobody_has_the_variable, set_up, tear_down),
	};
	return cmocka_run_group_tests_name("keeper_port", tests, NULL, NULL);
}
