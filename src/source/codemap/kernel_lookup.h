/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Asks the kernel for the function at one of its addresses. A dozen places want a name, and /proc/kallsyms answers with 120 000 lines, 50 ms of CPU
 * time and 10 MB; a BPF program of ten instructions that is run once for each question (it is attached to nothing) answers in microseconds, with the
 * size of the function, and whatever kernel.kptr_restrict says. Needs CAP_BPF and CAP_PERFMON; where that is missing, kernel_symbols.h is the way.
 */
#ifndef NT_SOURCE_KERNEL_LOOKUP_H
#define NT_SOURCE_KERNEL_LOOKUP_H

#include <stdint.h>

#include "nettop/status.h"

struct nt_kernel_lookup;

enum { NT_KERNEL_NAME_BYTES = 512 };

struct nt_kernel_function {
	uint64_t start, end; /* start <= address < end */
	char name[NT_KERNEL_NAME_BYTES];
};

/* NULL: this kernel or our rights do not allow it. */
struct nt_kernel_lookup *nt_kernel_lookup_new(void);
void nt_kernel_lookup_free(struct nt_kernel_lookup *lookup); /* NULL is allowed */

/* NT_OK; NT_ERR_ABSENT: no function is there; NT_ERR_FAILED: the kernel did not answer. */
enum nt_status nt_kernel_lookup_find(struct nt_kernel_lookup *lookup, uint64_t address, struct nt_kernel_function *out);

#endif
