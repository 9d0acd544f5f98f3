/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a source without a worker thread collects its events: one interner, one batch being filled, one kept for re-use. One owner, one thread.
 * (A source with a worker has struct nt_channel instead.)
 */
#ifndef NT_SOURCE_OUTBOX_H
#define NT_SOURCE_OUTBOX_H

#include "base/interner.h"
#include "nettop/event.h"
#include "nettop/source.h"

struct nt_outbox {
	enum nt_source_id id;
	struct nt_interner *interner; /* owned */
	struct nt_batch *filling;     /* owned; NULL = nothing to deliver */
	struct nt_batch *spare;       /* owned; empty */
	struct nt_source_stats stats; /* of the batches that were taken; losses at once */
};

void nt_outbox_init(struct nt_outbox *box, enum nt_source_id id);
void nt_outbox_fini(struct nt_outbox *box);

/* The batch that is being filled: borrowed until nt_outbox_take(). */
struct nt_batch *nt_outbox_batch(struct nt_outbox *box);

/* Memory of what waits to be taken. */
size_t nt_outbox_bytes(const struct nt_outbox *box);

/* Append an event; as nt_batch_add(). */
struct nt_event *nt_outbox_add(struct nt_outbox *box, enum nt_event_kind kind, nt_time time, uint32_t pid, uint32_t tid);

/* The id of a NUL-terminated text, announced in the batch that is being filled; NULL and "" give 0. */
nt_str nt_outbox_str(struct nt_outbox *box, const char *text);

/* Append a SOURCE_STATE event. `open`: intervals wait for this source. reason and fix may be NULL. The result as of nt_outbox_add(). */
struct nt_event *nt_outbox_state(struct nt_outbox *box, nt_time time, uint32_t pid, enum nt_source_state state, bool open,
				 const char *reason, const char *fix);

/* Append a LOST event: until `time`. */
void nt_outbox_lost(struct nt_outbox *box, nt_time time, uint32_t pid, const struct nt_ev_lost *lost);

/*
 * What a SOURCE_STATE event says, its texts announced in the batch that it is in, whichever way that goes. Make the event first: a full batch is another one after that. reason and fix may be NULL.
 */
struct nt_ev_source_state nt_source_state_said(struct nt_interner *interner, struct nt_batch *batch, enum nt_source_state state, bool open,
					       const char *reason, const char *fix);

/* Count the events of a batch that tell of the target. */
void nt_source_stats_add(struct nt_source_stats *stats, const struct nt_batch *batch);

/* What drain() and give_back() do: hand over what was collected (NULL = nothing), and take the batch back. */
struct nt_batch *nt_outbox_take(struct nt_outbox *box);
void nt_outbox_give_back(struct nt_outbox *box, struct nt_batch *batch);

#endif
