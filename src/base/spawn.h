/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program that is forked first and executed on a word. In between its pid is known and can be noted; if we end before the word, it ends, too, and has
 * executed nothing. Which program may be executed is not for rights of nettop's own file to say (base/plain_rights.h).
 */
#ifndef NT_BASE_SPAWN_H
#define NT_BASE_SPAWN_H

#include <sys/types.h>

struct nt_spawn {
	pid_t pid;      /* our child: to be collected */
	int gate_fd;    /* for the word; -1 = there is no more to say */
	int refusal_fd; /* the errno value of what failed on the way to the program; closed by exec */
};

/* As a shell has it. */
enum { NT_SPAWN_NOT_EXECUTED = 126, NT_SPAWN_NOT_FOUND = 127 };

struct nt_spawn_setup {
	char *const *argv; /* [0] is a path, or a name to look for in $PATH; ends with NULL */
	char *const *environment;
	/*
	 * In the child, after the word: what it needs besides, and keep_fd must stay open. Returns 0 or an errno value. Async-signal-safe calls only, because
	 * other threads of ours may hold any lock.
	 */
	int (*prepare)(const void *context, int keep_fd);
	const void *context;
};

/* Fork. What the setup refers to is copied with all memory. Returns 0 or an errno value; then there is no child. */
int nt_spawn_start(const struct nt_spawn_setup *setup, struct nt_spawn *out);

/*
 * The word. Returns 0 when the program is executed, else the errno value of what failed: the child has ended, or is about to, with one of the statuses above.
 * SIGPIPE must be ignored.
 */
int nt_spawn_execute(struct nt_spawn *spawn);

/* Without the word it ends. It may have been told, or closed before. */
void nt_spawn_close(struct nt_spawn *spawn);

#endif
