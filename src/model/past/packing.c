// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/packing.h"

#include "base/alloc.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* What an interval has in common with others the columns have found already: so zstd need not look farther back than one, and its tables are small. With both it takes PACKER_BYTES. */
enum { LEVEL = 3, WINDOW_LOG = 18, HASH_LOG = 14, CHAIN_LOG = 13, PACKER_BYTES = 1200 << 10, FIRST = 64 << 10 };

static void begin(struct nt_packing *packing)
{
	if (packing->packer)
		return;
	packing->packer = ZSTD_createCCtx();
	nt_assert(packing->packer);
	ZSTD_CCtx_setParameter(packing->packer, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(packing->packer, ZSTD_c_windowLog, WINDOW_LOG);
	ZSTD_CCtx_setParameter(packing->packer, ZSTD_c_hashLog, HASH_LOG);
	ZSTD_CCtx_setParameter(packing->packer, ZSTD_c_chainLog, CHAIN_LOG);
}

void nt_packing_forget(struct nt_packing *packing)
{
	nt_nodes_fini(&packing->nodes);
	nt_columns_writer_fini(&packing->columns);
	if (packing->packer)
		ZSTD_CCtx_reset(packing->packer, ZSTD_reset_session_only);
	packing->size = packing->column_bytes = 0;
}

void nt_packing_fini(struct nt_packing *packing)
{
	nt_nodes_fini(&packing->nodes);
	nt_columns_writer_fini(&packing->columns);
	ZSTD_freeCCtx(packing->packer);
	free(packing->bytes);
	*packing = (struct nt_packing){ .nodes = packing->nodes };
}

size_t nt_packing_bytes(const struct nt_packing *packing)
{
	return nt_nodes_bytes(&packing->nodes) + nt_columns_writer_bytes(&packing->columns) + ZSTD_sizeof_CCtx(packing->packer) +
	       packing->capacity;
}

size_t nt_packing_most(size_t node_bytes)
{
	return PACKER_BYTES + 2 * node_bytes;
}

/* Pack these bytes behind those that are packed. */
static void pack(struct nt_packing *packing, const void *bytes, size_t size, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = { .src = bytes, .size = size };
	size_t left;
	begin(packing);
	do {
		if (packing->capacity - packing->size < FIRST)
			packing->bytes = nt_grow(packing->bytes, &packing->capacity, packing->size + FIRST, 1);
		ZSTD_outBuffer out = { .dst = packing->bytes, .size = packing->capacity, .pos = packing->size };
		left = ZSTD_compressStream2(packing->packer, &out, &in, how);
		nt_assert(!ZSTD_isError(left));
		packing->size = out.pos;
	} while (in.pos < in.size || (how == ZSTD_e_end && left));
}

void nt_packing_write(struct nt_packing *packing)
{
	nt_columns_write(&packing->columns, &packing->nodes);
	packing->column_bytes += packing->columns.used;
	pack(packing, packing->columns.bytes, packing->columns.used, ZSTD_e_continue);
}

uint32_t nt_packing_put(struct nt_packing *packing, const struct nt_snapshot *snapshot)
{
	uint32_t node = nt_nodes_put(&packing->nodes, &nt_snapshot_shape, snapshot);
	nt_packing_write(packing);
	return node;
}

void nt_packing_end(struct nt_packing *packing, struct nt_packed *packed)
{
	pack(packing, NULL, 0, ZSTD_e_end);
	*packed = (struct nt_packed){ .size = packing->size, .node_bytes = packing->nodes.used, .column_bytes = packing->column_bytes };
	packed->bytes = memcpy(nt_realloc(NULL, packing->size, 1), packing->bytes, packing->size);
	nt_packing_forget(packing);
}

void nt_packed_open(const struct nt_packed *packed, struct nt_nodes *nodes)
{
	unsigned char *columns = nt_realloc(NULL, packed->column_bytes, 1);
	size_t made = ZSTD_decompress(columns, packed->column_bytes, packed->bytes, packed->size);
	nt_assert(made == packed->column_bytes);
	nt_columns_read(columns, made, nodes);
	free(columns);
}
