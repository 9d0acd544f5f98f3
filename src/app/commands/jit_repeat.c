// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/jit_repeat.h"

#include "app/common/exit.h"
#include "base/alloc.h"
#include "base/signal_to.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIGNAL_STATUS = 128 };

/* Signals that end nettop, and the end of a run. */
static void waited_for(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGCHLD);
}

/* In the child. */
static _Noreturn void run(struct nt_options *options, int (*once)(struct nt_options *options, struct nt_error *err), int report_fd,
			  pid_t parent, const sigset_t *mask)
{
	char text[NT_ERROR_CAUSES * NT_ERROR_TEXT];
	struct nt_error err = { 0 };
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (getppid() != parent || dup2(report_fd, STDOUT_FILENO) < 0)
		_exit(NT_EXIT_FAILURE);
	close(report_fd);
	int exit_status = once(options, &err);
	if (err.cause_count)
		fprintf(stderr, "nettop: %s\n", nt_error_text(&err, text, sizeof(text)));
	exit(exit_status);
}

/* Until the child has ended. What the terminal sends goes to the child as well; what a process sends to us is passed on. True: nobody wants more. */
static bool await(pid_t child, const sigset_t *set, int *status)
{
	bool stop = false;
	while (waitpid(child, status, WNOHANG) == 0) {
		siginfo_t info;
		int number = sigwaitinfo(set, &info);
		if (number <= 0 || number == SIGCHLD)
			continue;
		stop = true;
		if (info.si_code != SI_KERNEL)
			nt_signal_process(child, number);
	}
	return stop;
}

static enum nt_status read_report(int fd, struct nt_jit_report **out, struct nt_error *err)
{
	char path[32];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return nt_jit_report_read(path, out, err);
}

/* NULL, and a sentence, when there is none to go on with. */
static struct nt_jit_report *report_of_run(struct nt_options *options, int (*once)(struct nt_options *options, struct nt_error *err),
					   uint64_t number, int *exit_status, struct nt_error *err)
{
	sigset_t set, before;
	int status = 0;
	struct nt_jit_report *report = NULL;
	*exit_status = NT_EXIT_FAILURE;
	int fd = memfd_create("nettop-jit-report", MFD_CLOEXEC);
	if (fd < 0) {
		nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make a file in memory");
		return NULL;
	}
	waited_for(&set);
	sigprocmask(SIG_BLOCK, &set, &before);
	pid_t parent = getpid(), child = fork();
	if (child == 0)
		run(options, once, fd, parent, &before);
	bool stop = child > 0 && await(child, &set, &status);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (child < 0)
		nt_error_errno(err, NT_ERR_FAILED, errno, "cannot start a run");
	else
		*exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : SIGNAL_STATUS + WTERMSIG(status);
	if (child > 0 && (stop || *exit_status != NT_EXIT_OK))
		nt_error_set(err, NT_ERR_FAILED, "run %" PRIu64 " of %" PRIu64 " %s (exit status %d): there is no report of all", number,
			     options->repeat, stop ? "was ended" : "failed", *exit_status);
	else if (child > 0 && read_report(fd, &report, err) != NT_OK)
		*exit_status = NT_EXIT_FAILURE;
	close(fd);
	return report;
}

int nt_jit_repeat(struct nt_options *options, int (*once)(struct nt_options *options, struct nt_error *err), struct nt_jit_report **out,
		  struct nt_error *err)
{
	struct nt_jit_report **reports = nt_realloc(NULL, options->repeat, sizeof(struct nt_jit_report *));
	uint64_t count = 0;
	int exit_status = NT_EXIT_OK;
	while (count < options->repeat && (reports[count] = report_of_run(options, once, count + 1, &exit_status, err)))
		count++;
	*out = count == options->repeat ? nt_jit_report_of_runs(reports, count) : NULL;
	for (uint64_t i = 0; i < count; i++)
		nt_jit_report_free(reports[i]);
	free(reports);
	return exit_status;
}
