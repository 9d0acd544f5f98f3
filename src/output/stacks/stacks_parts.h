/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/stacks: call stacks for other tools. */
/* What the formats of call stacks have in common. Inside src/output/ only. */
#ifndef NT_OUTPUT_STACKS_PARTS_H
#define NT_OUTPUT_STACKS_PARTS_H

#include <stdio.h>

#include "output/stacks/stacks_write.h"

/* One writer a format. */
void nt_stacks_write_folded(FILE *out, const struct nt_stacks *stacks);
void nt_stacks_write_flamegraph(FILE *out, const struct nt_stacks *stacks);
void nt_stacks_write_speedscope(FILE *out, const struct nt_stacks *stacks);
void nt_stacks_write_pprof(FILE *out, const struct nt_stacks *stacks);
void nt_stacks_write_perf_script(FILE *out, const struct nt_stacks *stacks);

enum { NT_STACKS_LABEL = 4096, NT_STACKS_DEPTH = 1 + 1024 /* a thread, and as many frames as sources take */ };

/*
 * Text of the target in buf, NUL-terminated: control characters are made visible, `separator` (0 = none) becomes a colon. NULL gives "". Returns the
 * length.
 */
size_t nt_stacks_safe(const char *text, char separator, char *buf, size_t size);

/*
 * What a frame is called, likewise safe: of managed code with its tier, `Shop.Cart.Total() [tier1]`; of a thread with its number, `.NET TP Worker/4711`,
 * because several have the same name, and before it what happened in it, where several things are asked for: `page-faults: .NET TP Worker/4711`.
 */
void nt_stacks_label(const struct nt_stacks *stacks, const struct nt_stack_frame *frame, char separator, char *buf, size_t size);

/* What is counted, in plural: "samples", or what happened where that is one thing. The unit of a thread's weights; NULL = they are samples. */
const char *nt_stacks_noun(const struct nt_stacks *stacks);
const char *nt_stacks_unit(const struct nt_stacks *stacks, const struct nt_stack_frame *thread);

/* How many samples ended in a node, as a whole number. */
uint64_t nt_stacks_samples(const struct nt_stack_node *node);

/* Of each node its thread, the node at the root of its stack. The caller's: free() it. */
uint32_t *nt_stacks_threads(const struct nt_stack_tree *tree);

/* The frames of a node's stack, the thread first, into frames[0..NT_STACKS_DEPTH); of a deeper one the outermost. Returns how many. */
uint32_t nt_stacks_walk(const struct nt_stack_tree *tree, uint32_t node, uint32_t frames[NT_STACKS_DEPTH]);

#endif
