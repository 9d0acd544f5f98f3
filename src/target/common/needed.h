/* SPDX-License-Identifier: GPL-2.0-only */
/* What a shared library asks the loader for: the DT_NEEDED entries of its dynamic section (System V gABI, "Dynamic Section"), through libelf. */
#ifndef NT_TARGET_NEEDED_H
#define NT_TARGET_NEEDED_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The first library that this ELF file (opened with NT_ELF_DYNAMIC) needs and whose name begins with `stem`, escaped. False: it needs no such library, and *name is "".
 */
bool nt_elf_needs(Elf *elf, const char *stem, char *name, size_t size);

#endif
