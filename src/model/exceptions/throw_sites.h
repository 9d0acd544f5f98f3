/* SPDX-License-Identifier: GPL-2.0-only */
/* Exceptions by the place of the program that throws them. Bounded: the places that threw least become one row. */
#ifndef NT_MODEL_THROW_SITES_H
#define NT_MODEL_THROW_SITES_H

#include "base/texts.h"
#include "model/sites/sites.h"

enum { NT_THROW_SITES = 256 }; /* rows, "(other sites)" included */

struct nt_throw_site {
	uint64_t id;
	struct nt_site site;
	nt_site_ref stack; /* the newest one with this site */
	const char *type;  /* the table's: leads among those that were thrown here */
	uint64_t type_lead;
	uint64_t interval_count, count;
	struct nt_trend trend;
	bool shown; /* in a snapshot before */
};

/* All zero is an empty one. */
struct nt_throw_sites {
	struct nt_throw_site *items; /* owned; in no order */
	size_t count, capacity;
	uint64_t made; /* rows, ever */
};

void nt_throw_sites_fini(struct nt_throw_sites *sites);

/* When the interval closes: begin; then `count` exceptions of a type from each stack; then fill the rows and begin the next interval. */
void nt_throw_sites_settle(struct nt_throw_sites *sites, struct nt_sites *stacks);
void nt_throw_sites_add(struct nt_throw_sites *sites, struct nt_sites *stacks, nt_site_ref stack, const char *type, uint64_t count);
void nt_throw_sites_close(struct nt_throw_sites *sites, struct nt_sites *stacks, struct nt_snapshot *snapshot,
			  struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_throw_sites_each_text(const struct nt_throw_sites *sites, nt_text_visit *visit, void *context);

#endif
