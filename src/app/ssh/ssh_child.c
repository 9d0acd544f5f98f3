// SPDX-License-Identifier: GPL-2.0-only
#include "app/ssh/ssh_child.h"

#include "app/common/elevated.h"
#include "base/alloc.h"
#include "base/signal_to.h"
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct streams {
	int fds[3];
	bool own_group;
};

static int prepare(const void *context, int keep_fd)
{
	(void)keep_fd;
	const struct streams *streams = context;
	sigset_t none;
	for (int fd = 0; fd < 3; fd++)
		if (dup2(streams->fds[fd], fd) < 0 || fcntl(fd, F_SETFD, 0) < 0)
			return errno;
	if (streams->own_group)
		setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	return 0;
}

void nt_ssh_child_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* One of the child's streams: a pipe, whose other end is *ours. */
static bool make_pipe(int *theirs, int *ours, bool is_input)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	*theirs = ends[is_input ? 0 : 1];
	*ours = ends[is_input ? 1 : 0];
	fcntl(*ours, F_SETFL, O_NONBLOCK);
	return true;
}

static enum nt_status spawn(struct nt_ssh_child *child, const char *const *words, const struct streams *streams, struct nt_error *err)
{
	struct nt_spawn spawn;
	char *argv[NT_SSH_WORDS_MAX + 1] = { NULL };
	for (size_t i = 0; words[i] && i < NT_SSH_WORDS_MAX; i++)
		argv[i] = nt_strdup(words[i]);
	const struct nt_spawn_setup setup = {
		.argv = argv, .environment = nt_elevated_environment(), .prepare = prepare, .context = streams
	};
	int error = nt_spawn_start(&setup, &spawn);
	bool is_child = !error;
	if (is_child) {
		child->pid = spawn.pid;
		error = nt_spawn_execute(&spawn);
		child->pidfd = pidfd_open(child->pid, 0);
	}
	for (char **word = argv; *word; word++)
		free(*word);
	if (!error)
		return NT_OK;
	if (is_child)
		nt_ssh_child_end(child);
	return error == ENOENT
		       ? nt_error_set(err, NT_ERR_UNSUPPORTED, "there is no ssh on this machine (Debian: apt install openssh-client)")
		       : nt_error_errno(err, NT_ERR_FAILED, error, "cannot start ssh");
}

enum nt_status nt_ssh_child_start(struct nt_ssh_child *child, const char *const *words, enum nt_ssh_streams streams, struct nt_error *err)
{
	bool piped = streams == NT_SSH_STREAMS_CARRIED || streams == NT_SSH_STREAMS_WATCHED;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct streams theirs = { .fds = { null, null, null }, .own_group = streams == NT_SSH_STREAMS_WATCHED };
	*child = (struct nt_ssh_child){ .pidfd = -1, .in = -1, .out = -1, .err = -1 };
	bool made = null >= 0;
	if (streams == NT_SSH_STREAMS_TERMINAL)
		theirs = (struct streams){ .fds = { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO } };
	if (made && piped)
		made = make_pipe(&theirs.fds[0], &child->in, true) && make_pipe(&theirs.fds[2], &child->err, false);
	if (made && streams == NT_SSH_STREAMS_WATCHED)
		theirs.fds[1] = STDOUT_FILENO;
	else if (made && piped)
		made = make_pipe(&theirs.fds[1], &child->out, false);
	enum nt_status status = made ? spawn(child, words, &theirs, err) : nt_error_errno(err, NT_ERR_FAILED, errno, "cannot start ssh");
	for (int i = 0; i < 3; i++)
		if (theirs.fds[i] > STDERR_FILENO && theirs.fds[i] != null)
			close(theirs.fds[i]);
	close(null);
	return status;
}

void nt_ssh_child_kill(struct nt_ssh_child *child)
{
	nt_ssh_child_close(&child->in);
	nt_signal_process(child->pid, SIGTERM);
}

int nt_ssh_child_end(struct nt_ssh_child *child)
{
	int status = 0;
	nt_ssh_child_close(&child->in);
	nt_ssh_child_close(&child->out);
	nt_ssh_child_close(&child->err);
	nt_ssh_child_close(&child->pidfd);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
