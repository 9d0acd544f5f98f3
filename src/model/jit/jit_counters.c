// SPDX-License-Identifier: GPL-2.0-only
#include "model/jit/jit_counters.h"

#include "nettop/source.h"

#include <string.h>

enum nt_jit_counter nt_jit_counter_of(const char *name, size_t length)
{
	static const char *const names[NT_JIT_COUNTERS] = { [NT_JIT_COUNTER_METHODS] = "methods-jitted-count",
							    [NT_JIT_COUNTER_TIME] = "time-in-jit",
							    [NT_JIT_COUNTER_IL_BYTES] = "il-bytes-jitted" };
	enum nt_jit_counter which = 0;
	while (which < NT_JIT_COUNTERS && (strlen(names[which]) != length || memcmp(names[which], name, length) != 0))
		which++;
	return which;
}

void nt_jit_counters_told(struct nt_jit_counters *counters, enum nt_jit_counter which, const struct nt_ev_counter *told, nt_time time)
{
	if (told->known & NT_COUNTER_CHANGE)
		nt_counted_grew(&counters->counted[which], time, told->period_ns, told->change);
	else if (told->known & NT_COUNTER_VALUE)
		nt_counted_stands(&counters->counted[which], time, told->period_ns, told->value);
}

bool nt_jit_counters_source(struct nt_jit_counters *counters, uint32_t brings)
{
	bool stood_in = counters->stand_in;
	counters->stand_in = brings & NT_WANT_RUNTIME_EVENTS && !(brings & NT_WANT_JIT_EVENTS);
	counters->stood_in |= counters->stand_in;
	return stood_in && !counters->stand_in;
}

/* ---- closing ---- */

static struct nt_u64 rounded(double value)
{
	static const double too_many = 0x1p63; /* nonsense of a recording */
	return nt_u64_of(value < too_many ? (uint64_t)(value + 0.5) : UINT64_MAX);
}

/* In the units of struct nt_jit_figures. */
static double scale(enum nt_jit_counter which)
{
	return which == NT_JIT_COUNTER_TIME ? (double)NT_NS_PER_MS : 1;
}

static struct nt_u64 *figure(struct nt_jit_figures *figures, enum nt_jit_counter which)
{
	return which == NT_JIT_COUNTER_METHODS ? &figures->method_count
	       : which == NT_JIT_COUNTER_TIME  ? &figures->time_ns
					       : &figures->il_bytes;
}

bool nt_jit_counters_close(struct nt_jit_counters *counters, const struct nt_span *span, bool by_events,
			   const uint64_t told[NT_JIT_COUNTERS], struct nt_jit_figures *out)
{
	bool due = counters->stood_in && !(by_events && counters->stand_in), any = false;
	for (enum nt_jit_counter i = 0; i < NT_JIT_COUNTERS; i++) {
		struct nt_counted *counted = &counters->counted[i];
		nt_counted_close(counted, span);
		if (due && counted->counting) {
			uint64_t whole = rounded(counted->interval * scale(i)).v;
			counters->total[i] += whole > told[i] ? whole - told[i] : 0;
			*figure(out, i) = rounded(nt_counted_amount(counted) * scale(i));
			figure(out, i)->known = counted->covered_ns != 0;
			if (i == NT_JIT_COUNTER_METHODS)
				out->covered_ns = (struct nt_u64){ .known = counted->covered_ns != 0, .v = counted->covered_ns };
			any = true;
		}
		nt_counted_next(counted);
	}
	counters->used |= any;
	counters->stood_in = counters->stand_in;
	return any;
}

void nt_jit_counters_add(const struct nt_jit_counters *counters, struct nt_jit_figures *total)
{
	if (!counters->used)
		return;
	struct nt_jit_figures sums = { .why = total->why, .covered_ns = total->covered_ns };
	for (enum nt_jit_counter i = 0; i < NT_JIT_COUNTERS; i++) {
		struct nt_u64 events = *figure(total, i);
		*figure(&sums, i) = nt_u64_of((events.known ? events.v : 0) + counters->total[i]);
	}
	*total = sums;
}
