/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * New nodes written down so that zstd has little left to do: of each kind apart, rows column by column, each value as its difference from a prediction (predict.h). The row before one is the
 * last with the same first word, which of most rows is their id, else the last of that kind; how far back it is is written, too.
 *
 * A batch: for each kind the number of new nodes; where it is not 0 the sizes of nodes that may have any; then texts as they are, numbers each as the difference from the one before, of rows how
 * far back the row before is (0 = there is none) and the columns. All numbers are LEB128, differences zigzag.
 */
#ifndef NT_MODEL_PAST_NODE_COLUMNS_H
#define NT_MODEL_PAST_NODE_COLUMNS_H

#include "model/past/nodes.h"

/* What was written of nodes. All zero: nothing. */
struct nt_columns_writer {
	size_t *counts; /* owned: of each kind so many nodes are written */
	size_t kind_count, kind_capacity;
	struct nt_index by_word; /* the last row of that kind with this first word */
	unsigned char *bytes;    /* owned: the last batch */
	size_t used, capacity;
};

void nt_columns_writer_fini(struct nt_columns_writer *writer); /* leaves one that has written nothing */

/* What all of it takes. */
size_t nt_columns_writer_bytes(const struct nt_columns_writer *writer);

/* Write all nodes that are not written yet to `bytes`. */
void nt_columns_write(struct nt_columns_writer *writer, const struct nt_nodes *nodes);

/* Add the nodes of all these batches, from the first one on, to nodes that are empty. They can be raised; nothing can be put among them. */
void nt_columns_read(const unsigned char *bytes, size_t size, struct nt_nodes *nodes);

#endif
