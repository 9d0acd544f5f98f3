/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long a work item waits before a worker takes it, by Little's law: the mean of how many wait, divided by how many are done a second. Nobody has to tell of single items for that, so it costs the program nothing.
 * It is an estimate: the queue is known at the looks only, and where it grows or shrinks more come than are done, or fewer.
 */
#ifndef NT_MODEL_POOL_WAITING_H
#define NT_MODEL_POOL_WAITING_H

#include "model/common/span.h"
#include "nettop/known.h"

struct nt_pool_waiting {
	struct nt_f64 queued; /* at the newest look; it holds until the next one, or until it is too old */
	nt_time seen;         /* when that was */
	nt_time until;        /* added up to here */
	double item_ns;       /* in the open interval: time that items have waited, */
	nt_time told_ns;      /* and for how long of it their number was known */
	double total_item_ns, total_done;
};

/* So many wait at `time`. Not `known`: a look that did not find out. One from before the newest changes nothing. */
void nt_pool_waiting_seen(struct nt_pool_waiting *waiting, nt_time time, struct nt_f64 queued);

/*
 * The interval ends; `done_per_s`: items done a second. `interval` and `total` are not known where that is not, where nothing was done, and where no look saw an item wait: then all that is known is that they wait less
 * long than looks are apart.
 */
void nt_pool_waiting_close(struct nt_pool_waiting *waiting, const struct nt_span *span, struct nt_f64 done_per_s, struct nt_u64 *interval,
			   struct nt_u64 *total);

#endif
