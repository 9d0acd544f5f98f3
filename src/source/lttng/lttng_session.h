/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Our LTTng session, through liblttng-ctl. That library is not thread-safe and waits for the session daemon without limit: every function here is
 * for the worker thread only.
 */
#ifndef NT_SOURCE_LTTNG_SESSION_H
#define NT_SOURCE_LTTNG_SESSION_H

#include <stddef.h>
#include <sys/types.h>

#include "source/lttng/lttng_daemons.h"
#include "source/lttng/lttng_name.h"

struct nt_lttng_session;
struct nt_lttng_chosen;

struct nt_lttng_session_setup {
	const char *name;                   /* unique: re-use of a name right after its destruction can confuse the relay */
	const struct nt_lttng_relay *relay; /* where the data goes; it listens */
	unsigned live_timer_us;
	const struct nt_lttng_chosen *chosen; /* enabled in place of the curated events; NULL = those */
	/*
	 * The only processes that may emit, in the session daemon's pid namespace (LTTng calls it "virtual", which it is not). None = it is not known yet which:
	 * all processes of `uid` may.
	 */
	const uint32_t *pids; /* borrowed during the call */
	size_t pid_count;
	uid_t uid;
};

/* Is liblttng-ctl there? Without it the functions below that return no status do nothing, and find nothing. */
enum nt_status nt_lttng_session_ready(struct nt_error *err);

/*
 * Make a live session with one channel and the curated events enabled, not started: a viewer attaches first, then nt_lttng_session_start().
 * On error nothing is left. *out is the caller's.
 */
enum nt_status nt_lttng_session_create(const struct nt_lttng_session_setup *setup, struct nt_lttng_session **out, struct nt_error *err);

enum nt_status nt_lttng_session_start(struct nt_lttng_session *session, struct nt_error *err);

/* Stop emitting and flush: on return every event that will ever come has a time before now. */
enum nt_status nt_lttng_session_stop(struct nt_lttng_session *session, struct nt_error *err);

/* What nettop enables, one pattern after the other, AllocationSampled among them; NULL past the end. */
const char *nt_lttng_session_pattern(size_t index);

/* Switch AllocationSampled, 90 % of all events, on or off. */
enum nt_status nt_lttng_session_want_alloc(struct nt_lttng_session *session, bool on, struct nt_error *err);

/* Destroy it in the daemon (when it still answers) and free it. NULL is allowed. */
void nt_lttng_session_end(struct nt_lttng_session *session);

/* Which of the processes with these pids (of the session daemon's namespace) have registered with it? What has not emits nothing. */
void nt_lttng_registered(const uint32_t *pids, bool *registered, size_t count);

/* Has it the runtime's provider? Then the events of its sessions are declared, or are being so. */
bool nt_lttng_provides(uint32_t pid);

/* Destroy the sessions of dead nettops of our pid namespace. */
void nt_lttng_sweep(const struct nt_lttng_owner *self);

/* Sessions of any kind in the daemon; negative = it does not answer. */
int nt_lttng_session_count(void);

/* Shared-memory size of one of the channel's sub-buffers, so that all of all CPUs stay within 64 MB. */
uint64_t nt_lttng_subbuf_bytes(unsigned cpu_count);
enum { NT_LTTNG_SUBBUF_COUNT = 4 };

/* Shared memory that a session takes for the events of all CPUs. */
uint64_t nt_lttng_rings_bytes(void);

#endif
