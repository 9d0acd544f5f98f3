/* SPDX-License-Identifier: GPL-2.0-only */
/* What the resident memory of a process consists of, in the words of screen and report (src/output/columns/memory_parts.c). */
#ifndef NETTOP_MEMORY_PART_H
#define NETTOP_MEMORY_PART_H

#include "nettop/snapshot.h"

enum { NT_MEMORY_PARTS = 8, NT_MEMORY_PART_BYTES = 128 };

struct nt_memory_part {
	const char *name;
	unsigned depth;       /* of what stands above it with a smaller one it is a part; 0 = of nothing */
	struct nt_u64 bytes;  /* not known: nobody has told, or no more than a guess is to be had */
	bool at_least;        /* it may be more */
	struct nt_f64 of_pct; /* of what is resident; not known of what need not be, or is only a bound */
	const char *meaning;
};

/*
 * All parts in their order. Which pages are whose nobody asks the kernel: smaps would walk the page tables of the target. So what the GC has is what it had of the
 * system at its last collection, resident or not, and the rest of the anonymous memory a lower bound: thread stacks and native memory cannot be told apart.
 */
void nt_memory_parts(const struct nt_figures *figures, struct nt_memory_part parts[NT_MEMORY_PARTS]);

/* The line of a part without its meaning: name, size, share in columns of the same width. Returns `text`. */
const char *nt_memory_part_text(const struct nt_memory_part *part, char text[NT_MEMORY_PART_BYTES]);

#endif
