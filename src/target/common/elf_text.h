/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts in an ELF file's table of texts. elf_strptr() looks through the whole table for the end of each text that it is asked for: a table without any, and half a million names in it, take hours.
 */
#ifndef NT_TARGET_ELF_TEXT_H
#define NT_TARGET_ELF_TEXT_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

struct nt_elf_texts {
	const char *bytes; /* borrowed from the Elf; NULL = there is no such table */
	size_t size;
};

/* The table that is section `index`. Of a file that nt_elf_open() has opened: there its size was judged. */
struct nt_elf_texts nt_elf_texts_of(Elf *elf, size_t index);

/* The text at `offset`; NULL: it is not there, or does not end within 4 KB. */
const char *nt_elf_text(const struct nt_elf_texts *texts, uint64_t offset);

#endif
