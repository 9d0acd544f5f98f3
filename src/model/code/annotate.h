/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/code: one method's instructions, and where they come from. */
/*
 * Where in one method the samples were. The addresses of the newest samples of all methods are kept at any time, so that the first look has something to
 * show; from then on every sample of the method counts.
 */
#ifndef NT_MODEL_ANNOTATE_H
#define NT_MODEL_ANNOTATE_H

#include "base/index.h"
#include "base/texts.h"
#include "model/code/assembly.h"
#include "model/code/origin.h"
#include "model/common/span.h"
#include "nettop/snapshot.h"
#include "symbol/resolver.h"

struct nt_annotate_recent {
	uint64_t address; /* of user code; 0 = none */
	nt_time time;
	unsigned samples; /* that it tells of */
};

struct nt_annotate_place {
	uint64_t address;
	uint64_t count;
	nt_time newest; /* of its samples */
};

enum {
	NT_ANNOTATE_RECENT = 1 << 13, /* samples, a power of two */
	NT_ANNOTATE_PLACES = 1 << 14, /* instructions told apart; further ones do not count */
};

struct nt_annotate {
	struct nt_resolver *resolver;      /* borrowed */
	struct nt_annotate_recent *recent; /* owned; a ring of NT_ANNOTATE_RECENT */
	size_t next;                       /* in the ring */
	uint64_t method;                   /* 0 = none: nothing below */
	struct nt_annotate_place *places;  /* owned */
	size_t place_count, place_capacity;
	struct nt_index place_of; /* address -> index */

	uint64_t asked_from, asked_to; /* the code wanted; 0 = none yet */
	nt_time asked;
	struct nt_assembly assembly; /* the answer */
	struct nt_origin origin;
};

void nt_annotate_init(struct nt_annotate *annotate, struct nt_resolver *resolver);
void nt_annotate_fini(struct nt_annotate *annotate);

/* See struct nt_ev_look. */
void nt_annotate_turn_to(struct nt_annotate *annotate, uint64_t method);

/* A sample whose leaf is at `address` in user code, in the row `method`. */
void nt_annotate_sample(struct nt_annotate *annotate, uint64_t address, nt_time time, unsigned samples, uint64_t method);

/* What was said about code; `reason`: its text, the table's. The event's lines are within the batch. */
void nt_annotate_answer(struct nt_annotate *annotate, const struct nt_ev_assembly *said, const struct nt_batch *batch, const char *reason);

/* Fill the snapshot's part, and add a question to those there are already when bytes are wanted. */
void nt_annotate_close(struct nt_annotate *annotate, const struct nt_span *span, uint32_t pid, struct nt_snapshot *snapshot,
		       struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_annotate_each_text(const struct nt_annotate *annotate, nt_text_visit *visit, void *context);

#endif
