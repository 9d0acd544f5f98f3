/* SPDX-License-Identifier: GPL-2.0-only */
/* Building an event field by field: what the two ways of building (values, packed payload) share. */
#ifndef NT_DECODE_CLR_STORE_H
#define NT_DECODE_CLR_STORE_H

#include "decode/clr/clr.h"

#include <string.h>

/* An event in the making. */
struct nt_clr_making {
	struct nt_event *event;
	const struct nt_clr_at *at;
	struct nt_clr_value type, method; /* texts of a method's name, as they come by */
};

/* Append an event of desc->kind, which is not NONE, with what the table says of all of that kind. */
static inline void nt_clr_making_begin(struct nt_clr_making *making, const struct nt_clr_desc *desc, const struct nt_clr_at *at)
{
	making->at = at;
	making->event = nt_batch_add(at->batch, (enum nt_event_kind)desc->kind, at->time, at->pid, at->tid);
	making->event->version = desc->version;
	making->type.type = making->method.type = NT_CLR_NONE;
	uint32_t constant = desc->constant_value;
	if (desc->constant_member)
		memcpy((char *)making->event + desc->constant_offset, &constant, sizeof(constant));
}

/* One field, in the order of the table. */
void nt_clr_making_store(struct nt_clr_making *making, const struct nt_clr_field *field, const struct nt_clr_value *value);

/* The id of a text. */
nt_str nt_clr_making_text(const struct nt_clr_making *making, const struct nt_clr_value *value);

/* The id of the namespace that a method's type is in; 0 = in none, or no type was said. */
nt_str nt_clr_making_namespace(const struct nt_clr_making *making);

/* What follows from several fields. */
static inline void nt_clr_making_end(const struct nt_clr_making *making)
{
	struct nt_event *event = making->event;
	if (event->kind == NT_EV_METHOD_LOAD || event->kind == NT_EV_METHOD_UNLOAD)
		event->u.method.tier = (event->u.method.flags >> 7) & 7; /* MethodFlags, eventtracebase.h of the runtime */
	if (event->kind == NT_EV_METHOD_LOAD)
		event->u.method.namespace = nt_clr_making_namespace(making);
}

#endif
