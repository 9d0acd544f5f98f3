/* SPDX-License-Identifier: GPL-2.0-only */
/* Which IL the precompiled code at an address was made of, from the image that is mapped there. Reads files of others: run it by a hand (hand.h). */
#ifndef NT_SOURCE_PRECOMPILED_IL_H
#define NT_SOURCE_PRECOMPILED_IL_H

#include "nettop/event.h"
#include "source/mapped_image.h"

struct nt_precompiled_il {
	struct nt_batch_place *places; /* owned; code by address, disjoint, each with its IL offset */
	size_t count;
	uint64_t start, size; /* of the method's code */
};

/* False: no precompiled code is there, or its image does not tell. End with nt_precompiled_il_fini() either way. */
bool nt_precompiled_il_read(const struct nt_mapped_process *process, uint64_t address, struct nt_precompiled_il *out);
void nt_precompiled_il_fini(struct nt_precompiled_il *il);

#endif
