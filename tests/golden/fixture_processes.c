// SPDX-License-Identifier: GPL-2.0-only
/* The list of processes. */
#include "fixture.h"

#include "base/alloc.h"
#include "nettop/process_row.h"

#include <string.h>

#define DAY_NS (24 * 3600 * NT_NS_PER_S)
#define MB     (UINT64_C(1) << 20)

enum { COUNT = 6 };

/* Letters of the sources that would deliver, '-' for one that would not, ' ' for one of which nothing is known. */
static void set_usable(struct nt_process_row *row, const char *letters)
{
	for (size_t i = 0; i < NT_LISTED_SOURCES; i++)
		row->usable[i] = letters[i] == ' '   ? (struct nt_usable){ NT_USABLE_UNKNOWN, NULL }
				 : letters[i] == '-' ? (struct nt_usable){ NT_USABLE_MISSING, "no events: that is how it was started" }
						     : (struct nt_usable){ NT_USABLE_YES, NULL };
}

static void set_trend(struct nt_process_row *row, double step)
{
	for (size_t i = 0; i < NT_TREND_CELLS; i++)
		row->trend.cells[i] = (float)(row->cpu_pct.v + step * (double)i);
	row->trend.known = row->cpu_pct.known ? UINT8_MAX : 0;
}

static struct nt_snapshot *empty_list(unsigned sequence)
{
	struct nt_snapshot *snapshot = nt_alloc(sizeof(*snapshot));
	snapshot->refs = 1;
	snapshot->sequence = sequence;
	snapshot->start = FIXTURE_START;
	snapshot->t0 = FIXTURE_START + (sequence - 1) * NT_NS_PER_S;
	snapshot->t1 = FIXTURE_START + sequence * NT_NS_PER_S;
	return snapshot;
}

struct nt_snapshot *fixture_no_processes(void)
{
	return empty_list(2);
}

struct nt_snapshot *fixture_processes(void)
{
	static const struct nt_process_row rows[COUNT] = {
		{ .id = 1,
		  .pid = 918,
		  .name = "pay",
		  .command = "/srv/pay/pay",
		  .runtime = "8.0.21",
		  .user = "www",
		  .deployment = NT_DEPLOYED_SINGLE_FILE,
		  .mode = NT_MODE_NONE,
		  .uptime_ns = NT_KNOWN(12 * DAY_NS),
		  .rss_bytes = NT_KNOWN(412 * MB),
		  .thread_count = NT_KNOWN(31),
		  .cpu_pct = NT_KNOWN(41) },
		{ .id = 2,
		  .pid = 4711,
		  .name = "shop-web",
		  .command = "dotnet Shop.Web.dll --urls http://0.0.0.0:8080 --environment Production",
		  .runtime = "10.0.12",
		  .user = "www",
		  .deployment = NT_DEPLOYED_SHARED,
		  .mode = NT_MODE_N,
		  .uptime_ns = NT_KNOWN(3 * DAY_NS + 2 * 3600 * NT_NS_PER_S),
		  .rss_bytes = NT_KNOWN(3092 * MB),
		  .thread_count = NT_KNOWN(78),
		  .cpu_pct = NT_KNOWN(512) },
		{ .id = 3,
		  .pid = 77120,
		  .name = "edge",
		  .command = "/app/edge",
		  .user = "1001",
		  .deployment = NT_DEPLOYED_NATIVE_AOT,
		  .uptime_ns = NT_KNOWN(130 * 60 * NT_NS_PER_S),
		  .rss_bytes = NT_KNOWN(88 * MB),
		  .thread_count = NT_KNOWN(14),
		  .cpu_pct = NT_KNOWN(3.1) },
		{ .id = 4,
		  .pid = 1204,
		  .name = "secret",
		  .command = "dotnet /opt/secret/secret.dll",
		  .user = "vault",
		  .closed = true,
		  .uptime_ns = NT_KNOWN(40 * DAY_NS),
		  .rss_bytes = NT_KNOWN(120 * MB),
		  .thread_count = NT_KNOWN(22),
		  .cpu_pct = NT_KNOWN(0.4) },
		{ .id = 5,
		  .pid = 80001,
		  .name = "new",
		  .command = "./new",
		  .runtime = "9.0.9",
		  .user = "anna",
		  .deployment = NT_DEPLOYED_SELF_CONTAINED,
		  .mode = NT_MODE_NONE,
		  .uptime_ns = NT_KNOWN(NT_NS_PER_S / 5),
		  .rss_bytes = NT_KNOWN(20 * MB),
		  .thread_count = NT_KNOWN(3) },
		{ .id = 6,
		  .pid = 80002,
		  .name = "\033[2J\xe2\x80\xaeshop\xff\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e and a name that does not end where it should",
		  .command = "\t\n",
		  .user = "a-user-with-a-long-name",
		  .runtime = "10.0.0-preview.7.25380.108",
		  .deployment = NT_DEPLOYED_SHARED,
		  .mode = NT_MODE_ALL,
		  .cpu_pct = NT_KNOWN(0) },
	};
	static const char *const sources[COUNT] = { "-EPM", "LEPM", "-EP-", "----", "    ", "L - " };
	struct nt_snapshot *snapshot = empty_list(1);
	snapshot->listed = nt_alloc(sizeof(rows));
	snapshot->listed_count = COUNT;
	memcpy(snapshot->listed, rows, sizeof(rows));
	for (size_t i = 0; i < COUNT; i++) {
		struct nt_process_row *row = &snapshot->listed[i];
		row->ended_at = NT_TIME_UNKNOWN;
		set_usable(row, sources[i]);
		set_trend(row, i == 1 ? 60 : 0);
	}
	return snapshot;
}

struct nt_snapshot *fixture_processes_later(void)
{
	struct nt_snapshot *snapshot = fixture_processes();
	snapshot->sequence = 2;
	snapshot->t0 += NT_NS_PER_S;
	snapshot->t1 += NT_NS_PER_S;
	snapshot->listed[2].ended_at = snapshot->t1;
	snapshot->listed[2].cpu_pct.known = false;
	return snapshot;
}
