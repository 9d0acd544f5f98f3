/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots as nodes of bytes: each row, text and list is one, whoever points at it has its number instead, and equal ones are there once. So what does not change from one interval to
 * the next (a thousand compilations, the collections of an hour) takes four bytes a row. Not thread safe.
 */
#ifndef NT_MODEL_PAST_NODES_H
#define NT_MODEL_PAST_NODES_H

#include "base/index.h"
#include "model/past/shape.h"

/* All zero is empty. */
struct nt_nodes {
	unsigned char *bytes; /* owned: one after the other */
	size_t used, capacity;
	size_t *ends; /* owned: of node number i + 1 */
	size_t count, end_capacity;
	struct nt_index by_bytes;
};

void nt_nodes_fini(struct nt_nodes *nodes); /* leaves an empty one */

/* The number of the node that the struct at `from` has become, from 1 on. Copies what it needs. */
uint32_t nt_nodes_put(struct nt_nodes *nodes, const struct nt_shape *shape, const void *from);

#endif
