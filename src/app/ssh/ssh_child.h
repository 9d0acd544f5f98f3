/* SPDX-License-Identifier: GPL-2.0-only */
/* One run of the ssh program: a child of ours, and its standard streams. */
#ifndef NT_APP_SSH_CHILD_H
#define NT_APP_SSH_CHILD_H

#include <sys/types.h>

#include "nettop/status.h"

enum nt_ssh_streams {
	NT_SSH_STREAMS_CARRIED,   /* pipes, all three */
	NT_SSH_STREAMS_WATCHED,   /* standard output is ours, the others pipes; in a group of its own, so that Ctrl-C is ours to take */
	NT_SSH_STREAMS_TERMINAL,  /* all are ours */
	NT_SSH_STREAMS_OURS_ALONE /* none: /dev/null */
};

enum { NT_SSH_WORDS_MAX = 32 }; /* of one command line */

struct nt_ssh_child {
	pid_t pid;
	int pidfd;        /* readable when it has ended */
	int in, out, err; /* our ends, non-blocking; -1 = none, or closed */
};

/* `words` end with NULL, and are copied; [0] is looked for in $PATH. SIGPIPE must be ignored. It ends with us. UNSUPPORTED: there is no such program. */
enum nt_status nt_ssh_child_start(struct nt_ssh_child *child, const char *const *words, enum nt_ssh_streams streams, struct nt_error *err);

void nt_ssh_child_close(int *fd);

/* SIGTERM: ssh puts the terminal right. */
void nt_ssh_child_kill(struct nt_ssh_child *child);

/* Waits for its end; its exit status, 128 and the signal when one ended it, as a shell has it. */
int nt_ssh_child_end(struct nt_ssh_child *child);

#endif
