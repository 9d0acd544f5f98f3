/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by dispatch.c and dispatch_*.c: an event on its way to the subjects that it concerns. */
#ifndef NT_MODEL_ARRIVAL_H
#define NT_MODEL_ARRIVAL_H

#include "model/whole/process_model.h"

#include <string.h>

/* An event with the meaning of its ids at hand. */
struct nt_arrival {
	struct nt_process_model *model;
	enum nt_source_id source;
	const struct nt_batch *batch; /* NULL: the event waited for its interval */
	const struct nt_event *event;
	struct nt_ids *ids;
};

/* Single requests and work items are a part of subjects that others tell: of when they are told they have an account of their own. Is that all that is said here? */
static inline bool nt_arrival_is_apart(enum nt_source_id source, uint32_t what)
{
	return source == NT_SOURCE_EVENTPIPE && !(what & ~(uint32_t)(NT_WANT_EACH_REQUEST | NT_WANT_POOL_ITEMS));
}

/* Did it happen before there was anybody to count it? A recording of the last minutes begins with what names code. */
static inline bool nt_arrival_is_before(const struct nt_arrival *arrival)
{
	return arrival->event->time < arrival->model->shared->config->start;
}

static inline nt_text_ref nt_arrival_text(const struct nt_arrival *arrival, nt_str id)
{
	return nt_ids_text(arrival->ids, id);
}

static inline const char *nt_arrival_keep(const struct nt_arrival *arrival, nt_str id)
{
	return nt_names_keep(&arrival->model->names, nt_arrival_text(arrival, id));
}

/* The stack of an event that has one. */
static inline nt_site_ref nt_arrival_stack(const struct nt_arrival *arrival)
{
	const struct nt_event *event = arrival->event;
	return nt_sites_note(&arrival->model->sites, nt_ids_chain(arrival->ids, event->stack), event->time);
}

/* Is the text exactly that? */
static inline bool nt_arrival_is_text(const struct nt_arrival *arrival, nt_text_ref ref, const char *expected)
{
	size_t length;
	const char *text = nt_heap_get(arrival->model->names.heap, ref, &length);
	return length == strlen(expected) && memcmp(text, expected, length) == 0;
}

/* dispatch_code.c: what lies where, and answers to questions about that. CODE, NAME, ASSEMBLY, IL_MAP, SOURCE_LINES. */
void nt_dispatch_code(const struct nt_arrival *arrival);
void nt_dispatch_name(const struct nt_arrival *arrival);
void nt_dispatch_assembly(const struct nt_arrival *arrival);
void nt_dispatch_il_map(const struct nt_arrival *arrival);
void nt_dispatch_source_lines(const struct nt_arrival *arrival);

/* dispatch_counters.c: COUNTER, INSTRUMENT. */
void nt_dispatch_counter(const struct nt_arrival *arrival);
void nt_dispatch_instrument(const struct nt_arrival *arrival);

#endif
