/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The runtime's own list of its methods (a rundown), and which code would need it: what nothing else names. It costs the target something, so a place is a need once:
 * what is not in the list then never will be.
 */
#ifndef NT_SYMBOL_LISTED_H
#define NT_SYMBOL_LISTED_H

#include "base/index.h"
#include "symbol/ranges.h"

/* Places that are remembered: pieces of 64 bytes. Beyond, nothing is a need any more. */
enum { NT_LISTED_PLACES = 1 << 16, NT_LISTED_PLACE_SHIFT = 6 };

struct nt_listed {
	struct nt_ranges methods;
	struct nt_index places; /* that were a need */
	/* Since the last list was asked for there were new places: in generated code, in images that could not be read. */
	bool code_needs, image_needs;
};

void nt_listed_init(struct nt_listed *listed, bool (*same)(const struct nt_range *, const struct nt_range *, const void *),
		    const void *context);
void nt_listed_fini(struct nt_listed *listed);

/* Code at `address` was sampled and has no name. `needs`: set when it is a new place. */
void nt_listed_want(struct nt_listed *listed, uint64_t address, bool *needs);

#endif
