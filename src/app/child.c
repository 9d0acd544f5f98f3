// SPDX-License-Identifier: GPL-2.0-only
#include "app/child.h"

#include "base/alloc.h"
#include "base/wait_status.h"
#include "source/lttng_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_NOT_FOUND = 127, STATUS_NOT_EXECUTED = 126 }; /* of the shell */

struct nt_child {
	pid_t pid;
	int pidfd;      /* readable when it has ended */
	int gate_fd;    /* write end; -1 = it was let through */
	int refusal_fd; /* read end: the errno of an exec that failed; closed by one that did not */
	char *name;     /* owned: argv[0] */
	struct nt_keeper *keeper;
	bool interrupted, ended_by_us;
};

/* ---- its side ---- */

/* As a shell would leave it, but for what was ignored before nettop came: nohup is meant for the program. */
static void usual_signals(void)
{
	sigset_t none;
	sigemptyset(&none);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn static void child_main(const struct nt_child_setup *setup, int gate_fd, int refusal_fd)
{
	char go;
	setpgid(0, 0);
	ssize_t got;
	while ((got = read(gate_fd, &go, 1)) < 0 && errno == EINTR)
		;
	if (got != 1)
		_exit(1); /* nettop has ended, or gave up */
	const int streams[] = { setup->in, setup->out, setup->err };
	for (int fd = 0; fd < 3; fd++)
		if (dup2(streams[fd], fd) < 0 || fcntl(fd, F_SETFD, 0) < 0)
			_exit(1);
	usual_signals();
	execvpe(setup->argv[0], setup->argv, setup->environment);
	int refusal = errno;
	got = write(refusal_fd, &refusal, sizeof(refusal));
	_exit(refusal == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTED);
}

/* ---- ours ---- */

static enum nt_status make_pipe(int ends[2], struct nt_error *err)
{
	if (pipe2(ends, O_CLOEXEC) < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make a pipe for the program");
	return NT_OK;
}

static void close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

enum nt_status nt_child_start(const struct nt_child_setup *setup, struct nt_child **out, struct nt_error *err)
{
	int gate[2], refusal[2];
	enum nt_status status = make_pipe(gate, err);
	if (status != NT_OK)
		return status;
	status = make_pipe(refusal, err);
	if (status != NT_OK) {
		close_both(gate);
		return status;
	}
	pid_t pid = fork();
	if (pid == 0) {
		close(gate[1]);
		close(refusal[0]);
		child_main(setup, gate[0], refusal[1]);
	}
	int fork_errno = errno;
	close(gate[0]);
	close(refusal[1]);
	if (pid < 0) {
		close(gate[1]);
		close(refusal[0]);
		return nt_error_errno(err, NT_ERR_FAILED, fork_errno, "cannot start a process");
	}
	setpgid(pid, pid); /* whoever comes first: nobody may signal the group before it is there */
	struct nt_child *child = nt_alloc(sizeof(*child));
	*child = (struct nt_child){ .pid = pid,
				    .pidfd = pidfd_open(pid, 0),
				    .gate_fd = gate[1],
				    .refusal_fd = refusal[0],
				    .name = nt_strdup(setup->argv[0]),
				    .keeper = setup->keeper };
	*out = child;
	return NT_OK;
}

static void wait_for_end(const struct nt_child *child)
{
	siginfo_t info;
	while (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
}

static void close_gate(struct nt_child *child)
{
	if (child->gate_fd >= 0)
		close(child->gate_fd);
	child->gate_fd = -1;
}

enum nt_status nt_child_execute(struct nt_child *child, struct nt_error *err)
{
	const char go = 1;
	int refusal = 0;
	ssize_t passed = write(child->gate_fd, &go, 1);
	close_gate(child);
	while (read(child->refusal_fd, &refusal, sizeof(refusal)) < 0 && errno == EINTR)
		;
	if (passed == 1 && !refusal)
		return NT_OK;
	wait_for_end(child);
	if (refusal == ENOENT)
		return nt_error_set(err, NT_ERR_ABSENT, "cannot run '%s': there is no such program", child->name);
	return nt_error_errno(err, NT_ERR_FAILED, refusal ? refusal : EIO, "cannot run '%s'", child->name);
}

pid_t nt_child_pid(const struct nt_child *child)
{
	return child->pid;
}

int nt_child_fd(const struct nt_child *child)
{
	return child->pidfd;
}

static bool ended(const struct nt_child *child, int *status)
{
	return nt_wait_status_peek(P_PID, (id_t)child->pid, status);
}

bool nt_child_has_ended(const struct nt_child *child)
{
	int status;
	return ended(child, &status);
}

void nt_child_signal(struct nt_child *child, int signal)
{
	kill(-child->pid, signal);
}

bool nt_child_interrupt(struct nt_child *child, int signal)
{
	if (!child || child->interrupted || nt_child_has_ended(child))
		return false;
	child->interrupted = true;
	nt_child_signal(child, signal);
	return true;
}

static void note_stop(const struct nt_child *child, const char *verb)
{
	struct nt_lttng_process process = { .pid = (uint32_t)child->pid };
	struct nt_procfs_stat stat;
	char text[NT_LTTNG_PROCESS_TEXT];
	if (!child->keeper || !nt_lttng_process_stat(process.pid, &stat))
		return;
	process.start_ticks = stat.start_ticks;
	nt_keeper_note(child->keeper, verb, nt_lttng_process_text(&process, text));
}

void nt_child_stop_with_us(struct nt_child *child)
{
	if (child) {
		note_stop(child, "hang-up-group");
		nt_child_signal(child, SIGTSTP);
	}
	kill(getpid(), SIGSTOP);
	if (child) {
		nt_child_signal(child, SIGCONT);
		note_stop(child, "-hang-up-group");
	}
}

void nt_child_end(struct nt_child *child)
{
	child->ended_by_us |= !nt_child_has_ended(child);
	close_gate(child);
	nt_child_signal(child, SIGTERM);
	nt_child_signal(child, SIGCONT);
}

bool nt_child_ended_alone(const struct nt_child *child)
{
	return !child->ended_by_us || child->interrupted;
}

int nt_child_status(const struct nt_child *child)
{
	int status;
	nt_assert(ended(child, &status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

const char *nt_child_end_text(const struct nt_child *child, char *buf, size_t size)
{
	int status;
	nt_assert(ended(child, &status));
	return nt_wait_status_text(status, buf, size);
}

void nt_child_free(struct nt_child *child)
{
	if (!child)
		return;
	close_gate(child);
	if (!nt_child_has_ended(child))
		nt_child_signal(child, SIGKILL);
	while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (child->pidfd >= 0)
		close(child->pidfd);
	close(child->refusal_fd);
	free(child->name);
	free(child);
}
