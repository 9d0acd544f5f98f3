// SPDX-License-Identifier: GPL-2.0-only
#include "base/spawn.h"

#include "base/plain_rights.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

enum { FIRST_FREE_FD = 3 };

/* False: the parent ended, or gave up, before it gave the word. */
static bool wait_for_word(int gate_fd)
{
	char word;
	ssize_t got;
	while ((got = read(gate_fd, &word, 1)) < 0 && errno == EINTR)
		continue;
	return got == 1;
}

_Noreturn static void become(const struct nt_spawn_setup *setup, int gate_fd, int refusal_fd)
{
	if (!wait_for_word(gate_fd))
		_exit(NT_SPAWN_NOT_EXECUTED);
	/* Out of the way of the standard streams, which prepare() sets. */
	int moved = fcntl(refusal_fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
	refusal_fd = moved < 0 ? refusal_fd : moved;
	int error = setup->prepare(setup->context, refusal_fd);
	if (!error) {
		nt_plain_rights_begin();
		execvpe(setup->argv[0], setup->argv, setup->environment);
		error = errno;
	}
	ssize_t written = write(refusal_fd, &error, sizeof(error));
	(void)written;
	_exit(error == ENOENT ? NT_SPAWN_NOT_FOUND : NT_SPAWN_NOT_EXECUTED);
}

static int make_pipes(int gate[2], int refusal[2])
{
	if (pipe2(gate, O_CLOEXEC) < 0)
		return errno;
	if (pipe2(refusal, O_CLOEXEC) == 0)
		return 0;
	int error = errno;
	close(gate[0]);
	close(gate[1]);
	return error;
}

int nt_spawn_start(const struct nt_spawn_setup *setup, struct nt_spawn *out)
{
	int gate[2], refusal[2];
	int error = make_pipes(gate, refusal);
	if (error)
		return error;
	pid_t pid = fork();
	if (pid == 0) {
		close(gate[1]); /* or our end would never be seen */
		become(setup, gate[0], refusal[1]);
	}
	error = pid < 0 ? errno : 0;
	close(gate[0]);
	close(refusal[1]);
	*out = (struct nt_spawn){ .pid = pid, .gate_fd = gate[1], .refusal_fd = refusal[0] };
	if (error)
		nt_spawn_close(out);
	return error;
}

int nt_spawn_execute(struct nt_spawn *spawn)
{
	/* It may have been killed meanwhile. */
	int error = write(spawn->gate_fd, "", 1) == 1 ? 0 : errno;
	/* Nothing to read: exec closed the pipe. */
	while (read(spawn->refusal_fd, &error, sizeof(error)) < 0 && errno == EINTR)
		continue;
	nt_spawn_close(spawn);
	return error;
}

void nt_spawn_close(struct nt_spawn *spawn)
{
	if (spawn->gate_fd < 0)
		return;
	close(spawn->gate_fd);
	close(spawn->refusal_fd);
	spawn->gate_fd = spawn->refusal_fd = -1;
}
