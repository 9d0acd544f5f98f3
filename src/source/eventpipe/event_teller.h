/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of a nettrace stream for people and scripts: those that patterns mean, with the names of their fields. */
#ifndef NT_SOURCE_EVENT_TELLER_H
#define NT_SOURCE_EVENT_TELLER_H

#include "decode/eventpipe/nettrace.h"
#include "nettop/told_event.h"
#include "source/eventpipe/event_pattern.h"

struct nt_event_teller;

struct nt_event_sink {
	void *context;
	void (*event)(void *context, const struct nt_told_event *event);
	void (*lost)(void *context, uint64_t count, nt_time time); /* so many before then */
};

/* `patterns` are borrowed, `sink` is copied. `no_payload`: no fields are told. */
struct nt_event_teller *nt_event_teller_new(const struct nt_event_pattern *patterns, size_t count, bool no_payload,
					    const struct nt_event_sink *sink);
void nt_event_teller_free(struct nt_event_teller *teller); /* NULL is allowed */

/* Where the stream goes; borrows it. The stream is freed first: it has what is known of kinds of events. */
struct nt_nettrace_sink nt_event_teller_sink(struct nt_event_teller *teller);

/* Events that came, whether or not they were meant, and those that are missing. */
uint64_t nt_event_teller_came(const struct nt_event_teller *teller);
uint64_t nt_event_teller_lost(const struct nt_event_teller *teller);

#endif
