/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields of every kind of event, as a table: what the details writer goes through. Inside src/output/ only. */
#ifndef NT_OUTPUT_DETAILS_FIELDS_H
#define NT_OUTPUT_DETAILS_FIELDS_H

#include "nettop/event.h"

enum nt_details_type {
	NT_DETAILS_U32,
	NT_DETAILS_U64,
	NT_DETAILS_HEX, /* uint64_t: addresses and ids of the runtime */
	NT_DETAILS_F64,
	NT_DETAILS_TIME,  /* nt_time */
	NT_DETAILS_CHAR,  /* uint32_t with a letter */
	NT_DETAILS_STR,   /* nt_str */
	NT_DETAILS_STACK, /* nt_stack */
	NT_DETAILS_NAME,  /* uint32_t of an enumeration: `name_of` */
	NT_DETAILS_U64S,  /* uint64_t[NT_GC_GENERATIONS] */
};

struct nt_details_field {
	uint16_t kind;   /* enum nt_event_kind */
	uint16_t type;   /* enum nt_details_type */
	uint32_t offset; /* in struct nt_event */
	const char *name;
	const char *(*name_of)(uint32_t value); /* NT_DETAILS_NAME only */
};

/* Grouped by kind. */
extern const struct nt_details_field nt_details_fields[];
extern const size_t nt_details_field_count;

#endif
