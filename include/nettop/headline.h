/* SPDX-License-Identifier: GPL-2.0-only */
/* The subjects, of which each owns one tile of the screen. */
#ifndef NETTOP_HEADLINE_H
#define NETTOP_HEADLINE_H

enum nt_headline {
	NT_HEADLINE_CPU,
	NT_HEADLINE_THREADS,
	NT_HEADLINE_GC,
	NT_HEADLINE_ALLOC,
	NT_HEADLINE_JIT,
	NT_HEADLINE_POOL,
	NT_HEADLINE_EXCEPTIONS,
	NT_HEADLINE_LOCKS,
	NT_HEADLINE_COUNT
};

#endif
