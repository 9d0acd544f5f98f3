/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits for locks by a number: that of the lock, or of the thread that held it. Bounded: where least was waited goes into the row of the others. */
#ifndef NT_MODEL_LOCK_GROUPS_H
#define NT_MODEL_LOCK_GROUPS_H

#include "base/texts.h"
#include "model/common/span.h"
#include "model/sites/sites.h"
#include "nettop/snapshot.h"

enum { NT_LOCK_GROUPS = 128 }; /* rows, that of the others included */

struct nt_lock_group {
	uint64_t key; /* 0 = not said; NT_LOCK_OTHERS */
	struct nt_lock_group_row row;
	struct nt_site site;
	nt_site_ref stack;     /* of the site that leads; 0 = not known */
	uint64_t site_lead_ns; /* majority vote of Boyer and Moore, by time */
	uint32_t owner_tid;    /* likewise, by waits */
	uint64_t owner_lead;
	double window_count, window_spent_ns;
};

#define NT_LOCK_OTHERS UINT64_MAX

/* All zero is an empty one. */
struct nt_lock_groups {
	struct nt_lock_group *items; /* owned; in no order */
	size_t count, capacity;
	uint64_t made; /* rows, ever */
};

void nt_lock_groups_fini(struct nt_lock_groups *groups);

/* The lock of that key is a new one: the type of the former is not its type. */
void nt_lock_groups_forget_type(struct nt_lock_groups *groups, uint64_t key);

/* When the interval closes: begin; */
void nt_lock_groups_settle(struct nt_lock_groups *groups, struct nt_sites *stacks);

/* then each wait: time spent at a place, in the interval; `stack` was kept. The item is valid until the next one. */
struct nt_lock_group *nt_lock_groups_spend(struct nt_lock_groups *groups, uint64_t key, uint32_t owner_tid, const struct nt_site *site,
					   nt_site_ref stack, nt_time spent_ns);

/* that wait has ended, or goes on; */
void nt_lock_group_ended(struct nt_lock_group *group, nt_time wait_ns);
void nt_lock_group_waiting(struct nt_lock_group *group);

/* then fill rows, most waited for since attach first, in the snapshot, and begin the next interval. `window_s`: weighted length of the window. */
size_t nt_lock_groups_close(struct nt_lock_groups *groups, struct nt_sites *stacks, const struct nt_span *span, nt_time covered_ns,
			    double window_s, struct nt_snapshot *snapshot, struct nt_lock_group_row **rows);

/* Visit the texts that are kept. */
void nt_lock_groups_each_text(const struct nt_lock_groups *groups, nt_text_visit *visit, void *context);

#endif
