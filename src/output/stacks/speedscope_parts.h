/* SPDX-License-Identifier: GPL-2.0-only */
/* What all files of speedscope have in common. */
#ifndef NT_OUTPUT_SPEEDSCOPE_PARTS_H
#define NT_OUTPUT_SPEEDSCOPE_PARTS_H

#include <stdio.h>

#include "output/stacks/stacks_write.h"

/* From the file's begin to the last frame of the tree, each at its number: further frames may follow. */
void nt_speedscope_begin(FILE *out, const struct nt_stacks *stacks);

/* The stack of a node, as numbers of its frames. */
void nt_speedscope_put_stack(FILE *out, const struct nt_stack_tree *tree, uint32_t node);

#endif
