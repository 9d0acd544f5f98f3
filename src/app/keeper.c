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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long nettop's end waits for the keeper: it goes on by itself when it has more to do. */
enum { END_MS = 200 };

struct nt_keeper {
	int pipe_fd; /* write end; closes when nettop ends, however it ends */
	pid_t pid;
};

/* Low descriptors of the keeper; everything else of nettop's is closed. */
enum { PIPE_FD = 3, TERMINAL_FD = 4 };

static void keep_only(int pipe_fd, int terminal_fd)
{
	/* Above the fixed places first, so that moving one cannot overwrite another. */
	pipe_fd = fcntl(pipe_fd, F_DUPFD, TERMINAL_FD + 1);
	terminal_fd = fcntl(terminal_fd, F_DUPFD, TERMINAL_FD + 1);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	dup2(pipe_fd, PIPE_FD);
	if (terminal_fd < 0 || dup2(terminal_fd, TERMINAL_FD) < 0)
		close(TERMINAL_FD);
	close_range(TERMINAL_FD + 1, ~0u, 0);
}

_Noreturn static void keeper_main(int pipe_fd, struct nt_keeper_terminal *terminal)
{
	static const int ignored[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTOU, SIGTTIN, SIGPIPE };
	setsid();
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	prctl(PR_SET_NAME, "nettop-keeper");
	keep_only(pipe_fd, terminal->fd);
	if (terminal->fd >= 0)
		terminal->fd = TERMINAL_FD;
	nt_keeper_serve(PIPE_FD, terminal);
	_exit(0);
}

enum nt_status nt_keeper_start(int terminal_fd, struct nt_keeper **out, struct nt_error *err)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make a pipe for the keeper process");
	/* Before the fork: the keeper may run only after nettop has changed them. */
	struct nt_keeper_terminal terminal = { .fd = terminal_fd };
	if (terminal_fd >= 0 && tcgetattr(terminal_fd, &terminal.modes) < 0)
		terminal.fd = -1;
	pid_t pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot start the keeper process");
	}
	if (pid == 0)
		keeper_main(ends[0], &terminal);
	close(ends[0]);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	struct nt_keeper *keeper = nt_alloc(sizeof(*keeper));
	*keeper = (struct nt_keeper){ .pipe_fd = ends[1], .pid = pid };
	*out = keeper;
	return NT_OK;
}

void nt_keeper_note(void *context, const char *verb, const char *argument)
{
	struct nt_keeper *keeper = context;
	char line[PIPE_BUF];
	int length = snprintf(line, sizeof(line), "%s %s\n", verb, argument);
	nt_assert(length > 0 && length < (int)sizeof(line));
	ssize_t written = write(keeper->pipe_fd, line, (size_t)length);
	(void)written; /* the keeper is gone: nothing can be noted, and nothing else depends on it */
}

pid_t nt_keeper_pid(const struct nt_keeper *keeper)
{
	return keeper->pid;
}

void nt_keeper_end(struct nt_keeper *keeper)
{
	if (!keeper)
		return;
	close(keeper->pipe_fd);
	nt_time deadline = nt_clock_now() + END_MS * NT_NS_PER_MS;
	while (waitpid(keeper->pid, NULL, WNOHANG) == 0 && nt_clock_now() < deadline)
		poll(NULL, 0, 1);
	free(keeper);
}
