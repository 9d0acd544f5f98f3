// SPDX-License-Identifier: GPL-2.0-only
/* The shop's events one by one: collections, orders, its log, a flood, a loss; and those that nettop has anyway. */
#include "fixture.h"
#include "fixture_rows.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define AT(s_, ms_) .time = FIXTURE_START + (s_)*NT_NS_PER_S + (ms_)*NT_NS_PER_MS

/* clang-format off */
#define EVENT(id_, s_, ms_, tid_, event_, lines_, fields_, bytes_) \
	{ .id = (id_), AT(s_, ms_), .tid = (tid_), .count = 1, .event = (event_), .lines = (lines_), .fields = (fields_), .payload_bytes = (bytes_) }

static const struct nt_told_row chosen_rows[] = {
	EVENT(812, 249, 112, 4733, "clr/GCTriggered", "Reason=1\nClrInstanceID=0", "Reason=1 ClrInstanceID=0", 6),
	EVENT(813, 249, 113, 4733, "clr/GCStart", "Count=18342\nDepth=2\nReason=1\nType=0\nClrInstanceID=0\nClientSequenceNumber=0", "Count=18342 Depth=2 Reason=1 Type=0 ClrInstanceID=0 ClientSequenceNumber=0", 26),
	EVENT(814, 249, 254, 4733, "clr/GCEnd", "Count=18342\nDepth=2\nClrInstanceID=0", "Count=18342 Depth=2 ClrInstanceID=0", 10),
	{ .id = 815, .kind = NT_TOLD_ROW_LOST, AT(249, 260), .count = 312, .event = "LOST", .fields = "312 events lost: the process had no room for them", .lines = "312 events lost: the process had no room for them" },
	{ .id = 816, AT(249, 611), .tid = 4802, .count = 1, .event = "Shop-Orders/Taken", .activity = "00000003-0002-0003-0405-060708090a0b", .payload_bytes = 68,
	  .lines = "number=311\ncustomer=\"Ann \\x1b[31m\"\nprice=4.5\npaid=false\nlines=(24 bytes)", .fields = "number=311 customer=\"Ann \\x1b[31m\" price=4.5 paid=false lines=(24 bytes)", .cut = true },
	EVENT(817, 249, 612, 4802, "Microsoft-Extensions-Logging/FormattedMessage", "Level=1\nFactoryID=1\nLoggerName=\"Shop.Cart\"\nEventId=0\nEventName=\"\"\nFormattedMessage=\"cart 311 has 4 lines\"",
	      "Level=1 FactoryID=1 LoggerName=\"Shop.Cart\" EventId=0 EventName=\"\" FormattedMessage=\"cart 311 has 4 lines\"", 140),
	EVENT(818, 249, 613, 4802, "Shop-Orders/42", "", "", 0),
	{ .id = 819, .kind = NT_TOLD_ROW_MORE, AT(249, 990), .count = 17211, .event = "NOT SHOWN", .fields = "17211 events came too fast to be shown one by one; v counts all", .lines = "17211 events came too fast to be shown one by one; v counts all" },
};

#define KIND(id_, event_, count_, all_, bytes_, trend_) \
	{ .id = (id_), .event = (event_), .count = (count_), .count_all = (all_), .bytes = (bytes_), .bytes_all = (bytes_) * 20, .per_s = NT_KNOWN(count_), \
	  .trend = { .cells = trend_, .known = 0xff } }
#define RISES { 1, 1, 1, 2, 3, 5, 7, 8 }
#define STAYS { 3, 3, 3, 3, 3, 3, 3, 3 }

static const struct nt_told_kind_row chosen_kinds[] = {
	KIND(1, "clr/GCTriggered", 1, 18, 6, STAYS), KIND(2, "clr/GCStart", 1, 18, 26, STAYS), KIND(3, "clr/GCEnd", 1, 18, 10, STAYS),
	KIND(4, "Shop-Orders/Taken", 17212, 90817, 1170416, RISES), KIND(5, "Microsoft-Extensions-Logging/FormattedMessage", 31, 402, 4340, STAYS), KIND(6, "Shop-Orders/42", 0, 2, 0, STAYS),
};

static const struct nt_told_row rows_anyway[] = {
	EVENT(1, 249, 113, 4733, "lttng/gc-start", "count=18342\ngeneration=2\nreason=\"induced\"", "count=18342 generation=2 reason=\"induced\"", 0),
	EVENT(2, 249, 254, 4733, "lttng/gc-end", "count=18342\ngeneration=2", "count=18342 generation=2", 0),
	EVENT(3, 249, 700, 4802, "lttng/exception-thrown", "type=\"System.FormatException\"\nhresult=2148734208", "type=\"System.FormatException\" hresult=2148734208", 0),
};
/* clang-format on */

static void set_rows(struct nt_told *told, const struct nt_told_row *rows, size_t count)
{
	told->rows = nt_alloc(count * sizeof(*told->rows));
	for (size_t i = 0; i < count; i++)
		told->rows[i] = &rows[i];
	told->row_count = count;
}

static const struct nt_call_frame taken_frames[] = {
	{ .name = "System.Diagnostics.Tracing.EventSource.WriteEventWithRelatedActivityIdCore(int, Guid*, int, EventData*)" },
	{ .name = "Shop.Orders.Taken(int, string, double, bool, byte[])" },
	{ .name = "Shop.Cart.Pay()" }
};
static const struct nt_call_stack taken = { .frames = taken_frames, .count = 3, .site = 1 };
static struct nt_told_stack chosen_stacks[] = { { .id = 816, .stack = &taken } };

static void set_chosen(struct nt_process_snapshot *process)
{
	struct nt_told *told = &process->told;
	told->what = NT_TELL_CHOSEN;
	told->state = NT_TELLING_ON;
	told->patterns = "clr/GC* Shop-Orders log:Shop.Cart=Debug stacks";
	told->note = "Shop-Orders up to level 4; NAME:-1:5 has Verbose ones, too";
	told->with_stacks = true;
	told->stacks = chosen_stacks;
	told->stack_count = 1;
	told->gone_count = 811;
	set_rows(told, chosen_rows, sizeof(chosen_rows) / sizeof(chosen_rows[0]));
	told->kind_count = sizeof(chosen_kinds) / sizeof(chosen_kinds[0]);
	told->kinds = nt_alloc(sizeof(chosen_kinds));
	memcpy(told->kinds, chosen_kinds, sizeof(chosen_kinds));
	process->interval.told = (struct nt_told_figures){
		.patterns = told->patterns, .count = NT_KNOWN(17246), .more_count = NT_KNOWN(17211), .lost_count = NT_KNOWN(312)
	};
	process->total.told = (struct nt_told_figures){
		.patterns = told->patterns, .count = NT_KNOWN(91275), .more_count = NT_KNOWN(61840), .lost_count = NT_KNOWN(312)
	};
}

struct nt_snapshot *fixture_told(void)
{
	struct nt_snapshot *snapshot = fixture_shop();
	set_chosen(&snapshot->processes[0]);
	return snapshot;
}

struct nt_snapshot *fixture_told_anyway(void)
{
	struct nt_snapshot *snapshot = fixture_shop();
	struct nt_told *told = &snapshot->processes[0].told;
	told->what = NT_TELL_ANYWAY;
	set_rows(told, rows_anyway, sizeof(rows_anyway) / sizeof(rows_anyway[0]));
	return snapshot;
}

struct nt_snapshot *fixture_told_refused(void)
{
	struct nt_snapshot *snapshot = fixture_procfs_only();
	struct nt_process_snapshot *process = &snapshot->processes[0];
	process->told = (struct nt_told){ .what = NT_TELL_CHOSEN, .state = NT_TELLING_NOT, .patterns = "clr/GC*" };
	process->interval.told.why =
		(struct nt_why){ "no EventPipe session: the process runs as another user, and nettop not as root", "sudo nettop -p 4711" };
	return snapshot;
}

struct nt_snapshot *fixture_told_waiting(void)
{
	struct nt_snapshot *snapshot = fixture_idle();
	struct nt_process_snapshot *process = &snapshot->processes[0];
	process->told = (struct nt_told){ .what = NT_TELL_CHOSEN,
					  .state = NT_TELLING_ON,
					  .patterns = "Shop-Orders",
					  .note = "Shop-Orders up to level 4; NAME:-1:5 has Verbose ones, too" };
	process->interval.told =
		(struct nt_told_figures){ .patterns = "Shop-Orders", .count = NT_KNOWN(0), .more_count = NT_KNOWN(0), .lost_some = true };
	process->total.told = process->interval.told;
	return snapshot;
}

struct nt_snapshot *fixture_told_none(void)
{
	struct nt_snapshot *snapshot = fixture_idle();
	snapshot->processes[0].told.what = NT_TELL_ANYWAY;
	return snapshot;
}

struct nt_snapshot *fixture_told_hostile(void)
{
	static const char *const names[] = {
		"日本語.名前空間/とても長いイベントの名前とても長いイベントの名前",
		"Evil\x1b[2J\x1b]0;owned\x07/Event",
		"Bidi/\xe2\x80\xaegnp.exe",
		"Invalid.\xff\xfe\xc3(\xe2\x82)/x",
		"",
		"A.B.C.D.E.F.G.H.I.J.K.L.M.N.O.P.Q.R.S.T.U.V.W.X.Y.Z.VeryLongProviderThatDoesNotEnd/AndAnEvent",
		"%s%n%d {0} \\x1b/="
	};
	static const char *const lines[] = { "=\n==\n\"", "a\x1b[31m=\"\x1b[2J\"\nb=\xff\xfe", "Level=99\nLoggerName=\nFormattedMessage=" };
	enum { COUNT = sizeof(names) / sizeof(names[0]) };
	static struct nt_told_row rows[COUNT];
	struct nt_snapshot *snapshot = fixture_shop();
	struct nt_told *told = &snapshot->processes[0].told;
	for (size_t i = 0; i < COUNT; i++)
		rows[i] = (struct nt_told_row){ .id = i + 1,
						AT(249, i),
						.tid = UINT32_MAX,
						.count = 1,
						.event = names[i],
						.fields = lines[i % 3],
						.lines = lines[i % 3] };
	told->what = NT_TELL_CHOSEN;
	told->state = NT_TELLING_ON;
	told->patterns = names[1];
	set_rows(told, rows, COUNT);
	return snapshot;
}
