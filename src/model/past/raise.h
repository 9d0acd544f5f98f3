/* SPDX-License-Identifier: GPL-2.0-only */
/* A snapshot made again from its nodes. */
#ifndef NT_MODEL_PAST_RAISE_H
#define NT_MODEL_PAST_RAISE_H

#include "nettop/snapshot.h"

#include <stddef.h>
#include <stdint.h>

/* Nodes that were written, wherever they lie. Borrowed. */
struct nt_nodes_view {
	const unsigned char *bytes;
	const size_t *ends; /* of node number i + 1 */
	size_t count;
};

/* The snapshot whose node has this number: the caller's, with one reference; all of it is its own. */
struct nt_snapshot *nt_raise(const struct nt_nodes_view *nodes, uint32_t number);

#endif
