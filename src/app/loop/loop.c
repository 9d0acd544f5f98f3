// SPDX-License-Identifier: GPL-2.0-only
#include "app/loop/loop.h"

#include "app/loop/guard.h"
#include "app/loop/signals.h"
#include "base/alloc.h"
#include "base/signal_to.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct nt_loop {
	int epoll_fd, signal_fd, timer_fd;
	int terminal_fd; /* -1 = none is watched */
	nt_time wake_at; /* 0 = the timer is not set */
	bool stops_behind;
};

enum nt_status nt_loop_watch(struct nt_loop *loop, int fd, struct nt_error *err)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };
	if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot wait for descriptor %d", fd);
	return NT_OK;
}

enum nt_status nt_loop_watch_terminal(struct nt_loop *loop, int fd, struct nt_error *err)
{
	loop->terminal_fd = fd;
	return nt_loop_watch(loop, fd, err);
}

void nt_loop_unwatch(struct nt_loop *loop, int fd)
{
	epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

void nt_loop_wake_at(struct nt_loop *loop, nt_time time)
{
	time += !time; /* 0 would stop the timer */
	if (time == loop->wake_at)
		return;
	loop->wake_at = time;
	struct itimerspec timer = { .it_value = { .tv_sec = (time_t)(time / NT_NS_PER_S), .tv_nsec = (long)(time % NT_NS_PER_S) } };
	timerfd_settime(loop->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL);
}

static enum nt_status start(struct nt_loop *loop, struct nt_error *err)
{
	sigset_t set;
	nt_signals_taken(&set);
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	loop->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	loop->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (loop->epoll_fd < 0 || loop->signal_fd < 0 || loop->timer_fd < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot open the descriptors that the main loop waits on");
	enum nt_status status = nt_loop_watch(loop, loop->signal_fd, err);
	return status == NT_OK ? nt_loop_watch(loop, loop->timer_fd, err) : status;
}

enum nt_status nt_loop_new(struct nt_loop **out, struct nt_error *err)
{
	struct nt_loop *loop = nt_alloc(sizeof(*loop));
	*loop = (struct nt_loop){ .epoll_fd = -1, .signal_fd = -1, .timer_fd = -1, .terminal_fd = -1 };
	enum nt_status status = start(loop, err);
	if (status != NT_OK) {
		nt_loop_free(loop);
		return status;
	}
	*out = loop;
	return NT_OK;
}

void nt_loop_free(struct nt_loop *loop)
{
	if (!loop)
		return;
	const int fds[] = { loop->epoll_fd, loop->signal_fd, loop->timer_fd };
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(loop);
}

unsigned nt_loop_wait(struct nt_loop *loop)
{
	struct epoll_event events[16];
	unsigned wake = 0;
	int count = epoll_wait(loop->epoll_fd, events, sizeof(events) / sizeof(events[0]), -1);
	for (int i = 0; i < count; i++) {
		if (events[i].data.fd == loop->signal_fd) {
			wake |= NT_WAKE_SIGNAL;
		} else if (events[i].data.fd == loop->timer_fd) {
			uint64_t times;
			ssize_t got = read(loop->timer_fd, &times, sizeof(times));
			(void)got; /* how often does not matter */
			loop->wake_at = 0;
			wake |= NT_WAKE_TIMER;
		} else {
			/* Who else hangs up has no more news, and whoever reads it sees that. */
			bool hangup = events[i].data.fd == loop->terminal_fd && events[i].events & (EPOLLHUP | EPOLLERR);
			wake |= hangup ? NT_WAKE_FD | NT_WAKE_HANGUP : NT_WAKE_FD;
		}
	}
	return wake;
}

int nt_loop_signal(struct nt_loop *loop)
{
	struct signalfd_siginfo info;
	int signal = read(loop->signal_fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
	if (nt_signals_ends(signal))
		nt_guard_taken();
	return signal;
}

bool nt_loop_interrupted(struct nt_loop *loop, bool may_stop)
{
	bool ends = false, stops = false;
	for (int signal; (signal = nt_loop_signal(loop));) {
		ends |= nt_signals_ends(signal);
		stops |= signal == SIGTSTP;
	}
	loop->stops_behind |= stops && !may_stop;
	if (stops && may_stop && !ends)
		nt_signal_process(getpid(), SIGSTOP);
	return ends;
}

bool nt_loop_stops_behind(const struct nt_loop *loop)
{
	return loop->stops_behind;
}

void nt_loop_stop_behind(struct nt_loop *loop)
{
	if (loop->stops_behind)
		nt_signal_process(getpid(), SIGSTOP);
	loop->stops_behind = false;
}
