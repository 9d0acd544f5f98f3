// SPDX-License-Identifier: GPL-2.0-only
/* nettop's side of the keeper: fork, notes, end. What the keeper itself does is in keeper_undo.c. */
#include "app/keeper.h"

#include "app/keeper_undo.h"
#include "base/alloc.h"
#include "nettop/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long nettop's end waits for the keeper: it goes on by itself when it has more to do. */
enum { END_MS = 200, LET_GO_MS = 50 };

struct nt_keeper {
	int notes_fd; /* our end of a socket; closes when nettop ends, however it ends */
	pid_t pid;
	_Atomic uint64_t *progress; /* shared with the keeper: counts reads of streams */
};

/* Low descriptors of the keeper; everything else of nettop's is closed. */
enum { NOTES_FD = 3, TERMINAL_FD = 4 };

static void keep_only(int notes_fd, int terminal_fd)
{
	/* Above the fixed places first, so that moving one cannot overwrite another. */
	notes_fd = fcntl(notes_fd, F_DUPFD, TERMINAL_FD + 1);
	terminal_fd = fcntl(terminal_fd, F_DUPFD, TERMINAL_FD + 1);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	dup2(notes_fd, NOTES_FD);
	if (terminal_fd < 0 || dup2(terminal_fd, TERMINAL_FD) < 0)
		close(TERMINAL_FD);
	close_range(TERMINAL_FD + 1, ~0u, 0);
}

_Noreturn static void keeper_main(int notes_fd, struct nt_keeper_terminal *terminal, const _Atomic uint64_t *progress)
{
	static const int ignored[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTOU, SIGTTIN, SIGPIPE };
	setsid();
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	prctl(PR_SET_NAME, "nettop-keeper");
	keep_only(notes_fd, terminal->fd);
	if (terminal->fd >= 0)
		terminal->fd = TERMINAL_FD;
	nt_keeper_serve(NOTES_FD, terminal, progress);
	_exit(0);
}

enum nt_status nt_keeper_start(int terminal_fd, struct nt_keeper **out, struct nt_error *err)
{
	int ends[2];
	/* Messages with borders: a note is whole, and a descriptor comes with its own. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make a socket for the keeper process");
	_Atomic uint64_t *progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED) {
		close(ends[0]);
		close(ends[1]);
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot share memory with the keeper process");
	}
	/* Before the fork: the keeper may run only after nettop has changed them. */
	struct nt_keeper_terminal terminal = { .fd = terminal_fd };
	if (terminal_fd >= 0 && tcgetattr(terminal_fd, &terminal.modes) < 0)
		terminal.fd = -1;
	pid_t pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		munmap(progress, sizeof(*progress));
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot start the keeper process");
	}
	if (pid == 0)
		keeper_main(ends[0], &terminal, progress);
	close(ends[0]);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	struct nt_keeper *keeper = nt_alloc(sizeof(*keeper));
	*keeper = (struct nt_keeper){ .notes_fd = ends[1], .pid = pid, .progress = progress };
	*out = keeper;
	return NT_OK;
}

void nt_keeper_note(void *context, const char *verb, const char *argument)
{
	struct nt_keeper *keeper = context;
	char line[PIPE_BUF];
	int length = snprintf(line, sizeof(line), "%s %s", verb, argument);
	nt_assert(length > 0 && length < (int)sizeof(line));
	ssize_t sent = send(keeper->notes_fd, line, (size_t)length, MSG_NOSIGNAL);
	(void)sent; /* the keeper is gone: nothing can be noted, and nothing else depends on it */
}

/* The same with a duplicate of `fd`. */
static void note_with_fd(struct nt_keeper *keeper, const char *verb, const char *argument, int fd)
{
	char line[PIPE_BUF];
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(fd))];
	} control = { 0 };
	int length = snprintf(line, sizeof(line), "%s %s", verb, argument);
	nt_assert(length > 0 && length < (int)sizeof(line));
	struct iovec piece = { line, (size_t)length };
	struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	ssize_t sent = sendmsg(keeper->notes_fd, &message, MSG_NOSIGNAL);
	(void)sent;
}

void nt_keeper_hold(void *context, const char *verb, const char *argument, int fd)
{
	note_with_fd(context, verb, argument, fd);
}

void nt_keeper_stream(void *context, int fd)
{
	char number[16];
	snprintf(number, sizeof(number), "%d", fd);
	note_with_fd(context, NT_KEEPER_STREAM, number, fd);
}

void nt_keeper_stream_read(void *context)
{
	const struct nt_keeper *keeper = context;
	atomic_fetch_add_explicit(keeper->progress, 1, memory_order_relaxed);
}

void nt_keeper_stream_done(void *context, int fd)
{
	char number[16];
	snprintf(number, sizeof(number), "%d", fd);
	nt_keeper_note(context, "-" NT_KEEPER_STREAM, number);
}

void nt_keeper_port(struct nt_keeper *keeper, const char *path, int listener)
{
	note_with_fd(keeper, NT_KEEPER_PORT, path, listener);
}

void nt_keeper_port_yield(struct nt_keeper *keeper)
{
	nt_keeper_note(keeper, NT_KEEPER_SERVE_PORT, "-");
}

pid_t nt_keeper_pid(const struct nt_keeper *keeper)
{
	return keeper->pid;
}

static void wait_for_end(const struct nt_keeper *keeper, unsigned ms)
{
	nt_time deadline = nt_clock_now() + ms * NT_NS_PER_MS;
	while (waitpid(keeper->pid, NULL, WNOHANG) == 0 && nt_clock_now() < deadline)
		poll(NULL, 0, 1);
}

void nt_keeper_let_go(struct nt_keeper *keeper)
{
	shutdown(keeper->notes_fd, SHUT_RDWR);
	wait_for_end(keeper, LET_GO_MS);
}

void nt_keeper_end(struct nt_keeper *keeper)
{
	if (!keeper)
		return;
	close(keeper->notes_fd);
	wait_for_end(keeper, END_MS);
	munmap(keeper->progress, sizeof(*keeper->progress));
	free(keeper);
}
