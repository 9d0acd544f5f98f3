/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bounds of functions from .eh_frame (Linux Standard Base 5.0 Core, "Exception Frames"; DWARF 5, 6.4.1): what a stripped library still has to have, because
 * its exceptions and the unwinder need it. Pure: somebody else found the section. Every number in it is outside input.
 */
#ifndef NT_DECODE_EH_FRAME_H
#define NT_DECODE_EH_FRAME_H

#include "decode/elf/bounds.h"
#include "decode/elf/elf_symbols.h"

/* Borrowed. Byte order is the machine's own. */
struct nt_eh_frame {
	bool is64;            /* ELFCLASS64: a pointer has 8 bytes, else 4 */
	const uint8_t *bytes; /* contents of the section; need not be aligned */
	size_t size;
	uint64_t vaddr; /* of the first byte: most pointers are relative to where they stand */
	const struct nt_elf_segment *segments;
	size_t segment_count;
};

/*
 * Add every function that has an entry (FDE) and lies in a segment, by file offset; the part that reaches beyond its segment is cut off. An entry in a form that
 * is not known is passed over; one that runs out of the section ends the work. Returns the number added.
 */
size_t nt_eh_frame_read(const struct nt_eh_frame *frame, struct nt_bounds *out);

/* A function, and where what its language keeps for it (LSDA) begins: virtual addresses. */
struct nt_eh_data {
	uint64_t start, data;
};

/* All zero is an empty list. */
struct nt_eh_data_list {
	struct nt_eh_data *items; /* owned: end with free() */
	size_t count, capacity;
};

/* Add the functions that have such data, in the order of the section; 4 M at most. */
void nt_eh_frame_read_data(const struct nt_eh_frame *frame, struct nt_eh_data_list *out);

#endif
