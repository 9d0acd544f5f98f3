/* SPDX-License-Identifier: GPL-2.0-only */
/* The tiles: what each says, on the screen and in text (src/output/columns/tiles.c). */
#ifndef NETTOP_TILE_H
#define NETTOP_TILE_H

#include "nettop/snapshot.h"

enum { NT_TILE_HEADLINE_CELLS = 8, NT_TILE_HEADLINE_BYTES = 64, NT_FACTS_BYTES = 512, NT_REASON_BYTES = 512 };

struct nt_tile {
	const char *label;
	char headline[NT_TILE_HEADLINE_BYTES]; /* "" = not known */
	char facts[NT_FACTS_BYTES];            /* as many as fit */
	bool facts_full;                       /* one did not fit: none follows, they come in the order of their weight */
	char reason[NT_REASON_BYTES];          /* why nothing is known; "" = something is */
};

/* What a tile may depend on. */
struct nt_tile_input {
	const struct nt_figures *figures; /* of the interval */
	bool wide;                        /* long facts */
	bool whole;                       /* and those that a screen has elsewhere */
	int fact_cells;                   /* room for them */
	bool events_lost;                 /* runtime events were lost in the interval: rates and counts are lower bounds */
};

/* Were events of the runtime lost in the interval, by the source that brings most of them? */
bool nt_tile_events_lost(const struct nt_snapshot *snapshot);

/* One tile. Texts of the target in it are escaped. */
void nt_tile_make(enum nt_subject_id id, const struct nt_tile_input *input, struct nt_tile *out);

#endif
