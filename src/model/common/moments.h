/* SPDX-License-Identifier: GPL-2.0-only */
/* When the samples in a tree of call stacks were taken, one by one, in bounded memory: those that come when it is full are counted only. */
#ifndef NT_MODEL_MOMENTS_H
#define NT_MODEL_MOMENTS_H

#include "model/common/trie.h"
#include "nettop/stacks.h"

enum { NT_MOMENTS_MAX = 1 << 20 }; /* 16 MB: 44 minutes of four busy CPUs at the usual rate */

/* All zero is empty. Their nodes are numbers of the trie. */
struct nt_moments {
	struct nt_stack_moment *items; /* owned */
	size_t count, capacity;
	uint64_t lost; /* samples that came when it was full */
};

void nt_moments_fini(struct nt_moments *moments);
void nt_moments_add(struct nt_moments *moments, nt_time time, uint32_t node, uint32_t samples);

/* The trie's nodes have other numbers: as nt_trie_evict() returned them (NULL: there are none). */
void nt_moments_renumber(struct nt_moments *moments, const uint32_t *numbers);

/* In order of time. */
void nt_moments_sort(struct nt_moments *moments);

#endif
