/* SPDX-License-Identifier: GPL-2.0-only */
/* Snapshots that become bytes, one after the other: what is new in each is written in columns and packed with zstd as it comes, so that no frame waits for all. */
#ifndef NT_MODEL_PAST_PACKING_H
#define NT_MODEL_PAST_PACKING_H

#include "model/past/node_columns.h"
#include "model/past/nodes.h"
#include "nettop/snapshot.h"

/* Several snapshots. All zero is none. */
struct nt_packed {
	unsigned char *bytes; /* owned */
	size_t size;
	size_t node_bytes, column_bytes; /* of their nodes; of these in columns */
};

/* While they come. All zero but for the kinds is empty. */
struct nt_packing {
	struct nt_nodes nodes; /* of all: they can be raised */
	struct nt_columns_writer columns;
	struct ZSTD_CCtx_s *packer; /* owned */
	unsigned char *bytes;       /* owned: packed so far */
	size_t size, capacity, column_bytes;
};

void nt_packing_fini(struct nt_packing *packing); /* leaves an empty one */

/* What all of it takes. */
size_t nt_packing_bytes(const struct nt_packing *packing);

/* What it will take when it has nodes of so many bytes, about: their room doubles as they come. */
size_t nt_packing_most(size_t node_bytes);

/* Pack the nodes that are new: others than snapshots are put among them before. */
void nt_packing_write(struct nt_packing *packing);

/* The number of the node that the snapshot has become. Copies what it needs. */
uint32_t nt_packing_put(struct nt_packing *packing, const struct nt_snapshot *snapshot);

/* That was the last one. Leaves an empty one, which has its buffers still. */
void nt_packing_end(struct nt_packing *packing, struct nt_packed *packed);

/* Whatever came is forgotten; likewise. */
void nt_packing_forget(struct nt_packing *packing);

/* The nodes of all, to be raised. `nodes` is empty. */
void nt_packed_open(const struct nt_packed *packed, struct nt_nodes *nodes);

#endif
