/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is sent to a collector, nettop's side: a process without rights (sender_process.h) posts one request after the other. A collector that does not take them is asked again, later each time; meanwhile the newest
 * wait, and what is older is dropped and counted.
 */
#ifndef NT_SERVE_SENDER_H
#define NT_SERVE_SENDER_H

#include "nettop/clock.h"
#include "nettop/status.h"

#include <stdbool.h>
#include <stddef.h>

struct nt_sender;

/* So many requests wait at most; the first wait for another try, and the longest, also where the collector says more. */
enum { NT_SENDER_WAITING_MAX = 8, NT_SENDER_FIRST_S = 1, NT_SENDER_LONGEST_S = 60 };

/* `http://collector:4318`: `/v1/metrics` is added where there is no path. USAGE: it is no such URL. *out is the caller's. */
enum nt_status nt_sender_open(const char *endpoint, struct nt_sender **out, struct nt_error *err);
void nt_sender_close(struct nt_sender *sender); /* what waits is dropped. NULL is allowed */

/* The URL. Borrowed. */
const char *nt_sender_url(const struct nt_sender *sender);

/* A request, which is copied. It waits for its turn. */
void nt_sender_put(struct nt_sender *sender, const void *bytes, size_t length);

/* Readable when the process has something to say; -1 = there is none now. */
int nt_sender_fd(const struct nt_sender *sender);

/*
 * Go on; never waits. What there is to tell a person is in *err, with AGAIN: that the collector takes nothing, and that it does again. *next: the time of the next call; NT_TIME_UNKNOWN = when the descriptor is readable.
 * NT_ERR_*: it cannot be had at all.
 */
enum nt_status nt_sender_pump(struct nt_sender *sender, nt_time now, nt_time *next, struct nt_error *err);

struct nt_sender_sums {
	uint64_t sent_count, dropped_count, waiting_count, end_count, cpu_ns;
};
struct nt_sender_sums nt_sender_sums(const struct nt_sender *sender);

#endif
