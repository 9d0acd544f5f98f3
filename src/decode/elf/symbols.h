/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/elf: tables of ELF files. */
/*
 * A table of named ranges: add in any order, finish once, then look up by binary search. What overlaps is resolved at finish(): the innermost
 * range wins, of two names for the same range the better one. Names are copied. The unit of a place (file offset, address) is the caller's.
 */
#ifndef NT_DECODE_SYMBOLS_H
#define NT_DECODE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_symbols;

struct nt_symbol {
	uint64_t start, end; /* start <= place < end */
	const char *name;    /* NUL-terminated, borrowed from the table; NULL = a gap between symbols */
};

struct nt_symbols *nt_symbols_new(void);
void nt_symbols_free(struct nt_symbols *symbols); /* NULL is allowed */

/*
 * Add the range [start, start + size). rank: the greater wins among names of the same range (global over weak over local). A range of size 0 or of
 * 4 GB and more, an empty name and one that is over 64 KB are passed over, and so is everything once the table holds 4 M ranges or 256 MB of names.
 */
void nt_symbols_add(struct nt_symbols *symbols, uint64_t start, uint64_t size, unsigned rank, const char *name, size_t length);

/* Sort and make the ranges disjoint. Call once, after the last add. */
void nt_symbols_finish(struct nt_symbols *symbols);

/*
 * The range that holds `place`. True: a symbol. False: the gap around it, from the end of the symbol before (0 without one) to the start of the
 * next (UINT64_MAX without one). finish() must have been called.
 */
bool nt_symbols_find(const struct nt_symbols *symbols, uint64_t place, struct nt_symbol *out);

/* Disjoint ranges held, and the memory that they and their names take. */
size_t nt_symbols_count(const struct nt_symbols *symbols);
size_t nt_symbols_bytes(const struct nt_symbols *symbols);

#endif
