// SPDX-License-Identifier: GPL-2.0-only
/* nettop's side of the keeper: fork, notes, replacement, end. What the keeper itself does is in keeper_undo.c. */
#include "app/keeper/keeper.h"

#include "app/keeper/keeper_notes.h"
#include "app/keeper/keeper_undo.h"
#include "app/keeper/keeper_verbs.h"
#include "base/alloc.h"
#include "nettop/clock.h"
#include "target/common/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long nettop's end waits for the keeper: it goes on by itself when it has more to do. */
enum { END_MS = 200, LET_GO_MS = 50 };

/* A spare that ends as soon as it is made is not asked for at once again. */
#define SPARE_AGAIN_NS NT_NS_PER_S

#define REPLACED "nettop's keeper, which puts things right should nettop be killed, was ended; another one has taken its place"
#define ALONE    "nettop's keeper was ended, and no other can take its place: should nettop be killed, what it has made stays"

struct nt_keeper {
	int notes_fd;   /* our end of a socket; closes when nettop ends, however it ends. The number stays when another keeper takes over */
	int watched_fd; /* readable when one of the two has something to say, or has ended */
	_Atomic pid_t pid;
	_Atomic uint64_t *progress; /* shared with both: counts reads of streams */
	const char *_Atomic news;   /* what has happened to it; NULL = nothing */

	pthread_mutex_t lock; /* for all below; held for sends that do not wait */
	struct nt_keeper_notes notes;
	int spare_fd;    /* -1 = there is none */
	pid_t spare_pid; /* 0 = it has not said yet */
	nt_time spare_asked;
	bool lost; /* nobody is at notes_fd */
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
	nt_helper_is_at(-1);
	keep_only(notes_fd, terminal->fd);
	if (terminal->fd >= 0)
		terminal->fd = TERMINAL_FD;
	nt_keeper_serve(NOTES_FD, terminal, progress);
	_exit(0);
}

/* ---- the spare: another process with all rights, which does nothing but wait to take over ---- */

static void watch(struct nt_keeper *keeper, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };
	epoll_ctl(keeper->watched_fd, EPOLL_CTL_ADD, fd, &event);
}

/* Made by the keeper, because it has the rights that nettop has dropped, and no threads. */
static void ask_for_spare(struct nt_keeper *keeper)
{
	int ends[2];
	nt_time now = nt_clock_now();
	if (keeper->lost || keeper->spare_fd >= 0 || (keeper->spare_asked && now < keeper->spare_asked + SPARE_AGAIN_NS) ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return;
	keeper->spare_asked = now;
	if (nt_helper_send(keeper->notes_fd, NT_KEEPER_SPARE, "-", &ends[0], 1)) {
		keeper->spare_fd = ends[1];
		keeper->spare_pid = 0;
		watch(keeper, keeper->spare_fd);
	} else {
		close(ends[1]);
	}
	close(ends[0]);
}

static void collect(pid_t pid)
{
	if (pid > 0)
		waitpid(pid, NULL, WNOHANG);
}

static void lose_spare(struct nt_keeper *keeper)
{
	close(keeper->spare_fd);
	collect(keeper->spare_pid);
	keeper->spare_fd = -1;
	keeper->spare_pid = 0;
}

static void hear_spare(struct nt_keeper *keeper)
{
	int32_t pid;
	while (keeper->spare_fd >= 0) {
		ssize_t got = recv(keeper->spare_fd, &pid, sizeof(pid), MSG_DONTWAIT);
		if (got < 0 && errno == EAGAIN)
			return;
		if (got == sizeof(pid))
			keeper->spare_pid = pid;
		else
			lose_spare(keeper);
	}
}

static bool is_over(int fd)
{
	struct pollfd end = { .fd = fd, .events = POLLIN };
	return poll(&end, 1, 0) > 0;
}

/* From here on it is the keeper; under the number that everybody knows. */
static bool let_spare_take_over(struct nt_keeper *keeper)
{
	if (keeper->spare_fd < 0 || !nt_keeper_notes_tell(&keeper->notes, keeper->spare_fd))
		return false;
	epoll_ctl(keeper->watched_fd, EPOLL_CTL_DEL, keeper->spare_fd, NULL);
	dup3(keeper->spare_fd, keeper->notes_fd, O_CLOEXEC);
	close(keeper->spare_fd);
	watch(keeper, keeper->notes_fd);
	keeper->pid = keeper->spare_pid;
	keeper->spare_fd = -1;
	keeper->spare_pid = 0;
	keeper->spare_asked = 0;
	return true;
}

static void replace(struct nt_keeper *keeper)
{
	pid_t before = keeper->pid;
	epoll_ctl(keeper->watched_fd, EPOLL_CTL_DEL, keeper->notes_fd, NULL);
	keeper->lost = !let_spare_take_over(keeper);
	keeper->news = keeper->lost ? ALONE : REPLACED;
	collect(before);
}

void nt_keeper_mend(struct nt_keeper *keeper)
{
	pthread_mutex_lock(&keeper->lock);
	hear_spare(keeper);
	if (!keeper->lost && is_over(keeper->notes_fd))
		replace(keeper);
	ask_for_spare(keeper);
	pthread_mutex_unlock(&keeper->lock);
}

int nt_keeper_fd(const struct nt_keeper *keeper)
{
	return keeper->watched_fd;
}

const char *nt_keeper_news(struct nt_keeper *keeper)
{
	const char *news = atomic_exchange(&keeper->news, NULL);
	/* One that could not be had is asked for from time to time. */
	if (pthread_mutex_trylock(&keeper->lock) == 0) {
		ask_for_spare(keeper);
		pthread_mutex_unlock(&keeper->lock);
	}
	return news;
}

/* ---- start ---- */

static enum nt_status make_shared(int ends[2], _Atomic uint64_t **progress, struct nt_error *err)
{
	/* Messages with borders: a note is whole, and a descriptor comes with its own. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make a socket for the keeper process");
	*progress = mmap(NULL, sizeof(**progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (*progress != MAP_FAILED)
		return NT_OK;
	close(ends[0]);
	close(ends[1]);
	return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot share memory with the keeper process");
}

enum nt_status nt_keeper_start(int terminal_fd, struct nt_keeper **out, struct nt_error *err)
{
	int ends[2];
	_Atomic uint64_t *progress;
	enum nt_status status = make_shared(ends, &progress, err);
	if (status != NT_OK)
		return status;
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
	struct nt_keeper *keeper = nt_alloc(sizeof(*keeper));
	*keeper = (struct nt_keeper){ .notes_fd = ends[1], .pid = pid, .progress = progress, .spare_fd = -1 };
	pthread_mutex_init(&keeper->lock, NULL);
	keeper->watched_fd = epoll_create1(EPOLL_CLOEXEC);
	watch(keeper, keeper->notes_fd);
	ask_for_spare(keeper);
	nt_helper_is_at(keeper->notes_fd);
	*out = keeper;
	return NT_OK;
}

/* ---- notes ---- */

/* To the keeper, and to the next one should this be killed. `fd`: -1 = none. What cannot be sent is not waited for: nothing else depends on it. */
static void send_note(struct nt_keeper *keeper, const char *verb, const char *argument, int fd)
{
	nt_keeper_notes_apply(&keeper->notes, verb, argument, fd);
	nt_helper_send(keeper->notes_fd, verb, argument, &fd, fd >= 0);
}

static void note(struct nt_keeper *keeper, const char *verb, const char *argument, int fd)
{
	pthread_mutex_lock(&keeper->lock);
	send_note(keeper, verb, argument, fd);
	pthread_mutex_unlock(&keeper->lock);
}

void nt_keeper_note(void *context, const char *verb, const char *argument)
{
	note(context, verb, argument, -1);
}

bool nt_keeper_hold(void *context, const char *verb, const char *argument, int fd)
{
	struct nt_keeper *keeper = context;
	pthread_mutex_lock(&keeper->lock);
	bool has_room = nt_keeper_notes_count(&keeper->notes, verb) < NT_KEEPER_HELD_MAX;
	if (has_room)
		send_note(keeper, verb, argument, fd);
	pthread_mutex_unlock(&keeper->lock);
	return has_room;
}

void nt_keeper_stream(void *context, int fd)
{
	char number[16];
	snprintf(number, sizeof(number), "%d", fd);
	note(context, NT_KEEPER_STREAM, number, fd);
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
	note(context, "-" NT_KEEPER_STREAM, number, -1);
}

void nt_keeper_port(struct nt_keeper *keeper, const char *path, int listener)
{
	note(keeper, NT_KEEPER_PORT, path, listener);
}

void nt_keeper_port_yield(struct nt_keeper *keeper)
{
	note(keeper, NT_KEEPER_SERVE_PORT, "-", -1);
}

bool nt_keeper_signal(const struct nt_keeper *keeper, const char *process, int signal)
{
	char argument[NT_KEEPER_SIGNAL_BYTES];
	int length = snprintf(argument, sizeof(argument), "%s %d", process, signal);
	nt_assert(length > 0 && length < (int)sizeof(argument));
	return nt_helper_send(keeper->notes_fd, NT_KEEPER_SIGNAL, argument, NULL, 0);
}

pid_t nt_keeper_pid(const struct nt_keeper *keeper)
{
	return keeper->pid;
}

/* ---- end ---- */

static bool has_ended(pid_t pid)
{
	return pid <= 0 || waitpid(pid, NULL, WNOHANG) != 0;
}

static void wait_for_end(pid_t pid, unsigned ms)
{
	nt_time deadline = nt_clock_now() + ms * NT_NS_PER_MS;
	while (!has_ended(pid) && nt_clock_now() < deadline)
		poll(NULL, 0, 1);
}

void nt_keeper_let_go(struct nt_keeper *keeper)
{
	shutdown(keeper->notes_fd, SHUT_RDWR);
	wait_for_end(keeper->pid, LET_GO_MS);
}

void nt_keeper_end(struct nt_keeper *keeper)
{
	if (!keeper)
		return;
	nt_helper_is_at(-1);
	hear_spare(keeper);
	pid_t spare = keeper->spare_pid;
	if (keeper->spare_fd >= 0)
		close(keeper->spare_fd);
	close(keeper->notes_fd);
	close(keeper->watched_fd);
	wait_for_end(keeper->pid, END_MS);
	wait_for_end(spare, END_MS);
	nt_keeper_notes_fini(&keeper->notes);
	pthread_mutex_destroy(&keeper->lock);
	munmap(keeper->progress, sizeof(*keeper->progress));
	free(keeper);
}
