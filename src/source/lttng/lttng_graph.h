/* SPDX-License-Identifier: GPL-2.0-only */
/* What reading a live session and reading traces in files have in common: a babeltrace2 graph that ends in a sink of ours. For these two alone (lttng_viewer.c, lttng_traces.c). */
#ifndef NT_SOURCE_LTTNG_GRAPH_H
#define NT_SOURCE_LTTNG_GRAPH_H

#include "source/lttng/babeltrace.h"
#include "source/lttng/lttng_viewer.h"

struct nt_lttng_viewer {
	struct nt_lttng_viewer_sink sink;
	const char *broken; /* what is said when it goes no further */
	bt_graph *graph;    /* owned reference */
};

/* An empty one; `broken` is of static memory. The library is loaded. */
struct nt_lttng_viewer *nt_lttng_graph_new(const struct nt_lttng_viewer_sink *sink, const char *broken);

/* babeltrace2 keeps an error per thread; the lowest cause is the one that a person understands. Takes it, so that the next call starts clean. */
enum nt_status nt_lttng_graph_error(struct nt_error *err, const char *what);

/* A plug-in of the system (not of a user's folder: nettop is often root); a reference of the caller's. Loads the library. NULL: *err says why. */
const bt_plugin *nt_lttng_graph_plugin(const char *name, struct nt_error *err);

/* Add our sink, and connect it with this port. */
enum nt_status nt_lttng_graph_end_in_sink(struct nt_lttng_viewer *viewer, const bt_port_output *from, struct nt_error *err);

/* {"inputs": [input]}: the caller's reference. */
bt_value *nt_lttng_graph_input(const char *input);

#endif
