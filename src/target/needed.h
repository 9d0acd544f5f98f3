/* SPDX-License-Identifier: GPL-2.0-only */
/* What a shared library asks the loader for: the DT_NEEDED entries of its dynamic section (System V gABI, "Dynamic Section"), through libelf. */
#ifndef NT_TARGET_NEEDED_H
#define NT_TARGET_NEEDED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The first library that this ELF file (a copy of it in memory, not changed) needs and whose name begins with `stem`, escaped. False: it is no ELF file
 * or needs no such library.
 */
bool nt_elf_needs(char *bytes, size_t length, const char *stem, char *name, size_t size);

#endif
