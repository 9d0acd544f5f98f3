/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The payload of an event that describes itself (managed EventSources): values by the names of its fields. Nested objects are flattened: the members
 * of an EventCounters' `Payload` are found under their own names. Values are those of clr.h; texts are UTF-16 in the payload and are borrowed.
 */
#ifndef NT_DECODE_NETTRACE_FIELDS_H
#define NT_DECODE_NETTRACE_FIELDS_H

#include "decode/clr/clr.h"
#include "decode/eventpipe/nettrace.h"

/* Enough for every event of the base library (BeginInstrumentReporting has 12) and some arrays; what lies beyond is left out. */
enum { NT_NETTRACE_VALUES_MAX = 256, NT_NETTRACE_ELEMENTS_MAX = 64 /* of one array, in a nested reading */ };

struct nt_nettrace_value {
	const char *name; /* of the metadata; "" = none */
	uint32_t type;    /* enum nt_nettrace_type: whether an integer has a sign, what bytes are */
	uint32_t inner;   /* of a nested reading, OBJECT and ARRAY: so many of the values behind it lie within it */
	/* INTEGER (signed ones sign-extended; bool, char), REAL, UTF16; BYTES: guid, decimal, a whole object, a whole array with its count before it */
	struct nt_clr_value value;
};

struct nt_nettrace_values {
	struct nt_nettrace_value items[NT_NETTRACE_VALUES_MAX];
	size_t count;
	size_t left_bytes; /* of the payload, behind what the fields are */
	bool passed_over;  /* elements of an array that were too many */
};

/*
 * Read the payload of `event` by the fields of its metadata, in their order. NT_ERR_MALFORMED when the payload ends before its fields do, a field
 * is of an unknown type, or there are more fields and elements than 16 for each byte, which only such without bytes can be: `out` then has the values before it.
 */
enum nt_status nt_nettrace_values_read(const struct nt_nettrace_event *event, struct nt_nettrace_values *out);

/*
 * The same with what is within: an object and an array are values of their own, followed by their members and elements (without a name; NT_NETTRACE_ELEMENTS_MAX of them, the others are passed over).
 * `fields`: those of the metadata, or what is known from elsewhere: the runtime's own events do not describe themselves.
 *
 * EventSource.Write(), unlike an event of a manifest, writes a bool as one byte and a decimal as an f64, and describes both as if it did not. Fields that do not fit the payload to its end are read
 * so, when they fit then.
 */
enum nt_status nt_nettrace_values_read_nested(const struct nt_nettrace_event *event, const struct nt_nettrace_field *fields, uint32_t count,
					      struct nt_nettrace_values *out);

/* Elements that an array of a nested reading has. */
uint32_t nt_nettrace_value_elements(const struct nt_nettrace_value *value);

/* The first value of that name; NULL when there is none. */
const struct nt_clr_value *nt_nettrace_values_find(const struct nt_nettrace_values *values, const char *name);

/* Shorthands for what is usual. A missing value, or one of another type, gives `known` false, or "" and 0. */
bool nt_nettrace_values_real(const struct nt_nettrace_values *values, const char *name, double *out); /* integers are converted */
size_t nt_nettrace_values_text(const struct nt_nettrace_values *values, const char *name, char *buf,
			       size_t size); /* UTF-8, as nt_utf16_to_utf8() */

#endif
