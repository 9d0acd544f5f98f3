/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions in the symbol table of an ELF file (System V gABI, "Symbol Table"), by file offset. Pure: somebody else found the sections
 * (libelf does, in src/source/). Every number in the tables is outside input and is checked here.
 */
#ifndef NT_DECODE_ELF_SYMBOLS_H
#define NT_DECODE_ELF_SYMBOLS_H

#include "decode/elf/symbols.h"

/* An executable PT_LOAD segment: where a virtual address of the file lies in the file. */
struct nt_elf_segment {
	uint64_t vaddr, offset, file_size;
};

/* Borrowed. Byte order is the machine's own. */
struct nt_elf_tables {
	bool is64;             /* ELFCLASS64: Elf64_Sym, else Elf32_Sym */
	const uint8_t *symtab; /* contents of .symtab or .dynsym; need not be aligned */
	size_t symtab_size;
	const char *strtab; /* contents of the string table that it names */
	size_t strtab_size;
	const struct nt_elf_segment *segments;
	size_t segment_count;
};

/*
 * Add every defined function that has a size and lies in a segment, as a range of file offsets; the part that reaches beyond its segment is cut
 * off. Symbols without size are passed over: where they end is not known. Returns the number added.
 */
size_t nt_elf_symbols_read(const struct nt_elf_tables *tables, struct nt_symbols *out);

/* Where is this file offset? The segment that holds it, or NULL. */
const struct nt_elf_segment *nt_elf_segment_at(const struct nt_elf_segment *segments, size_t count, uint64_t offset);

/* The same for a virtual address of the file. */
const struct nt_elf_segment *nt_elf_segment_of(const struct nt_elf_segment *segments, size_t count, uint64_t vaddr);

#endif
