/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading traces that LTTng, or whoever else writes CTF 1.8, has left in a folder: a babeltrace2 graph of its reader of files and a sink of ours. A trace is a folder with a file `metadata`; LTTng makes one for each user
 * and word size, for each process, or for the kernel, somewhere below the folder of the session.
 */
#ifndef NT_SOURCE_LTTNG_TRACES_H
#define NT_SOURCE_LTTNG_TRACES_H

#include "source/lttng/lttng_viewer.h"

enum {
	NT_LTTNG_TRACES_MAX = 256, /* of one folder; what lies deeper or comes later is left out */
	NT_LTTNG_TRACES_DEPTH = 10,
	NT_LTTNG_TRACE_NAME = 512, /* bytes of the way from the folder to a trace, the NUL included */
};

/* Which traces lie below a folder: their ways from there, in the order of their names. */
struct nt_lttng_traces {
	int folder; /* borrowed */
	size_t count;
	bool more; /* than are listed */
	char names[NT_LTTNG_TRACES_MAX][NT_LTTNG_TRACE_NAME];
};

/* `folder` is a descriptor of it. Links are not followed. */
void nt_lttng_traces_find(int folder, struct nt_lttng_traces *out);

/* Load what reading takes: afterwards no library is opened any more. */
enum nt_status nt_lttng_traces_prepare(struct nt_error *err);

/* A reader of some of them, by their places, merged in the order of time; to be run as any other viewer. *out is the caller's. */
enum nt_status nt_lttng_traces_open(const struct nt_lttng_traces *traces, const size_t *places, size_t count,
				    const struct nt_lttng_viewer_sink *sink, struct nt_lttng_viewer **out, struct nt_error *err);

#endif
