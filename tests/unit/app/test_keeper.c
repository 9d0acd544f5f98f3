// SPDX-License-Identifier: GPL-2.0-only
/* The keeper: what it puts right when nettop is killed, and above all what it leaves alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/keeper/keeper.h"
#include "app/keeper/keeper_verbs.h"

#include "nettop/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* What the design promises in time is tested live, where a busy machine gets a second try. */
enum { PATIENCE_MS = 10000, USER = 54321 };

/* One run: a pseudo-terminal, a folder to put things in, and a process that stands for the relay. */
struct fixture {
	int master, slave;
	struct termios before;
	char top[64];    /* a scratch folder; not called nettop-... */
	char ours[96];   /* in it: nettop-x, as the runtime folder is called, with a file and a sub-folder */
	char theirs[96]; /* in it: precious, with a file */
	pid_t relay;
	char relay_note[64]; /* PID:START */
	int stream[2];       /* nettop's end, the target's */
};

/* What the stand-in for nettop does: notes on `keeper`. */
typedef void notes_fn(const struct fixture *fixture, struct nt_keeper *keeper);

static unsigned long long start_of(pid_t pid)
{
	char path[64], text[1024] = "";
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	assert_non_null(file);
	size_t length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = '\0';
	unsigned long long start = 0;
	char *rest = strrchr(text, ')');
	assert_non_null(rest);
	assert_int_equal(sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &start), 1);
	return start;
}

static void make_file(const char *folder, const char *name)
{
	char path[160];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	assert_non_null(f);
	assert_int_equal(openpty(&f->master, &f->slave, NULL, NULL, NULL), 0);
	assert_int_equal(fcntl(f->master, F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(tcgetattr(f->slave, &f->before), 0);

	strcpy(f->top, "/tmp/nt-keeper.XXXXXX");
	assert_non_null(mkdtemp(f->top));
	char sub[128];
	snprintf(f->ours, sizeof(f->ours), "%s/nettop-x", f->top);
	snprintf(f->theirs, sizeof(f->theirs), "%s/precious", f->top);
	snprintf(sub, sizeof(sub), "%s/sub", f->ours);
	assert_int_equal(mkdir(f->ours, 0700) | mkdir(sub, 0700) | mkdir(f->theirs, 0700), 0);
	make_file(f->ours, "a");
	make_file(sub, "b");
	make_file(f->theirs, "c");

	f->relay = fork();
	assert_true(f->relay >= 0);
	if (f->relay == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, f->stream), 0);
	snprintf(f->relay_note, sizeof(f->relay_note), "%d:%llu", (int)f->relay, start_of(f->relay));
	*state = f;
	return 0;
}

/* Only paths that set_up() made. */
static void remove_made(const char *folder, const char *name)
{
	char path[160];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	remove(path);
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	kill(f->relay, SIGKILL);
	waitpid(f->relay, NULL, 0);
	close(f->master);
	close(f->slave);
	close(f->stream[0]);
	close(f->stream[1]);
	remove_made(f->ours, "a");
	remove_made(f->ours, "sub/b");
	remove_made(f->ours, "sub");
	remove_made(f->top, "nettop-x");
	remove_made(f->theirs, "c");
	remove_made(f->top, "precious");
	rmdir(f->top);
	free(f);
	return 0;
}

static bool exists(const char *path)
{
	struct stat info;
	return lstat(path, &info) == 0;
}

static bool relay_lives(const struct fixture *f)
{
	siginfo_t info = { 0 };
	assert_int_equal(waitid(P_PID, (id_t)f->relay, &info, WEXITED | WNOHANG | WNOWAIT), 0);
	return info.si_pid == 0;
}

/* A process that was killed is gone when it next gets a CPU. */
static bool relay_ends(const struct fixture *f)
{
	for (int ms = 0; ms < PATIENCE_MS && relay_lives(f); ms++)
		poll(NULL, 0, 1);
	return !relay_lives(f);
}

static bool terminal_is_as_before(const struct fixture *f)
{
	struct termios now;
	assert_int_equal(tcgetattr(f->slave, &now), 0);
	return now.c_iflag == f->before.c_iflag && now.c_oflag == f->before.c_oflag && now.c_cflag == f->before.c_cflag &&
	       now.c_lflag == f->before.c_lflag && memcmp(now.c_cc, f->before.c_cc, sizeof(now.c_cc)) == 0;
}

static void make_raw(const struct fixture *f)
{
	struct termios raw = f->before;
	cfmakeraw(&raw);
	assert_int_equal(tcsetattr(f->slave, TCSANOW, &raw), 0);
	assert_false(terminal_is_as_before(f));
}

/* What was written to the terminal up to now. */
static size_t written(const struct fixture *f, char *text, size_t size)
{
	ssize_t got = read(f->master, text, size - 1);
	size_t length = got > 0 ? (size_t)got : 0;
	text[length] = '\0';
	return length;
}

static pid_t read_pid(int fd)
{
	pid_t pid = -1;
	assert_int_equal(read(fd, &pid, sizeof(pid)), sizeof(pid));
	return pid;
}

/* Waits for the end of a process that was left to us as the nearest subreaper. */
static void reap_within(pid_t pid, int limit_ms)
{
	nt_time start = nt_clock_now();
	for (;;) {
		pid_t got = waitpid(pid, NULL, WNOHANG);
		int took_ms = (int)((nt_clock_now() - start) / NT_NS_PER_MS);
		if (got == pid)
			return;
		if (got < 0 || took_ms > limit_ms)
			fail_msg("the keeper %d has not ended after %d ms", (int)pid, took_ms);
		poll(NULL, 0, 1);
	}
}

/*
 * A process that starts a keeper, spoils the terminal and makes its notes; then it is killed as an out-of-memory killer would do it. Returns
 * when the keeper has ended.
 */
static void kill_after(const struct fixture *f, notes_fn *notes)
{
	int ready[2];
	assert_int_equal(pipe(ready), 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	pid_t nettop = fork();
	assert_true(nettop >= 0);
	if (nettop == 0) {
		struct nt_keeper *keeper = NULL;
		struct nt_error err = { 0 };
		if (nt_keeper_start(f->slave, &keeper, &err) != NT_OK)
			_exit(1);
		make_raw(f);
		notes(f, keeper);
		pid_t pid = nt_keeper_pid(keeper);
		if (write(ready[1], &pid, sizeof(pid)) != sizeof(pid))
			_exit(1);
		for (;;)
			pause();
	}
	pid_t keeper = read_pid(ready[0]);
	close(ready[0]);
	close(ready[1]);
	assert_false(terminal_is_as_before(f));
	kill(nettop, SIGKILL);
	assert_int_equal(waitpid(nettop, NULL, 0), nettop);
	reap_within(keeper, PATIENCE_MS);
}

static void note_everything(const struct fixture *f, struct nt_keeper *keeper)
{
	nt_keeper_note(keeper, "terminal", "-");
	nt_keeper_note(keeper, "remove-dir", f->ours);
	nt_keeper_note(keeper, "kill-child", f->relay_note);
}

static void test_kill_puts_everything_right(void **state)
{
	struct fixture *f = *state;
	kill_after(f, note_everything);
	assert_true(terminal_is_as_before(f));
	assert_false(exists(f->ours));
	assert_true(exists(f->theirs));
	assert_true(relay_ends(f));
	char text[512];
	written(f, text, sizeof(text));
	assert_non_null(strstr(text, "\033[?1049l")); /* the alternate screen is left */
	assert_non_null(strstr(text, "\033[?25h"));   /* the cursor is shown */
}

/* The target's end of the stream is told that nobody reads any more; it is not, as long as somebody might. */
static bool stream_ends(const struct fixture *f, int limit_ms)
{
	struct pollfd end = { .fd = f->stream[1], .events = POLLIN };
	char byte;
	return poll(&end, 1, limit_ms) == 1 && read(f->stream[1], &byte, 1) == 0;
}

static void note_stream(const struct fixture *f, struct nt_keeper *keeper)
{
	nt_keeper_stream(keeper, f->stream[0]);
}

static void test_kill_ends_streams(void **state)
{
	struct fixture *f = *state;
	kill_after(f, note_stream);
	assert_true(stream_ends(f, 0));
}

static void note_stream_done(const struct fixture *f, struct nt_keeper *keeper)
{
	nt_keeper_stream(keeper, f->stream[0]);
	nt_keeper_stream_done(keeper, f->stream[0]);
}

static void test_a_stream_that_was_done_is_left_alone(void **state)
{
	struct fixture *f = *state;
	kill_after(f, note_stream_done);
	assert_false(stream_ends(f, 0));
}

static void note_stopped_relay(const struct fixture *f, struct nt_keeper *keeper)
{
	nt_keeper_note(keeper, "kill-child", f->relay_note);
	kill(f->relay, SIGSTOP);
}

/* A stopped process does not take SIGTERM. */
static void test_a_stopped_relay_is_ended(void **state)
{
	struct fixture *f = *state;
	kill_after(f, note_stopped_relay);
	assert_true(relay_ends(f));
}

static void note_wrong_things(const struct fixture *f, struct nt_keeper *keeper)
{
	char note[64], link[160];
	nt_keeper_note(keeper, "remove-dir", f->theirs);
	nt_keeper_note(keeper, "remove-dir", "/");
	nt_keeper_note(keeper, "remove-dir", "nettop-x");
	snprintf(link, sizeof(link), "%s/nettop-link", f->top);
	assert_int_equal(symlink(f->theirs, link), 0);
	nt_keeper_note(keeper, "remove-dir", link);
	/* The pid was given to somebody else since. */
	snprintf(note, sizeof(note), "%d:%llu", (int)f->relay, start_of(f->relay) + 1);
	nt_keeper_note(keeper, "kill-child", note);
	snprintf(note, sizeof(note), "%d", (int)f->relay);
	nt_keeper_note(keeper, "kill-child", note);
	nt_keeper_note(keeper, "kill-child", "-1:0");
	nt_keeper_note(keeper, "kill-child", "0:0");
	nt_keeper_note(keeper, "launch-missiles", "now");
}

static void test_what_is_not_ours_is_left_alone(void **state)
{
	struct fixture *f = *state;
	kill_after(f, note_wrong_things);
	char inside[160], link[160];
	snprintf(inside, sizeof(inside), "%s/c", f->theirs);
	snprintf(link, sizeof(link), "%s/nettop-link", f->top);
	assert_true(exists(inside));
	assert_true(exists(link));
	assert_true(exists(f->ours));
	assert_true(relay_lives(f));
	unlink(link);
}

static void note_and_take_back(const struct fixture *f, struct nt_keeper *keeper)
{
	note_everything(f, keeper);
	nt_keeper_note(keeper, "-terminal", "-");
	nt_keeper_note(keeper, "-remove-dir", f->ours);
	nt_keeper_note(keeper, "-kill-child", f->relay_note);
}

static void test_taken_back_notes_are_not_undone(void **state)
{
	struct fixture *f = *state;
	char text[64];
	kill_after(f, note_and_take_back);
	assert_false(terminal_is_as_before(f));
	assert_int_equal(written(f, text, sizeof(text)), 0);
	assert_true(exists(f->ours));
	assert_true(relay_lives(f));
}

/* The socket by which notes go to the keeper: the only one of its type here. */
static int notes_socket(void)
{
	for (int fd = 3; fd < 1024; fd++) {
		int type;
		socklen_t size = sizeof(type);
		if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET)
			return fd;
	}
	return -1;
}

static void wait_until_read(int socket)
{
	int left;
	while (ioctl(socket, SIOCOUTQ, &left) == 0 && left)
		poll(NULL, 0, 1);
}

/* A relay that is started again and again is noted and taken back each time: the list holds what is true at the end. */
static void note_over_and_over(const struct fixture *f, struct nt_keeper *keeper)
{
	int socket = notes_socket();
	if (socket < 0)
		_exit(1);
	char name[PATH_MAX / 2];
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (int i = 0; i < 300; i++) {
		nt_keeper_note(keeper, "lttng-session", name);
		nt_keeper_note(keeper, "-lttng-session", name);
		nt_keeper_note(keeper, "remove-dir", f->theirs);
		nt_keeper_note(keeper, "-remove-dir", f->theirs);
		/* The socket holds one round, but not all, and nettop does not wait for room. */
		wait_until_read(socket);
	}
	nt_keeper_note(keeper, "remove-dir", f->ours);
}

static void test_many_notes(void **state)
{
	struct fixture *f = *state;
	kill_after(f, note_over_and_over);
	assert_false(exists(f->ours));
	assert_true(exists(f->theirs));
}

/* As many targets as it has room for, one more, and one in the place of another: what there is once has room all the same. */
static void note_of_many_targets(const struct fixture *f, struct nt_keeper *keeper)
{
	char target[32];
	bool as_expected = true;
	for (int i = 0; i <= NT_KEEPER_HELD_MAX; i++) {
		snprintf(target, sizeof(target), "no perf map %d", i);
		as_expected &= nt_keeper_hold(keeper, "perf-map", target, f->stream[0]) == (i < NT_KEEPER_HELD_MAX);
	}
	as_expected &= nt_keeper_hold(keeper, "lent-port", "no deed", f->stream[0]);
	nt_keeper_note(keeper, "-perf-map", "no perf map 7");
	as_expected &= nt_keeper_hold(keeper, "perf-map", "the last one", f->stream[0]);
	if (as_expected)
		nt_keeper_note(keeper, "remove-dir", f->ours);
}

static void test_many_targets(void **state)
{
	struct fixture *f = *state;
	kill_after(f, note_of_many_targets);
	assert_false(exists(f->ours));
}

static struct nt_keeper *start(const struct fixture *f)
{
	struct nt_keeper *keeper = NULL;
	struct nt_error err = { 0 };
	assert_int_equal(nt_keeper_start(f->slave, &keeper, &err), NT_OK);
	return keeper;
}

/* nt_keeper_end() waits for a while only; with more to do the keeper goes on alone. */
static void end_and_wait(struct nt_keeper *keeper)
{
	pid_t pid = nt_keeper_pid(keeper);
	nt_keeper_end(keeper);
	nt_time deadline = nt_clock_now() + PATIENCE_MS * NT_NS_PER_MS;
	while (waitpid(pid, NULL, WNOHANG) == 0 && nt_clock_now() < deadline)
		poll(NULL, 0, 1);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void test_orderly_end_changes_nothing(void **state)
{
	struct fixture *f = *state;
	char text[64];
	struct nt_keeper *keeper = start(f);
	make_raw(f);
	note_and_take_back(f, keeper);
	end_and_wait(keeper);
	assert_false(terminal_is_as_before(f));
	assert_int_equal(written(f, text, sizeof(text)), 0);
	assert_true(exists(f->ours));
	assert_true(relay_lives(f));
}

static void test_end_undoes_what_was_forgotten(void **state)
{
	struct fixture *f = *state;
	struct nt_keeper *keeper = start(f);
	make_raw(f);
	note_everything(f, keeper);
	end_and_wait(keeper);
	assert_true(terminal_is_as_before(f));
	assert_false(exists(f->ours));
	assert_true(relay_ends(f));
}

/* Ctrl-C in a terminal goes to the whole foreground group; the keeper must outlive it. */
static void test_signals_do_not_end_the_keeper(void **state)
{
	struct fixture *f = *state;
	static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGPIPE };
	struct nt_keeper *keeper = start(f);
	pid_t pid = nt_keeper_pid(keeper);
	/* The name is the last thing it sets after it has made itself deaf to signals. */
	nt_time deadline = nt_clock_now() + PATIENCE_MS * NT_NS_PER_MS;
	char path[64], name[32] = "";
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	while (strcmp(name, "nettop-keeper\n") != 0 && nt_clock_now() < deadline) {
		FILE *file = fopen(path, "re");
		assert_non_null(file);
		assert_non_null(fgets(name, sizeof(name), file));
		fclose(file);
	}
	assert_string_equal(name, "nettop-keeper\n");
	assert_int_equal(getsid(pid), pid);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		assert_int_equal(kill(pid, signals[i]), 0);
	note_everything(f, keeper);
	end_and_wait(keeper);
	assert_false(exists(f->ours));
}

/* The keeper lets go although nettop is there. What it leaves alone: test_keeper_streams.c. */
static void test_a_stream_that_nobody_reads(void **state)
{
	struct fixture *f = *state;
	struct nt_keeper *keeper = start(f);
	nt_keeper_stream(keeper, f->stream[0]);
	assert_int_equal(send(f->stream[1], "event", 5, 0), 5);
	nt_keeper_stream_read(keeper);
	assert_true(stream_ends(f, PATIENCE_MS));
	end_and_wait(keeper);
}

/* Whoever keeps the keeper busy does not put off its looks. */
static void test_a_stream_that_nobody_reads_while_notes_come(void **state)
{
	struct fixture *f = *state;
	struct nt_keeper *keeper = start(f);
	nt_keeper_stream(keeper, f->stream[0]);
	assert_int_equal(send(f->stream[1], "event", 5, 0), 5);
	nt_time deadline = nt_clock_now() + PATIENCE_MS * NT_NS_PER_MS;
	bool ended = false;
	while (!ended && nt_clock_now() < deadline) {
		nt_keeper_note(keeper, "remove-dir", f->theirs);
		nt_keeper_note(keeper, "-remove-dir", f->theirs);
		ended = stream_ends(f, 1);
	}
	assert_true(ended);
	end_and_wait(keeper);
}

/* Without another process there is no deadline; it is undone all the same, and nobody else's process is killed. */
static void test_when_nothing_can_be_forked(void **state)
{
	struct fixture *f = *state;
	if (geteuid() != 0) {
		print_message("only root can become a user who may have no process more\n");
		skip();
	}
	char inside[160];
	snprintf(inside, sizeof(inside), "%s/sub", f->ours);
	assert_int_equal(chmod(f->top, 0777) | chown(f->ours, USER, USER) | chown(inside, USER, USER), 0);
	pid_t nettop = fork();
	assert_true(nettop >= 0);
	if (nettop == 0) {
		struct nt_keeper *keeper = NULL;
		const struct rlimit none = { 0 };
		if (setgroups(0, NULL) < 0 || setresgid(USER, USER, USER) < 0 || setresuid(USER, USER, USER) < 0 ||
		    nt_keeper_start(-1, &keeper, NULL) != NT_OK || prlimit(nt_keeper_pid(keeper), RLIMIT_NPROC, &none, NULL) < 0)
			_exit(1);
		nt_keeper_note(keeper, "remove-dir", f->ours);
		end_and_wait(keeper);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(nettop, &status, 0), nettop);
	assert_int_equal(status, 0);
	assert_false(exists(f->ours));
	assert_true(relay_lives(f));
}

static void test_without_a_terminal(void **state)
{
	struct fixture *f = *state;
	struct nt_keeper *keeper = NULL;
	struct nt_error err = { 0 };
	assert_int_equal(nt_keeper_start(-1, &keeper, &err), NT_OK);
	note_everything(f, keeper);
	end_and_wait(keeper);
	assert_false(exists(f->ours));
	assert_true(relay_ends(f));
}

int main(void)
{
#define KEEPER_TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		KEEPER_TEST(test_kill_puts_everything_right),
		KEEPER_TEST(test_a_stopped_relay_is_ended),
		KEEPER_TEST(test_what_is_not_ours_is_left_alone),
		KEEPER_TEST(test_taken_back_notes_are_not_undone),
		KEEPER_TEST(test_many_notes),
		KEEPER_TEST(test_many_targets),
		KEEPER_TEST(test_orderly_end_changes_nothing),
		KEEPER_TEST(test_end_undoes_what_was_forgotten),
		KEEPER_TEST(test_signals_do_not_end_the_keeper),
		KEEPER_TEST(test_kill_ends_streams),
		KEEPER_TEST(test_a_stream_that_was_done_is_left_alone),
		KEEPER_TEST(test_a_stream_that_nobody_reads),
		KEEPER_TEST(test_a_stream_that_nobody_reads_while_notes_come),
		KEEPER_TEST(test_when_nothing_can_be_forked),
		KEEPER_TEST(test_without_a_terminal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
