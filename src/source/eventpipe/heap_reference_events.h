/* SPDX-License-Identifier: GPL-2.0-only */
/* References of objects as events of a full collection have them. */
#ifndef NT_SOURCE_HEAP_REFERENCE_EVENTS_H
#define NT_SOURCE_HEAP_REFERENCE_EVENTS_H

#include "decode/eventpipe/heap_events.h"
#include "source/common/heap_references.h"

struct nt_heap_reference_events {
	struct nt_heap_references *references; /* owned; NULL = none are wanted */
	uint32_t came[NT_HEAP_EDGES + 1];      /* of each kind */
};

/* Memory as in nt_heap_references_new(). */
struct nt_heap_references *nt_heap_references_of_events(uint64_t limit_bytes);

/* The payload of an event: NT_HEAP_EDGES, NT_HEAP_ROOTS, NT_HEAP_PAIRS. */
void nt_heap_references_event(struct nt_heap_reference_events *events, enum nt_heap_event_id id, const uint8_t *payload, size_t length);

#endif
