// SPDX-License-Identifier: GPL-2.0-only
/* Format: proc(5), /proc/PID/syscall: "running", or the number of the system call and its arguments in hexadecimal; -1: blocked, but in none. */
#include "source/common/wait_fact.h"

#include "decode/kernel/procfs_text.h"
#include "decode/kernel/socket_text.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PATH_BYTES = 320, TEXT_BYTES = 256, STAT_BYTES = 1024 };

struct call {
	long number;
	enum nt_wait_kind wait;
	bool descriptor; /* its first argument is one, which says more */
};

static const struct call calls[] = {
	{ SYS_nanosleep, NT_WAIT_SLEEP, false },
	{ SYS_clock_nanosleep, NT_WAIT_SLEEP, false },
	{ SYS_epoll_wait, NT_WAIT_POLL, false },
	{ SYS_epoll_pwait, NT_WAIT_POLL, false },
	{ SYS_poll, NT_WAIT_POLL, false },
	{ SYS_ppoll, NT_WAIT_POLL, false },
	{ SYS_select, NT_WAIT_POLL, false },
	{ SYS_pselect6, NT_WAIT_POLL, false },
	{ SYS_wait4, NT_WAIT_PROCESS, false },
	{ SYS_waitid, NT_WAIT_PROCESS, false },
	{ SYS_read, NT_WAIT_FILE, true },
	{ SYS_readv, NT_WAIT_FILE, true },
	{ SYS_pread64, NT_WAIT_FILE, true },
	{ SYS_preadv, NT_WAIT_FILE, true },
	{ SYS_write, NT_WAIT_FILE, true },
	{ SYS_writev, NT_WAIT_FILE, true },
	{ SYS_pwrite64, NT_WAIT_FILE, true },
	{ SYS_pwritev, NT_WAIT_FILE, true },
	{ SYS_fsync, NT_WAIT_FILE, true },
	{ SYS_fdatasync, NT_WAIT_FILE, true },
	{ SYS_flock, NT_WAIT_FILE, true },
	{ SYS_openat, NT_WAIT_FILE, false },
	{ SYS_connect, NT_WAIT_SOCKET, true },
	{ SYS_accept, NT_WAIT_SOCKET, true },
	{ SYS_accept4, NT_WAIT_SOCKET, true },
	{ SYS_recvfrom, NT_WAIT_SOCKET, true },
	{ SYS_recvmsg, NT_WAIT_SOCKET, true },
	{ SYS_sendto, NT_WAIT_SOCKET, true },
	{ SYS_sendmsg, NT_WAIT_SOCKET, true },
	/* Neither the runtime nor its libraries wait with these: somebody else's code that was called does. */
	{ SYS_pause, NT_WAIT_NATIVE, false },
	{ SYS_rt_sigsuspend, NT_WAIT_NATIVE, false },
	{ SYS_semop, NT_WAIT_NATIVE, false },
	{ SYS_rt_sigtimedwait, NT_WAIT_NATIVE, false },
	{ SYS_msgrcv, NT_WAIT_NATIVE, false },
	{ SYS_semtimedop, NT_WAIT_NATIVE, false },
	{ SYS_msgsnd, NT_WAIT_NATIVE, false },
	{ SYS_mq_timedreceive, NT_WAIT_NATIVE, false },
	{ SYS_mq_timedsend, NT_WAIT_NATIVE, false },
};

static const struct call *find_call(long number)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

enum nt_wait_kind nt_wait_of_call(long number)
{
	const struct call *call = find_call(number);
	return call ? call->wait : NT_WAIT_UNKNOWN;
}

/* The last two numbers: behind six arguments, or behind none where there is no call. */
static void read_place(const char *text, bool no_call, struct nt_wait_fact *out)
{
	const char *form = no_call ? "%*d 0x%" SCNx64 " 0x%" SCNx64 : "%*d %*x %*x %*x %*x %*x %*x 0x%" SCNx64 " 0x%" SCNx64;
	if (sscanf(text, form, &out->sp, &out->pc) != 2)
		out->sp = out->pc = 0;
}

bool nt_wait_fact_parse(const char *text, size_t length, struct nt_wait_fact *out, int *fd)
{
	char copy[TEXT_BYTES];
	long number;
	uint64_t first = 0;
	*out = (struct nt_wait_fact){ .wait = NT_WAIT_UNKNOWN };
	*fd = -1;
	if (length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (strncmp(copy, "running", 7) == 0) {
		out->wait = NT_WAIT_RUNS;
		return true;
	}
	if (sscanf(copy, "%ld 0x%" SCNx64, &number, &first) < 1)
		return false;
	if (number == -1)
		out->wait = NT_WAIT_FAULT;
	read_place(copy, number == -1, out);
	const struct call *call = find_call(number);
	if (call)
		out->wait = call->wait;
	if (call && call->descriptor && first <= INT32_MAX)
		*fd = (int)first;
	return true;
}

/* What the descriptor is says the link of it, which is read, not followed: that opens nothing. */
static void look_behind(const char *proc_dir, int fd, struct nt_wait_fact *fact)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof(path), "%s/fd/%d", proc_dir, fd);
	ssize_t length = readlink(path, fact->what, sizeof(fact->what) - 1);
	fact->what[length > 0 ? length : 0] = '\0';
	fact->socket = nt_socket_inode(fact->what, strlen(fact->what));
	if (strncmp(fact->what, "socket:", 7) == 0)
		fact->wait = NT_WAIT_SOCKET;
	else if (strncmp(fact->what, "pipe:", 5) == 0)
		fact->wait = NT_WAIT_PIPE;
	if (fact->what[0] != '/')
		fact->what[0] = '\0';
}

static ssize_t read_of(const char *proc_dir, uint32_t tid, const char *name, char *text, size_t size)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof(path), "%s/task/%" PRIu32 "/%s", proc_dir, tid, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, size);
	if (fd >= 0)
		close(fd);
	return length;
}

/* `syscall` is a file of the target's user, which CAP_SYS_PTRACE alone does not open; everybody may read this one. */
static bool runs(const char *proc_dir, uint32_t tid)
{
	char text[STAT_BYTES];
	struct nt_procfs_stat stat;
	ssize_t length = read_of(proc_dir, tid, "stat", text, sizeof(text));
	return length > 0 && nt_procfs_stat_parse(text, (size_t)length, &stat) && stat.state == 'R';
}

bool nt_wait_fact_read(const char *proc_dir, uint32_t tid, struct nt_wait_fact *out)
{
	char text[TEXT_BYTES];
	int behind;
	*out = (struct nt_wait_fact){ .wait = NT_WAIT_UNKNOWN };
	ssize_t length = read_of(proc_dir, tid, "syscall", text, sizeof(text));
	if (length <= 0 || !nt_wait_fact_parse(text, (size_t)length, out, &behind)) {
		out->wait = runs(proc_dir, tid) ? NT_WAIT_RUNS : NT_WAIT_UNKNOWN;
		return false;
	}
	if (behind >= 0)
		look_behind(proc_dir, behind, out);
	return true;
}
