// SPDX-License-Identifier: GPL-2.0-only
#include "model/io/io_calls.h"

#include "base/alloc.h"

#include <stdlib.h>

void nt_io_call_sums_fini(struct nt_io_call_sums *sums)
{
	free(sums->latency);
	*sums = (struct nt_io_call_sums){ 0 };
}

static void add(struct nt_io_calls *to, const struct nt_ev_calls *calls)
{
	to->count[calls->call] += calls->count;
	to->read_bytes += calls->call == NT_IO_READ ? calls->bytes : 0;
	to->written_bytes += calls->call == NT_IO_WRITE ? calls->bytes : 0;
	to->error_count += calls->error_count;
	to->again_count += calls->again_count;
	to->ns += calls->ns;
}

bool nt_io_call_totals_add(struct nt_io_call_totals *totals, const struct nt_ev_calls *calls)
{
	if (calls->call >= NT_IO_CALL_COUNT)
		return false;
	add(&totals->interval, calls);
	add(&totals->all, calls);
	return true;
}

bool nt_io_call_sums_add(struct nt_io_call_sums *sums, const struct nt_ev_calls *calls)
{
	if (calls->call >= NT_IO_CALL_COUNT)
		return false;
	add(&sums->interval, calls);
	add(&sums->all, calls);
	if (!sums->latency)
		sums->latency = nt_alloc(sizeof(*sums->latency));
	for (unsigned i = 0; i < NT_IO_LATENCY_TOLD && calls->first < NT_IO_LATENCY_BUCKETS - i; i++) {
		sums->latency->buckets[calls->first + i] += calls->buckets[i];
		sums->latency->count += calls->buckets[i];
	}
	return true;
}

void nt_io_call_totals_told(struct nt_io_call_totals *totals, nt_time time, const struct nt_ev_calls_told *told, const char *reason,
			    const char *fix)
{
	totals->told = told->told;
	totals->reason = reason;
	totals->fix = fix;
	if (!told->told)
		return;
	nt_time span = time > told->from ? time - told->from : 0;
	totals->told_before = true;
	totals->covered_ns += span;
	totals->covered_all_ns += span;
	totals->unnamed += told->unnamed_count;
	totals->unnamed_all += told->unnamed_count;
	totals->lost += told->lost_count;
	totals->lost_all += told->lost_count;
}

/* ---- showing ---- */

/* Four for each power of two: the middle between where it begins and where the next one does. */
static uint64_t middle_of(unsigned bucket)
{
	unsigned shift = bucket / 4 + NT_IO_LATENCY_FIRST_BITS - 2;
	return ((uint64_t)(4 + bucket % 4) << shift) + (UINT64_C(1) << shift >> 1);
}

static struct nt_u64 percentile(const struct nt_io_latency *latency, unsigned per_cent)
{
	uint64_t seen = 0;
	if (!latency || !latency->count)
		return (struct nt_u64){ 0 };
	uint64_t rank = latency->count / 100 * per_cent + (latency->count % 100 * per_cent + 99) / 100;
	unsigned bucket = 0;
	while (bucket < NT_IO_LATENCY_BUCKETS - 1 && (seen += latency->buckets[bucket]) < rank)
		bucket++;
	return nt_u64_of(middle_of(bucket));
}

void nt_io_call_sums_close(struct nt_io_call_sums *sums, struct nt_io_row *out)
{
	out->calls = sums->interval;
	out->calls_all = sums->all;
	out->p50_ns = percentile(sums->latency, 50);
	out->p99_ns = percentile(sums->latency, 99);
	sums->interval = (struct nt_io_calls){ 0 };
}

static struct nt_u64 figure(bool known, uint64_t value)
{
	return (struct nt_u64){ .known = known, .v = known ? value : 0 };
}

static void fill(const struct nt_io_calls *calls, nt_time covered_ns, uint64_t unnamed, uint64_t lost, struct nt_io_figures *out)
{
	bool known = covered_ns != 0;
	out->calls_covered_ns = figure(known, covered_ns);
	out->call_count = figure(known, nt_io_calls_count(calls));
	out->call_error_count = figure(known, calls->error_count);
	out->call_again_count = figure(known, calls->again_count);
	out->call_ns = figure(known, calls->ns);
	out->call_unnamed_count = figure(known, unnamed);
	out->call_lost_count = figure(known, lost);
}

void nt_io_call_totals_close(struct nt_io_call_totals *totals, struct nt_process_snapshot *process)
{
	static const struct nt_why unasked = { "calls are counted only while somebody looks (key i), or with --calls", NULL };
	static const struct nt_why early = { "calls are told from the second reading on", NULL };
	static const struct nt_why late = { "no reading of its calls came within this interval", NULL };
	struct nt_io_figures *interval = &process->interval.io, *total = &process->total.io;
	const struct nt_why untold = totals->covered_all_ns ? late : early;
	const struct nt_why why = totals->reason ? (struct nt_why){ totals->reason, totals->fix } : totals->told ? untold : unasked;
	fill(&totals->interval, totals->covered_ns, totals->unnamed, totals->lost, interval);
	fill(&totals->all, totals->covered_all_ns, totals->unnamed_all, totals->lost_all, total);
	if (!totals->told || !totals->covered_ns)
		interval->calls_why = why;
	if (!totals->covered_all_ns)
		total->calls_why = why;
	process->io_called = totals->told_before;
	totals->interval = (struct nt_io_calls){ 0 };
	totals->covered_ns = totals->unnamed = totals->lost = 0;
}
