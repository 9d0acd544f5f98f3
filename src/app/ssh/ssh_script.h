/* SPDX-License-Identifier: GPL-2.0-only */
/* Room app/ssh: nettop on another machine, over ssh. */
/* What is executed on the far side: two scripts for a POSIX shell, and the line that the login shell there, whichever it is, starts the second with. */
#ifndef NT_APP_SSH_SCRIPT_H
#define NT_APP_SSH_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

/* Says which machine it is and where nettop is; nt_far_answer_read() takes it. It is given to `sh` at its standard input, so nothing in it is quoted for a shell. */
extern const char nt_ssh_look_script[];

/*
 * The line for a copy: makes a folder of its own there (0700), in the first place that has room for so many bytes and where files may be executed (the folder for temporary files, /var/tmp, the home, /dev/shm), unpacks what comes at standard input, tries whether it runs, says the folder, or removes it. When nothing is started in it within half a minute, it is removed, too: we may be gone by then.
 * The exit status says what failed. The caller's.
 */
enum nt_ssh_copied { NT_SSH_COPIED, NT_SSH_NO_FOLDER = 10, NT_SSH_NOT_UNPACKED, NT_SSH_DOES_NOT_RUN };
char *nt_ssh_copy_line(const char *loader, size_t bytes);

struct nt_ssh_start {
	const char *loader; /* in that folder: loads nettop with the libraries that are there; NULL = that of the machine */
	const char *folder; /* removed when nettop has ended; NULL = none */
	bool input_is_watch; /* nettop is told to end when standard input ends: without a terminal nobody else would say that the connection is gone */
	const char *host;  /* what this machine calls it; nettop there says so in commands */
	const char *ctype; /* the locale for characters, where the far side has set none */
	char *const *argv; /* nettop, or what starts it, and its arguments; ends with NULL */
};

/* The line: the caller's. */
char *nt_ssh_start_line(const struct nt_ssh_start *start);

#endif
