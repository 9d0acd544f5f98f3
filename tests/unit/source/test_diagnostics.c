// SPDX-License-Identifier: GPL-2.0-only
/* The diagnostics port with a runtime that the test plays: it answers, cuts, says nothing, closes, is not there, is somebody else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_target.h"
#include "target/port/diagnostics.h"
#include "target/process/diagnostics_socket.h"

#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { DEADLINE = 1000 };

struct fixture {
	struct fake_target fake;
	int server;
	uint8_t request[NT_IPC_HEADER_BYTES];
	struct nt_ipc_exchange *exchange;
	struct nt_ipc_reply reply;
	struct nt_error err;
};

static int setup(void **state)
{
	struct fixture *f = nt_alloc(sizeof(*f));
	fake_target_init(&f->fake);
	f->server = -1;
	nt_ipc_request(NT_IPC_PROCESS_INFO, f->request, sizeof(f->request));
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	nt_ipc_close(f->exchange);
	if (f->server >= 0)
		close(f->server);
	fake_target_fini(&f->fake);
	free(f);
	return 0;
}

#define ENVIRONMENT(f, text)                                                                                                               \
	((f)->fake.target.environment_text = (char *)(uintptr_t)(text), (f)->fake.target.environment_length = sizeof(text))

static void listen_in(struct fixture *f, const char *folder)
{
	fake_target_listen(&f->fake, folder, 8);
}

static enum nt_status start(struct fixture *f)
{
	return nt_ipc_start(&f->fake.target, f->request, sizeof(f->request), DEADLINE, &f->exchange, &f->err);
}

static enum nt_status advance(struct fixture *f, nt_time now)
{
	return nt_ipc_advance(f->exchange, now, &f->reply, &f->err);
}

/* The runtime takes the connection: the whole request is there already. */
static void take_request(struct fixture *f)
{
	uint8_t got[64];
	f->server = accept(f->fake.listener, NULL, NULL);
	assert_true(f->server >= 0);
	assert_int_equal(recv(f->server, got, sizeof(got), MSG_DONTWAIT), sizeof(f->request));
	assert_memory_equal(got, f->request, sizeof(f->request));
}

static void check_said(const struct fixture *f, const char *word)
{
	char text[NT_ERROR_CAUSES * NT_ERROR_TEXT];
	nt_error_text(&f->err, text, sizeof(text));
	if (!strstr(text, word))
		fail_msg("'%s' is not in: %s", word, text);
}

static const uint8_t answer[] = "DOTNET_IPC_V1\0\x18\0\xff\0\0\0\x2a\0\0"; /* the last byte is the text's own NUL */

static void test_answer_byte_by_byte(void **state)
{
	struct fixture *f = *state;
	listen_in(f, "root/tmp");
	assert_int_equal(start(f), NT_OK);
	take_request(f);
	for (size_t i = 0; i < sizeof(answer); i++) {
		assert_int_equal(advance(f, DEADLINE - 1), NT_AGAIN);
		assert_int_equal(send(f->server, answer + i, 1, 0), 1);
		struct pollfd readable = { .fd = nt_ipc_fd(f->exchange), .events = POLLIN };
		assert_int_equal(poll(&readable, 1, 0), 1);
	}
	assert_int_equal(advance(f, DEADLINE + 1), NT_OK); /* it is there: late is not too late */
	assert_int_equal(f->reply.length, 4);
	assert_int_equal(f->reply.payload[0], 0x2a);
}

static void test_the_trace_behind_the_answer(void **state)
{
	struct fixture *f = *state;
	char got[16];
	listen_in(f, "root/tmp");
	assert_int_equal(start(f), NT_OK);
	take_request(f);
	send(f->server, answer, sizeof(answer), 0);
	send(f->server, "Nettrace", 8, 0);
	assert_int_equal(nt_ipc_wait(f->exchange, &f->reply, &f->err), NT_OK);
	int fd = nt_ipc_take_fd(f->exchange);
	nt_ipc_close(f->exchange);
	f->exchange = NULL;
	assert_int_equal(read(fd, got, sizeof(got)), 8);
	assert_memory_equal(got, "Nettrace", 8);
	assert_int_equal(read(fd, got, sizeof(got)), -1);
	assert_int_equal(errno, EAGAIN);
	close(fd);
}

static void test_no_answer(void **state)
{
	struct fixture *f = *state;
	listen_in(f, "root/tmp");
	assert_int_equal(start(f), NT_OK);
	assert_int_equal(advance(f, DEADLINE - 1), NT_AGAIN);
	assert_int_equal(advance(f, DEADLINE), NT_ERR_TIMEOUT);
	check_said(f, "does not answer ProcessInfo");
	check_said(f, "frozen");
}

static void test_stopped(void **state)
{
	struct fixture *f = *state;
	listen_in(f, "root/tmp");
	assert_int_equal(start(f), NT_OK);
	fake_target_state(&f->fake, 'T');
	assert_int_equal(advance(f, DEADLINE), NT_ERR_TIMEOUT);
	check_said(f, "is stopped");
	nt_ipc_close(f->exchange);
	/* And nothing is sent to one that stands still. */
	assert_int_equal(start(f), NT_ERR_TIMEOUT);
	check_said(f, "kill -CONT");
	take_request(f);
	struct pollfd more = { .fd = f->fake.listener, .events = POLLIN };
	assert_int_equal(poll(&more, 1, 0), 0);
}

static void test_closed_without_an_answer(void **state)
{
	struct fixture *f = *state;
	for (size_t sent = 0; sent < sizeof(answer); sent += 7) {
		listen_in(f, "root/tmp");
		assert_int_equal(start(f), NT_OK);
		take_request(f);
		send(f->server, answer, sent, 0);
		close(f->server);
		assert_int_equal(advance(f, 0), NT_ERR_GONE);
		check_said(f, "without an answer to ProcessInfo");
		nt_ipc_close(f->exchange);
		f->exchange = NULL;
		close(f->fake.listener);
		f->server = f->fake.listener = -1;
		char path[128];
		snprintf(path, sizeof(path), "%s/17/root/tmp/" FAKE_TARGET_SOCKET, f->fake.proc.root);
		assert_int_equal(unlink(path), 0);
	}
}

/* A child that has ended and is not waited for: its pidfd says so. */
static pid_t dead_child(struct fixture *f)
{
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	close(f->fake.target.pidfd);
	f->fake.target.pidfd = pidfd_open(child, 0);
	return child;
}

static void test_target_ends_meanwhile(void **state)
{
	struct fixture *f = *state;
	listen_in(f, "root/tmp");
	assert_int_equal(start(f), NT_OK);
	take_request(f);
	pid_t child = dead_child(f);
	close(f->server);
	f->server = -1;
	assert_int_equal(advance(f, 0), NT_ERR_GONE);
	check_said(f, "has ended");
	waitpid(child, NULL, 0);
}

static void test_socket_left_behind(void **state)
{
	struct fixture *f = *state;
	listen_in(f, "root/tmp");
	close(f->fake.listener);
	f->fake.listener = -1;
	assert_int_equal(start(f), NT_ERR_GONE);
	check_said(f, "nobody listens");
	pid_t child = dead_child(f);
	assert_int_equal(start(f), NT_ERR_GONE);
	check_said(f, "has ended");
	waitpid(child, NULL, 0);
}

static void test_no_socket(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(start(f), NT_ERR_ABSENT);
	check_said(f, "no dotnet-diagnostic-17-*-socket in the target's /tmp");
	ENVIRONMENT(f, "DOTNET_EnableDiagnostics_IPC=0");
	assert_int_equal(start(f), NT_ERR_ABSENT);
	check_said(f, "switched off");
	check_said(f, "DOTNET_EnableDiagnostics=1");
	f->fake.target.is_dotnet = false;
	assert_int_equal(start(f), NT_ERR_ABSENT);
	check_said(f, "not a .NET process");
}

static void test_what_is_no_socket_of_the_target(void **state)
{
	struct fixture *f = *state;
	char path[128], real[160];
	fake_proc_text(&f->fake.proc, 17, "root/tmp/" FAKE_TARGET_SOCKET, "");
	assert_int_equal(start(f), NT_ERR_FORBIDDEN);
	check_said(f, "is not a socket");
	/* A link to a socket: it would lead to whoever the target's user likes. */
	snprintf(path, sizeof(path), "%s/17/root/tmp/" FAKE_TARGET_SOCKET, f->fake.proc.root);
	snprintf(real, sizeof(real), "%s.real", path);
	unlink(path);
	listen_in(f, "root/tmp");
	assert_int_equal(rename(path, real), 0);
	assert_int_equal(symlink(FAKE_TARGET_SOCKET ".real", path), 0);
	assert_int_equal(start(f), NT_ERR_FORBIDDEN);
	/* Another user's. Only root can give a file away; what belongs to root is trusted. */
	unlink(path);
	assert_int_equal(rename(real, path), 0);
	f->fake.target.uid = 54321;
	if (getuid() == 0)
		assert_int_equal(chown(path, 54322, 54322), 0);
	assert_int_equal(start(f), NT_ERR_FORBIDDEN);
	check_said(f, "user");
}

/* The socket's file is in order, but another process listens on it. */
static void test_another_process_listens(void **state)
{
	struct fixture *f = *state;
	int ready[2];
	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	if (child == 0) {
		listen_in(f, "root/tmp");
		close(ready[1]);
		pause();
		_exit(0);
	}
	char byte;
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	enum nt_status status = start(f);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(status, NT_ERR_FORBIDDEN);
	check_said(f, "is answered by process");
}

static void test_queue_full(void **state)
{
	struct fixture *f = *state;
	fake_target_listen(&f->fake, "root/tmp", 0);
	struct nt_ipc_exchange *before[8];
	size_t count = 0;
	for (;; count++) {
		assert_true(count < 8);
		assert_int_equal(start(f), NT_OK);
		if (nt_ipc_fd(f->exchange) < 0)
			break;
		before[count] = f->exchange;
	}
	assert_int_equal(advance(f, 0), NT_AGAIN);
	assert_int_equal(nt_ipc_fd(f->exchange), -1);
	struct nt_ipc_exchange *waiting = f->exchange;
	for (size_t i = 0; i < count; i++) {
		take_request(f);
		close(f->server);
		nt_ipc_close(before[i]);
	}
	f->exchange = waiting;
	assert_int_equal(advance(f, 0), NT_AGAIN);
	assert_true(nt_ipc_fd(f->exchange) >= 0);
	take_request(f);
	send(f->server, answer, sizeof(answer), 0);
	assert_int_equal(advance(f, 0), NT_OK);
}

static void test_where_it_is_looked_for(void **state)
{
	struct fixture *f = *state;
	struct nt_diagnostics_socket found;
	/* Of another life of this pid, and of another time namespace: the newest, unless there is one of the very start time. */
	int old = fake_proc_socket(&f->fake.proc, "17/root/tmp/dotnet-diagnostic-17-3-socket", 1);
	int new = fake_proc_socket(&f->fake.proc, "17/root/tmp/dotnet-diagnostic-17-4-socket", 1);
	char path[128];
	snprintf(path, sizeof(path), "%s/17/root/tmp/dotnet-diagnostic-17-3-socket", f->fake.proc.root);
	assert_int_equal(utimes(path, (struct timeval[2]){ { 1000, 0 }, { 1000, 0 } }), 0);
	nt_diagnostics_find_socket(&f->fake.target, &found);
	assert_string_equal(found.name, "dotnet-diagnostic-17-4-socket");
	close(found.fd);
	listen_in(f, "root/tmp");
	assert_int_equal(utimes(path, NULL), 0);
	nt_diagnostics_find_socket(&f->fake.target, &found);
	assert_string_equal(found.name, FAKE_TARGET_SOCKET);
	close(found.fd);
	close(old);
	close(new);
}

static void test_folders(void **state)
{
	struct fixture *f = *state;
	struct nt_diagnostics_socket found;
	/* Longer than an address of a socket can be. */
	char deep[200] = "root/", path[128];
	for (size_t i = 5; i < 155; i++)
		deep[i] = i % 20 ? 'd' : '/';
	listen_in(f, deep);
	char variable[256];
	int length = snprintf(variable, sizeof(variable), "TMPDIR=%s", deep + 4);
	f->fake.target.environment_text = variable;
	f->fake.target.environment_length = (size_t)length + 1;
	assert_int_equal(start(f), NT_OK);
	take_request(f);
	/* A link in the target's view leads within that, not into ours. */
	snprintf(path, sizeof(path), "%s/17/root/link", f->fake.proc.root);
	assert_int_equal(symlink(deep + 4, path), 0);
	ENVIRONMENT(f, "TMPDIR=/link");
	nt_diagnostics_find_socket(&f->fake.target, &found);
	assert_true(found.fd >= 0);
	close(found.fd);
	/* A relative one is below where the target stands. */
	fake_proc_text(&f->fake.proc, 17, "cwd/here/readme", "");
	int relative = fake_proc_socket(&f->fake.proc, "17/cwd/here/" FAKE_TARGET_SOCKET, 1);
	ENVIRONMENT(f, "TMPDIR=here");
	nt_diagnostics_find_socket(&f->fake.target, &found);
	assert_true(found.fd >= 0);
	assert_string_equal(found.folder, "here");
	close(found.fd);
	close(relative);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_answer_byte_by_byte, setup, teardown),
		cmocka_unit_test_setup_teardown(test_the_trace_behind_the_answer, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_answer, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stopped, setup, teardown),
		cmocka_unit_test_setup_teardown(test_closed_without_an_answer, setup, teardown),
		cmocka_unit_test_setup_teardown(test_target_ends_meanwhile, setup, teardown),
		cmocka_unit_test_setup_teardown(test_socket_left_behind, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_socket, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_is_no_socket_of_the_target, setup, teardown),
		cmocka_unit_test_setup_teardown(test_another_process_listens, setup, teardown),
		cmocka_unit_test_setup_teardown(test_queue_full, setup, teardown),
		cmocka_unit_test_setup_teardown(test_where_it_is_looked_for, setup, teardown),
		cmocka_unit_test_setup_teardown(test_folders, setup, teardown),
	};
	return cmocka_run_group_tests_name("target/diagnostics", tests, NULL, NULL);
}
