/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows that several snapshots share: filled once, never changed, gone when nobody has them any more. Not thread safe. */
#ifndef NT_BASE_ROW_BLOCK_H
#define NT_BASE_ROW_BLOCK_H

#include <stdalign.h>
#include <stddef.h>

struct nt_row_block {
	size_t refs;
	size_t bytes;
	alignas(max_align_t) unsigned char rows[]; /* of whatever it was made for */
};

/* All zero, with one reference, which is the caller's. */
struct nt_row_block *nt_row_block_new(size_t bytes);

struct nt_row_block *nt_row_block_retain(struct nt_row_block *block); /* returns it */
void nt_row_block_release(struct nt_row_block *block);                /* NULL is allowed */

#endif
