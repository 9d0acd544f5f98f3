/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which counters a target is asked for, and how often. EventCounters are a matter of each EventSource; Meters of one provider, System.Diagnostics.Metrics,
 * that is told their names. What does not exist in the target stays silent.
 *
 * The runtime's own counters are asked for as EventCounters: they exist in every version, and cost a quarter of what the Meter of the same name does,
 * which is asked for when somebody names it.
 */
#ifndef NT_SOURCE_EVENTPIPE_COUNTERS_H
#define NT_SOURCE_EVENTPIPE_COUNTERS_H

#include "decode/eventpipe/counter_events.h"
#include "decode/eventpipe/ipc.h"
#include "nettop/clock.h"

/* Every payload reaches every session that has its provider: no two sets share one. */
enum nt_counter_set {
	NT_COUNTERS_NONE,
	NT_COUNTERS_RUNTIME,  /* System.Runtime */
	NT_COUNTERS_OTHERS,   /* ASP.NET Core, the network, and what the user names */
	NT_COUNTERS_REQUESTS, /* of these, the Meters that tell of requests */
};

enum {
	NT_COUNTER_NAMES_MAX = 16,   /* that a user can name */
	NT_COUNTER_NAME_BYTES = 128, /* of one of them */
	NT_COUNTER_PROVIDERS_MAX = NT_COUNTER_NAMES_MAX + 16,
};

struct nt_counter_request {
	struct nt_ipc_provider providers[NT_COUNTER_PROVIDERS_MAX];
	size_t provider_count;
	/* What they point to. */
	char names[NT_COUNTER_NAMES_MAX][NT_COUNTER_NAME_BYTES];
	char period[64];
	char metrics[NT_COUNTER_NAMES_MAX * NT_COUNTER_NAME_BYTES + 1024];
};

/*
 * How long a period of a set is: an interval; of requests a second at least. The runtime's counters come at least twice a second, because tiles show them, and no more often unless
 * somebody looks at them (`watched`).
 */
nt_time nt_counter_period(enum nt_counter_set set, bool watched, nt_time interval_ns);

/* Does it have Meters, which come over the runtime's one session for them? */
bool nt_counter_set_has_meters(enum nt_counter_set set);

/* By which name nettop asks for Meters. */
void nt_counter_client(char out[NT_METRICS_CLIENT_BYTES]);

/*
 * Fill `out`, which must stay in its place. `names`: of EventSources or Meters, with commas between them; with a - before it, one of those that are asked for without
 * being named (nettop/counter_providers.h) and shall not be; NULL = none.
 */
void nt_counter_request_fill(struct nt_counter_request *out, enum nt_counter_set set, const char *names, nt_time period_ns);

/* What is wrong with the names that a user gives, as a sentence without its subject; NULL = nothing. No names are right, too. */
const char *nt_counter_names_problem(const char *names);

#endif
