/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes whose events one LTTng session brings. The main thread fills the list before the worker starts; then it is the worker's alone, and no process comes any more: a reader that has begun
 * must not be told of further kinds of events (nt_lttng_may_view() says why).
 */
#ifndef NT_SOURCE_LTTNG_WATCHED_H
#define NT_SOURCE_LTTNG_WATCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nettop/clock.h"

struct nt_inner_tids;
struct nt_target;

enum { NT_LTTNG_WATCHED_MAX = 256 };

struct nt_lttng_watched {
	uint32_t pid, vpid;         /* in nettop's and in its own pid namespace; 0 = not known yet */
	uint64_t pid_ns;            /* inode of its pid namespace; 0 = not known: vpid alone says who it is */
	char *proc_dir;             /* owned; "/proc/PID" */
	int pidfd;                  /* owned; -1 = the kernel has none, or not known yet */
	struct nt_inner_tids *tids; /* owned; of the worker's thread; NULL before it runs */
	nt_time ended;              /* when its end was seen; 0 = it was not */
	bool over;                  /* its last word has been said */
};

struct nt_lttng_watched_list {
	struct nt_lttng_watched *items; /* owned */
	size_t count, capacity;
};

/* `is_known`: it is this process, not one that will descend from it. */
void nt_lttng_watched_add(struct nt_lttng_watched_list *list, const struct nt_target *target, bool is_known);
void nt_lttng_watched_remove(struct nt_lttng_watched_list *list, size_t index);
void nt_lttng_watched_fini(struct nt_lttng_watched_list *list);

/* `pid`, of nettop's own pid namespace, turned out to be the only one, which was not known. */
void nt_lttng_watched_learn(struct nt_lttng_watched_list *list, uint32_t pid);

/* Have all ended, or been given up? */
bool nt_lttng_watched_all_ended(const struct nt_lttng_watched_list *list);

/* The next of them that is not over; *at is 0 at first. NULL: there is no other. */
const struct nt_lttng_watched *nt_lttng_watched_next(const struct nt_lttng_watched_list *list, size_t *at);

#endif
