// SPDX-License-Identifier: GPL-2.0-only
#include "app/child/child.h"

#include "base/alloc.h"
#include "base/signal_to.h"
#include "base/spawn.h"
#include "base/wait_status.h"
#include "source/lttng/lttng_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DESCRIPTORS = 512 }; /* that a program may have before its table grows: 4 KB */

struct nt_child {
	struct nt_spawn spawn;
	int pidfd;  /* readable when it has ended */
	char *name; /* owned: argv[0] */
	struct nt_keeper *keeper;
	char process[NT_LTTNG_PROCESS_TEXT]; /* "PID:START" */
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

/*
 * A process with threads waits for an RCU grace period, 10 to 25 ms, whenever its table of descriptors grows (at 64, 128, 256), longer while others close
 * descriptors, as nettop does beside its start. Before there are threads it costs nothing, and exec keeps the table.
 */
static void widen_table(void)
{
	int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, DESCRIPTORS - 1);
	if (fd >= 0) /* else its limit is lower */
		close(fd);
}

static int prepare(const void *context, int keep_fd)
{
	(void)keep_fd;
	const struct nt_child_setup *setup = context;
	const int streams[] = { setup->in, setup->out, setup->err };
	for (int fd = 0; fd < 3; fd++)
		if (dup2(streams[fd], fd) < 0 || fcntl(fd, F_SETFD, 0) < 0)
			return errno;
	usual_signals();
	widen_table();
	return 0;
}

/* ---- ours ---- */

enum nt_status nt_child_start(const struct nt_child_setup *setup, struct nt_child **out, struct nt_error *err)
{
	const struct nt_spawn_setup spawn = {
		.argv = setup->argv, .environment = setup->environment, .prepare = prepare, .context = setup
	};
	struct nt_child *child = nt_alloc(sizeof(*child));
	int error = nt_spawn_start(&spawn, &child->spawn);
	if (error) {
		free(child);
		return nt_error_errno(err, NT_ERR_FAILED, error, "cannot start a process");
	}
	setpgid(child->spawn.pid, child->spawn.pid);
	child->pidfd = pidfd_open(child->spawn.pid, 0);
	child->name = nt_strdup(setup->argv[0]);
	child->keeper = setup->keeper;
	nt_lttng_process_text_of((uint32_t)child->spawn.pid, child->process);
	*out = child;
	return NT_OK;
}

static void wait_for_end(const struct nt_child *child)
{
	siginfo_t info;
	while (waitid(P_PID, (id_t)child->spawn.pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
}

enum nt_status nt_child_execute(struct nt_child *child, struct nt_error *err)
{
	int refusal = nt_spawn_execute(&child->spawn);
	if (!refusal)
		return NT_OK;
	wait_for_end(child);
	if (refusal == ENOENT)
		return nt_error_set(err, NT_ERR_ABSENT, "cannot run '%s': there is no such program", child->name);
	return nt_error_errno(err, NT_ERR_FAILED, refusal, "cannot run '%s'", child->name);
}

pid_t nt_child_pid(const struct nt_child *child)
{
	return child->spawn.pid;
}

int nt_child_fd(const struct nt_child *child)
{
	return child->pidfd;
}

static bool ended(const struct nt_child *child, int *status)
{
	return nt_wait_status_peek(P_PID, (id_t)child->spawn.pid, status);
}

bool nt_child_has_ended(const struct nt_child *child)
{
	int status;
	return ended(child, &status);
}

void nt_child_signal(struct nt_child *child, int signal)
{
	bool asked = child->keeper && nt_keeper_signal(child->keeper, child->process, signal);
	/* What ends it for good does not depend on anybody else. */
	if (!asked || signal == SIGKILL)
		nt_signal_group(child->spawn.pid, signal);
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
	if (child->keeper)
		nt_keeper_note(child->keeper, verb, child->process);
}

void nt_child_stop_with_us(struct nt_child *child)
{
	if (child) {
		note_stop(child, "hang-up-group");
		nt_child_signal(child, SIGTSTP);
	}
	nt_signal_process(getpid(), SIGSTOP);
	if (child) {
		nt_child_signal(child, SIGCONT);
		note_stop(child, "-hang-up-group");
	}
}

void nt_child_end(struct nt_child *child)
{
	child->ended_by_us |= !nt_child_has_ended(child);
	nt_spawn_close(&child->spawn);
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
	nt_spawn_close(&child->spawn);
	if (!nt_child_has_ended(child))
		nt_child_signal(child, SIGKILL);
	while (waitpid(child->spawn.pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (child->pidfd >= 0)
		close(child->pidfd);
	free(child->name);
	free(child);
}
