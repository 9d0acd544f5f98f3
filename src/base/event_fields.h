/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields of every kind of event, as a table: what shows events as text, writes them to a recording and reads them there goes through. */
#ifndef NT_BASE_EVENT_FIELDS_H
#define NT_BASE_EVENT_FIELDS_H

#include "nettop/event.h"

#include <string.h>

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
	NT_EVENT_FIELD_BOOL,  /* bool */
	NT_EVENT_FIELD_U32S,  /* uint32_t[count] */
	NT_EVENT_FIELD_U64S,  /* uint64_t[count] */
};

struct nt_event_field {
	uint16_t kind;       /* enum nt_event_kind */
	uint16_t number;     /* among those of its kind, from 1: in recordings, so it is never changed and never given away again */
	uint16_t type;       /* enum nt_event_field_type */
	uint16_t count;      /* of an array; else 1 */
	uint32_t offset;     /* in struct nt_event */
	const char *payload; /* which member of the union it is a field of */
	const char *name;
	const char *(*name_of)(uint32_t value); /* NT_EVENT_FIELD_NAME only */
};

/* Grouped by kind; within one by number. */
extern const struct nt_event_field nt_event_fields[];
extern const size_t nt_event_field_count;

/* Where those of each kind are in the table, for whoever goes through it for each event. */
struct nt_event_field_places {
	uint16_t first[NT_EV_LIMIT], count[NT_EV_LIMIT];
};
void nt_event_field_places_init(struct nt_event_field_places *places);

/* Bytes of one number of it: 1, 4 or 8. */
static inline size_t nt_event_field_width(const struct nt_event_field *field)
{
	switch ((enum nt_event_field_type)field->type) {
	case NT_EVENT_FIELD_U64:
	case NT_EVENT_FIELD_HEX:
	case NT_EVENT_FIELD_F64:
	case NT_EVENT_FIELD_TIME:
	case NT_EVENT_FIELD_U64S:
		return 8;
	case NT_EVENT_FIELD_BOOL:
		return 1;
	default:
		return 4;
	}
}

/* Number i, below `count`, of the field in the event, whatever its width; of a double its bits. */
static inline uint64_t nt_event_field_get(const struct nt_event *event, const struct nt_event_field *field, size_t i)
{
	size_t width = nt_event_field_width(field);
	uint64_t value = 0; /* nettop runs on little-endian machines only */
	memcpy(&value, (const char *)event + field->offset + i * width, width);
	return value;
}

/* The other way round. What does not fit into its width is cut off. */
static inline void nt_event_field_set(struct nt_event *event, const struct nt_event_field *field, size_t i, uint64_t value)
{
	size_t width = nt_event_field_width(field);
	memcpy((char *)event + field->offset + i * width, &value, width);
}

#endif
