/* SPDX-License-Identifier: GPL-2.0-only */
/* The target's memory, for the files worker: read where code runs, because that is the same for all kinds of code, and it is what runs. */
#ifndef NT_SOURCE_CODEMAP_MEMORY_H
#define NT_SOURCE_CODEMAP_MEMORY_H

#include "source/common/files_target.h"
#include "source/common/hand.h"

struct nt_codemap_memory {
	struct nt_errand errand; /* internal, as `path` */
	char *path;
	uint64_t start;
	size_t wanted, length; /* bytes; length: so many could be read, 0 = none */
	int errnum;            /* why there are none */
	uint8_t bytes[];
};

/*
 * Read [start, start + wanted), or its begin. NULL: *reason says why, a static text; or NULL, too: we are closing. Free it with
 * nt_codemap_memory_free().
 */
struct nt_codemap_memory *nt_codemap_memory_read(const struct nt_files_target *target, struct nt_hand *hand, uint64_t start, size_t wanted,
						 const char **reason);
void nt_codemap_memory_free(struct nt_codemap_memory *memory); /* NULL is allowed */

#endif
