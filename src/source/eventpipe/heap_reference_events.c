// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/heap_reference_events.h"

static const char *const told_kinds[NT_HEAP_ROOT_KINDS] = { [NT_HEAP_ROOT_STACK] = "stacks of threads",
							    [NT_HEAP_ROOT_FINALIZER] = "waits for its finalizer",
							    [NT_HEAP_ROOT_HANDLE] = "handles",
							    [NT_HEAP_ROOT_OTHER] = "the runtime" };

static const struct nt_heap_root_names told_roots = { .names = told_kinds, .count = NT_HEAP_ROOT_KINDS, .doubtful = NT_HEAP_ROOT_KINDS };

struct nt_heap_references *nt_heap_references_of_events(uint64_t limit_bytes)
{
	return nt_heap_references_new(limit_bytes, &told_roots);
}

static void take_edges(struct nt_heap_reference_events *events, struct nt_heap_entries *entries)
{
	uint64_t object;
	while (nt_heap_edge_next(entries, &object))
		nt_heap_references_edge(events->references, object);
}

static void take_roots(struct nt_heap_reference_events *events, struct nt_heap_entries *entries)
{
	struct nt_heap_root_entry entry;
	while (nt_heap_root_next(entries, &entry))
		if (!entry.is_weak)
			nt_heap_references_root(events->references, entry.object, entry.kind);
}

static void take_pairs(struct nt_heap_reference_events *events, struct nt_heap_entries *entries)
{
	struct nt_heap_pair_entry entry;
	while (nt_heap_pair_next(entries, &entry))
		nt_heap_references_pair(events->references, entry.key, entry.value);
}

void nt_heap_references_event(struct nt_heap_reference_events *events, enum nt_heap_event_id id, const uint8_t *payload, size_t length)
{
	struct nt_heap_entries entries = nt_heap_numbered_begin(payload, length);
	bool next = entries.index == events->came[id]++;
	if (next && id == NT_HEAP_EDGES)
		take_edges(events, &entries);
	else if (next && id == NT_HEAP_ROOTS)
		take_roots(events, &entries);
	else if (next)
		take_pairs(events, &entries);
	if (!next || entries.reader.bad)
		nt_heap_references_lost(events->references);
}
