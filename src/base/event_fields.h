/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields of every kind of event, as a table: what shows events as text goes through. */
#ifndef NT_BASE_EVENT_FIELDS_H
#define NT_BASE_EVENT_FIELDS_H

#include "nettop/event.h"

enum nt_event_field_type {
	NT_EVENT_FIELD_U32,
	NT_EVENT_FIELD_U64,
	NT_EVENT_FIELD_HEX, /* uint64_t: addresses and ids of the runtime */
	NT_EVENT_FIELD_F64,
	NT_EVENT_FIELD_TIME,  /* nt_time */
	NT_EVENT_FIELD_CHAR,  /* uint32_t with a letter */
	NT_EVENT_FIELD_STR,   /* nt_str */
	NT_EVENT_FIELD_STACK, /* nt_stack */
	NT_EVENT_FIELD_NAME,  /* uint32_t of an enumeration: `name_of` */
	NT_EVENT_FIELD_U64S,  /* uint64_t[NT_GC_GENERATIONS] */
};

struct nt_event_field {
	uint16_t kind;   /* enum nt_event_kind */
	uint16_t type;   /* enum nt_event_field_type */
	uint32_t offset; /* in struct nt_event */
	const char *name;
	const char *(*name_of)(uint32_t value); /* NT_EVENT_FIELD_NAME only */
};

/* Grouped by kind. */
extern const struct nt_event_field nt_event_fields[];
extern const size_t nt_event_field_count;

#endif
