/* SPDX-License-Identifier: GPL-2.0-only */
/* Sections of an ELF file as bytes, through libelf. */
#ifndef NT_SOURCE_ELF_SECTIONS_H
#define NT_SOURCE_ELF_SECTIONS_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

/* Is the file in this machine's byte order? Its tables are only read then. */
bool nt_elf_same_byte_order(Elf *elf);

/*
 * The contents of `section` as they are in the file, if it is of `type` and its size is sane; *header is then filled. NULL: it is not, or `section` is NULL. Borrowed
 * from the Elf.
 */
const Elf_Data *nt_elf_section_bytes(Elf_Scn *section, uint32_t type, GElf_Shdr *header);

/* The first section of that name, or NULL. */
Elf_Scn *nt_elf_section_named(Elf *elf, const char *name);

#endif
