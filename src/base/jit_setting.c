// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/jit_setting.h"

#include "nettop/event.h"

#include <inttypes.h>
#include <stdio.h>

const char *nt_jit_setting_name(const struct nt_jit_setting_cost *cost)
{
	static const char *const names[NT_JIT_OFF_COUNT][2] = {
		[NT_JIT_OFF_TIERS] = { "TieredCompilation=0", "TieredCompilation=false" },
		[NT_JIT_OFF_QUICK] = { "TC_QuickJit=0", "TieredCompilation.QuickJit=false" },
		[NT_JIT_OFF_QUICK_LOOPS] = { "TC_QuickJitForLoops=0", "TieredCompilation.QuickJitForLoops=false" },
	};
	return cost->off < NT_JIT_OFF_COUNT ? names[cost->off][cost->by_file] : NULL;
}

const char *nt_jit_setting_origin(const struct nt_jit_setting_cost *cost)
{
	if (!nt_jit_setting_name(cost))
		return NULL;
	return cost->by_file ? "runtimeconfig" : "environment";
}

const char *nt_jit_setting_sentence(const struct nt_jit_setting_cost *cost, bool with_cpu, char text[NT_JIT_SETTING_TEXT])
{
	const char *name = nt_jit_setting_name(cost);
	bool by_cpu = with_cpu && cost->cpu_ns.known;
	char of_first[64] = "";
	if (cost->of_first)
		snprintf(of_first, sizeof(of_first), ", of the first %" PRIu64 " compilations", cost->of_first);
	if (cost->off == NT_JIT_OFF_NONE)
		snprintf(text, NT_JIT_SETTING_TEXT, "neither tiers nor quick compilation are switched off");
	else if (!name)
		snprintf(text, NT_JIT_SETTING_TEXT, "whether tiers or quick compilation are switched off is not known");
	else if (!cost->count)
		snprintf(text, NT_JIT_SETTING_TEXT, "%s has cost nothing: no method was optimized at once%s", name, of_first);
	else
		snprintf(text, NT_JIT_SETTING_TEXT, "%s costs at most %.1f ms%s: %" PRIu64 " %s optimized at once%s", name,
			 (double)(by_cpu ? cost->cpu_ns.v : cost->self_ns) / (double)NT_NS_PER_MS, by_cpu ? " of CPU time" : "",
			 cost->count, cost->count == 1 ? "method" : "methods", of_first);
	return text;
}
