/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The payload of an event that describes itself (managed EventSources): values by the names of its fields. Nested objects are flattened: the members
 * of an EventCounters' `Payload` are found under their own names. Values are those of clr.h; texts are UTF-16 in the payload and are borrowed.
 */
#ifndef NT_DECODE_NETTRACE_FIELDS_H
#define NT_DECODE_NETTRACE_FIELDS_H

#include "decode/clr/clr.h"
#include "decode/eventpipe/nettrace.h"

/* Enough for every event of the base library (BeginInstrumentReporting has 12); what lies beyond is left out. */
enum { NT_NETTRACE_VALUES_MAX = 64 };

struct nt_nettrace_value {
	const char *name; /* of the metadata; "" = none */
	uint32_t type;    /* enum nt_nettrace_type: whether an integer has a sign, what bytes are */
	/* INTEGER (signed ones sign-extended; bool, char), REAL, UTF16; BYTES: guid, decimal, a whole array with its count before it */
	struct nt_clr_value value;
};

struct nt_nettrace_values {
	struct nt_nettrace_value items[NT_NETTRACE_VALUES_MAX];
	size_t count;
};

/*
 * Read the payload of `event` by the fields of its metadata, in their order. NT_ERR_MALFORMED when the payload ends before its fields do, a field
 * is of an unknown type, or there are more fields and elements than 16 for each byte, which only such without bytes can be: `out` then has the values before it.
 */
enum nt_status nt_nettrace_values_read(const struct nt_nettrace_event *event, struct nt_nettrace_values *out);

/* The same by fields that are known from elsewhere: the runtime's own events do not describe themselves. */
enum nt_status nt_nettrace_values_read_as(const struct nt_nettrace_event *event, const struct nt_nettrace_field *fields, uint32_t count,
					  struct nt_nettrace_values *out);

/* The first value of that name; NULL when there is none. */
const struct nt_clr_value *nt_nettrace_values_find(const struct nt_nettrace_values *values, const char *name);

/* Shorthands for what is usual. A missing value, or one of another type, gives `known` false, or "" and 0. */
bool nt_nettrace_values_real(const struct nt_nettrace_values *values, const char *name, double *out); /* integers are converted */
size_t nt_nettrace_values_text(const struct nt_nettrace_values *values, const char *name, char *buf,
			       size_t size); /* UTF-8, as nt_utf16_to_utf8() */

#endif
