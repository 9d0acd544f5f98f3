/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two LTTng daemons. The session daemon is the machine's (or the user's): found when it runs, else started; other people's is left alone. The
 * relay is always one of our own: on loopback, on free ports, writing into our folder, ending with the thread that started it.
 */
#ifndef NT_SOURCE_LTTNG_DAEMONS_H
#define NT_SOURCE_LTTNG_DAEMONS_H

#include "source/lttng/lttng_child.h"

/*
 * Find the session daemon that liblttng-ctl would talk to: the machine's, else that of $LTTNG_HOME or $HOME. Opens and closes a connection to
 * it. *out: its process; pid 0 when it is in a pid namespace that nettop cannot see. NT_ERR_ABSENT: none answers. NT_ERR_FORBIDDEN: the
 * machine's answers only root and the group tracing, and there is none of our own.
 */
enum nt_status nt_lttng_sessiond_find(struct nt_lttng_process *out);

/*
 * Start `lttng-sessiond --no-kernel` as a child; it answers a little later. It does not end with nettop by itself: others may use it by then.
 * `note` as in struct nt_lttng_child_setup.
 */
enum nt_status nt_lttng_sessiond_start(void (*note)(void *context, const struct nt_lttng_process *child), void *note_context,
				       struct nt_lttng_process *out, struct nt_error *err);

/*
 * Where nettop has given up rights, its keeper is asked by these verbs to fork a daemon, and the child is one of these, with its starter at the socket `fd` (lttng_child.h). The
 * argument of a relay is what it is to be started with.
 */
#define NT_LTTNG_SESSIOND_VERB "start-sessiond"
#define NT_LTTNG_RELAYD_VERB   "start-relayd"
_Noreturn void nt_lttng_sessiond_become(int fd);
_Noreturn void nt_lttng_relay_become(const char *argument, int fd);

/* The consumer daemon of a session daemon: its child. False: none runs. */
bool nt_lttng_consumerd_find(const struct nt_lttng_process *sessiond, struct nt_lttng_process *out);

/* A relay of ours. */
struct nt_lttng_relay {
	struct nt_lttng_process process;             /* our child */
	uint16_t control_port, data_port, live_port; /* on 127.0.0.1 */
	char *folder;                                /* owned: path of its output and health socket, below our runtime folder */
};

/*
 * Start one that writes below runtime_dir. It listens a little later: ask nt_lttng_relay_listens(). Must be called from the thread that
 * uses it: the relay is killed when that thread ends.
 */
enum nt_status nt_lttng_relay_start(const char *runtime_dir, struct nt_lttng_relay *out, struct nt_error *err);

bool nt_lttng_relay_listens(const struct nt_lttng_relay *relay);

/* Kill it, remove its folder. Harmless on a zeroed or ended one. */
void nt_lttng_relay_end(struct nt_lttng_relay *relay);

#endif
