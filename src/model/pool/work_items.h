/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long work items waited, by what is told of each while somebody looks: from the moment when it was enqueued to the moment when a worker took it. Both say its hash code,
 * which others may have as well: the first that was enqueued is the first that is taken. What was taken and not told as enqueued is counted as unmatched.
 *
 * Bounded: of those that wait the newest NT_WORK_ITEMS_OPEN are known; an older one is forgotten and counted as unmatched. A task that runs on the thread that waits for it is
 * never told as taken; it is forgotten in the same way. After a loss nothing is known of those that were enqueued before.
 */
#ifndef NT_MODEL_WORK_ITEMS_H
#define NT_MODEL_WORK_ITEMS_H

#include "base/index.h"
#include "base/texts.h"
#include "model/common/histogram.h"
#include "model/common/span.h"
#include "nettop/snapshot.h"

enum {
	NT_WORK_ITEMS_OPEN = 1 << 18, /* a power of two */
	NT_WORK_ITEM_CLASSES = 8,     /* rows: by how long they waited */
};

/* One that was enqueued. */
struct nt_work_item {
	uint64_t id;
	nt_time time;  /* 0 = it has been taken */
	uint32_t next; /* place of the next one of this id, NT_INDEX_NONE = none */
	uint32_t last; /* of the first of its id: place of the last one */
};

struct nt_work_item_counts {
	uint64_t unmatched, classes[NT_WORK_ITEM_CLASSES];
	nt_time covered_ns;
	struct nt_histogram waits;
};

/* All zero is one that has been told nothing. */
struct nt_work_items {
	struct nt_work_item *ring;             /* owned: NT_WORK_ITEMS_OPEN of them; NULL = none has been told */
	uint64_t begin, end;                   /* the oldest that is kept, the next one: number n is at n % NT_WORK_ITEMS_OPEN */
	uint64_t open_count;                   /* of these, those that have not been taken */
	struct nt_index by_id;                 /* place of the first of each id */
	struct nt_work_item_counts *now, *all; /* owned: the open interval; closed ones. NULL = they have never been told */
	nt_time told_since;                    /* 0 = they are not told now */
	nt_time opened;                        /* when the open interval began */
	bool asked;                            /* whoever tells them is asked to */
	struct nt_why lacks;                   /* why they are not, although somebody may want them */
};

void nt_work_items_fini(struct nt_work_items *items);

/* What EventPipe says of that: it is asked for them, or why it is not. Texts are the table's. */
void nt_work_items_source(struct nt_work_items *items, bool asked, const struct nt_why *lacks);

/* They are told from that time on, or no longer: COVER. */
void nt_work_items_covered(struct nt_work_items *items, bool covered, nt_time time);

/* Some were lost: LOST. */
void nt_work_items_lost(struct nt_work_items *items);

/* A POOL_ITEM event. */
void nt_work_items_apply(struct nt_work_items *items, const struct nt_event *event);

/* The interval ends: fill figures and rows. `cannot`: why whoever tells them cannot be asked at all; no reason = he can. */
void nt_work_items_close(struct nt_work_items *items, const struct nt_span *span, const struct nt_why *cannot, struct nt_snapshot *snapshot,
			 struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_work_items_each_text(const struct nt_work_items *items, nt_text_visit *visit, void *context);

#endif
