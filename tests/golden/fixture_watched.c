// SPDX-License-Identifier: GPL-2.0-only
/* Several processes that are watched. */
#include "fixture.h"

#include "base/alloc.h"
#include "nettop/process_row.h"

#include <string.h>

#define MB     (UINT64_C(1) << 20)
#define DAY_NS (24 * 3600 * NT_NS_PER_S)

enum { COUNT = 6, CRASHED = 1 };

static void set_crashed(struct nt_process_snapshot *process)
{
	memset(process, 0, sizeof(*process));
	process->target = (struct nt_target_info){ .pid = 80002, .name = "mail", .ended = true, .end_text = "killed by SIGSEGV" };
	process->target.end.signal = nt_u64_of(11);
	process->quiet_since = NT_TIME_UNKNOWN;
}

struct nt_snapshot *fixture_watched(void)
{
	static const struct nt_process_row rows[COUNT] = {
		{ .id = 11,
		  .pid = 918,
		  .name = "pay",
		  .command = "/srv/pay/pay",
		  .runtime = "8.0.21",
		  .user = "www",
		  .closed = true,
		  .uptime_ns = NT_KNOWN(12 * DAY_NS),
		  .rss_bytes = NT_KNOWN(412 * MB),
		  .thread_count = NT_KNOWN(31),
		  .cpu_pct = NT_KNOWN(41) },
		{ .id = 12,
		  .pid = 4711,
		  .name = "shop-web",
		  .command = "dotnet Shop.Web.dll --urls http://0.0.0.0:8080",
		  .runtime = "10.0.12",
		  .user = "www",
		  .uptime_ns = NT_KNOWN(3 * DAY_NS),
		  .rss_bytes = NT_KNOWN(3092 * MB),
		  .thread_count = NT_KNOWN(78),
		  .cpu_pct = NT_KNOWN(512) },
		{ .id = 13,
		  .pid = 80002,
		  .name = "mail",
		  .command = "/srv/mail/mail",
		  .user = "www",
		  .uptime_ns = NT_KNOWN(4 * NT_NS_PER_S),
		  .rss_bytes = NT_KNOWN(80 * MB),
		  .thread_count = NT_KNOWN(14),
		  .restarts = 4 },
		{ .id = 14,
		  .pid = 80100,
		  .name = "report",
		  .command = "/srv/report",
		  .user = "anna",
		  .uptime_ns = NT_KNOWN(2 * NT_NS_PER_S),
		  .rss_bytes = NT_KNOWN(40 * MB),
		  .thread_count = NT_KNOWN(9),
		  .cpu_pct = NT_KNOWN(3.1),
		  .restarts = 1,
		  .last_end_text = "exit code 134" },
		{ .id = 1, .kind = NT_PROCESS_ROW_OTHERS, .name = "(all others)", .cpu_pct = NT_KNOWN(94.4) },
		{ .id = 2, .kind = NT_PROCESS_ROW_IDLE, .name = "(idle)", .cpu_pct = NT_KNOWN(149.5) },
	};
	struct nt_snapshot *snapshot = fixture_troubled();
	snapshot->processes = nt_realloc(snapshot->processes, CRASHED + 1, sizeof(*snapshot->processes));
	set_crashed(&snapshot->processes[CRASHED]);
	snapshot->process_count = CRASHED + 1;
	snapshot->listed = nt_alloc(sizeof(rows));
	snapshot->listed_count = COUNT;
	memcpy(snapshot->listed, rows, sizeof(rows));
	for (size_t i = 0; i < COUNT; i++)
		snapshot->listed[i].ended_at = NT_TIME_UNKNOWN;
	snapshot->listed[1].process = &snapshot->processes[0];
	snapshot->listed[1].hottest = &snapshot->processes[0].methods[0];
	snapshot->listed[1].named = true;
	snapshot->listed[2].process = &snapshot->processes[CRASHED];
	snapshot->listed[2].ended_at = snapshot->t1 - 3 * NT_NS_PER_S;
	snapshot->listed[2].last_end_text = snapshot->processes[CRASHED].target.end_text;
	snapshot->listed[3].last_end = snapshot->t1 - 2 * NT_NS_PER_S;
	return snapshot;
}
