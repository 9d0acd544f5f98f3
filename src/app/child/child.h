/* SPDX-License-Identifier: GPL-2.0-only */
/* Room app/child: a program that nettop has started. */
/*
 * The program that nettop starts: forked first, executed when everything is ready to watch it. It is in a process group of its own, so that
 * what is typed at the terminal reaches nettop alone, which passes it on.
 */
#ifndef NT_APP_CHILD_H
#define NT_APP_CHILD_H

#include <sys/types.h>

#include "app/keeper/keeper.h"

struct nt_child;

struct nt_child_setup {
	char *const *argv;        /* [0] is looked for in $PATH; ends with NULL. Borrowed until it is executed */
	char *const *environment; /* likewise */
	int in, out, err;         /* its standard streams; they stay the caller's */
	struct nt_keeper
		*keeper; /* borrowed for the child's life: lets it go on when nettop is killed while both are stopped. NULL = none */
};

/* Fork it; it waits. Must be called before threads exist. If nettop ends before nt_child_execute(), it ends, too. *out is the caller's. */
enum nt_status nt_child_start(const struct nt_child_setup *setup, struct nt_child **out, struct nt_error *err);

/*
 * Let it execute the program. On an error it has ended, the sentence says why, and nt_child_status() is what a shell would say: 127 when there is
 * no such program, 126 when it cannot be executed.
 */
enum nt_status nt_child_execute(struct nt_child *child, struct nt_error *err);

pid_t nt_child_pid(const struct nt_child *child);

/* Readable when it has ended; the child's, for its life. -1 = the kernel has none. */
int nt_child_fd(const struct nt_child *child);

/* It stays to be seen in /proc, with its end, until nt_child_free(). */
bool nt_child_has_ended(const struct nt_child *child);

/* Pass a signal on to it and to all in its process group. */
void nt_child_signal(struct nt_child *child, int signal);

/*
 * A signal came that nettop would end by, or Ctrl-C was typed: the program goes first, and nettop follows it. False: there is no program (NULL), it
 * has ended or was told before; now it is nettop's turn.
 */
bool nt_child_interrupt(struct nt_child *child, int signal);

/* Ctrl-Z: the program, if there is one, and nettop stop, and go on together. Returns when they go on. */
void nt_child_stop_with_us(struct nt_child *child);

/* nettop ends before it: SIGTERM, also for one that is stopped or still waits. It has not ended on return. */
void nt_child_end(struct nt_child *child);

/* Did it end by itself, or because of a signal that was passed on? False: because of nt_child_end(). */
bool nt_child_ended_alone(const struct nt_child *child);

/* As the shell counts: its exit status, or 128 + the number of the signal that ended it. Only after it has ended. */
int nt_child_status(const struct nt_child *child);

/* "exit status 3", "killed by SIGSEGV". Only after it has ended. */
const char *nt_child_end_text(const struct nt_child *child, char *buf, size_t size);

void nt_child_free(struct nt_child *child); /* kills it if need be, and collects it; NULL is allowed */

#endif
