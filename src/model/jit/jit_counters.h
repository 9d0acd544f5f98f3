/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compilations as the runtime itself counts them, for the time in which nobody looks at each: then EventPipe, which carries the runtime's other events, is
 * not asked for those of compilations. An interval in which a look begins or ends is told by the counters, too, because the events cover a part of it.
 */
#ifndef NT_MODEL_JIT_COUNTERS_H
#define NT_MODEL_JIT_COUNTERS_H

#include "model/common/counted.h"
#include "nettop/event.h"
#include "nettop/snapshot.h"

enum nt_jit_counter { NT_JIT_COUNTER_METHODS, NT_JIT_COUNTER_TIME, NT_JIT_COUNTER_IL_BYTES, NT_JIT_COUNTERS };

struct nt_jit_counters {
	struct nt_counted counted[NT_JIT_COUNTERS]; /* methods; ms; bytes */
	uint64_t total[NT_JIT_COUNTERS]; /* methods; ns; bytes: of the intervals that were told by them, less what events told of these */
	bool used;                       /* for any interval */
	bool stand_in, stood_in;         /* for events that are not asked for: now; at some time in the open interval */
};

/* Which counter of System.Runtime `name` is; NT_JIT_COUNTERS = none of these. */
enum nt_jit_counter nt_jit_counter_of(const char *name, size_t length);

/* A COUNTER event of that counter. */
void nt_jit_counters_told(struct nt_jit_counters *counters, enum nt_jit_counter which, const struct nt_ev_counter *told, nt_time time);

/* What EventPipe brings from now on (enum nt_demand bits; 0 = not said). True when a look at compilations begins. */
bool nt_jit_counters_source(struct nt_jit_counters *counters, uint32_t brings);

/*
 * The interval ends. `by_events`: its events are known. `told`: what they said of it (methods, ns, bytes). True, and `out` filled, when the counters tell
 * of the interval.
 */
bool nt_jit_counters_close(struct nt_jit_counters *counters, const struct nt_span *span, bool by_events,
			   const uint64_t told[NT_JIT_COUNTERS], struct nt_jit_figures *out);

/* Add what only they told of to the sums of all events. Of tiers and the like they say nothing: no sum of these is known then. */
void nt_jit_counters_add(const struct nt_jit_counters *counters, struct nt_jit_figures *total);

#endif
