/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which source is asked for what. Several could bring the runtime's events: LTTng when it delivers, because it costs the target least; else EventPipe,
 * which needs nothing but the diagnostics port. What LTTng leaves out EventPipe adds. By which bits a subject is brought, by whom it may come in part, and whether
 * it is asked for only while somebody looks stands in its row (nettop/subject.h).
 */
#ifndef NT_APP_DEMAND_H
#define NT_APP_DEMAND_H

#include "app/common/options.h"
#include "nettop/source.h"

struct nt_demand_facts {
	enum nt_target_mode mode; /* what the target's start lets LTTng deliver */
	unsigned left_out;        /* of that, what it leaves out: nt_target_lttng_leaves_out() */
	bool lttng;               /* the LTTng source delivers, or is about to */
	bool eventpipe;           /* the EventPipe source could: it is open, and neither absent nor forbidden */
	unsigned looked_at;       /* enum nt_demand bits of what somebody looks at */
	bool unmapped;            /* there are addresses, and nothing names code that the JIT makes, or late: the events do */
	bool needs_map;           /* code has no names without one, or somebody asks for it */
	bool batch;               /* everything is read by somebody who cannot open another screen for it */
	bool compilations_only;   /* nobody looks at anything else */
	bool counters_only;       /* likewise: only what the program counts by itself is written */
	bool told_only;           /* likewise: only events that were chosen by name, with their call stacks */
	bool unjudged;            /* nothing is judged: call stacks alone are wanted */
	bool requests;            /* the program has what tells of requests */
	bool compilations;        /* the program compiles so much that somebody should know what, or starts */
	bool moments;             /* something is asked for by name: nt_source_config.moments */
};

/* A set of enum nt_demand bits. */
unsigned nt_demand_of(enum nt_source_id source, const struct nt_demand_facts *facts);

/*
 * Does the map, in that state, name what the JIT makes as soon as it is made? Runtimes before 10 keep its end in a buffer for as long as little is compiled.
 * A map that is looked for is taken to be there.
 */
/* `later`: while it is starting it is not written yet, for the sake of the program's start. */
bool nt_demand_is_mapped(const struct nt_target *target, enum nt_source_state map, bool later);

/* Is EventPipe alone better than LTTng? It is when the target's start keeps most events from LTTng, and when it is preferred. */
bool nt_demand_eventpipe_alone(const struct nt_options *options, const struct nt_target *target);

/* Is LTTng not opened for this target? EventPipe can be had, and is better alone; a session that somebody named is read in any case. */
bool nt_demand_passes_over_lttng(const struct nt_options *options, const struct nt_source_config *config, const struct nt_target *target);
#define NT_DEMAND_PASSED_OVER "the target was not started for it: EventPipe brings more"

#endif
