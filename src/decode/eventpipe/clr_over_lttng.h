/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the runtime's events may be enabled over LTTng for who asks for them by name. Harmless are those without a text, and those whose texts are known never to be null, or to be left out of a
 * packed payload (NULL_TEXT in clr_events.def): LTTng's side of the runtime measures a text first, and one that is null ends the program. What is not known is not enabled.
 */
#ifndef NT_DECODE_CLR_OVER_LTTNG_H
#define NT_DECODE_CLR_OVER_LTTNG_H

#include "decode/eventpipe/clr_shapes.h"

enum nt_over_lttng {
	NT_OVER_LTTNG_MAY,
	NT_OVER_LTTNG_ENDS,   /* a text of it may be null: it ends the process */
	NT_OVER_LTTNG_ACTS,   /* the runtime collects, looks at all objects or lists all it has */
	NT_OVER_LTTNG_FLOODS, /* it comes only together with another one that comes far too often (GCJoin, SetGCHandle) */
	NT_OVER_LTTNG_COUNT,
};

enum nt_over_lttng nt_clr_shape_over_lttng(const struct nt_clr_shape *shape);

/* "a text of theirs may be null, which would end the process": of several events. "" of MAY. Static. */
const char *nt_over_lttng_why_not(enum nt_over_lttng verdict);

/* Of `DotNETRuntime:GCStart_V2`; NULL: another provider's, or not in the table. */
const struct nt_clr_shape *nt_clr_shape_by_lttng_name(const char *name);

#endif
