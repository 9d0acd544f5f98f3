/* SPDX-License-Identifier: GPL-2.0-only */
/* The eight tiles: what each says, apart from where it is drawn (header.c). */
#ifndef NT_UI_TILES_H
#define NT_UI_TILES_H

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
	int fact_cells;                   /* room for them */
	bool events_lost;                 /* runtime events were lost in the interval: rates and counts are lower bounds */
};

/* One tile. Texts of the target in it are escaped. */
void nt_tile_make(enum nt_subject_id id, const struct nt_tile_input *input, struct nt_tile *out);

#endif
