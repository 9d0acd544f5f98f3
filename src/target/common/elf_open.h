/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ELF files of strangers, opened for libelf within a budget. libelf takes memory for as many sections as a file says it has, and for each table as much as the
 * file says it is long, holes included: a file of some KB can ask for GB. So what it says is read first, without libelf, and refused when no linker would say it.
 */
#ifndef NT_TARGET_ELF_OPEN_H
#define NT_TARGET_ELF_OPEN_H

#include <libelf.h>
#include <stddef.h>

#include "target/common/objection.h"

/* Which tables are going to be read: of others the size does not matter. */
enum nt_elf_use {
	NT_ELF_DYNAMIC, /* what the loader needs, and notes: 64 MB together */
	NT_ELF_SYMBOLS, /* the table of all symbols, too: 128 MB together */
};

/*
 * NULL: it is no ELF file of this machine's byte order, or more than that; `objection` (may be NULL) then has "", or what speaks against it: "says that it has 4000000
 * sections", to stand behind its name. The caller ends it with elf_end(); libelf reads it with pread() into memory of its own, nothing is mapped.
 */
Elf *nt_elf_open(int fd, enum nt_elf_use use, char objection[NT_OBJECTION_BYTES]);

/* The same for a file in memory, which libelf may change. Borrowed until elf_end(). */
Elf *nt_elf_open_memory(char *bytes, size_t length, enum nt_elf_use use);

#endif
