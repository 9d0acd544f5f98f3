// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events in a row, as a module that turns.c loads. Built once with the headers of lttng-ust 2.12 and once with this machine's, from the same tp.h.
 */
#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES
#include "tp.h"

#include "emit.h"

void emit_one_field(int count)
{
	for (int i = 0; i < count; i++)
		tracepoint(nt_fields, first, i);
}

void emit_ten_fields(int count)
{
	for (int i = 0; i < count; i++)
		tracepoint(nt_fields, arguments, i, 0.5, "some text", 7, 0.25F, 3, i, 2.5, 1, -i);
}
