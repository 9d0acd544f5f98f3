/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which EventPipe sessions bring what is wanted: the one table. A session has one level and one set of keywords for a provider, so what is needed at
 * another level, or comes and goes with what somebody looks at, is a session of its own.
 */
#ifndef NT_SOURCE_EVENTPIPE_PLAN_H
#define NT_SOURCE_EVENTPIPE_PLAN_H

#include "source/eventpipe/eventpipe_counters.h"
#include "source/eventpipe/eventpipe_events.h"

/* Of the runtime's own sampler, which EventPipe alone has. */
#define NT_SAMPLER_PROVIDER "Microsoft-DotNETCore-SampleProfiler"

/* Static storage. */
struct nt_eventpipe_plan {
	const char *name;                 /* for people: "collections" */
	unsigned wants;                   /* any of these enum nt_demand bits brings it */
	unsigned first_major, last_major; /* versions of .NET that it is meant for */
	bool stackwalk;                   /* with the call stack of each event */
	struct nt_ipc_provider provider;
	enum nt_counter_set counters; /* unless NONE, its providers are those of this set */
};

enum { NT_EVENTPIPE_PLANS_MAX = 15 };

/* Sessions for what somebody has asked for by name (nt_source_config.moments), one each. All zero is none. */
struct nt_eventpipe_moments {
	struct nt_eventpipe_plan plans[NT_EVENTPIPE_PLANS_MAX];
	size_t count;
};

/* Of all that were asked for those of the runtime. `events` is told what to make of them; both borrow from the config. */
void nt_eventpipe_moments_plan(struct nt_eventpipe_moments *moments, struct nt_eventpipe_events *events,
			       const struct nt_source_config *config);

/*
 * Without NT_WANT_EXCEPTIONS no session has the keyword of exceptions (target/process/exception_gate.h).
 * The sessions for a set of enum nt_demand bits and a runtime, in `out`; returns how many. What a runtime cannot deliver is left out: before .NET 10
 * there are no allocation samples. With NT_WANT_MOMENTS those of `moments` alone, which may be NULL without.
 */
size_t nt_eventpipe_plans(unsigned demand, unsigned runtime_major, const struct nt_eventpipe_moments *moments,
			  const struct nt_eventpipe_plan *out[NT_EVENTPIPE_PLANS_MAX]);

/* Why there is no session: LTTng brings all, or what somebody has asked for would do harm. */
const char *nt_eventpipe_why_none(const struct nt_eventpipe_moments *moments);

/*
 * May it wait while the program starts? What counts from the start on may not; the runtime's counters may, where each compilation comes as an event.
 * `demand`: as above.
 */
bool nt_eventpipe_plan_can_wait(const struct nt_eventpipe_plan *plan, unsigned demand);

/*
 * May it be asked for yet? Meters only when the runtime has told its own counters once (`polled`). While it opens a session for Meters it holds the lock of all
 * EventSources and rents from a pool of arrays; whoever rents for the first time in the program's life at that moment has the lock of ArrayPoolEventSource and waits
 * for the other: both stand for ever, and the diagnostics port with them (dotnet/runtime #119014, seen on .NET 10.0.12). The thread that reads the runtime's own
 * counters rents before it tells them, and nothing rents while they are opened.
 * Single requests, activities and work items are written by EventSources that are opened in the same way, so they wait as well.
 */
bool nt_eventpipe_plan_is_due(const struct nt_eventpipe_plan *plan, bool polled);

/* What the session of a plan without counters asks for: without texts of the program where `config` says so. */
struct nt_ipc_provider nt_eventpipe_plan_provider(const struct nt_eventpipe_plan *plan, const struct nt_source_config *config);

/* What it asks for besides; NULL = nothing. Static storage. */
const struct nt_ipc_provider *nt_eventpipe_plan_beside(const struct nt_eventpipe_plan *plan);

/* What its stream is for. */
enum nt_eventpipe_role nt_eventpipe_plan_role(const struct nt_eventpipe_plan *plan);

/* Is the runtime's event of this id among those of NT_WANT_GC_HISTORIES? */
bool nt_eventpipe_plan_is_history(uint32_t id);

#endif
