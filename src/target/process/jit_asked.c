// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/jit_asked.h"

#include "target/process/runtime_config.h"

/* In the order in which the runtime asks for them: one that is off decides. */
static const struct {
	const char *variable, *property;
	enum nt_jit_off off;
} asked[] = {
	{ "TieredCompilation", "System.Runtime.TieredCompilation", NT_JIT_OFF_TIERS },
	{ "TC_QuickJit", "System.Runtime.TieredCompilation.QuickJit", NT_JIT_OFF_QUICK },
	{ "TC_QuickJitForLoops", "System.Runtime.TieredCompilation.QuickJitForLoops", NT_JIT_OFF_QUICK_LOOPS },
};

struct nt_ev_jit_setting nt_target_jit_asked(const struct nt_environment *environment, const char *config)
{
	const struct nt_ev_jit_setting unknown = { .off = NT_JIT_OFF_UNKNOWN };
	if (!environment->text)
		return unknown;
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		uint64_t value = 0;
		bool variable = nt_environment_get(environment, asked[i].variable, 16, &value);
		if (!variable && !*config)
			return unknown;
		bool file = !variable && nt_runtime_config_get(config, asked[i].property, &value);
		if ((variable || file) && !value)
			return (struct nt_ev_jit_setting){ .off = asked[i].off, .by_file = file };
	}
	return (struct nt_ev_jit_setting){ .off = NT_JIT_OFF_NONE };
}
