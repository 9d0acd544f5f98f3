/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entries of a procedure linkage table (System V ABI, AMD64 Architecture Processor Supplement, "Procedure Linkage Table"), each named after the function that it
 * jumps to: `memcpy@plt`. An entry jumps through a word of the global offset table, and a relocation says whose address the linker puts there. Pure: somebody else
 * found the sections. Every number in them is outside input.
 */
#ifndef NT_DECODE_ELF_PLT_H
#define NT_DECODE_ELF_PLT_H

#include "decode/elf/elf_symbols.h"

/* One section with entries: .plt, .plt.sec or .plt.got. Borrowed. Of ELFCLASS64 and EM_X86_64. */
struct nt_elf_plt {
	const uint8_t *bytes; /* need not be aligned; nor need the others */
	size_t size;
	uint64_t vaddr;       /* of the first byte */
	unsigned entry_bytes; /* 8 or 16 */
	const uint8_t *rela;  /* the relocations of its words: .rela.plt, of .plt.got .rela.dyn */
	size_t rela_size;
	const uint8_t *symtab; /* .dynsym, which they speak of; NULL = none */
	size_t symtab_size;
	const char *strtab; /* its names; NULL = none */
	size_t strtab_size;
	/* Names of functions by file offset, finished: whom an indirect function of the image itself belongs to. */
	const struct nt_symbols *functions;
	const struct nt_elf_segment *segments;
	size_t segment_count;
};

/* Add each entry whose function is known, as a range of file offsets. Returns the number added. */
size_t nt_elf_plt_read(const struct nt_elf_plt *plt, struct nt_symbols *out);

#endif
