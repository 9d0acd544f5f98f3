/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of the runtime with the payload that they had (decode/clr/clr_payload.h), kept until all is known, for formats that carry them: each once, whichever source told it, and in which of its streams. In bounded
 * memory: those that there is no room for are counted.
 */
#ifndef NT_OUTPUT_RUNTIME_EVENTS_H
#define NT_OUTPUT_RUNTIME_EVENTS_H

#include "base/index.h"
#include "base/text_buffer.h"
#include "nettop/model.h"

enum {
	NT_RUNTIME_EVENTS_MOST = 1 << 24,
	NT_RUNTIME_EVENTS_BYTES_MOST = 1 << 29, /* of payloads */
};

struct nt_runtime_event {
	nt_time time;
	uint64_t offset; /* of its payload */
	uint32_t length;
	uint32_t tid;
	uint16_t id, version; /* id 0: it is a loss of so many events as `offset` says */
};

/* Of a module that was there before anybody told of its loading: it is said by a number, and by what the model knows of its methods it has a name. */
struct nt_runtime_member {
	uint64_t module_id;
	char *method; /* owned; display form */
};
enum { NT_RUNTIME_MEMBERS_OF_MODULE = 8, NT_RUNTIME_MEMBERS_MOST = 1 << 14 };

/* All zero is empty. */
struct nt_runtime_events {
	struct nt_runtime_event *items; /* owned; in the order in which they came */
	size_t count, capacity;
	struct nt_text_buffer payloads;
	struct nt_runtime_member *members; /* owned */
	size_t member_count, member_capacity;
	struct nt_index member_counts;  /* by the id of the module */
	uint64_t left_out;              /* for which there was no room */
	bool told_plainly[NT_EV_LIMIT]; /* by kind: one has come that was not told beside what counts */
};

void nt_runtime_events_fini(struct nt_runtime_events *events);

/* An event as nt_model_show_events() shows it. Those that are not the runtime's, and of which too little is kept, are ignored. */
void nt_runtime_events_see(struct nt_runtime_events *events, const struct nt_shown_event *shown);

#endif
