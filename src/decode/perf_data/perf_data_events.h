/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that a perf.data was recorded with, and its records in the form of the event that each is of. Attributes are those of perf_event_open(2), of any size: what one that is shorter lacks is 0.
 */
#ifndef NT_DECODE_PERF_DATA_EVENTS_H
#define NT_DECODE_PERF_DATA_EVENTS_H

#include "base/index.h"
#include "decode/kernel/perf_record.h"

/* More events, and more ids of events (one a CPU or a thread), are not believed. */
enum { NT_PERF_DATA_EVENTS_MAX = 1024, NT_PERF_DATA_IDS_MAX = 1 << 22, NT_PERF_DATA_EVENT_NAME = 64 };

struct nt_perf_data_event {
	struct nt_perf_form form;
	uint32_t type; /* enum perf_type_id, or a number that the machine gave */
	uint64_t config;
	uint64_t period; /* or samples in a second, with by_frequency */
	int32_t clock;   /* clockid_t of its times; -1: that of the kernel's scheduler */
	bool by_frequency;
	bool user_only;                     /* the kernel's part was not sampled */
	bool user_chain_left_out;           /* the chain has the kernel's part alone, of the user's there is a copy of the stack */
	char name[NT_PERF_DATA_EVENT_NAME]; /* as perf calls it, any bytes; "" = not said */
};

struct nt_perf_data_events {
	struct nt_perf_data_event *items; /* owned */
	size_t count, capacity, id_count;
	struct nt_index of_id; /* id -> place in items */
};

/* All zero has no events. */
void nt_perf_data_events_fini(struct nt_perf_data_events *events);

/* An attribute; its ids, `id_bytes` of words. False: it cannot be, or there are more than there may be; nothing is added. */
bool nt_perf_data_events_add(struct nt_perf_data_events *events, const uint8_t *attr, size_t attr_bytes, const uint8_t *ids,
			     size_t id_bytes);

/* A record NT_PERF_DATA_ATTR of a pipe, the same. */
bool nt_perf_data_events_add_record(struct nt_perf_data_events *events, const uint8_t *record, size_t length);

/* The section, or record, NT_PERF_DATA_EVENT_DESC (perf_data_facts.h): names for the events, which were added in the same order. */
void nt_perf_data_events_name(struct nt_perf_data_events *events, const uint8_t *desc, size_t length);

/* One sample of it is so many ns of CPU time; 0: it is none of CPU time, or nobody can say how much. `period`: as the sample says, 0 = it does not. */
uint64_t nt_perf_data_event_weight_ns(const struct nt_perf_data_event *event, uint64_t period);

/*
 * As nt_perf_record_parse_as(), in the form of the record's event, which is put into *event: the first one when the record does not say (perf's own records do not). NT_ERR_MALFORMED also for a sample of an event that there is none of, and
 * when there are no events.
 */
enum nt_status nt_perf_data_parse(const struct nt_perf_data_events *events, const uint8_t *bytes, size_t length, struct nt_perf_record *out,
				  const struct nt_perf_data_event **event);

#endif
