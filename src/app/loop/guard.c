// SPDX-License-Identifier: GPL-2.0-only
#include "app/loop/guard.h"

#include "app/common/exit.h"
#include "app/loop/signals.h"
#include "base/signal_to.h"
#include "base/thread.h"
#include "nettop/clock.h"
#include "source/lttng/lttng_child.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum { STACK_BYTES = 64 << 10, LINE_MS = 80 };

static struct guard {
	pthread_mutex_t lock; /* held for good by a guard that ends the process */
	pthread_mutex_t line; /* held by who writes one, and for good by a guard that ends the process */
	pthread_t thread;
	struct nt_keeper *keeper; /* borrowed */
	pid_t child;
	char process[NT_LTTNG_PROCESS_TEXT]; /* the same, as "PID:START" */
	int signal_fd, told_fd;              /* owned */
	bool taken, stopped;                 /* under the lock */
	int exit_status;                     /* likewise */
	bool started;                        /* the main thread's */
} guard = { .lock = PTHREAD_MUTEX_INITIALIZER, .line = PTHREAD_MUTEX_INITIALIZER, .signal_fd = -1, .told_fd = -1 };

static void signal_child(int signal)
{
	if (!nt_keeper_signal(guard.keeper, guard.process, signal))
		nt_signal_group(guard.child, signal);
}

/* Who reads lines reads whole ones, but a line that nobody reads is not waited for. */
static void wait_for_the_line(void)
{
	struct timespec limit;
	clock_gettime(CLOCK_MONOTONIC, &limit);
	limit.tv_nsec += LINE_MS * (long)NT_NS_PER_MS;
	limit.tv_sec += limit.tv_nsec / (long)NT_NS_PER_S;
	limit.tv_nsec %= (long)NT_NS_PER_S;
	pthread_mutex_clocklock(&guard.line, CLOCK_MONOTONIC, &limit);
}

_Noreturn static void end(void)
{
	struct signalfd_siginfo info;
	int exit_status = guard.exit_status;
	if (guard.child && read(guard.signal_fd, &info, sizeof(info)) == sizeof(info)) {
		signal_child((int)info.ssi_signo);
		signal_child(SIGCONT);
		exit_status = 128 + (int)info.ssi_signo; /* as of a program that ended by it */
	}
	wait_for_the_line();
	nt_keeper_let_go(guard.keeper);
	_exit(exit_status);
}

/* Wait for news, at most until the deadline; 0 = there is none, and a signal that waits is news. */
static void wait_for_news(nt_time deadline)
{
	struct pollfd fds[] = { { .fd = guard.told_fd, .events = POLLIN },
				{ .fd = nt_keeper_fd(guard.keeper), .events = POLLIN },
				{ .fd = guard.signal_fd, .events = POLLIN } };
	nt_time now = nt_clock_now();
	int timeout_ms = !deadline ? -1 : deadline > now ? (int)((deadline - now) / NT_NS_PER_MS) + 1 : 0;
	uint64_t times;
	poll(fds, deadline ? 2 : 3, timeout_ms);
	if (fds[1].revents)
		nt_keeper_mend(guard.keeper);
	ssize_t got = read(guard.told_fd, &times, sizeof(times));
	(void)got; /* what it is about is in the guard */
}

static bool signal_waits(void)
{
	struct pollfd fd = { .fd = guard.signal_fd, .events = POLLIN };
	return poll(&fd, 1, 0) > 0;
}

static void *serve(void *unused)
{
	(void)unused;
	nt_time deadline = 0;
	for (;;) {
		wait_for_news(deadline);
		pthread_mutex_lock(&guard.lock);
		nt_time now = nt_clock_now();
		bool waits = signal_waits();
		if (guard.stopped)
			break;
		if (deadline && now >= deadline && (waits || !guard.child))
			end();
		if (guard.child && !waits)
			deadline = 0;
		else if (!deadline && (waits || guard.taken))
			deadline = now + NT_GUARD_END_MS * NT_NS_PER_MS;
		pthread_mutex_unlock(&guard.lock);
	}
	pthread_mutex_unlock(&guard.lock);
	return NULL;
}

static void fini(void)
{
	if (guard.signal_fd >= 0)
		close(guard.signal_fd);
	if (guard.told_fd >= 0)
		close(guard.told_fd);
	guard.signal_fd = guard.told_fd = -1;
	guard.started = guard.taken = guard.stopped = false;
}

enum nt_status nt_guard_start(struct nt_keeper *keeper, pid_t child, struct nt_error *err)
{
	sigset_t set;
	nt_signals_ending(&set);
	guard.keeper = keeper;
	guard.child = child;
	nt_lttng_process_text_of((uint32_t)child, guard.process);
	guard.exit_status = NT_EXIT_OK;
	guard.signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	guard.told_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	int failed = guard.signal_fd < 0 || guard.told_fd < 0 ? errno : 0;
	if (!failed)
		failed = nt_thread_start(&guard.thread, STACK_BYTES, serve, NULL);
	guard.started = !failed;
	if (!failed)
		return NT_OK;
	fini();
	return nt_error_errno(err, NT_ERR_FAILED, failed, "cannot start the thread that answers signals");
}

static void tell(bool *what)
{
	const uint64_t one = 1;
	if (!guard.started)
		return;
	pthread_mutex_lock(&guard.lock);
	*what = true;
	pthread_mutex_unlock(&guard.lock);
	ssize_t written = write(guard.told_fd, &one, sizeof(one));
	(void)written; /* full means that it is told already */
}

void nt_guard_taken(void)
{
	tell(&guard.taken);
}

void nt_guard_unfinished(int exit_status)
{
	pthread_mutex_lock(&guard.lock);
	guard.exit_status = exit_status;
	pthread_mutex_unlock(&guard.lock);
}

void nt_guard_line_begins(void)
{
	pthread_mutex_lock(&guard.line);
}

void nt_guard_line_ends(void)
{
	pthread_mutex_unlock(&guard.line);
}

void nt_guard_stop(void)
{
	if (!guard.started)
		return;
	tell(&guard.stopped);
	pthread_join(guard.thread, NULL);
	fini();
}
