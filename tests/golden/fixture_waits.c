// SPDX-License-Identifier: GPL-2.0-only
/* The waits of fixture_add_waits() in their other groupings. */
#include "fixture_rows.h"

#include "base/alloc.h"

#include <string.h>

#define MS NT_NS_PER_MS
#define S  NT_NS_PER_S

#define TIME(ns_)                                                                                                                          \
	{                                                                                                                                  \
		.ns = (ns_), .all_ns = 10 * (ns_), .window = (double)(ns_)                                                                 \
	}

/* Exact; in part, later; by looks, which began not long ago. */
static const struct nt_wait_strip asks = { .cells = "rr..TTTTTTTTTTTTTTTTTTgTTTTTTTTTTTTTTTTTTTTTTTTTTT" };
static const struct nt_wait_strip serves = { .cells = "        --M-Mr---M-rr.M--M?-M-r-M--LM-r-M--M-r--M-", .polled = 0xf << 8 };
static const struct nt_wait_strip exports = { .cells = "                                   nnnn  nnnnnnnnn", .polled = 0x3fe7800000000 };

static const struct nt_wait_sum_row reasons[] = {
	{ .id = NT_WAIT_TASK + 1,
	  .kind = NT_WAIT_TASK,
	  .site = "Shop.Cart.Total(ref Cart)",
	  .wait = TIME(61 * S),
	  .count = 31,
	  .count_all = 310,
	  .window_per_s = 31,
	  .p50_ns = NT_KNOWN(3100 * MS),
	  .p99_ns = NT_KNOWN(9800 * MS),
	  .max_ns = NT_KNOWN(9800 * MS),
	  .longest_tid = 4802,
	  .waiting_count = 61 },
	{ .id = NT_WAIT_MONITOR + 1,
	  .kind = NT_WAIT_MONITOR,
	  .site = "Shop.Session.Store.Get(string)",
	  .wait = TIME(2900 * MS),
	  .count = 412,
	  .count_all = 4120,
	  .window_per_s = 412,
	  .p50_ns = NT_KNOWN(7100 * NT_NS_PER_US),
	  .p99_ns = NT_KNOWN(18800 * NT_NS_PER_US),
	  .max_ns = NT_KNOWN(61 * MS),
	  .longest_tid = 4811,
	  .waiting_count = 3 },
	{ .id = NT_WAIT_NATIVE + 1,
	  .kind = NT_WAIT_NATIVE,
	  .polled = true,
	  .wait = TIME(400 * MS),
	  .count = 1,
	  .count_all = 2,
	  .window_per_s = 1,
	  .max_ns = NT_KNOWN(300 * MS),
	  .fresh = true },
	{ .id = NT_WAIT_CPU + 1,
	  .kind = NT_WAIT_CPU,
	  .site = "Shop.Session.Store.Get(string)",
	  .wait = TIME(43 * MS / 10),
	  .count = 443,
	  .count_all = 4430,
	  .window_per_s = 443,
	  .p50_ns = NT_KNOWN(4 * NT_NS_PER_US),
	  .p99_ns = NT_KNOWN(90 * NT_NS_PER_US),
	  .max_ns = NT_KNOWN(2 * MS) },
	{ .id = NT_WAIT_IDLE + 1, .kind = NT_WAIT_IDLE, .wait = TIME(38 * S), .waiting_count = 38, .quiet = true },
};

static const struct nt_wait_sum_row threads[] = {
	{ .id = 4802,
	  .tid = 4802,
	  .name = ".NET TP Worker",
	  .kind = NT_WAIT_TASK,
	  .site = "Shop.Cart.Total(ref Cart)",
	  .wait = TIME(990 * MS),
	  .runq = TIME(4 * MS),
	  .cpu_pct = NT_KNOWN(0.3),
	  .count = 2,
	  .count_all = 20,
	  .window_per_s = 2,
	  .max_ns = NT_KNOWN(9800 * MS),
	  .strip = &asks,
	  .waiting_count = 1 },
	{ .id = 4811,
	  .tid = 4811,
	  .name = ".NET TP Worker",
	  .kind = NT_WAIT_RUNS,
	  .wait = TIME(412 * MS),
	  .runq = TIME(11 * MS),
	  .idle = TIME(200 * MS),
	  .cpu_pct = NT_KNOWN(37.5),
	  .count = 90,
	  .count_all = 900,
	  .window_per_s = 90,
	  .strip = &serves,
	  .max_ns = NT_KNOWN(61 * MS) },
	{ .id = 4820,
	  .tid = 4820,
	  .name = "exporter",
	  .kind = NT_WAIT_NATIVE,
	  .polled = true,
	  .wait = TIME(400 * MS),
	  .cpu_pct = NT_KNOWN(0),
	  .count = 1,
	  .count_all = 2,
	  .window_per_s = 1,
	  .max_ns = NT_KNOWN(300 * MS),
	  .strip = &exports,
	  .waiting_count = 1,
	  .fresh = true },
	{ .id = 4800,
	  .tid = 4800,
	  .name = ".NET TP Worker",
	  .kind = NT_WAIT_RUNS,
	  .wait = TIME(30 * MS),
	  .runq = TIME(MS),
	  .count = 1,
	  .count_all = 3,
	  .window_per_s = 1,
	  .max_ns = NT_KNOWN(30 * MS),
	  .ended = true },
	{ .id = 4790, .tid = 4790, .name = ".NET TP Worker", .kind = NT_WAIT_IDLE, .idle = TIME(S), .cpu_pct = NT_KNOWN(0), .quiet = true },
};

static const struct nt_wall_row wall[] = {
	{ .id = 1,
	  .site = "Shop.Cart.Total(ref Cart)",
	  .module = "Shop.Web",
	  .kind = NT_WAIT_TASK,
	  .run = TIME(130 * MS),
	  .wait = TIME(61 * S),
	  .runq = TIME(200 * NT_NS_PER_US) },
	{ .id = 2, .site = "Shop.Export.CsvWriter.AppendRow(ref Row)", .module = "Shop.Web", .kind = NT_WAIT_RUNS, .run = TIME(1976 * MS) },
	{ .id = 3,
	  .site = "Shop.Session.Store.Get(string)",
	  .module = "Shop.Web",
	  .kind = NT_WAIT_MONITOR,
	  .run = TIME(11 * MS),
	  .wait = TIME(2900 * MS),
	  .runq = TIME(4100 * NT_NS_PER_US) },
	{ .id = 4,
	  .site = "SVR::gc_heap::mark_object_simple1(uint8_t*, uint8_t*, int)",
	  .module = "libcoreclr.so",
	  .kind = NT_WAIT_RUNS,
	  .run = TIME(916 * MS) },
	{ .id = 5, .kind = NT_WAIT_NATIVE, .wait = TIME(400 * MS), .polled = true },
	{ .id = 6,
	  .site = "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart()",
	  .module = "System.Private.CoreLib",
	  .kind = NT_WAIT_IDLE,
	  .wait = TIME(38 * S),
	  .idle = true },
};

static void *copy(const void *rows, size_t size)
{
	return memcpy(nt_alloc(size), rows, size);
}

void fixture_add_wait_groups(struct nt_process_snapshot *process)
{
	process->wait_reasons = copy(reasons, sizeof(reasons));
	process->wait_reason_count = sizeof(reasons) / sizeof(reasons[0]);
	process->wait_threads = copy(threads, sizeof(threads));
	process->wait_thread_count = sizeof(threads) / sizeof(threads[0]);
	process->wall = copy(wall, sizeof(wall));
	process->wall_count = sizeof(wall) / sizeof(wall[0]);
}

void fixture_name_waits(struct nt_process_snapshot *process, const char *const *names, size_t count)
{
	for (size_t i = 0; i < process->lock_count; i++) /* the last one keeps its names */
		process->waits[i].site = process->waits[i].waker_name = process->waits[i].waker_at = process->waits[i].what =
			names[i % count];
	for (size_t i = 0; i < process->wait_reason_count; i++)
		process->wait_reasons[i].site = names[i % count];
	for (size_t i = 0; i < process->wait_thread_count; i++) {
		process->wait_threads[i].name = names[(i + 1) % count];
		process->wait_threads[i].site = names[i % count];
	}
	for (size_t i = 0; i < process->wall_count; i++) {
		process->wall[i].module = names[(i + 1) % count];
		process->wall[i].site = names[i % count];
	}
}
