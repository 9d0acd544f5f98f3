// SPDX-License-Identifier: GPL-2.0-only
/* What the shop has open. */
#include "fixture_rows.h"

#include "base/alloc.h"

#include <string.h>

#define MS NT_NS_PER_MS

/* In the interval; since the row is there as many calls, and ten times as much of the rest. */
#define UNPACK(...) __VA_ARGS__
#define CALLS(counts, reads, writes, errors, agains)                                                                                       \
	.calls = { .count = { UNPACK counts },                                                                                             \
		   .read_bytes = (reads),                                                                                                  \
		   .written_bytes = (writes),                                                                                              \
		   .error_count = (errors),                                                                                                \
		   .again_count = (agains),                                                                                                \
		   .ns = 20 * MS },                                                                                                        \
	.calls_all = { .count = { UNPACK counts },                                                                                         \
		       .read_bytes = 10 * (reads),                                                                                         \
		       .written_bytes = 10 * (writes),                                                                                     \
		       .error_count = 10 * (errors),                                                                                       \
		       .again_count = 10 * (agains),                                                                                       \
		       .ns = 200 * MS }

#define BY(method, share)                                                                                                                  \
	{                                                                                                                                  \
		.name = (method), .module = "Shop.Web", .pct = (share)                                                                     \
	}
static const struct nt_io_caller database_callers[] = { BY("Shop.Orders.Store.Save(Order)", 71.4), BY("Shop.Cart.Total(ref Cart)", 22.0) };
static const struct nt_io_caller log_callers[] = { BY("Shop.Orders.Journal.Append(ReadOnlySpan<byte>)", 100) };
static const struct nt_io_caller price_callers[] = { BY("Shop.Pricing.Rule.Load(string)", 62.5) };
#undef BY

static const struct nt_io_row io_rows[] = {
	{ .what = "10.2.0.7:5432",
	  .kind = NT_IO_SOCKET,
	  .ways = NT_IO_READS | NT_IO_WRITES,
	  .open_count = 380,
	  .opened_count = 31,
	  .opened_all = 2400,
	  .blocked_count = 3,
	  .blocked_tid = 4790,
	  .blocked_ns = NT_KNOWN(9100 * MS),
	  CALLS(([NT_IO_READ] = 2400, [NT_IO_WRITE] = 1200, [NT_IO_CONNECT] = 31), 3 << 20, 240 << 10, 2, 1150),
	  .p50_ns = NT_KNOWN(1920),
	  .p99_ns = NT_KNOWN(140 * MS),
	  .looked_count = 6400,
	  .callers = database_callers,
	  .caller_count = 2 },
	{ .what = "/srv/shop/orders/2026-11-26.log",
	  .ways = NT_IO_WRITES,
	  .open_count = 1,
	  CALLS(([NT_IO_WRITE] = 300, [NT_IO_SYNC] = 300), 0, 48 << 10, 0, 0),
	  .p50_ns = NT_KNOWN(6144),
	  .p99_ns = NT_KNOWN(9 * MS),
	  .looked_count = 340,
	  .callers = log_callers,
	  .caller_count = 1 },
	/* Opened, read and closed between two looks; and what is not there. */
	{ .what = "/srv/shop/prices/today.json",
	  CALLS(([NT_IO_OPEN] = 40, [NT_IO_READ] = 120), 5 << 20, 0, 0, 0),
	  .p50_ns = NT_KNOWN(2304),
	  .p99_ns = NT_KNOWN(18432),
	  .looked_count = 24,
	  .callers = price_callers,
	  .caller_count = 1 },
	{ .what = "/srv/shop/prices/tomorrow.json",
	  CALLS(([NT_IO_OPEN] = 40), 0, 0, 40, 0),
	  .p50_ns = NT_KNOWN(1152),
	  .p99_ns = NT_KNOWN(2816) },
	{ .what = "/srv/shop/export/customers-of-the-whole-year-before-the-last.csv",
	  .ways = NT_IO_READS | NT_IO_WRITES,
	  .open_count = 1,
	  .opened_count = 1,
	  .opened_all = 4,
	  .blocked_count = 1,
	  .blocked_tid = 4802,
	  .blocked_ns = NT_KNOWN(120 * MS),
	  .fresh = true },
	{ .what = "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/System.Private.CoreLib.dll",
	  .ways = NT_IO_READS,
	  .open_count = 2 },
	{ .what = "/tmp/clr-debug-pipe-4711-17 (deleted)", .ways = NT_IO_READS, .ended = true },
	{ .what = "10.2.0.9:443 CLOSE_WAIT", .kind = NT_IO_SOCKET, .ways = NT_IO_READS | NT_IO_WRITES, .open_count = 30 },
	{ .what = "listening at [::]:8080", .kind = NT_IO_SOCKET, .ways = NT_IO_READS | NT_IO_WRITES, .open_count = 1 },
	{ .kind = NT_IO_SOCKET, .ways = NT_IO_READS | NT_IO_WRITES, .open_count = 1 },
	{ .kind = NT_IO_PIPE, .ways = NT_IO_READS | NT_IO_WRITES, .open_count = 6 },
	{ .what = "eventpoll", .kind = NT_IO_OTHER, .ways = NT_IO_READS | NT_IO_WRITES, .open_count = 2 },
};

const struct nt_io_figures fixture_io_figures = { .read_count = NT_KNOWN(1240),
						  .write_count = NT_KNOWN(310),
						  .read_bytes = NT_KNOWN(5 << 20),
						  .write_bytes = NT_KNOWN(48 << 10),
						  .disk_read_bytes = NT_KNOWN(4096),
						  .disk_write_bytes = NT_KNOWN(0),
						  .calls_covered_ns = NT_KNOWN(NT_NS_PER_S),
						  .call_count = NT_KNOWN(4431),
						  .call_error_count = NT_KNOWN(42),
						  .call_again_count = NT_KNOWN(1150),
						  .call_ns = NT_KNOWN(80 * MS),
						  .call_unnamed_count = NT_KNOWN(0),
						  .call_lost_count = NT_KNOWN(0),
						  .open_count = NT_KNOWN(1448),
						  .unseen_count = NT_KNOWN(1024) };

void fixture_add_io(struct nt_process_snapshot *process)
{
	process->io_count = sizeof(io_rows) / sizeof(io_rows[0]);
	process->io = nt_alloc(sizeof(io_rows));
	memcpy(process->io, io_rows, sizeof(io_rows));
	for (size_t i = 0; i < process->io_count; i++)
		process->io[i].id = i + 1;
	process->io_hidden = 1024;
	process->io_looked = process->io_called = true;
	fixture_add_requests(process);
}

void fixture_name_io(struct nt_process_snapshot *process, const char *const *names, size_t count)
{
	for (size_t i = 0; i < process->io_count; i++)
		process->io[i].what = names[i % count];
}

/* A machine of eight CPUs with neighbours, and a quota that is used up now and then. */
const struct nt_host_figures fixture_host_figures = { .busy_pct = NT_KNOWN(640),
						      .others_pct = NT_KNOWN(128),
						      .steal_pct = NT_KNOWN(0.2),
						      .cpu_count = NT_KNOWN(8),
						      .quota_pct = NT_KNOWN(600),
						      .period_count = NT_KNOWN(10),
						      .throttled_count = NT_KNOWN(3),
						      .throttled_ns = NT_KNOWN(81 * NT_NS_PER_MS),
						      .memory_limit_bytes = NT_KNOWN(UINT64_C(4) << 30),
						      .memory_used_bytes = NT_KNOWN(UINT64_C(3) << 30) };
