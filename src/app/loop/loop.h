/* SPDX-License-Identifier: GPL-2.0-only */
/* Room app/loop: the one place that waits, and who ends it. */
/* The one place that waits: epoll over signals, a timer, and the descriptors of whoever has news. */
#ifndef NT_APP_LOOP_H
#define NT_APP_LOOP_H

#include "nettop/clock.h"
#include "nettop/status.h"

struct nt_loop;

enum nt_wake {
	NT_WAKE_TIMER = 1,  /* the time of nt_loop_wake_at() has come */
	NT_WAKE_FD = 2,     /* a watched descriptor is readable */
	NT_WAKE_SIGNAL = 4, /* ask nt_loop_signal() */
	NT_WAKE_HANGUP = 8, /* the terminal is gone */
};

enum nt_status nt_loop_new(struct nt_loop **out, struct nt_error *err);
void nt_loop_free(struct nt_loop *loop); /* NULL is allowed */

/* The next NT_WAKE_TIMER is at this time, in place of the one before; once. A time that has passed counts as now. */
void nt_loop_wake_at(struct nt_loop *loop, nt_time time);

/* Watch for readability; the descriptor stays the caller's and must outlive the watch. */
enum nt_status nt_loop_watch(struct nt_loop *loop, int fd, struct nt_error *err);

/* The same for the terminal: the only one whose hang-up is NT_WAKE_HANGUP. */
enum nt_status nt_loop_watch_terminal(struct nt_loop *loop, int fd, struct nt_error *err);

void nt_loop_unwatch(struct nt_loop *loop, int fd);

/* Wait for something; returns a set of enum nt_wake. */
unsigned nt_loop_wait(struct nt_loop *loop);

/* The next signal that came, or 0. One that ends is told to the guard. */
int nt_loop_signal(struct nt_loop *loop);

/*
 * All that came are taken: was one among them that ends? For who does nothing at any other. `may_stop`: Ctrl-Z stops nettop there and then, and this returns when it goes on; it would do harm where a
 * process has to wait for nettop: there it is kept for nt_loop_stop_behind().
 */
bool nt_loop_interrupted(struct nt_loop *loop, bool may_stop);

/* No process waits any more: if Ctrl-Z was kept meanwhile, nettop stops now; this returns when it goes on. */
void nt_loop_stop_behind(struct nt_loop *loop);
bool nt_loop_stops_behind(const struct nt_loop *loop); /* was one kept? */

#endif
