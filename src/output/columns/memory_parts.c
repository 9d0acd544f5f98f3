// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/memory_part.h"

#include "nettop/column.h"

#include <stdio.h>

enum { NUMBER = 32, NAME_CELLS = 20 };

static struct nt_f64 share_of(struct nt_u64 bytes, struct nt_u64 resident)
{
	bool known = bytes.known && resident.known && resident.v;
	return (struct nt_f64){ .known = known, .v = known ? 100.0 * (double)bytes.v / (double)resident.v : 0 };
}

/* Of the anonymous memory, what is more than all that the GC had. Less than that says nothing: what it had need not be resident. */
static struct nt_u64 beside_the_gc(const struct nt_figures *figures)
{
	struct nt_u64 anonymous = figures->memory.anon_bytes, committed = figures->gc.committed_bytes;
	bool known = anonymous.known && committed.known && anonymous.v > committed.v;
	return (struct nt_u64){ .known = known, .v = known ? anonymous.v - committed.v : 0 };
}

void nt_memory_parts(const struct nt_figures *figures, struct nt_memory_part parts[NT_MEMORY_PARTS])
{
	const struct nt_memory_figures *memory = &figures->memory;
	const struct nt_u64 all = memory->rss_bytes;
	const struct nt_f64 none = { 0 };
	const struct nt_memory_part made[NT_MEMORY_PARTS] = {
		{ "resident", 0, all, false, share_of(all, all), "what the process has in memory (RSS)" },
		{ "anonymous", 1, memory->anon_bytes, false, share_of(memory->anon_bytes, all),
		  "of no file: GC heap, thread stacks, native memory, data of the runtime" },
		{ "GC committed", 2, figures->gc.committed_bytes, false, none,
		  "what the GC had of the system at its last collection; not all need be resident" },
		{ "heap", 3, figures->gc.heap_bytes, false, none, "of it, the heap after the last collection" },
		{ "beside that", 2, beside_the_gc(figures), true, none,
		  "more than that: stacks, native memory, data of the runtime, what the GC took since" },
		{ "files", 1, memory->file_bytes, false, share_of(memory->file_bytes, all),
		  "pages of mapped files, as libraries; others may have the same pages" },
		{ "shared memory", 1, memory->shared_bytes, false, share_of(memory->shared_bytes, all),
		  "code that the JIT makes (W^X), memfd, /dev/shm, buffers of LTTng" },
		{ "swapped out", 0, memory->swap_bytes, false, none, "anonymous memory that is not resident" },
	};
	for (size_t i = 0; i < NT_MEMORY_PARTS; i++)
		parts[i] = made[i];
}

const char *nt_memory_part_text(const struct nt_memory_part *part, char text[NT_MEMORY_PART_BYTES])
{
	char number[NUMBER] = "", size[NUMBER + 1] = "", share[NUMBER] = "";
	if (part->bytes.known)
		snprintf(size, sizeof(size), "%s%s", nt_bound(part->at_least), nt_format_bytes(part->bytes.v, number, sizeof(number)));
	if (part->of_pct.known)
		snprintf(share, sizeof(share), "%.0f%%", part->of_pct.v);
	int indent = 2 * (int)part->depth;
	snprintf(text, NT_MEMORY_PART_BYTES, "%*s%-*s%7s%6s", indent, "", NAME_CELLS - indent, part->name, size, share);
	return text;
}
