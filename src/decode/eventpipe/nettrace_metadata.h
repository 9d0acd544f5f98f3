/* SPDX-License-Identifier: GPL-2.0-only */
/* What kinds of events a nettrace stream has: the records of its MetadataBlocks, by the number that events refer to. */
#ifndef NT_DECODE_NETTRACE_METADATA_H
#define NT_DECODE_NETTRACE_METADATA_H

#include "base/arena.h"
#include "base/index.h"
#include "decode/eventpipe/nettrace.h"

struct nt_nettrace_kinds {
	struct nt_arena *arena; /* owned: all of it, for the life of the stream */
	struct nt_index by_number;
	struct nt_nettrace_meta **items; /* owned array */
	size_t count, capacity;
};

void nt_nettrace_kinds_init(struct nt_nettrace_kinds *kinds);
void nt_nettrace_kinds_fini(struct nt_nettrace_kinds *kinds);

/* One record. A number that is announced again keeps its first meaning. NT_ERR_MALFORMED when it ends early, or has more than any stream needs. */
enum nt_status nt_nettrace_kinds_add(struct nt_nettrace_kinds *kinds, const uint8_t *bytes, size_t length);

/* NULL when there is none of that number. */
struct nt_nettrace_meta *nt_nettrace_kinds_get(const struct nt_nettrace_kinds *kinds, uint32_t number);

#endif
