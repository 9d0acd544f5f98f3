/* SPDX-License-Identifier: GPL-2.0-only */
/* A piece of code as instructions: what the code map source said of it last. */
#ifndef NT_MODEL_ASSEMBLY_H
#define NT_MODEL_ASSEMBLY_H

#include "nettop/event.h"
#include "nettop/snapshot.h"

struct nt_assembly_line {
	uint64_t address;
	uint32_t size, text; /* bytes of it; offset in the texts */
};

/* All zero: nothing was said yet. */
struct nt_assembly {
	struct nt_assembly_line *lines; /* owned; by address */
	size_t count;
	char *texts;        /* owned; each ends with NUL */
	bool said;          /* there was an answer */
	const char *reason; /* the table's; why there are no lines */
};

void nt_assembly_fini(struct nt_assembly *assembly); /* leaves an empty one */

/* The answer; `reason`: its text, the table's. The event's lines are within the batch. */
void nt_assembly_take(struct nt_assembly *assembly, const struct nt_ev_assembly *said, const struct nt_batch *batch, const char *reason);

/* The line that `address` is in; SIZE_MAX = none. */
size_t nt_assembly_find(const struct nt_assembly *assembly, uint64_t address);

#endif
