/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots as nodes of bytes: each row, text and list is one, whoever points at it has its number instead, and equal ones are there once. So what does not change from one interval to
 * the next (a thousand compilations, the collections of an hour) takes four bytes a row. Nodes of a kind lie together: so rows can be written column by column (node_columns.h). Not thread
 * safe.
 */
#ifndef NT_MODEL_PAST_NODES_H
#define NT_MODEL_PAST_NODES_H

#include "base/index.h"
#include "model/past/shape.h"

enum nt_node_form {
	NT_NODE_TEXT,
	NT_NODE_ROW,     /* one struct of the shape; what it points to are numbers */
	NT_NODE_ROWS,    /* an array of such that have no pointers */
	NT_NODE_NUMBERS, /* a list of rows: their numbers, four bytes each */
};

struct nt_node_kind {
	const struct nt_shape *shape; /* NULL = texts */
	enum nt_node_form form;
};

/* Which kinds there are. They get more, in the order in which they come: what was written with fewer can still be read. All zero has none. */
struct nt_node_kinds {
	struct nt_node_kind *items; /* owned */
	size_t count, capacity;
	struct nt_index by_shape;
};

void nt_node_kinds_fini(struct nt_node_kinds *kinds); /* leaves none */

/* The index of a kind, which is added where it is new. */
size_t nt_node_kind(struct nt_node_kinds *kinds, const struct nt_shape *shape, enum nt_node_form form);

/* The size of what nodes of this kind consist of: a struct, a number, a byte. */
size_t nt_node_unit(const struct nt_node_kind *kind);

/* Nodes of one kind, one after the other. */
struct nt_node_list {
	unsigned char *bytes; /* owned */
	size_t used, capacity;
	uint32_t *ends; /* owned: where node number i + 1 ends, in bytes. Of NT_NODE_ROW there are none */
	size_t count, end_capacity;
};

struct nt_nodes;

/* Where rows of lists of shapes that are logged (shape.h) are kept, in place of among the nodes that have the lists. */
struct nt_rows_elsewhere {
	/* The number of the row, not 0. One that is equal, with all that its pointers lead to, has the same. Copies what it needs. */
	uint32_t (*put)(struct nt_rows_elsewhere *rows, const struct nt_shape *shape, const void *row);

	/* The nodes, valid until the next put, in which the row of this number is the one with the number *node. It is there. */
	const struct nt_nodes *(*find)(struct nt_rows_elsewhere *rows, uint32_t number, uint32_t *node);
};

/* All zero but for the kinds is empty. */
struct nt_nodes {
	struct nt_node_kinds *kinds;         /* borrowed */
	struct nt_rows_elsewhere *elsewhere; /* borrowed; NULL = all rows are here */
	uint32_t oldest_elsewhere;           /* the lowest number of a row that is; 0 = none is */
	struct nt_node_list *lists;          /* owned: by kind */
	size_t list_count, list_capacity;
	size_t used; /* bytes of all nodes */
	struct nt_index by_bytes;
};

void nt_nodes_fini(struct nt_nodes *nodes); /* leaves empty ones of the same kinds, whose rows are elsewhere as before */

/* What all of it takes. */
size_t nt_nodes_bytes(const struct nt_nodes *nodes);

/* The nodes of this kind: valid until those of another kind are asked for. */
struct nt_node_list *nt_nodes_of(struct nt_nodes *nodes, size_t kind);

/* Room for a node of so many bytes at the end of a list of its own: to be filled. */
unsigned char *nt_node_add(struct nt_nodes *nodes, size_t kind, size_t size);

/* The bytes of a node that there is. */
const unsigned char *nt_node_at(const struct nt_nodes *nodes, size_t kind, uint64_t number, size_t *size);

/* The number of the node that the struct at `from` has become, among rows of that shape, from 1 on. Copies what it needs. */
uint32_t nt_nodes_put(struct nt_nodes *nodes, const struct nt_shape *shape, const void *from);

#endif
