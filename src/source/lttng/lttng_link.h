/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the main thread and the LTTng worker share: the order to the worker, its word about itself, the channel of batches. Has two owners, because
 * a worker that hangs in a frozen peer is left behind when nettop ends; the last owner frees it.
 */
#ifndef NT_SOURCE_LTTNG_LINK_H
#define NT_SOURCE_LTTNG_LINK_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "nettop/source.h"
#include "source/lttng/lttng_daemons.h"
#include "source/lttng/lttng_name.h"
#include "source/lttng/lttng_out.h"
#include "source/lttng/lttng_telling.h"
#include "target/launch/follow.h"

/* Orders only grow. */
enum nt_lttng_order {
	NT_LTTNG_RUN,
	NT_LTTNG_FINISH,  /* stop tracing, deliver what is left, end */
	NT_LTTNG_GIVE_UP, /* undo everything and end, deliver nothing */
};

enum nt_lttng_daemon { NT_LTTNG_SESSIOND, NT_LTTNG_CONSUMERD, NT_LTTNG_RELAYD, NT_LTTNG_DAEMON_COUNT };

struct nt_lttng_link {
	/* Set before the worker starts, then only read. */
	char *runtime_dir;                /* owned */
	char *foreign_session;            /* owned; read this session instead of one of our own; NULL = own */
	struct nt_lttng_telling *telling; /* owned; what is chosen by name is told, and nothing else enabled; NULL = the curated events */
	unsigned live_timer_us;
	struct nt_lttng_owner self;
	uid_t uid;                /* of all targets */
	bool early;               /* the target does not run yet: tracing begins before it does */
	struct nt_follow *follow; /* a share; which process is the target will be seen. NULL = it is known */

	/* Set before the worker starts, then only the worker's, who may learn it (follow). */
	struct nt_lttng_watched_list watched; /* owned */

	/* From the main thread to the worker. */
	int wake_fd; /* eventfd: look at the orders */
	atomic_uint order;
	atomic_uint demand;             /* enum nt_demand */
	_Atomic uint64_t running_since; /* early: nt_time from which on the target's silence means something; 0 = it may not run yet */

	atomic_bool was_cut; /* nt_lttng_link_cut() happened; the worker clears it when it connects again */

	/* From the worker to the main thread. */
	struct nt_channel *channel; /* owned */
	struct nt_lttng_out out;    /* the worker's; its counters are everybody's */
	_Atomic uint64_t cpu_ns;
	_Atomic uint64_t viewing_since; /* nt_time when the worker began a call that can hang in the relay; 0 = in none */
	atomic_uint live_port;          /* of the relay that is being read; 0 = none */
	atomic_bool traces;             /* the session has been started */
	atomic_bool ended;              /* nothing comes after what is in the channel */
	int ended_fd;                   /* eventfd: readable when the worker has ended */

	pthread_mutex_t lock;                                                     /* of what follows; held for moments only */
	struct nt_lttng_process daemons[NT_LTTNG_DAEMON_COUNT];                   /* that serve us now; pid 0 = none */
	void (*undo_note)(void *context, const char *verb, const char *argument); /* NULL: the worker was left behind, the keeper does it */
	void *undo_context;

	atomic_uint owners;
};

/* NULL when the system has no descriptors left (errno is set). One owner. */
struct nt_lttng_link *nt_lttng_link_new(const struct nt_source_config *config);
void nt_lttng_link_drop(struct nt_lttng_link *link); /* one owner less; NULL is allowed */

/* Main: raise the order, wake the worker. */
void nt_lttng_link_order(struct nt_lttng_link *link, enum nt_lttng_order order);

/* Worker: tell the keeper what must be undone, or ("-verb") need not be any more. */
void nt_lttng_link_note(struct nt_lttng_link *link, const char *verb, const char *argument);

/* Worker: which daemons serve us; NULL = none. */
void nt_lttng_link_set_daemon(struct nt_lttng_link *link, enum nt_lttng_daemon which, const struct nt_lttng_process *process);

/* Main: a copy of the above. */
void nt_lttng_link_daemons(struct nt_lttng_link *link, struct nt_lttng_process daemons[NT_LTTNG_DAEMON_COUNT]);

/*
 * Main: make a worker return that hangs in a frozen peer: kills our own relay, and shuts down the worker's connections to a relay and to the
 * session daemon. The worker sees them as lost.
 */
void nt_lttng_link_cut(struct nt_lttng_link *link);

/* From any thread: shut down what connects to a relay at that port (0 = none), or to a session daemon. */
void nt_lttng_shut_connections(unsigned live_port);

/* Main: the worker may be left behind from now on; its notes reach nobody. */
void nt_lttng_link_abandon(struct nt_lttng_link *link);

#endif
