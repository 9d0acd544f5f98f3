/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guard: a thread that ends nettop when the main thread does not. Signals are blocked and taken by the loop, when it comes to that: a main thread that hangs, in a decoder,
 * a foreign library or a write that nobody reads, would never. So the guard sees a signal that is to end nettop waiting, or is told that it was taken, and gives the
 * main thread the rest of two seconds. Then it lets the keeper put things right and ends the process. It takes no lock of others, and allocates nothing.
 *
 * One in a process. What it cannot end is a thread that waits for a disk: until that answers, the kernel keeps the process for whoever waits for it.
 */
#ifndef NT_APP_GUARD_H
#define NT_APP_GUARD_H

#include "app/keeper/keeper.h"

/* From the signal to the end, with the time that the keeper has for the terminal. */
enum { NT_GUARD_END_MS = 1750 };

/*
 * Signals must be blocked already. `keeper` is borrowed until nt_guard_stop(). `child`: the leader of the process group that a signal is for first, 0 = none; one that waits in
 * vain is then passed on to it, and from when the main thread takes one the end is its own, because it waits for the program's.
 */
enum nt_status nt_guard_start(struct nt_keeper *keeper, pid_t child, struct nt_error *err);

/* The main thread has taken a signal that is to end nettop. Without a guard nothing happens. */
void nt_guard_taken(void);

/*
 * With which status a process ends that the guard ends; OK at first: who shows what there is until somebody ends him has done that. Not so a command whose work is of no use before its end. Without a
 * guard nothing happens.
 */
void nt_guard_unfinished(int exit_status);

/*
 * Around what is written to standard output and is of use only as a whole: a guard that ends the process waits a moment for its end (80 ms, then nobody reads it). From the
 * main thread; does not return when the guard is just ending the process.
 */
void nt_guard_line_begins(void);
void nt_guard_line_ends(void);

/* Before the keeper is ended. Does not return when the guard is just ending the process. Without a guard nothing happens. */
void nt_guard_stop(void);

#endif
