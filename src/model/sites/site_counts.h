/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where something comes from most: a few counters in fixed memory, by the Space-Saving algorithm of Metwally, Agrawal and El Abbadi. A site that is
 * behind more than a quarter of it has a counter; how much it is behind is never said too low.
 */
#ifndef NT_MODEL_SITE_COUNTS_H
#define NT_MODEL_SITE_COUNTS_H

#include "base/texts.h"
#include "model/sites/sites.h"

enum { NT_SITE_COUNTS = 4 };

struct nt_site_count {
	struct nt_site site;
	nt_site_ref stack; /* the newest one with this site; 0 = no longer kept */
	uint64_t count;    /* 0 = the counter is free */
};

/* All zero is an empty one. */
struct nt_site_counts {
	struct nt_site_count items[NT_SITE_COUNTS];
};

/* `count` more came from `stack`. All of these between settle and sweep only. */
void nt_site_counts_add(struct nt_site_counts *counts, struct nt_sites *sites, nt_site_ref stack, uint64_t count);

/* Once in every close. `active`: something was added in this interval; else only the stack of the first is kept, and the names of all. */
void nt_site_counts_keep(struct nt_site_counts *counts, struct nt_sites *sites, bool active);

/* The counter that says most; its count is 0 when nothing is known. */
const struct nt_site_count *nt_site_counts_first(const struct nt_site_counts *counts);

/* Visit the texts that are kept. */
void nt_site_counts_each_text(const struct nt_site_counts *counts, nt_text_visit *visit, void *context);

#endif
