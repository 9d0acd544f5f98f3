// SPDX-License-Identifier: GPL-2.0-only
/* Screen 3 by module, namespace, tier and trigger. */
#include "fixture_rows.h"

#include "base/alloc.h"

#include <string.h>

#define MS NT_NS_PER_MS
#define US NT_NS_PER_US

static const struct nt_jit_group_row modules[] = {
	{ .name = "(dynamic)", .all = { .count = 1903, .time_ns = 3512 * MS, .native_bytes = 6040122 } },
	{ .name = "Shop.Web",
	  .now = { .count = 3, .time_ns = 33100 * US, .il_bytes = 18732, .native_bytes = 125800 },
	  .all = { .count = 310, .time_ns = 611400 * US, .il_bytes = 214016, .native_bytes = 903180 } },
	{ .name = "System.Private.CoreLib", .all = { .count = 71, .time_ns = 52 * MS, .il_bytes = 11264, .native_bytes = 48200 } },
	{ .name = NULL, .all = { .count = 22, .time_ns = 41 * MS, .il_bytes = 9100, .native_bytes = 31800 } },
	{ .name = "Legacy.Pricing", .all = { .count = 1, .time_ns = 38900 * US, .il_bytes = 2048, .native_bytes = 14336 }, .fresh = true },
};

static const struct nt_jit_group_row namespaces[] = {
	{ .name = "(dynamic)", .all = { .count = 1903, .time_ns = 3512 * MS, .native_bytes = 6040122 } },
	{ .name = "Shop.Search",
	  .now = { .count = 3, .time_ns = 33100 * US, .il_bytes = 18732, .native_bytes = 125800 },
	  .all = { .count = 208, .time_ns = 490 * MS, .il_bytes = 166012, .native_bytes = 700180 } },
	{ .name = "Shop.Pricing.Discounts.Seasonal",
	  .all = { .count = 99, .time_ns = 121400 * US, .il_bytes = 48004, .native_bytes = 203000 } },
	{ .name = "System.Collections.Generic", .all = { .count = 60, .time_ns = 44 * MS, .il_bytes = 10040, .native_bytes = 41000 } },
	{ .name = "(global)", .all = { .count = 3, .time_ns = 900 * US, .il_bytes = 96, .native_bytes = 412 } },
};

static const struct nt_jit_group_row tiers[] = {
	{ .name = "tier0",
	  .now = { .count = 1, .time_ns = 900 * US, .il_bytes = 96, .native_bytes = 412 },
	  .all = { .count = 2020, .time_ns = 3811 * MS, .il_bytes = 190000, .native_bytes = 6400000 } },
	{ .name = "tier1",
	  .now = { .count = 2, .time_ns = 31 * MS, .il_bytes = 18636, .native_bytes = 124900 },
	  .all = { .count = 265, .time_ns = 402 * MS, .il_bytes = 40021, .native_bytes = 590010 } },
	{ .name = "instr", .all = { .count = 21, .time_ns = 38 * MS, .il_bytes = 6100, .native_bytes = 44100 } },
	{ .name = "osr", .all = { .count = 1, .time_ns = 2100 * US, .il_bytes = 96, .native_bytes = 870 } },
};

static const struct nt_jit_group_row triggers[] = {
	{ .name = "foreground",
	  .now = { .count = 1, .time_ns = 900 * US, .il_bytes = 96, .native_bytes = 412 },
	  .all = { .count = 2020, .time_ns = 3774 * MS, .il_bytes = 188048, .native_bytes = 6386534 } },
	{ .name = "background",
	  .now = { .count = 2, .time_ns = 31 * MS, .il_bytes = 18636, .native_bytes = 124900 },
	  .all = { .count = 286, .time_ns = 440 * MS, .il_bytes = 46121, .native_bytes = 634110 } },
	{ .name = "r2r reject", .all = { .count = 1, .time_ns = 38900 * US, .il_bytes = 2048, .native_bytes = 14336 } },
};

#define ROWS(rows)                                                                                                                         \
	{                                                                                                                                  \
		rows, sizeof(rows), sizeof(rows) / sizeof(rows[0])                                                                         \
	}

static const struct nt_jit_caller_row callers[] = {
	{ .id = 1,
	  .site = "Shop.Pricing.RuleEngine.Evaluate(Cart)",
	  .via = "System.Linq.Expressions.Expression<Func<Cart, bool>>.Compile()",
	  .compiled = "expression tree lambda_method1903(Closure, Row)",
	  .count = 4,
	  .count_all = 1903,
	  .time_ns = 7900 * US,
	  .time_all_ns = 3512 * MS,
	  .max_ns = 4100 * US },
	{ .id = 2,
	  .site = "(tiered compilation)",
	  .compiled = "Shop.Search.Index.Build(IReadOnlyList<Doc>)",
	  .count_all = 286,
	  .time_all_ns = 440 * MS,
	  .max_ns = 112 * MS },
	{ .id = 3,
	  .site = "Shop.Web.Routes.Match(string)",
	  .via = "System.Text.RegularExpressions.Regex.IsMatch(string)",
	  .compiled = "compiled regex Regex7_TryMatchAtCurrentPosition",
	  .count_all = 21,
	  .time_all_ns = 39 * MS,
	  .max_ns = 8 * MS,
	  .fresh = true },
	{ .id = 4, .site = NULL, .compiled = "Shop.Cart.Total()", .count_all = 2, .time_all_ns = 1200 * US, .max_ns = 900 * US },
};

static const struct nt_jit_startup_row started[] = {
	{ .id = 2,
	  .name = "System.RuntimeType.IGenericCacheEntry<__Canon>.CreateAndCache(RuntimeType)",
	  .module = "System.Private.CoreLib",
	  .cause = NT_JIT_CAUSE_GENERIC,
	  .tier = NT_TIER_0,
	  .tid = 4711,
	  .at_ns = 5100 * US,
	  .time_ns = 1 * MS,
	  .self_ns = 1 * MS },
	{ .id = 4,
	  .name = "Shop.Web.Program.Main(string[])",
	  .module = "Shop.Web",
	  .cause = NT_JIT_CAUSE_NO_CODE,
	  .tier = NT_TIER_0,
	  .tid = 4711,
	  .at_ns = 48200 * US,
	  .time_ns = 2400 * US,
	  .self_ns = 1900 * US },
	{ .id = 3,
	  .name = "Shop.Web.Startup..cctor()",
	  .module = "Shop.Web",
	  .cause = NT_JIT_CAUSE_NO_CODE,
	  .tier = NT_TIER_0,
	  .tid = 4711,
	  .at_ns = 48300 * US,
	  .time_ns = 500 * US,
	  .self_ns = 500 * US },
	{ .id = 5,
	  .name = "expression tree lambda_method1(Closure, Row)",
	  .module = "(dynamic)",
	  .cause = NT_JIT_CAUSE_DYNAMIC,
	  .tier = NT_TIER_OPTIMIZED,
	  .tid = 4711,
	  .at_ns = 812 * MS,
	  .time_ns = 4100 * US,
	  .self_ns = 4100 * US },
	{ .id = 6,
	  .name = "Legacy.Pricing.Rules.Load(Stream)",
	  .module = "Legacy.Pricing",
	  .cause = NT_JIT_CAUSE_REJECTED,
	  .tier = NT_TIER_OPTIMIZED,
	  .tid = 4720,
	  .at_ns = 1420 * MS,
	  .time_ns = 38900 * US,
	  .self_ns = 38900 * US },
	{ .id = 7,
	  .name = "Shop.Search.Index.Build(IReadOnlyList<Doc>)",
	  .module = "Shop.Web",
	  .cause = NT_JIT_CAUSE_INSTRUMENTED,
	  .tier = NT_TIER_INSTRUMENTED,
	  .tid = 4719,
	  .at_ns = 2210 * MS,
	  .time_ns = 6200 * US,
	  .self_ns = 6200 * US },
	{ .id = 8,
	  .name = NULL,
	  .module = NULL,
	  .cause = NT_JIT_CAUSE_UNKNOWN,
	  .tier = NT_TIER_0,
	  .tid = 4711,
	  .at_ns = 9900 * MS,
	  .time_ns = 100 * US,
	  .self_ns = 100 * US },
};

static const struct nt_jit_cause_row causes[] = {
	{ .id = 1, .cause = NT_JIT_CAUSE_REJECTED, .module = "Legacy.Pricing", .count = 1, .self_ns = 38900 * US },
	{ .id = 2, .cause = NT_JIT_CAUSE_INSTRUMENTED, .remedy = "TieredPGO=0", .count = 1, .self_ns = 6200 * US },
	{ .id = 3, .cause = NT_JIT_CAUSE_DYNAMIC, .count = 1, .self_ns = 4100 * US },
	{ .id = 4, .cause = NT_JIT_CAUSE_NO_CODE, .module = "Shop.Web", .remedy = "ReadyToRun", .count = 2, .self_ns = 2400 * US },
	{ .id = 5, .cause = NT_JIT_CAUSE_GENERIC, .module = "System.Private.CoreLib", .count = 1, .self_ns = 1 * MS },
	{ .id = 6, .cause = NT_JIT_CAUSE_UNKNOWN, .count = 1, .self_ns = 100 * US },
};

static void add_startup(struct nt_jit_startup_rows *rows)
{
	*rows = (struct nt_jit_startup_rows){ .seen = true,
					      .items = nt_alloc(sizeof(started)),
					      .count = sizeof(started) / sizeof(started[0]),
					      .causes = nt_alloc(sizeof(causes)),
					      .cause_count = sizeof(causes) / sizeof(causes[0]),
					      .setting = { .off = NT_JIT_OFF_QUICK_LOOPS, .count = 1, .self_ns = 38900 * US } };
	memcpy(rows->items, started, sizeof(started));
	memcpy(rows->causes, causes, sizeof(causes));
}

void fixture_add_jit_groups(struct nt_process_snapshot *process)
{
	add_startup(&process->jit_startup);
	process->interval.jit.startup_count = process->total.jit.startup_count = nt_u64_of(process->jit_startup.count);
	static const struct {
		const struct nt_jit_group_row *rows;
		size_t bytes, count;
	} groupings[NT_JIT_GROUPINGS] = { [NT_JIT_BY_MODULE] = ROWS(modules),
					  [NT_JIT_BY_NAMESPACE] = ROWS(namespaces),
					  [NT_JIT_BY_TIER] = ROWS(tiers),
					  [NT_JIT_BY_TRIGGER] = ROWS(triggers) };
	for (int g = 0; g < NT_JIT_GROUPINGS; g++) {
		process->jit_groups[g] = nt_alloc(groupings[g].bytes);
		memcpy(process->jit_groups[g], groupings[g].rows, groupings[g].bytes);
		process->jit_group_count[g] = groupings[g].count;
		for (size_t i = 0; i < groupings[g].count; i++)
			process->jit_groups[g][i].id = i + 1;
	}
	static const struct nt_call_frame frames[] = {
		{ .name = "System.Reflection.Emit.DynamicMethod.CreateDelegate(Type)", .module = "System.Private.CoreLib" },
		{ .name = "System.Linq.Expressions.Expression<Func<Cart, bool>>.Compile()", .module = "System.Linq.Expressions" },
		{ .name = "Shop.Pricing.RuleEngine.Evaluate(Cart)", .module = "Shop.Web" },
	};
	static const struct nt_call_stack stack = { .frames = frames, .count = 3, .site = 2 };
	process->jit_callers = nt_alloc(sizeof(callers));
	memcpy(process->jit_callers, callers, sizeof(callers));
	process->jit_callers[0].compiled_from = process->jit_callers[2].compiled_from = &stack;
	process->jit_caller_count = sizeof(callers) / sizeof(callers[0]);
	process->interval.jit.callers_covered_ns = nt_u64_of(NT_NS_PER_S);
	process->total.jit.callers_covered_ns = nt_u64_of(31 * NT_NS_PER_S); /* asked for when it was opened */
}
