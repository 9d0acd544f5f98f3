// SPDX-License-Identifier: GPL-2.0-only
/* The shop's end. */
#include "../unit/covered.h"
#include "fixture.h"
#include "fixture_rows.h"

#include "nettop/source.h"

struct nt_snapshot *fixture_shop_ended(void)
{
	struct nt_snapshot *snapshot = fixture_shop_at(252 * NT_NS_PER_S);
	struct nt_target_info *target = &snapshot->processes[0].target;
	target->ended = true;
	target->ended_at = snapshot->t1;
	target->end_text = "killed by SIGKILL";
	snapshot->processes[0].interval.threads =
		(struct nt_thread_figures){ .why = { "/proc says no more of it: killed by SIGKILL", NULL } };
	for (size_t i = 0; i < snapshot->source_count; i++)
		snapshot->sources[i].state = NT_STATE_ENDED;
	return snapshot;
}

struct nt_snapshot *fixture_shop_crashed(void)
{
	struct nt_snapshot *snapshot = fixture_shop_ended();
	struct nt_target_info *target = &snapshot->processes[0].target;
	target->end_text = "killed by SIGABRT";
	target->end = (struct nt_target_end){
		.signal = NT_KNOWN(6),
		.exception = "System.InvalidOperationException",
		.message = "the order 4711 has no customer\nand \x1b[31mno price",
		.stack = "---> System.Collections.Generic.KeyNotFoundException: customer 17\n--- End of inner exception stack trace ---\n"
			 "at Shop.Orders.Customers.Find(Int32 id) in /src/Shop/Customers.cs:line 12\nat Shop.Orders.Take(Int32 order)\n"
			 "at Shop.Program.<>c.<Main>b__0_0(Object _)\nat System.Threading.QueueUserWorkItemCallback.Execute()\n"
			 "at System.Threading.ThreadPoolWorkQueue.Dispatch()\nat "
			 "System.Threading.PortableThreadPool.WorkerThread.WorkerThreadStart()\n"
			 "at a\nat b\nat c\nat d"
	};
	return snapshot;
}

struct nt_snapshot *fixture_shop_failed_fast(void)
{
	struct nt_snapshot *snapshot = fixture_shop_ended();
	struct nt_target_info *target = &snapshot->processes[0].target;
	target->end_text = "killed by SIGABRT";
	target->end = (struct nt_target_end){ .signal = NT_KNOWN(6),
					      .failed_fast = true,
					      .message = "the ledger is broken",
					      .stack = "at System.Environment.FailFast(System.String)\nat Shop.Ledger.Close()" };
	return snapshot;
}

struct nt_snapshot *fixture_shop_overflowed(void)
{
	struct nt_snapshot *snapshot = fixture_shop_ended();
	struct nt_target_info *target = &snapshot->processes[0].target;
	target->end_text = "killed by SIGABRT";
	target->end =
		(struct nt_target_end){ .signal = NT_KNOWN(6),
					.overflow =
						"Stack overflow in Shop.Prices.Of(Item), Shop.Prices.Sum(Item[]), at least 261694 frames",
					.frames = NT_KNOWN(261694),
					.stack = "at least 130847 times:\n  at Shop.Prices.Of(Item)\n  at Shop.Prices.Sum(Item[])\n"
						 "at Shop.Program.Main(string[])" };
	return snapshot;
}

struct nt_snapshot *fixture_shop_aborted(void)
{
	struct nt_snapshot *snapshot = fixture_shop_ended();
	struct nt_target_info *target = &snapshot->processes[0].target;
	target->end_text = "killed by SIGABRT";
	target->end = (struct nt_target_end){ .signal = NT_KNOWN(6), .reason = "looking at a crash needs CAP_BPF and CAP_PERFMON" };
	return snapshot;
}
