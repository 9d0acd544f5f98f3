/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All events of the runtime's own provider as .NET 10 writes them: names, and fields in their order. Over EventPipe they do not describe themselves. The table, clr_shapes.def, is what the
 * runtime says of them in its base library (NativeRuntimeEventSource, which dotnet/runtime makes from ClrEtwAll.man): `make clr-shapes` writes it anew. An older version of an event has the same fields
 * but for the last ones.
 *
 * clr_events.def (decode/clr) has the events that nettop makes something of, in all their versions.
 */
#ifndef NT_DECODE_CLR_SHAPES_H
#define NT_DECODE_CLR_SHAPES_H

#include "decode/eventpipe/nettrace.h"

struct nt_clr_shape {
	uint32_t id, version, level; /* enum level of EventSource: 1 critical to 5 verbose; 0 = always */
	uint64_t keywords;           /* any of them brings it */
	const char *name;            /* without its version: "GCStart" */
	const struct nt_nettrace_field *fields;
	uint32_t field_count; /* what lies behind them (arrays of several values each) is not described */
};

extern const struct nt_clr_shape nt_clr_shapes[];
extern const size_t nt_clr_shape_count;

/* NULL: there is none of that id. */
const struct nt_clr_shape *nt_clr_shape_find(uint32_t id);

#endif
