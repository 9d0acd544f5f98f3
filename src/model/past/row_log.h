/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows that are in the lists of hundreds of intervals and do not change any more, as collections are: kept once, for all chunks of intervals, which have their numbers instead; 64 bits of hash are taken for a row. With each chunk they would be packed anew: two thousand
 * collections are more than all that is new in thirty intervals. They are packed in blocks of rows that came after one another. Not thread safe.
 */
#ifndef NT_MODEL_PAST_ROW_LOG_H
#define NT_MODEL_PAST_ROW_LOG_H

#include "model/past/packing.h"

struct nt_logged_block;

struct nt_row_log {
	struct nt_rows_elsewhere rows;  /* first: whoever has it has the log */
	struct nt_packing open;         /* of the newest rows, as nodes */
	struct nt_logged_block *blocks; /* owned: the packed ones, oldest first */
	size_t block_count, block_capacity;
	uint32_t next;    /* the number of the next row; 0 is none's */
	uint64_t *hashes; /* owned: of the rows from `first` on */
	uint32_t *nodes;  /* owned: likewise, the number of its node in its block */
	uint32_t first;
	size_t row_capacity, node_capacity;
	struct nt_index by_hash;
};

/* Of nodes of these kinds, which are borrowed. */
void nt_row_log_init(struct nt_row_log *log, struct nt_node_kinds *kinds);
void nt_row_log_fini(struct nt_row_log *log); /* leaves an empty one of the same kinds */

/* What all of it takes, but for what is unpacked. */
size_t nt_row_log_bytes(const struct nt_row_log *log);

/* What was unpacked to be found. */
void nt_row_log_pack(struct nt_row_log *log);

/* Rows below this number are asked for no more. */
void nt_row_log_forget(struct nt_row_log *log, uint32_t below);

#endif
