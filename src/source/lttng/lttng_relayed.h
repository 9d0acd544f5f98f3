/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All sessions that other hosts, or this one, send to one relay (lttng-relayd): nettop attaches to each as a viewer, makes none, enables nothing and sends no command to any host. A thread of its own, because babeltrace2 waits for the
 * relay without limit.
 *
 * Each host has its own CLOCK_MONOTONIC. The times of a session are moved onto nettop's by one number, the same for as long as nettop is attached: by how much its messages were behind at most when it came. So times of one host keep their
 * distances, and one host is compared with another no better than that: how long a message is on its way at least.
 */
#ifndef NT_SOURCE_LTTNG_RELAYED_H
#define NT_SOURCE_LTTNG_RELAYED_H

#include "nettop/event.h"
#include "nettop/status.h"

struct nt_lttng_relayed;

/* Processes have numbers of nettop's: that of the host, which may be another host's, too, in the lowest bits, and above which session it is of. */
enum { NT_RELAYED_PID_BITS = 22, NT_RELAYED_GROUPS = 1 << (32 - NT_RELAYED_PID_BITS) };
static inline uint32_t nt_relayed_pid(uint32_t number)
{
	return number & ((1u << NT_RELAYED_PID_BITS) - 1);
}

/* A process that has told of itself. */
struct nt_relayed_process {
	uint32_t number; /* in events */
	bool attached;   /* its session is being read; else all of it has come up to: */
	nt_time told_until;
	int64_t clock_offset_ns; /* by how much its host's clock of the wall is ahead of ours, at most; LTTng reads it when the session begins */
	char host[128], session[256], name[64];
};

/* `url`: net://HOST[:PORT][/]. Begins to connect; *out is the caller's. Errors: it is no such URL, or no thread is to be had. */
enum nt_status nt_lttng_relayed_open(const char *url, struct nt_lttng_relayed **out, struct nt_error *err);

/* Main thread: as of a source. Batches are in nettop's times; the first event of a process is its NT_EV_TARGET. */
int nt_lttng_relayed_fd(const struct nt_lttng_relayed *relayed);
struct nt_batch *nt_lttng_relayed_take(struct nt_lttng_relayed *relayed); /* NULL: nothing now */
void nt_lttng_relayed_give_back(struct nt_lttng_relayed *relayed, struct nt_batch *batch);

/* A copy of the processes that there have been; the caller's. */
struct nt_relayed_process *nt_lttng_relayed_processes(struct nt_lttng_relayed *relayed, size_t *count);

/* What is wrong with the relay or its sessions now, one sentence; "" = nothing. Borrowed until the next call. */
const char *nt_lttng_relayed_says(struct nt_lttng_relayed *relayed);

void nt_lttng_relayed_close(struct nt_lttng_relayed *relayed); /* NULL is allowed */

#endif
