// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/decoder_child.h"

#include "base/own_program.h"
#include "base/passed_fds.h"
#include "base/signal_to.h"
#include "nettop/clock.h"
#include "source/decoder/decoder_process.h"
#include "source/decoder/memory_lender.h"
#include "target/common/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A killed process ends at once, but for one that waits for a disk. */
enum { END_MS = 200, NOT_EXECUTED = 127, FORKED_MS = 1000 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ENVIRONMENT environ /* a sanitizer's options */
#else
static char *const ENVIRONMENT[] = { NULL };
#endif

/* After fork(): async-signal-safe calls only. Nothing of nettop's goes along, neither memory nor descriptors nor environment; with the lender its memory does. */
void nt_decoder_child_become(int fd, const char *word)
{
	static char name[] = "nettop", files[] = NT_DECODER_WORD;
	static char others[][sizeof(NT_DECODER_CODE_WORD)] = { NT_DECODER_CODE_WORD, NT_DECODER_CFI_WORD, NT_READER_WORD, NT_CORE_WORD,
							       NT_TRANSLATOR_WORD,   NT_WEB_WORD,         NT_SENDER_WORD };
	char *argv[] = { name, files, NULL };
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		argv[1] = strcmp(word, others[i]) == 0 ? others[i] : argv[1];
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int kept = fcntl(fd, F_DUPFD_CLOEXEC, NT_DECODER_FD + 1);
	for (int i = 0; i < NT_DECODER_FD; i++)
		dup2(null, i);
	if (null >= 0 && kept >= 0 && dup2(kept, NT_DECODER_FD) >= 0 && close_range(NT_DECODER_FD + 1, ~0u, 0) == 0) {
		if (strcmp(word, NT_LENDER_WORD) == 0)
			_exit(nt_lender_serve());
		nt_own_program_execute(argv, ENVIRONMENT);
	}
	_exit(NOT_EXECUTED);
}

/* A child of ours in either case; of the keeper's making it can become nobody, which takes a right that we have given up. -1: errno. */
static pid_t fork_decoder(int fd, const char *word)
{
	int32_t pid;
	if (!nt_helper_is_there()) {
		pid = fork();
		if (pid == 0)
			nt_decoder_child_become(fd, word);
		return pid;
	}
	int answer = nt_helper_ask(NT_DECODER_VERB, word, &fd, 1);
	bool forked = answer >= 0 && nt_helper_hear(answer, &pid, sizeof(pid), FORKED_MS, NULL) && pid > 1;
	if (answer >= 0)
		close(answer);
	errno = EAGAIN;
	return forked ? pid : -1;
}

int nt_decoder_child_start(struct nt_decoder_child *child, const char *word)
{
	int ends[2];
	*child = (struct nt_decoder_child){ .pidfd = -1, .fd = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return errno;
	pid_t pid = fork_decoder(ends[1], word);
	int error = errno;
	close(ends[1]);
	if (pid > 0) {
		child->pidfd = pidfd_open(pid, 0);
		error = errno;
	}
	if (pid < 0 || child->pidfd < 0) {
		close(ends[0]);
		if (pid > 0) {
			nt_signal_process(pid, SIGKILL); /* ours, not collected yet: nobody else has that pid */
			waitpid(pid, NULL, 0);
		}
		return error;
	}
	clock_getcpuclockid(pid, &child->clock);
	child->pid = pid;
	child->fd = ends[0];
	return 0;
}

bool nt_decoder_child_say(const struct nt_decoder_child *child, const void *packet, size_t length, int fd)
{
	/* There is room: it hears all that it is told before it is told more. */
	return nt_passed_fds_send(child->fd, packet, length, &fd, fd >= 0);
}

uint64_t nt_decoder_child_cpu_ns(const struct nt_decoder_child *child)
{
	struct timespec taken = { 0 };
	clock_gettime(child->clock, &taken);
	return (uint64_t)taken.tv_sec * NT_NS_PER_S + (uint64_t)taken.tv_nsec;
}

bool nt_decoder_child_is_running(const struct nt_decoder_child *child)
{
	char path[32], stat[128] = "";
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)child->pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, stat, sizeof(stat) - 1) : -1;
	if (fd >= 0)
		close(fd);
	const char *name_end = got > 0 ? strrchr(stat, ')') : NULL;
	return name_end && strncmp(name_end, ") R", 3) == 0;
}

int nt_decoder_child_end(struct nt_decoder_child *child, pid_t *left)
{
	int status = -1;
	struct pollfd ended = { .fd = child->pidfd, .events = POLLIN };
	close(child->fd);
	pidfd_send_signal(child->pidfd, SIGKILL, NULL, 0);
	*left = 0;
	if (poll(&ended, 1, END_MS) < 1 || waitpid(child->pid, &status, WNOHANG) != child->pid) {
		*left = child->pid;
		status = -1;
	}
	close(child->pidfd);
	*child = (struct nt_decoder_child){ .pidfd = -1, .fd = -1 };
	return status;
}
