// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_daemons.h"

#include "base/alloc.h"
#include "target/common/helper.h"
#include "target/needs/prerequisites.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Where a session daemon listens for its clients: the machine's, and that of a user below his home. */
#define MACHINE_SOCKET "/run/lttng/client-lttng-sessiond"
#define HOME_SOCKET    "%s/.lttng/client-lttng-sessiond"

/* Connect to `path`, ask who answers. Returns 0 or an errno value. */
static int ask_peer(const char *path, pid_t *pid)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(address.sun_path))
		return ENAMETOOLONG;
	strcpy(address.sun_path, path);
	/* Non-blocking: a frozen daemon with a full backlog must not hold us. */
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return errno;
	struct ucred peer = { 0 };
	socklen_t length = sizeof(peer);
	int error = 0;
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0)
		error = errno;
	close(fd);
	*pid = peer.pid;
	return error;
}

static int ask_home(pid_t *pid)
{
	const char *home = getenv("LTTNG_HOME");
	if (!home)
		home = getenv("HOME");
	if (!home)
		return ENOENT;
	char path[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
	int length = snprintf(path, sizeof(path), HOME_SOCKET, home);
	return length < (int)sizeof(path) ? ask_peer(path, pid) : ENAMETOOLONG;
}

enum nt_status nt_lttng_sessiond_find(struct nt_lttng_process *out)
{
	*out = (struct nt_lttng_process){ 0 };
	pid_t pid = 0;
	int machine_error = ask_peer(MACHINE_SOCKET, &pid);
	int error = machine_error;
	if (error && geteuid() != 0)
		error = ask_home(&pid);
	if (error)
		return machine_error == EACCES ? NT_ERR_FORBIDDEN : NT_ERR_ABSENT;
	struct nt_procfs_stat stat;
	if (pid > 0 && nt_lttng_process_stat((uint32_t)pid, &stat))
		*out = (struct nt_lttng_process){ .pid = (uint32_t)pid, .start_ticks = stat.start_ticks };
	return NT_OK;
}

enum nt_status nt_lttng_sessiond_start(void (*note)(void *context, const struct nt_lttng_process *child), void *note_context,
				       struct nt_lttng_process *out, struct nt_error *err)
{
	char *program = nt_lttng_find_program("lttng-sessiond");
	if (!program) {
		const struct nt_facts facts = { .relayd_installed = true, .sessiond = NT_ERR_ABSENT };
		return nt_prerequisite_error(NT_NEEDS_LTTNG_DAEMONS, &facts, err);
	}
	const char *const argv[] = { program, "--no-kernel", NULL };
	const struct nt_lttng_child_setup setup = { .argv = argv, .note = note, .note_context = note_context };
	/* It serves programs of all users, and becomes them: it needs rights that we have given up. */
	enum nt_status status = nt_helper_is_there() ? nt_lttng_child_start_by_helper(NT_LTTNG_SESSIOND_VERB, "-", &setup, out, err)
						     : nt_lttng_child_start(&setup, out, err);
	free(program);
	return status;
}

void nt_lttng_sessiond_become(int fd)
{
	char *program = nt_lttng_find_program("lttng-sessiond");
	const char *const argv[] = { program ? program : "lttng-sessiond", "--no-kernel", NULL };
	const struct nt_lttng_child_setup setup = { .argv = argv };
	nt_lttng_child_become(&setup, fd);
}

bool nt_lttng_consumerd_find(const struct nt_lttng_process *sessiond, struct nt_lttng_process *out)
{
	*out = (struct nt_lttng_process){ 0 };
	DIR *proc = sessiond->pid ? opendir("/proc") : NULL;
	if (!proc)
		return false;
	for (struct dirent *entry; !out->pid && (entry = readdir(proc));) {
		struct nt_procfs_stat stat;
		unsigned long pid = strtoul(entry->d_name, NULL, 10);
		if (pid && nt_lttng_process_stat((uint32_t)pid, &stat) && stat.ppid == sessiond->pid &&
		    strcmp(stat.comm, "lttng-consumerd") == 0)
			*out = (struct nt_lttng_process){ .pid = stat.pid, .start_ticks = stat.start_ticks };
	}
	closedir(proc);
	return out->pid != 0;
}
