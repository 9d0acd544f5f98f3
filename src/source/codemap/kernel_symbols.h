/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of the running kernel by address, and those of the vdso by offset. Both come from the kernel itself: nothing here can hang. */
#ifndef NT_SOURCE_KERNEL_SYMBOLS_H
#define NT_SOURCE_KERNEL_SYMBOLS_H

#include "decode/elf/symbols.h"
#include "nettop/status.h"

/*
 * Read PROC_ROOT/kallsyms. NT_OK: *out is the caller's, finished. NT_ERR_FORBIDDEN: the addresses are hidden; NT_ERR_FAILED, NT_ERR_ABSENT: it cannot
 * be read. The sentence in `err` then says why and how to change it.
 */
enum nt_status nt_kernel_symbols_load(const char *proc_root, struct nt_symbols **out, struct nt_error *err);

struct nt_image_symbols;

/* The vdso that the kernel gave us; it gives every process of our kind the same. */
void nt_vdso_load(struct nt_image_symbols *image);

#endif
