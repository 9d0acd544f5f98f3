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
	NT_TOLD_TEXT, /* UTF-8; may hold control characters */
	NT_TOLD_BYTES /* an array, or another thing of many bytes: only how many */
};

struct nt_told_field {
	const char *name; /* "" = none */
	enum nt_told_kind kind;
	union {
		uint64_t u;
		int64_t i;
		double real;
		const char *text;
		size_t byte_count;
	};
};

/* All borrowed until the call returns that hands it over. */
struct nt_told_event {
	const char *provider, *name; /* name "" = not known: then the id says which it is */
	uint32_t id;
	nt_time time;
	uint64_t tid;         /* as the process itself numbers threads */
	uint64_t activity[2]; /* of its thread, as it lies in memory; 0, 0 = none */
	size_t payload_bytes;
	const struct nt_told_field *fields;
	size_t field_count;
	bool cut; /* the payload ended before its fields did, or has more than are told here */
};

#endif
