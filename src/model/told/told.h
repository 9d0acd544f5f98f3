/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/told: events one by one, while somebody looks. */
/*
 * Rows of events for whoever looks at them (nettop/told_row.h): what was chosen by name, from TOLD events, or what the sources bring anyway. Nothing is made of
 * them: figures are those of the subjects.
 *
 * Bounded: NT_TOLD_ROWS rows and NT_TOLD_KEPT_BYTES of texts are kept, in blocks that snapshots share, because nothing in them changes any more; the oldest block goes as
 * a whole. NT_TOLD_KINDS kinds of events are counted apart, the others together. All of it is given back when nobody looks any more.
 */
#ifndef NT_MODEL_TOLD_H
#define NT_MODEL_TOLD_H

#include "base/index.h"
#include "model/common/ids.h"
#include "model/common/span.h"
#include "model/sites/sites.h"
#include "nettop/snapshot.h"
#include "symbol/names.h"

enum {
	NT_TOLD_KEPT_BYTES = 8 << 20,
	NT_TOLD_BLOCK_ROWS = 500,
	NT_TOLD_BLOCK_BYTES = 1 << 20,
	NT_TOLD_BLOCKS = 64, /* one may be of an interval with few */
	NT_TOLD_KINDS = 256,
	NT_TOLD_ANYWAY = 2000, /* rows of what comes anyway, in an interval; the others are counted */
};

/* A block that is filled: texts are places in `bytes`. */
struct nt_told_open {
	struct nt_told_row *rows;      /* owned; their texts are not set yet */
	struct nt_told_places *places; /* owned; of each row */
	size_t count, row_capacity, place_capacity;
	char *bytes; /* owned */
	size_t used, capacity;
};

/* The call stack of a row. */
struct nt_told_from {
	uint64_t id; /* of the row */
	nt_site_ref stack;
};

struct nt_told_tally {
	struct nt_told_kind_row row; /* its text is the table's */
	bool shown;
};

struct nt_told_state {
	enum nt_tell_what what;
	enum nt_telling_state state;
	const char *patterns; /* the table's; NULL = none */
	const char *note;     /* likewise */
	struct nt_why why;    /* the table's */
	nt_time since;
	struct nt_told_open open;
	struct nt_row_block *blocks[NT_TOLD_BLOCKS]; /* each a reference; oldest first */
	size_t block_rows[NT_TOLD_BLOCKS];
	size_t block_count;
	size_t row_count, byte_count; /* of the blocks */
	uint64_t next_id, gone_count, fresh_from;
	struct nt_told_tally *kinds; /* owned */
	size_t kind_count, kind_capacity;
	struct nt_index by_name; /* hash of the text -> kind */
	bool with_stacks;
	struct nt_told_from *stacks; /* owned ring: the one with number n is at n % NT_TOLD_STACKS; NULL = none came */
	uint64_t stacks_made;
	size_t anyway;        /* rows of what comes anyway, in the open interval; */
	uint64_t anyway_more; /* those that have none, */
	nt_time anyway_until; /* the last of them */
	/* Of the open interval, and since it was chosen what is told. */
	uint64_t count, more_count, lost_count, count_all, more_all, lost_all;
	bool lost_some, lost_some_all; /* nobody knows how many */
};

void nt_told_init(struct nt_told_state *told);
void nt_told_fini(struct nt_told_state *told);

/* TELL: what is shown from now on. `patterns`, `note`: the table's; NULL = none. */
void nt_told_turn_to(struct nt_told_state *told, nt_time time, const struct nt_ev_tell *tell, const char *patterns, const char *note);

/* TOLD, TOLD_MORE, TELLING: an event for which nt_event_is_told() holds, with the batch that brings it, and its call stack. */
void nt_told_apply(struct nt_told_state *told, const struct nt_batch *batch, const struct nt_event *event, nt_site_ref stack,
		   const struct nt_ids *ids, const struct nt_names *names);

/* Any other event, of that source: it is shown if it is the runtime's, and what comes anyway is looked at. */
void nt_told_see(struct nt_told_state *told, enum nt_source_id source, const struct nt_event *event, const struct nt_ids *ids,
		 const struct nt_names *names);

/* LOST, of those that were chosen, before that time. */
void nt_told_lost(struct nt_told_state *told, const struct nt_ev_lost *lost, nt_time time);

/* Fill rows and figures (call stacks into the snapshot), and start the next interval. */
void nt_told_close(struct nt_told_state *told, const struct nt_span *span, struct nt_sites *sites, struct nt_snapshot *snapshot,
		   struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_told_each_text(const struct nt_told_state *told, nt_text_visit *visit, void *context);

/* told_anyway.c: the fields of an event as nettop has it, as lines. The caller's. */
char *nt_told_anyway_lines(const struct nt_event *event, const struct nt_ids *ids, const struct nt_names *names);

#endif
