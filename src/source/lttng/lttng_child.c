// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_child.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/plain_rights.h"
#include "base/signal_to.h"
#include "base/spawn.h"
#include "base/wait_status.h"
#include "target/common/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STAT_BYTES = 4096, FORKED_MS = 2000, FIRST_FREE_FD = 3 };

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

const char *nt_lttng_process_text_of(uint32_t pid, char text[NT_LTTNG_PROCESS_TEXT])
{
	struct nt_procfs_stat stat;
	struct nt_lttng_process process = { .pid = pid };
	if (nt_lttng_process_stat(pid, &stat))
		process.start_ticks = stat.start_ticks;
	return nt_lttng_process_text(&process, text);
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

/* ---- start ---- */

/* What of a setup is done in the child. */
struct preparation {
	bool dies_with_thread;
	pid_t parent;
};

static void default_signals(void)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };
	for (int number = 1; number < NSIG; number++)
		sigaction(number, &normal, NULL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Standard streams on /dev/null, and this one descriptor. */
static void keep_only(int keep_fd)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	if (keep_fd > 3)
		close_range(3, (unsigned)keep_fd - 1, 0);
	close_range((unsigned)keep_fd + 1, ~0u, 0);
}

static int prepare(const void *context, int keep_fd)
{
	const struct preparation *preparation = context;
	keep_only(keep_fd);
	default_signals();
	setsid();
	if (chdir("/") < 0)
		return errno;
	if (preparation->dies_with_thread) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != preparation->parent)
			return ECHILD; /* it ended before the line above */
	}
	return 0;
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

/* Note the child, let it go on, hear how it went. Returns 0 or the errno value of its exec. */
static int see_off(const struct nt_lttng_child_setup *setup, struct nt_spawn *spawn, struct nt_lttng_process *out)
{
	struct nt_procfs_stat stat;
	struct nt_lttng_process child = { .pid = (uint32_t)spawn->pid };
	child.start_ticks = nt_lttng_process_stat(child.pid, &stat) ? stat.start_ticks : 0;
	if (setup->note)
		setup->note(setup->note_context, &child);
	int error = nt_spawn_execute(spawn);
	if (error)
		waitpid(spawn->pid, NULL, 0);
	else
		*out = child;
	return error;
}

enum nt_status nt_lttng_child_start(const struct nt_lttng_child_setup *setup, struct nt_lttng_process *out, struct nt_error *err)
{
	*out = (struct nt_lttng_process){ 0 };
	const struct preparation preparation = { .dies_with_thread = setup->dies_with_thread, .parent = getpid() };
	char **environment = environment_with(setup->variable);
	/* execve() takes char *const * for historical reasons and changes nothing. */
	union {
		const char *const *in;
		char *const *out;
	} argv = { .in = setup->argv };
	const struct nt_spawn_setup spawn_setup = {
		.argv = argv.out, .environment = environment, .prepare = prepare, .context = &preparation
	};
	struct nt_spawn spawn;
	int error = nt_spawn_start(&spawn_setup, &spawn);
	free(environment);
	if (!error)
		error = see_off(setup, &spawn, out);
	return error ? nt_error_errno(err, NT_ERR_FAILED, error, "cannot start %s", setup->argv[0]) : NT_OK;
}

enum nt_status nt_lttng_child_start_by_helper(const char *verb, const char *argument, const struct nt_lttng_child_setup *setup,
					      struct nt_lttng_process *out, struct nt_error *err)
{
	int32_t pid;
	int fd = nt_helper_ask(verb, argument, NULL, 0);
	*out = (struct nt_lttng_process){ 0 };
	if (fd < 0 || !nt_helper_hear(fd, &pid, sizeof(pid), FORKED_MS, NULL) || pid < 2) {
		if (fd >= 0)
			close(fd);
		return nt_error_set(err, NT_ERR_FAILED, "cannot start %s: nettop's keeper does not", setup->argv[0]);
	}
	struct nt_spawn spawn = { .pid = pid, .gate_fd = fd, .refusal_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0) };
	int error = see_off(setup, &spawn, out);
	return error ? nt_error_errno(err, NT_ERR_FAILED, error, "cannot start %s", setup->argv[0]) : NT_OK;
}

void nt_lttng_child_become(const struct nt_lttng_child_setup *setup, int fd)
{
	const struct preparation preparation = { .dies_with_thread = setup->dies_with_thread, .parent = getppid() };
	char **environment = environment_with(setup->variable);
	union {
		const char *const *in;
		char *const *out;
	} argv = { .in = setup->argv };
	char word;
	/* Out of the way of the standard streams. */
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
	fd = moved < 0 ? fd : moved;
	int error = prepare(&preparation, fd);
	int32_t pid = getpid();
	/* Noted before it is executed; whoever should have given the word may be gone. */
	if (send(fd, &pid, sizeof(pid), MSG_NOSIGNAL) != sizeof(pid) || recv(fd, &word, 1, 0) != 1)
		_exit(NT_SPAWN_NOT_EXECUTED);
	if (!error) {
		nt_plain_rights_begin(); /* $PATH is the person's word */
		execve(setup->argv[0], argv.out, environment);
		error = errno;
	}
	send(fd, &error, sizeof(error), MSG_NOSIGNAL);
	_exit(NT_SPAWN_NOT_EXECUTED);
}

/* While it is not collected its pid, and so the number of its group, cannot be used again. */
static void kill_what_it_leaves(const struct nt_lttng_process *child)
{
	int status;
	if (nt_wait_status_peek(P_PID, child->pid, &status) && !WIFEXITED(status))
		nt_signal_group((pid_t)child->pid, SIGKILL);
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
	nt_signal_process((pid_t)child->pid, SIGKILL);
	while (waitpid((pid_t)child->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}
