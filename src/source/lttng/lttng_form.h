/* SPDX-License-Identifier: GPL-2.0-only */
/* What is found out once per event class of a trace: which event of the runtime it is, and where its fields and contexts are. */
#ifndef NT_SOURCE_LTTNG_FORM_H
#define NT_SOURCE_LTTNG_FORM_H

#include <uthash.h>

#include "decode/clr/clr.h"
#include "decode/eventpipe/clr_over_lttng.h"
#include "source/lttng/babeltrace.h"

struct nt_lttng_form {
	const bt_event_class *class;      /* owned reference, so that the address, the key, stays its own */
	const struct nt_clr_desc *desc;   /* NULL: an event that the table does not know */
	char *name;                       /* owned; as in the trace */
	int vpid, vtid, pid_ns, procname; /* members of the common context; -1 = not there */
	int packed;            /* member of the payload that holds all fields in the runtime's packed form; -1 = fields are members */
	int *value_of;         /* owned; member of the payload -> index in nt_clr_value[], -1 = not wanted */
	uint64_t member_count; /* of the payload */
	const struct nt_clr_shape *shape; /* for who wants it told; NULL: an event that the table of shapes does not know */
	bool chosen;                      /* for who wants it told: it is one of those */
	int *told_of;                     /* owned; member of the payload -> field of the shape, -1 = it has none of this name */
	UT_hash_handle hh;
};

/* The form of a class, in a table that is NULL at first: never NULL, the table's. *is_new: this is the first one that asks for it. */
struct nt_lttng_form *nt_lttng_form_of(struct nt_lttng_form **forms, const bt_event_class *class, bool *is_new);
void nt_lttng_forms_free(struct nt_lttng_form *forms); /* the table and what is in it; NULL is allowed */

/* An integer member of a structure; false when there is none, or it is no integer. */
bool nt_lttng_member_integer(const bt_field *structure, int member, uint64_t *value);

struct nt_lttng_scratch {
	uint8_t *bytes; /* owned */
	size_t capacity;
};
/* The bytes of a packed payload, in `scratch`. Errors: MALFORMED. */
enum nt_status nt_lttng_form_packed(const struct nt_lttng_form *form, const bt_field *payload, struct nt_lttng_scratch *scratch,
				    size_t *length);

/* An integer, a number or a text, borrowed from the field; anything else leaves *value as it is. */
void nt_lttng_value_of(const bt_field *field, struct nt_clr_value *value);

/* Fill the values of form->desc from the payload. `scratch` holds a packed payload until nt_clr_build(). Errors: MALFORMED. */
enum nt_status nt_lttng_form_values(const struct nt_lttng_form *form, const bt_event *event, struct nt_lttng_scratch *scratch,
				    struct nt_clr_value values[NT_CLR_FIELDS_MAX]);

#endif
