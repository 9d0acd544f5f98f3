// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng_child.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/wait_status.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STAT_BYTES = 4096 };

const char *nt_lttng_process_text(const struct nt_lttng_process *process, char text[NT_LTTNG_PROCESS_TEXT])
{
	snprintf(text, NT_LTTNG_PROCESS_TEXT, "%" PRIu32 ":%" PRIu64, process->pid, process->start_ticks);
	return text;
}

bool nt_lttng_process_stat(uint32_t pid, struct nt_procfs_stat *out)
{
	char path[32], *text;
	size_t length;
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	if (nt_file_read(AT_FDCWD, path, STAT_BYTES, &text, &length) != 0)
		return false;
	bool valid = nt_procfs_stat_parse(text, length, out);
	free(text);
	return valid;
}

bool nt_lttng_process_alive(const struct nt_lttng_process *process)
{
	struct nt_procfs_stat stat;
	return process->pid && nt_lttng_process_stat(process->pid, &stat) && stat.start_ticks == process->start_ticks &&
	       stat.state != 'Z' && stat.state != 'X';
}

static char *program_in(const char *folder, size_t length, const char *name)
{
	char *path = nt_format("%.*s/%s", (int)length, folder, name);
	if (path[0] == '/' && access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static char *program_in_list(const char *folders, const char *name)
{
	while (folders && *folders) {
		size_t length = strcspn(folders, ":");
		char *path = program_in(folders, length, name);
		if (path)
			return path;
		folders += length + (folders[length] == ':');
	}
	return NULL;
}

char *nt_lttng_find_program(const char *name)
{
	char *path = program_in_list(getenv("PATH"), name);
	return path ? path : program_in_list("/usr/local/bin:/usr/bin:/usr/local/sbin:/usr/sbin", name);
}

/* ---- start: between fork and exec only async-signal-safe calls, because other threads of nettop may hold any lock ---- */

/* The two pipes of a start: to the child, which waits for a byte; and from it. */
struct pipes {
	int go[2], report[2];
};

enum { REPORT_FD = 3 }; /* the child's end of the pipe that tells why exec failed; closed by exec */

static void default_signals(void)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };
	for (int number = 1; number < NSIG; number++)
		sigaction(number, &normal, NULL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void keep_only(int report_fd)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	/* Copies above the fixed place first: report_fd itself may be 3. */
	report_fd = fcntl(report_fd, F_DUPFD, REPORT_FD + 1);
	dup3(report_fd, REPORT_FD, O_CLOEXEC);
	close_range(REPORT_FD + 1, ~0u, 0);
}

/* False: the parent ended before it gave the word. */
static bool wait_for_go(const struct pipes *pipes)
{
	char byte;
	close(pipes->go[1]); /* or its end would never be seen */
	ssize_t got;
	while ((got = read(pipes->go[0], &byte, 1)) < 0 && errno == EINTR)
		continue;
	return got == 1;
}

_Noreturn static void become(const struct nt_lttng_child_setup *setup, char *const *environment, pid_t parent, const struct pipes *pipes)
{
	if (!wait_for_go(pipes))
		_exit(127);
	keep_only(pipes->report[1]);
	default_signals();
	setsid();
	int error = 0;
	if (chdir("/") < 0)
		error = errno;
	if (!error && setup->dies_with_thread) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(127); /* it ended before the line above */
	}
	if (!error) {
		/* execve() takes char *const * for historical reasons and changes nothing. */
		union {
			const char *const *in;
			char *const *out;
		} argv = { .in = setup->argv };
		execve(argv.in[0], argv.out, environment);
		error = errno;
	}
	ssize_t written = write(REPORT_FD, &error, sizeof(error));
	(void)written;
	_exit(127);
}

/* A copy of the environment with one more variable; only the array is the caller's, the texts are borrowed. */
static char **environment_with(const char *variable)
{
	size_t count = 0;
	while (environ[count])
		count++;
	char **copy = nt_alloc((count + 2) * sizeof(*copy));
	memcpy(copy, environ, count * sizeof(*copy));
	if (variable)
		memcpy(&copy[count], &variable, sizeof(variable));
	return copy;
}

static bool open_pipes(struct pipes *pipes)
{
	if (pipe2(pipes->go, O_CLOEXEC) < 0)
		return false;
	if (pipe2(pipes->report, O_CLOEXEC) == 0)
		return true;
	int error = errno;
	close(pipes->go[0]);
	close(pipes->go[1]);
	errno = error;
	return false;
}

/* Note the child, let it go on, hear how it went. Returns 0 or the errno value of its exec. */
static int see_off(const struct nt_lttng_child_setup *setup, const struct nt_lttng_process *child, const struct pipes *pipes)
{
	int error = 0;
	if (setup->note)
		setup->note(setup->note_context, child);
	if (write(pipes->go[1], "", 1) != 1)
		error = errno; /* it was killed; SIGPIPE is ignored in nettop */
	/* Nothing to read: exec closed the pipe. */
	while (read(pipes->report[0], &error, sizeof(error)) < 0 && errno == EINTR)
		continue;
	if (error)
		waitpid((pid_t)child->pid, NULL, 0);
	return error;
}

enum nt_status nt_lttng_child_start(const struct nt_lttng_child_setup *setup, struct nt_lttng_process *out, struct nt_error *err)
{
	*out = (struct nt_lttng_process){ 0 };
	struct pipes pipes;
	if (!open_pipes(&pipes))
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot start %s", setup->argv[0]);
	char **environment = environment_with(setup->variable);
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid == 0)
		become(setup, environment, parent, &pipes);
	int error = pid < 0 ? errno : 0;
	free(environment);
	close(pipes.report[1]);
	close(pipes.go[0]);
	if (pid > 0) {
		struct nt_procfs_stat stat;
		struct nt_lttng_process child = { .pid = (uint32_t)pid };
		child.start_ticks = nt_lttng_process_stat(child.pid, &stat) ? stat.start_ticks : 0;
		error = see_off(setup, &child, &pipes);
		if (!error)
			*out = child;
	}
	close(pipes.go[1]);
	close(pipes.report[0]);
	return error ? nt_error_errno(err, NT_ERR_FAILED, error, "cannot start %s", setup->argv[0]) : NT_OK;
}

/* While it is not collected its pid, and so the number of its group, cannot be used again. */
static void kill_what_it_leaves(const struct nt_lttng_process *child)
{
	int status;
	if (nt_wait_status_peek(P_PID, child->pid, &status) && !WIFEXITED(status))
		kill(-(pid_t)child->pid, SIGKILL);
}

bool nt_lttng_child_ended(const struct nt_lttng_process *child, char *how, size_t how_size)
{
	int status = 0;
	kill_what_it_leaves(child);
	pid_t got = waitpid((pid_t)child->pid, &status, WNOHANG);
	if (got == 0)
		return false;
	if (got < 0)
		snprintf(how, how_size, "not a child any more");
	else
		nt_wait_status_text(status, how, how_size);
	return true;
}

void nt_lttng_child_kill(const struct nt_lttng_process *child)
{
	/* Until it is waited for, the pid of a child cannot be used again. */
	if (!child->pid || waitpid((pid_t)child->pid, NULL, WNOHANG) != 0)
		return;
	kill((pid_t)child->pid, SIGKILL);
	while (waitpid((pid_t)child->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}
