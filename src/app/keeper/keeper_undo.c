// SPDX-License-Identifier: GPL-2.0-only
#include "app/keeper/keeper_undo.h"

#include "app/common/terminal_reset.h"
#include "app/common/rights.h"
#include "app/keeper/keeper_errands.h"
#include "app/keeper/keeper_port.h"
#include "app/keeper/keeper_streams.h"
#include "app/keeper/keeper_verbs.h"
#include "base/file.h"
#include "base/signal_to.h"
#include "nettop/clock.h"
#include "source/lttng/lttng_child.h"
#include "source/lttng/lttng_ctl.h"
#include "target/common/as_user.h"
#include "target/common/deed.h"
#include "target/common/helper.h"
#include "target/perfmap/perf_map_switch.h"
#include "target/port/core_dump.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	TERM_MS = 200, /* until SIGKILL follows SIGTERM */
	SESSIONS_MS = 2000,
	SESSIONS_STEP_MS = 20,
	GONE_MS = 150,
	DEEDS_MS = 1000,
	DUMP_MS = 60000, /* until createdump has opened its file, whatever there is to be read before */
};

struct note {
	char verb[24];
	char argument[PATH_MAX];
	int fd;            /* that came with it; -1 = none. Owned */
	struct list *list; /* borrowed: that it is in */
};

struct list {
	const struct nt_keeper_terminal *terminal; /* borrowed from nt_keeper_serve() */
	struct note notes[NT_KEEPER_NOTES_MAX];
	size_t count;
	struct nt_keeper_streams streams;
	struct nt_keeper_port port;
};

static void undo_terminal(const struct note *note)
{
	const struct nt_keeper_terminal *terminal = note->list->terminal;
	if (terminal->fd >= 0)
		nt_terminal_reset(terminal->fd, &terminal->modes);
}

static void undo_lttng_session(const struct note *note)
{
	const struct nt_lttng_ctl *ctl = nt_lttng_ctl(NULL);
	if (ctl)
		ctl->destroy_session_no_wait(note->argument);
}

/* The process of a note, PID:START. False: it is none that may be killed. */
static bool noted_process(const struct note *note, struct nt_lttng_process *out)
{
	return sscanf(note->argument, "%" SCNu32 ":%" SCNu64, &out->pid, &out->start_ticks) == 2 && out->pid > 1 && out->pid <= INT_MAX;
}

/*
 * A descriptor of it, which stands for no other process that gets its pid later; the caller closes it. -1: it is none that may be killed, or it is not there any
 * more. Who has the pid is looked at when the descriptor is open: from then on it is this process, or has ended.
 */
static int open_noted(const struct note *note, struct nt_lttng_process *out)
{
	int fd = noted_process(note, out) ? pidfd_open((pid_t)out->pid, 0) : -1;
	if (fd < 0 || nt_lttng_process_alive(out))
		return fd;
	close(fd);
	return -1;
}

static bool ends_within(int pidfd, int limit_ms)
{
	struct pollfd end = { .fd = pidfd, .events = POLLIN };
	return poll(&end, 1, limit_ms) == 1;
}

static void undo_kill(const struct note *note)
{
	struct nt_lttng_process process;
	int pidfd = open_noted(note, &process);
	if (pidfd < 0)
		return;
	pidfd_send_signal(pidfd, SIGTERM, NULL, 0);
	if (!ends_within(pidfd, TERM_MS))
		pidfd_send_signal(pidfd, SIGKILL, NULL, 0);
	close(pidfd);
}

/* What the kernel does for a group that nobody can continue any more; but it may still have relatives who never will. */
static void undo_stop(const struct note *note)
{
	struct nt_lttng_process process;
	int pidfd = open_noted(note, &process);
	if (pidfd < 0)
		return;
	/* It stands still, so the number of its group is still its own. */
	nt_signal_group((pid_t)process.pid, SIGHUP);
	nt_signal_group((pid_t)process.pid, SIGCONT);
	close(pidfd);
}

/* A session that was just told to end still counts until the daemon is done with it: wait for that, not for other people's sessions. */
static void undo_sessiond(const struct note *note)
{
	const struct nt_lttng_ctl *ctl = nt_lttng_ctl(NULL);
	struct nt_lttng_process daemon;
	int count = -1, pidfd = ctl ? open_noted(note, &daemon) : -1;
	for (int i = 0; i < SESSIONS_MS / SESSIONS_STEP_MS && count != 0 && pidfd >= 0; i++) {
		struct lttng_session *sessions = NULL;
		if (ends_within(pidfd, i ? SESSIONS_STEP_MS : 0))
			break;
		count = ctl->list_sessions(&sessions);
		free(sessions);
	}
	/* Below 0: it never answered, so nobody can have a session in it. */
	if (count <= 0 && pidfd >= 0)
		pidfd_send_signal(pidfd, SIGTERM, NULL, 0);
	if (pidfd >= 0)
		close(pidfd);
}

/* What others may ask of us from another process, until they close their end. */
static void serve_errands(int fd)
{
	char text[NT_HELPER_LINE_BYTES + 1];
	int fds[NT_HELPER_FDS_MAX];
	size_t count;
	long length;
	while ((length = nt_helper_take(fd, text, sizeof(text), fds, &count)) > 0) {
		char *argument = strchr(text, ' ');
		if (argument)
			*argument++ = '\0';
		if (!argument || !nt_keeper_errand(text, argument, fds, count, -1))
			for (size_t i = 0; i < count; i++)
				close(fds[i]);
	}
}

/* Somebody has to look at the target for it: who does has no more rights than nettop had, and asks another process for what is to be done in the target's place. */
static void undo_perf_map(const struct note *note)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return;
	pid_t looks = fork();
	if (looks <= 0) {
		close(ends[0]);
		if (looks == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			nt_helper_is_at(ends[1]);
			nt_rights_drop(NT_RIGHTS_WATCH);
		}
		nt_perf_map_undo(note->argument, note->fd);
		if (looks == 0)
			_exit(0);
		close(ends[1]);
		return;
	}
	close(ends[1]);
	serve_errands(ends[0]);
	close(ends[0]);
}

/* What takes so long that it is killed is tried again: where the machine is busy it had no CPU, and where it hangs our own time is over in the end. */
static void undo_deed(const struct note *note)
{
	struct nt_deed deed;
	if (note->fd >= 0 && nt_deed_parse(note->argument, &note->fd, 1, &deed))
		while (nt_deed_carry_out(&deed) == NT_AS_USER_HANGS)
			continue;
}

static void undo_dump_room(const struct note *note)
{
	struct nt_deed deed;
	if (note->fd >= 0 && nt_deed_parse(note->argument, &note->fd, 1, &deed))
		nt_dump_room_wait(&deed, DUMP_MS * NT_NS_PER_MS);
	undo_deed(note);
}

static void undo_directory(const struct note *note)
{
	const char *name = strrchr(note->argument, '/');
	struct stat info;
	if (!name || strncmp(name + 1, "nettop-", 7) != 0 || lstat(note->argument, &info) < 0 || !S_ISDIR(info.st_mode) ||
	    info.st_uid != geteuid())
		return;
	nt_file_remove_tree(note->argument);
}

static void undo_port(const struct note *note)
{
	nt_keeper_port_outlast(&note->list->port);
}

/*
 * In the order in which they are done. Terminal first: a person waits for it. The relay must outlive the session's end. What may take as long as the program
 * lives comes last, but for the folder that it needs.
 */
static const struct undo {
	const char *verb;
	void (*run)(const struct note *note);
	int limit_ms; /* 0 = done by the keeper itself */
} undos[] = {
	{ "terminal", undo_terminal, 0 },
	{ "hang-up-group", undo_stop, 500 },
	{ "lttng-session", undo_lttng_session, 500 },
	{ "kill-child", undo_kill, 2000 },
	{ "sessiond", undo_sessiond, SESSIONS_MS + 500 },
	{ "perf-map", undo_perf_map, 3000 },
	{ NT_KEEPER_PORT, undo_port, 0 },
	{ NT_KEEPER_LENT_PORT, undo_deed, 3000 },
	{ NT_KEEPER_DUMP_ROOM, undo_dump_room, DUMP_MS + 3000 },
	{ "remove-dir", undo_directory, 500 },
};

/*
 * A daemon that hangs must not keep the rest from being undone: each but the terminal runs in a child with a deadline. Nor is its end waited for: where it waits for
 * a file system, SIGKILL does not end it before that answers.
 */
static void run_bounded(const struct undo *undo, const struct note *note)
{
	pid_t child = fork();
	if (child <= 0) {
		undo->run(note); /* without a child, too: better without a deadline than not at all */
		if (child < 0)
			return;
		_exit(0);
	}
	nt_time deadline = nt_clock_now() + undo->limit_ms * NT_NS_PER_MS;
	while (nt_clock_now() < deadline) {
		if (waitpid(child, NULL, WNOHANG) != 0)
			return;
		poll(NULL, 0, 5);
	}
	nt_signal_process(child, SIGKILL);
}

static void take_back(struct list *list, const char *verb, const char *argument)
{
	for (size_t i = list->count; i-- > 0;) {
		struct note *note = &list->notes[i];
		if (strcmp(note->verb, verb) != 0 || strcmp(note->argument, argument) != 0)
			continue;
		if (note->fd >= 0)
			close(note->fd);
		memmove(note, note + 1, (list->count - i - 1) * sizeof(*note));
		list->count--;
		return;
	}
}

static void add_stream(struct list *list, const char *number, int fd)
{
	nt_keeper_streams_add(&list->streams, atoi(number), fd);
}

static void add_port(struct list *list, const char *path, int fd)
{
	nt_keeper_port_add(&list->port, path, fd);
}

/* Verbs whose descriptor is for more than undoing; it is taken. */
static const struct with_fd {
	const char *verb;
	void (*take)(struct list *list, const char *argument, int fd);
} with_fd[] = { { NT_KEEPER_STREAM, add_stream }, { NT_KEEPER_PORT, add_port } };

/* False: it belongs to the note. */
static bool take_fd(struct list *list, const char *verb, const char *argument, int fd)
{
	for (size_t i = 0; i < sizeof(with_fd) / sizeof(with_fd[0]); i++)
		if (strcmp(verb, with_fd[i].verb) == 0) {
			with_fd[i].take(list, argument, fd);
			return true;
		}
	return false;
}

/* Will this be undone when nettop is gone? */
static bool is_undone(const char *verb)
{
	for (size_t u = 0; u < sizeof(undos) / sizeof(undos[0]); u++)
		if (strcmp(verb, undos[u].verb) == 0)
			return true;
	return false;
}

/* Takes `fd`, -1 = none. */
static void add_note(struct list *list, const char *verb, const char *argument, int fd)
{
	if (list->count == NT_KEEPER_NOTES_MAX || !is_undone(verb) || strlen(argument) >= sizeof(list->notes[0].argument)) {
		if (fd >= 0)
			close(fd);
		return;
	}
	struct note *note = &list->notes[list->count++];
	strcpy(note->verb, verb);
	strcpy(note->argument, argument);
	note->fd = fd;
	note->list = list;
}

/*
 * The other one, which waits to take our place: it has nothing that we were told. What we hold is not its own, so it is let go without a word. In it, `notes_fd` is its own socket.
 */
static void make_spare(struct list *list, int notes_fd, int fd)
{
	if (nt_keeper_fork_sibling() != 0)
		return;
	setsid();
	dup2(fd, notes_fd);
	int above = list->terminal->fd > notes_fd ? list->terminal->fd : notes_fd;
	close_range((unsigned)above + 1, ~0u, 0);
	/* Not the notes and streams, of which there are none then: they are large, and to clear them would be to have a copy of all their pages. */
	list->count = 0;
	list->streams.count = 0;
	list->port = (struct nt_keeper_port){ 0 };
	int32_t pid = getpid();
	send(notes_fd, &pid, sizeof(pid), MSG_NOSIGNAL);
}

/* One note, with the descriptor that came with it (-1 = none), which is taken. */
static void apply_note(struct list *list, const char *verb, const char *argument, int fd)
{
	if (fd >= 0 && take_fd(list, verb, argument, fd))
		fd = -1;
	if (strcmp(verb, "-" NT_KEEPER_STREAM) == 0)
		nt_keeper_streams_drop(&list->streams, atoi(argument));
	else if (strcmp(verb, NT_KEEPER_SERVE_PORT) == 0)
		nt_keeper_port_begin(&list->port);
	else if (*verb == '-')
		take_back(list, verb + 1, argument);
	else
		add_note(list, verb, argument, fd);
}

/*
 * nettop may have hung up before it has ended: what it holds until then (its share in the perf map) tells that somebody watches still. One that hangs in the kernel
 * keeps it; then as much is undone as can be.
 */
static void wait_for_nettop(pid_t nettop)
{
	nt_time deadline = nt_clock_now() + GONE_MS * NT_NS_PER_MS;
	while (getppid() == nettop && nt_clock_now() < deadline)
		poll(NULL, 0, 1);
}

static void undo_each(struct list *list, const struct undo *undo)
{
	for (size_t i = list->count; i-- > 0;) {
		if (strcmp(list->notes[i].verb, undo->verb) != 0)
			continue;
		if (undo->limit_ms)
			run_bounded(undo, &list->notes[i]);
		else
			undo->run(&list->notes[i]);
	}
}

static void undo_all(struct list *list, pid_t nettop)
{
	undo_each(list, &undos[0]);
	if (list->count)
		wait_for_nettop(nettop);
	/* What is still being made cannot be undone yet. */
	nt_keeper_errands_end(DEEDS_MS);
	for (size_t u = 1; u < sizeof(undos) / sizeof(undos[0]); u++)
		undo_each(list, &undos[u]);
}

/* False: nettop is gone. */
static bool take_note(struct list *list, int notes_fd, pid_t nettop)
{
	static char text[NT_HELPER_LINE_BYTES + 1];
	int fds[NT_HELPER_FDS_MAX];
	size_t count;
	long length = nt_helper_take(notes_fd, text, sizeof(text), fds, &count);
	if (length <= 0)
		return length < 0 && errno == EINTR;
	char *argument = strchr(text, ' ');
	if (argument)
		*argument++ = '\0';
	else
		argument = text + length;
	if (strcmp(text, NT_KEEPER_SPARE) == 0 && count == 1) {
		make_spare(list, notes_fd, fds[0]);
		close(fds[0]); /* in the new one it is no more */
	} else if (!nt_keeper_errand(text, argument, fds, count, nettop)) {
		apply_note(list, text, argument, count ? fds[0] : -1);
		for (size_t i = 1; i < count; i++)
			close(fds[i]);
	}
	return true;
}

/* By the clock: whoever keeps us busy does not put it off. Returns the milliseconds until the next look, -1 = there is nothing to look at. */
static int look_when_due(struct nt_keeper_streams *streams, nt_time *next)
{
	nt_time now = nt_clock_now(), distance = NT_KEEPER_LOOK_MS * NT_NS_PER_MS;
	if (!streams->count) {
		*next = 0;
		return -1;
	}
	if (!*next)
		*next = now + distance;
	if (now >= *next) {
		nt_keeper_streams_look(streams);
		*next = now + distance;
	}
	return (int)((*next - now) / NT_NS_PER_MS) + 1;
}

void nt_keeper_serve(int notes_fd, const struct nt_keeper_terminal *terminal, const _Atomic uint64_t *progress)
{
	const pid_t nettop = getppid();
	static struct list list; /* large, and the process does nothing else */
	list.terminal = terminal;
	list.streams.progress = progress;
	for (nt_time next_look = 0;;) {
		struct pollfd fds[] = { { .fd = notes_fd, .events = POLLIN }, { .fd = nt_keeper_port_fd(&list.port), .events = POLLIN } };
		int ready = poll(fds, 2, look_when_due(&list.streams, &next_look));
		if (ready > 0 && fds[1].revents)
			nt_keeper_port_serve(&list.port);
		if (ready > 0 && fds[0].revents && !take_note(&list, notes_fd, nettop))
			break;
		nt_keeper_errands_collect();
	}
	nt_keeper_streams_end(&list.streams);
	undo_all(&list, nettop);
}
