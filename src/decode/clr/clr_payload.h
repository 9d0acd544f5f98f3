/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The other way round: the payload of an event of the runtime, made of the neutral event by the same table, for files that others read. What nettop did not keep of it is not made up: a version of the event that
 * has no such field is written in its place, and an event of which too little was kept is not written at all (nt_clr_payload_desc()). Left are fields that tell nothing to a reader who finds 0 there: the number
 * of the runtime in its process, addresses of objects, the id of an application domain, the description of symbols.
 */
#ifndef NT_DECODE_CLR_PAYLOAD_H
#define NT_DECODE_CLR_PAYLOAD_H

#include "decode/clr/clr.h"

struct nt_text_buffer;

/* What texts of the event mean. */
struct nt_clr_texts {
	const char *(*get)(const void *context, nt_str id, size_t *length); /* `length` bytes; 0: there is none */
	const void *context;
};

/* A text longer than this is cut: a payload has room for all that an event has. In bytes of UTF-8. */
enum { NT_CLR_PAYLOAD_TEXT_MAX = 8 << 10 };

/* As which event, of which version, it is written. NULL: it is none of the runtime's, or nettop keeps too little of it. */
const struct nt_clr_desc *nt_clr_payload_desc(const struct nt_event *event);

/* Append the payload, as `desc` has it, which nt_clr_payload_desc() has said. */
void nt_clr_payload_put(struct nt_text_buffer *out, const struct nt_clr_desc *desc, const struct nt_event *event,
			const struct nt_clr_texts *texts);

#endif
