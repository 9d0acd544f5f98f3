/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stand-in runtime: what a .NET process shows to nettop, without .NET. It is laid out like the real one (a libcoreclr.so in
 * .../Microsoft.NETCore.App/VERSION/ that loads a libcoreclrtraceptprovider.so beside it), raises the same LTTng events behind the same gates, runs
 * generated machine code in a mapping called doublemapper, writes a perf map, and counts what it did, as the runtime does.
 *
 * Two parts: fakeclr (main.c) obeys commands; libcoreclr.so (the rest) does the work. One thread at a time calls in here.
 */
#ifndef FAKECLR_FAKE_H
#define FAKECLR_FAKE_H

#include <stdbool.h>
#include <stdint.h>

struct fake;

/* Reads DOTNET_ settings from the environment (EnableEventLog, EventSourceFilter, PerfMapEnabled, PerfMapJitDumpPath). */
struct fake *fake_new(void);

/* Stops the threads and unloads every method, with its events, as the runtime does at exit. */
void fake_free(struct fake *fake);

/* ---- work; the commands of tests/live/workload/README.md ---- */

void fake_compute(struct fake *fake, long ms); /* CPU on the thread `compute`, in tier-1 code */
void fake_compute_tiers(struct fake *fake, long tier0_ms, long osr_ms,
			long ms); /* tier-0, OSR, tier-1, each compiled when its turn comes */
void fake_allocate(struct fake *fake, long mb, bool large);
void fake_collect(struct fake *fake, unsigned generation);
void fake_collect_background(struct fake *fake);
enum fake_code_kind { FAKE_EXPRESSION, FAKE_DYNAMIC, FAKE_GENERIC };
void fake_compile(struct fake *fake, enum fake_code_kind kind, long count);
void fake_throw(struct fake *fake, long count);
void fake_contend(struct fake *fake, long count);
void fake_pool(struct fake *fake, long count);
void fake_starve(struct fake *fake, long count, long ms);
void fake_threads(struct fake *fake, long count); /* makes it this many idle threads */
void fake_churn(struct fake *fake, long count);
void fake_flood(struct fake *fake, long count); /* allocation samples as fast as they go: to overflow the tracer's buffers */

/* ---- what it counted ---- */

int fake_compute_tid(const struct fake *fake);

/* Print the counters of a mark as `,"name":value...`. */
void fake_print_counters(struct fake *fake);

#endif
