/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the model's texts live: a compacting heap for what code ranges and announced ids refer to, a table in generations for what rows show. */
#ifndef NT_SYMBOL_NAMES_H
#define NT_SYMBOL_NAMES_H

#include "base/heap.h"
#include "base/texts.h"

struct nt_names {
	struct nt_heap *heap;   /* owned; replaced by a compaction */
	struct nt_texts *texts; /* borrowed: of all processes */
};

/* The table's copy of a heap text; NULL for reference 0. */
static inline const char *nt_names_keep(const struct nt_names *names, nt_text_ref ref)
{
	if (!ref)
		return NULL;
	size_t length;
	const char *text = nt_heap_get(names->heap, ref, &length);
	return nt_texts_intern(names->texts, text, length);
}

/* Something that rewrites a reference: how a compaction visits its roots. */
typedef void nt_ref_visit(nt_text_ref *ref, void *context);

#endif
