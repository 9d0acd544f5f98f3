/* SPDX-License-Identifier: GPL-2.0-only */
/* Sampled allocations by the place of the program that allocates. Bounded: the places that allocated least become one row. */
#ifndef NT_MODEL_ALLOC_SITES_H
#define NT_MODEL_ALLOC_SITES_H

#include "base/index.h"
#include "base/texts.h"
#include "model/sites/sites.h"
#include "nettop/snapshot.h"

enum {
	NT_ALLOC_SITES = 256, /* rows, "(other sites)" included */
	NT_ALLOC_FROM = 4096, /* pairs of type and stack in an interval; beyond, it is not kept where it came from */
};

/* What was allocated of a type from a stack in the open interval. */
struct nt_alloc_from {
	uint32_t type; /* the owner's index */
	nt_site_ref stack;
	struct nt_alloc_sums sums;
};

struct nt_alloc_site {
	struct nt_alloc_row row; /* as last shown, with the sums of the open interval; `type`: leads among those that are allocated here */
	struct nt_site site;
	nt_site_ref stack; /* the newest one with this site */
	double type_lead;  /* bytes */
};

/* All zero is an empty one. */
struct nt_alloc_sites {
	struct nt_alloc_site *items; /* owned; in no order */
	size_t count, capacity;
	uint64_t made; /* rows, ever */

	struct nt_alloc_from *from; /* owned */
	size_t from_count, from_capacity;
	struct nt_index by_pair; /* type and stack -> from */
};

void nt_alloc_sites_fini(struct nt_alloc_sites *sites);

/* A sample; `stack` 0: not known where from. */
void nt_alloc_sites_sampled(struct nt_alloc_sites *sites, uint32_t type, nt_site_ref stack, const struct nt_alloc_sums *sums);

/* When the interval closes: begin; then each pair with the name of its type; then fill the rows, most bytes of the window first, and begin the next interval. */
void nt_alloc_sites_settle(struct nt_alloc_sites *sites, struct nt_sites *stacks);
void nt_alloc_sites_add(struct nt_alloc_sites *sites, struct nt_sites *stacks, const struct nt_alloc_from *from, const char *type);
void nt_alloc_sites_close(struct nt_alloc_sites *sites, struct nt_sites *stacks, double decay, struct nt_snapshot *snapshot,
			  struct nt_process_snapshot *process);

/* Sampling begins anew, and with it the window. */
void nt_alloc_sites_begin(struct nt_alloc_sites *sites);

/* The interval of some figures is over: it goes into the window and the total. */
void nt_alloc_figures_close(struct nt_alloc_figures *figures, double decay);

/* Visit the texts that are kept. */
void nt_alloc_sites_each_text(const struct nt_alloc_sites *sites, nt_text_visit *visit, void *context);

#endif
