/* SPDX-License-Identifier: GPL-2.0-only */
/* All files whose code a process has mapped, and their precompiled methods, for a map of its code. Reads files of others, and as many as there are: it may take a second. */
#ifndef NT_SOURCE_R2R_MAPPED_H
#define NT_SOURCE_R2R_MAPPED_H

#include "source/mapped_image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_r2r_mapped {
	uint64_t address, size;
	uint64_t offset;  /* in the file */
	const char *name; /* `RET [Assembly] Type::Method(ARGS)`, as the perf map would have it without tier; NUL-terminated */
};

struct nt_r2r_visitor {
	void (*method)(void *context, const struct nt_r2r_mapped *method);
	/* An executable mapping of a file; its methods come next. `assembly`: it is a .dll, not a program or library that may hold some. NULL allowed. */
	void (*file)(void *context, const char *path, bool assembly);
	void *context;
};

/*
 * Visit them mapping by mapping, in the order of addresses in each. Methods whose name cannot be read are left out. Returns how many methods were
 * visited.
 */
size_t nt_r2r_mapped_each(const struct nt_mapped_process *process, const struct nt_r2r_visitor *visitor);

#endif
