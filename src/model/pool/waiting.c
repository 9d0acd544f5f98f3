// SPDX-License-Identifier: GPL-2.0-only
#include "model/pool/waiting.h"

/* So long a look holds when none follows it. */
static const nt_time fresh_ns = 3 * NT_NS_PER_S;

static void add_up(struct nt_pool_waiting *waiting, nt_time time, nt_time seen)
{
	nt_time end = time < seen + fresh_ns ? time : seen + fresh_ns;
	if (waiting->queued.known && end > waiting->until) {
		waiting->item_ns += waiting->queued.v * (double)(end - waiting->until);
		waiting->told_ns += end - waiting->until;
	}
	if (time > waiting->until)
		waiting->until = time;
}

void nt_pool_waiting_seen(struct nt_pool_waiting *waiting, nt_time time, struct nt_f64 queued)
{
	if (time < waiting->seen)
		return;
	add_up(waiting, time, waiting->seen);
	waiting->queued = queued;
	waiting->seen = time;
}

/* Rounded; a wait that is no number of nanoseconds is none. */
static struct nt_u64 mean(double item_ns, double done)
{
	static const double longest_ns = 1e18;
	double wait_ns = done > 0 ? item_ns / done : 0;
	return wait_ns > 0 && wait_ns < longest_ns ? nt_u64_of((uint64_t)(wait_ns + 0.5)) : (struct nt_u64){ 0 };
}

void nt_pool_waiting_close(struct nt_pool_waiting *waiting, const struct nt_span *span, struct nt_f64 done_per_s, struct nt_u64 *interval,
			   struct nt_u64 *total)
{
	add_up(waiting, span->t1, waiting->seen);
	if (done_per_s.known) {
		double done = done_per_s.v * (double)waiting->told_ns / (double)NT_NS_PER_S;
		*interval = mean(waiting->item_ns, done);
		waiting->total_item_ns += waiting->item_ns;
		waiting->total_done += done;
	}
	*total = mean(waiting->total_item_ns, waiting->total_done);
	waiting->item_ns = 0;
	waiting->told_ns = 0;
}
