/* SPDX-License-Identifier: GPL-2.0-only */
/* One event as its provider told it, with the names of its fields: what `nettop events` passes on, and the events screen shows. */
#ifndef NETTOP_TOLD_EVENT_H
#define NETTOP_TOLD_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nettop/clock.h"

enum nt_told_kind {
	NT_TOLD_UNSIGNED,
	NT_TOLD_SIGNED,
	NT_TOLD_BOOL,
	NT_TOLD_REAL,
	NT_TOLD_TEXT,   /* UTF-8; may hold control characters */
	NT_TOLD_BYTES,  /* a thing of many bytes: only how many */
	NT_TOLD_LIST,   /* an array: its elements are the fields behind it, without names */
	NT_TOLD_OBJECT, /* its members are the fields behind it */
};

struct nt_told_field {
	const char *name; /* "" = none */
	enum nt_told_kind kind;
	uint32_t inner; /* of a list, an object: so many fields behind it lie within it, whatever they have within them counted, too */
	union {
		uint64_t u;
		int64_t i;
		double real;
		const char *text;
		size_t byte_count;
		size_t element_count; /* of a list: more than are told when they are many */
	};
};

/* The field behind this one and all that is within it. */
static inline const struct nt_told_field *nt_told_field_next(const struct nt_told_field *field)
{
	return field + 1 + field->inner;
}

/* All borrowed until the call returns that hands it over. */
struct nt_told_event {
	const char *provider, *name; /* name "" = not known: then the id says which it is */
	uint32_t id;
	nt_time time;
	uint64_t tid;         /* as the process itself numbers threads */
	uint64_t activity[2]; /* of its thread, as it lies in memory; 0, 0 = none */
	size_t payload_bytes;
	const uint8_t *addresses; /* of its call stack, leaf first, eight bytes each, not aligned; NULL = it has none */
	size_t address_count;
	const struct nt_told_field *fields;
	size_t field_count;
	/*
	 * Names of provider, event and all fields, found once: printable ASCII without quotes, backslashes and # before, of fields of one object none twice, none empty. They are written as they are.
	 */
	bool plain_names;
	size_t left_bytes; /* of the payload, behind the fields: what nothing describes */
	bool cut; /* the payload ended before its fields did, or has more than is told here: what nothing describes, a long array */
};

#endif
