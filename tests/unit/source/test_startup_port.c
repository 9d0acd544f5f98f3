// SPDX-License-Identifier: GPL-2.0-only
/* Runtimes that wait at their start, played by sockets of this process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/file.h"
#include "decode/eventpipe/ipc.h"
#include "target/launch/startup_port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000 };

#define BEFORE "/run/other,nosuspend"

struct world {
	char folder[64];
	struct nt_startup_port *port;
	bool answer; /* to who asks */
	unsigned asked;
};

static void begin_with(struct world *world, const char *before)
{
	*world = (struct world){ .folder = "/tmp/nettop-test-XXXXXX" };
	struct nt_error err = { 0 };
	assert_non_null(mkdtemp(world->folder));
	if (nt_startup_port_open(world->folder, before, &world->port, &err) != NT_OK)
		fail_msg("%s", err.cause[0]);
}

static void begin(struct world *world)
{
	begin_with(world, BEFORE);
}

static void end(struct world *world)
{
	nt_startup_port_close(world->port);
	nt_file_remove_tree(world->folder);
}

static bool wanted(void *context, uint32_t pid)
{
	struct world *world = context;
	assert_int_equal(pid, getpid());
	world->asked++;
	return world->answer;
}

static void serve(struct world *world)
{
	nt_startup_port_serve(world->port, wanted, world);
}

static int runtime_connects(const struct world *world)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *setting = nt_startup_port_setting(world->port);
	size_t length = strcspn(setting, ",");
	assert_string_equal(setting + length, ",suspend");
	memcpy(address.sun_path, setting, length);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

static void say(int fd, const void *bytes, size_t length)
{
	assert_int_equal(send(fd, bytes, length, 0), length);
}

/* 34 bytes: magic, cookie, pid, two for the future. */
static void advertisement(uint8_t id, uint8_t bytes[NT_IPC_ADVERTISE_BYTES])
{
	memset(bytes, 0, NT_IPC_ADVERTISE_BYTES);
	memcpy(bytes, "ADVR_V1", 8);
	memset(bytes + 8, id, NT_IPC_COOKIE_BYTES);
	bytes[24] = 77; /* a pid of its own namespace */
}

static int runtime_says(const struct world *world, uint8_t id)
{
	uint8_t bytes[NT_IPC_ADVERTISE_BYTES];
	int fd = runtime_connects(world);
	advertisement(id, bytes);
	say(fd, bytes, sizeof(bytes));
	return fd;
}

/* False: no command has come. */
static bool has_got(int fd, const uint8_t *request, size_t request_length)
{
	uint8_t got[256];
	ssize_t length = recv(fd, got, sizeof(got), MSG_DONTWAIT);
	if (length < 0 && errno == EAGAIN)
		return false;
	assert_int_equal(length, request_length);
	assert_memory_equal(got, request, request_length);
	return true;
}

static bool was_resumed(int fd)
{
	uint8_t resume[NT_IPC_HEADER_BYTES];
	return has_got(fd, resume, nt_ipc_request(NT_IPC_RESUME_RUNTIME, resume, sizeof(resume)));
}

/* The first of its commands: its children get the variable as it was. */
static bool was_told_the_variable(int fd)
{
	uint8_t request[256];
	return has_got(fd, request, nt_ipc_set_environment("DOTNET_DiagnosticPorts", BEFORE, request, sizeof(request)));
}

/* It connects, carries the first command out, and connects again. */
static int runtime_starts(struct world *world, uint8_t id)
{
	int fd = runtime_says(world, id);
	serve(world);
	assert_true(was_told_the_variable(fd));
	say(fd, "reply", 5);
	close(fd);
	serve(world);
	return runtime_says(world, id);
}

/* Of this process nobody can tell which runtime it is: to take the variable away could kill it. */
static void test_a_runtime_of_unknown_kind_gets_it_empty(void **state)
{
	(void)state;
	struct world w;
	uint8_t request[256];
	begin_with(&w, NULL);
	int fd = runtime_says(&w, 1);
	serve(&w);
	assert_true(has_got(fd, request, nt_ipc_set_environment("DOTNET_DiagnosticPorts", "", request, sizeof(request))));
	close(fd);
	end(&w);
}

static bool was_closed(int fd)
{
	char byte;
	return recv(fd, &byte, 1, MSG_DONTWAIT) == 0;
}

static void test_who_is_not_wanted_goes_on(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	int fd = runtime_starts(&w, 1);
	serve(&w);
	assert_true(was_resumed(fd));
	assert_int_equal(w.asked, 1);
	assert_false(nt_startup_port_holds(w.port, (uint32_t)getpid()));
	close(fd);
	end(&w);
}

static void test_who_is_wanted_waits(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	w.answer = true;
	int fd = runtime_starts(&w, 1);
	for (int i = 0; i < 3; i++)
		serve(&w);
	assert_int_equal(w.asked, 1);
	assert_true(nt_startup_port_holds(w.port, (uint32_t)getpid()));
	assert_false(was_resumed(fd));
	nt_startup_port_leave(w.port);
	assert_true(was_resumed(fd));
	assert_false(nt_startup_port_holds(w.port, (uint32_t)getpid()));
	close(fd);
	end(&w);
}

/* Who has said nothing yet when the port is left, and who comes later, is the other process's. */
static void test_another_process_goes_on(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	struct nt_startup_port *left = w.port;
	int listener = dup(nt_startup_port_listener(left));
	assert_true(listener >= 0);
	w.port = nt_startup_port_adopt(listener, nt_startup_port_path(left), BEFORE);
	assert_string_equal(nt_startup_port_setting(w.port), nt_startup_port_setting(left));
	int silent = runtime_connects(&w);
	nt_startup_port_serve(left, NULL, NULL);
	nt_startup_port_leave(left);
	assert_true(was_closed(silent));
	int fd = runtime_says(&w, 1);
	nt_startup_port_serve(left, NULL, NULL);
	struct pollfd nothing = { .fd = nt_startup_port_fd(left), .events = POLLIN };
	assert_int_equal(poll(&nothing, 1, 0), 0);
	nt_startup_port_close(left);
	struct pollfd news = { .fd = nt_startup_port_fd(w.port), .events = POLLIN };
	assert_int_equal(poll(&news, 1, 0), 1);
	nt_startup_port_serve(w.port, NULL, NULL);
	assert_true(was_told_the_variable(fd));
	int again = runtime_says(&w, 1);
	nt_startup_port_serve(w.port, NULL, NULL);
	assert_true(was_resumed(again));
	close(silent);
	close(fd);
	close(again);
	end(&w);
}

/* A process that was started with the setting, and lives until its input ends. */
static void test_heirs(void **state)
{
	(void)state;
	struct world w;
	int input[2];
	begin(&w);
	assert_false(nt_startup_port_has_heirs(w.port));
	assert_int_equal(pipe2(input, O_CLOEXEC), 0);
	char variable[128];
	snprintf(variable, sizeof(variable), "DOTNET_DiagnosticPorts=%s;" BEFORE, nt_startup_port_setting(w.port));
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(input[0], STDIN_FILENO);
		execle("/bin/cat", "cat", NULL, (char *[]){ variable, NULL });
		_exit(127);
	}
	for (int ms = 0; ms < PATIENCE_MS && !nt_startup_port_has_heirs(w.port); ms++) /* until it is executed */
		poll(NULL, 0, 1);
	assert_true(nt_startup_port_has_heirs(w.port));
	close(input[0]);
	close(input[1]);
	int how;
	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_int_equal(how, 0);
	assert_false(nt_startup_port_has_heirs(w.port));
	end(&w);
}

/* After the command the runtime closes the connection and comes again: it must be let alone, and not be sent away. */
static void test_it_comes_again(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	int fd = runtime_starts(&w, 1);
	serve(&w);
	assert_true(was_resumed(fd));
	say(fd, "reply", 5);
	close(fd);
	serve(&w);
	int again = runtime_says(&w, 1);
	for (int i = 0; i < 3; i++)
		serve(&w);
	assert_int_equal(w.asked, 1);
	assert_false(was_resumed(again));
	assert_false(was_closed(again));
	close(again);
	end(&w);
}

static void test_cut_anywhere(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	uint8_t bytes[NT_IPC_ADVERTISE_BYTES];
	advertisement(9, bytes);
	int fd = runtime_connects(&w);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		serve(&w);
		assert_false(was_told_the_variable(fd));
		say(fd, bytes + i, 1);
	}
	serve(&w);
	assert_true(was_told_the_variable(fd));
	close(fd);
	end(&w);
}

static void test_strangers(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	uint8_t bytes[NT_IPC_ADVERTISE_BYTES] = "ADVR_V2";
	int other = runtime_connects(&w), silent = runtime_connects(&w), gone = runtime_connects(&w);
	say(other, bytes, sizeof(bytes));
	close(gone);
	serve(&w);
	serve(&w);
	assert_true(was_closed(other));
	assert_false(was_closed(silent));
	assert_int_equal(w.asked, 0);
	int fd = runtime_starts(&w, 1); /* they are in nobody's way */
	serve(&w);
	assert_true(was_resumed(fd));
	close(fd);
	close(other);
	close(silent);
	end(&w);
}

static void test_who_waits_goes_on_when_it_is_closed(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	w.answer = true;
	int fd = runtime_starts(&w, 1);
	serve(&w);
	end(&w);
	assert_true(was_resumed(fd));
	assert_true(was_closed(fd));
	close(fd);
}

/* ---- programs that have given up root ---- */

enum { ANOTHER_UID = 54321 };

/* This program once more, as another user's: 'k' on its standard output when it is heard at the port, 'd' when it is sent away. */
static int play_another(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	uint8_t bytes[NT_IPC_ADVERTISE_BYTES];
	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		return 1;
	advertisement((uint8_t)(100 + getpid() % 100), bytes);
	bool heard = send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL) > 0 && recv(fd, bytes, 1, 0) == 1;
	return write(STDOUT_FILENO, heard ? "k" : "d", 1) != 1;
}

_Noreturn static void become_another(int told, const char *path, char *variable)
{
	dup2(told, STDOUT_FILENO);
	if (setgid(ANOTHER_UID) == 0 && setuid(ANOTHER_UID) == 0)
		execle("/proc/self/exe", "another", path, NULL, (char *[]){ variable, NULL });
	_exit(127);
}

/* What becomes of it; '?' = it could not even connect. */
static char another_comes(struct world *world, bool is_orphan, char *variable)
{
	int told[2];
	char said = '?';
	assert_int_equal(pipe2(told, O_CLOEXEC), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		pid_t parent = getpid();
		if (is_orphan && fork() > 0)
			_exit(0);
		while (is_orphan && getppid() == parent)
			poll(NULL, 0, 1);
		become_another(told[1], nt_startup_port_path(world->port), variable);
	}
	close(told[1]);
	struct pollfd news = { .fd = told[0], .events = POLLIN };
	for (int ms = 0; ms < PATIENCE_MS && poll(&news, 1, 1) == 0; ms++)
		serve(world);
	assert_true(read(told[0], &said, 1) >= 0);
	close(told[0]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return said;
}

static void test_who_has_become_another_user_is_heard(void **state)
{
	(void)state;
	struct world w;
	if (geteuid() != 0)
		skip();
	begin(&w);
	char setting[128], nothing[] = "A=nobody knows it";
	snprintf(setting, sizeof(setting), "DOTNET_DiagnosticPorts=%s;" BEFORE, nt_startup_port_setting(w.port));
	assert_int_equal(another_comes(&w, false, setting), 'k');
	assert_int_equal(another_comes(&w, false, nothing), 'k');
	assert_int_equal(another_comes(&w, true, setting), 'k');
	assert_int_equal(another_comes(&w, true, nothing), 'd');
	/* None of them has got in the way of the others. */
	int fd = runtime_starts(&w, 1);
	serve(&w);
	assert_true(was_resumed(fd));
	close(fd);
	end(&w);
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return play_another(argv[1]);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_who_is_not_wanted_goes_on),
		cmocka_unit_test(test_who_is_wanted_waits),
		cmocka_unit_test(test_a_runtime_of_unknown_kind_gets_it_empty),
		cmocka_unit_test(test_another_process_goes_on),
		cmocka_unit_test(test_heirs),
		cmocka_unit_test(test_who_has_become_another_user_is_heard),
		cmocka_unit_test(test_it_comes_again),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_who_waits_goes_on_when_it_is_closed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
