/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was allocated, by type, from AllocationSampled events. They come only while somebody looks, so every sum goes with the time for which it was
 * sampled; the window begins anew when sampling does.
 */
#ifndef NT_MODEL_ALLOCATIONS_H
#define NT_MODEL_ALLOCATIONS_H

#include "base/index.h"
#include "model/alloc/alloc_sites.h"
#include "model/common/span.h"
#include "model/sites/site_counts.h"
#include "nettop/snapshot.h"
#include "symbol/names.h"

enum {
	NT_ALLOC_TYPES = 1024, /* rows; beyond: "(other types)" */
};

struct nt_alloc_type {
	struct nt_alloc_row row;     /* as last shown, with the sums of the open interval */
	struct nt_site_counts sites; /* bytes */
	uint64_t type_id;            /* of one that may be within another type, which nobody has said yet: its number; else 0 */
	uint64_t own_name;           /* nt_type_names_own() */
	unsigned asked;              /* how often that was asked for */
};

struct nt_allocations {
	struct nt_alloc_type *items; /* owned; in no order */
	size_t count, capacity;
	struct nt_index by_type;     /* id: a hash of the name, and of its number where there may be several of that name -> item */
	struct nt_alloc_sites sites; /* from where, by item */
	struct nt_alloc_sampling sampling;
	nt_time begun, ended; /* when sampling began and ended last */
	nt_time since;        /* the same, or the open interval's begin: of any use while sampling.on */
	nt_time last_sample;  /* newest */
	bool promised;        /* a source says that it samples: silence means that nothing was allocated */
};

void nt_allocations_init(struct nt_allocations *allocations);
void nt_allocations_fini(struct nt_allocations *allocations);

/* A source that brings what it is asked for (EventPipe) says how it is, and by that whether it samples. */
void nt_allocations_source(struct nt_allocations *allocations, const struct nt_ev_source_state *state, nt_time time);

/* An ALLOC_SAMPLED event, or an ALLOC_TICK that stands for one; `type`: its type's name; `stack` 0: not known where. */
void nt_allocations_sampled(struct nt_allocations *allocations, const struct nt_event *event, nt_text_ref type, nt_site_ref stack,
			    const struct nt_names *names);

/* The answer to a question for NT_TYPES_IMAGE: what the type of that number is called, with what is around it; `length` 0: it cannot be read. */
void nt_allocations_typed(struct nt_allocations *allocations, uint64_t type_id, const char *raw, size_t length,
			  const struct nt_names *names);

/* Add questions for types that may be within others to those of the process. */
void nt_allocations_ask(struct nt_allocations *allocations, uint32_t pid, struct nt_process_snapshot *process);

/* Fill rows (their stacks into the snapshot) and sums, most bytes of the window first, and start the next interval. */
void nt_allocations_close(struct nt_allocations *allocations, const struct nt_span *span, struct nt_sites *sites,
			  struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_allocations_each_text(const struct nt_allocations *allocations, nt_text_visit *visit, void *context);

#endif
