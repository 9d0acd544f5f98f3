/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/common: figures over time; frames' ids; what several subjects count with. */
/*
 * What the ids of one (source, epoch) mean: texts and call chains as announced by the source's batches. Ids come from outside (a recording may
 * say anything): an id that was not announced means "none", an announcement that points outside its batch is ignored.
 */
#ifndef NT_MODEL_IDS_H
#define NT_MODEL_IDS_H

#include "nettop/event.h"
#include "symbol/names.h"

struct nt_ids;

/*
 * A call chain, and what has been made of it. The second part belongs to cpu.c: which rows the chain counts for, and the samples that may have
 * to move to other rows when a name comes.
 */
struct nt_chain {
	struct nt_ids *ids;        /* the table that owns it */
	const uint64_t *addresses; /* leaf first */
	uint16_t count, kernel_count;

	uint16_t frame_count; /* distinct rows; frames[0] is the leaf's. 0 = not resolved yet */
	bool provisional;     /* a frame may get a better name */
	bool waiting;         /* is in the list of chains to look at again */
	bool reusable;        /* a frame is code whose place is soon used again */
	bool awaited;         /* of a frame it is about to be known what was there */
	bool complete;        /* it goes back to where its thread begins */
	bool cut;             /* its source could take no more frames: nt_ev_sample.cut */
	uint32_t version;     /* of the code map when it was resolved */
	uint8_t purpose;      /* of its code: nt_purpose_of_code() */
	uint32_t own;         /* row of the first frame that is the program's own, else of the leaf */
	uint32_t *frames;     /* row << 3 | tier; room for `count` */
	uint16_t whole_count; /* 0 = no row is in it more than once; else how many frames it has with all recursion: */
	uint32_t *whole;      /* likewise; room for `count`, NULL = none has been seen in it yet */
	nt_time valid_from, valid_to;

	nt_time open_time;     /* of the newest sample below */
	uint64_t open_samples; /* counted for `frames` while provisional */
	double open_window;    /* their weight in the window when open_interval closed */
	uint64_t open_interval;
	uint32_t open_times; /* the newest of theirs, see open_times.h; 0 = none */
	uint64_t look_again; /* interval number */
	uint32_t look_gap;   /* intervals until the next time, doubling */

	uint32_t fresh_samples; /* of the interval that is being closed, until the first of them is counted */
	uint32_t unsaid;        /* of that interval, counted for `frames` but not yet in their rows */

	/*
	 * Of stacks.c: in which thread its samples were last counted, and at which node, by which numbering of the nodes; 0 = they wait for names, and
	 * `stack_place` is where.
	 */
	uint32_t stack_thread, stack_place, stack_generation;

	/* Of samples_kept.c: its stack there, in the interval of that generation; 0 = none. */
	uint32_t kept_stack, kept_generation;

	uint32_t noted; /* of sites.c: its reference in the open interval; 0 = none */

	struct nt_chain *moved; /* where it is now, if its table was packed */
	struct nt_chain *twin;  /* the same addresses for another kind of samples; NULL = none */
	uint8_t user;           /* the kind of samples that it counts for, and 1; 0 = none yet */
};

struct nt_ids {
	uint32_t epoch;
	bool of_process;    /* not of the source: another process's have nothing to do with them */
	unsigned refs;      /* events that wait for their interval and use it */
	unsigned waiting;   /* chains that wait for names: it stays for them, but not at any price */
	bool packed;        /* has only the chains that waited when its epoch had ended */
	nt_time retired;    /* end of the interval in which its epoch ended */
	nt_text_ref *texts; /* owned; by id */
	size_t text_count, text_capacity, texts_announced;
	struct nt_chain **chains; /* owned array; by id; the chains lie in the arena */
	size_t chain_count, chain_capacity, chains_announced;
	void *arena;         /* owned: struct nt_arena */
	struct nt_ids *next; /* in the list of retired tables */
};

struct nt_ids *nt_ids_new(uint32_t epoch);
void nt_ids_free(struct nt_ids *ids); /* NULL is allowed */

/* Take in the announcements of a batch of this epoch. */
void nt_ids_announce(struct nt_ids *ids, const struct nt_batch *batch, struct nt_heap *heap);

/* A table of the same epoch whose ids mean the same: nothing of what was made of the chains is in it. Its texts are in `heap`. */
struct nt_ids *nt_ids_copy(const struct nt_ids *from, const struct nt_heap *from_heap, struct nt_heap *heap);

/* The text of an id as heap reference; 0 when there is none. `ids` may be NULL in these. */
nt_text_ref nt_ids_text(const struct nt_ids *ids, nt_str id);

/* The chain of an id; NULL when there is none. */
struct nt_chain *nt_ids_chain(const struct nt_ids *ids, nt_stack id);

/* The same for samples of one kind (enum nt_sample_kind), which makes of it what is its own. `ids` may be NULL. */
struct nt_chain *nt_ids_chain_of(struct nt_ids *ids, nt_stack id, unsigned kind);

/* A chain of the same addresses in this table, of which nothing has been made yet; `like` may end before it. */
struct nt_chain *nt_ids_adopt(struct nt_ids *ids, const struct nt_chain *like);

/*
 * Of a table whose epoch has ended, and to whose ids nobody refers any more, keep only some chains: nt_ids_begin_packing(), nt_ids_keep() for each, which returns
 * where it is from now on (the same place every time), nt_ids_end_packing() with what was returned first.
 */
void *nt_ids_begin_packing(struct nt_ids *ids);
struct nt_chain *nt_ids_keep(struct nt_chain *chain);
void nt_ids_end_packing(void *before);

void nt_ids_each_ref(struct nt_ids *ids, nt_ref_visit *visit, void *context);

#endif
