/* SPDX-License-Identifier: GPL-2.0-only */
/* All files whose code a process has mapped, and their precompiled methods, for a map of its code. As many as there are: it may take a second. */
#ifndef NT_SOURCE_R2R_MAPPED_H
#define NT_SOURCE_R2R_MAPPED_H

#include "source/decoder/decoder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_r2r_mapped {
	uint64_t address, size;
	uint64_t offset;  /* in the file */
	const char *name; /* `RET [Assembly] Type::Method(ARGS)`, as the perf map would have it without tier; not NUL-terminated */
	size_t length;
};

struct nt_r2r_visitor {
	void (*method)(void *context, const struct nt_r2r_mapped *method);
	/* An executable mapping of a file; its methods come next. `assembly`: it is a .dll, not a program or library that may hold some. */
	void (*file)(void *context, const char *path, bool assembly);
	void *context;
};

/*
 * Visit them mapping by mapping, in the order of addresses in each. Methods whose name cannot be read are left out, and so are images that the decoder does not bear. False: not all were
 * visited before `deadline`, or their list took too long. The hand reads the list.
 */
bool nt_r2r_mapped_each(const struct nt_files_target *target, struct nt_hand *hand, struct nt_decoder *decoder, nt_time deadline,
			const struct nt_r2r_visitor *visitor);

#endif
