// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/jit_asked.h"

#include "target/process/runtime_config.h"

#include <errno.h>
#include <stdlib.h>

/* In the order in which the runtime asks for them: one that is off decides. */
static const struct {
	const char *variable, *property;
	enum nt_jit_off off;
} asked[] = {
	{ "TieredCompilation", "System.Runtime.TieredCompilation", NT_JIT_OFF_TIERS },
	{ "TC_QuickJit", "System.Runtime.TieredCompilation.QuickJit", NT_JIT_OFF_QUICK },
	{ "TC_QuickJitForLoops", "System.Runtime.TieredCompilation.QuickJitForLoops", NT_JIT_OFF_QUICK_LOOPS },
};

/* As the runtime reads it: hexadecimal; what stands behind the digits does not matter, and without digits it is not set. */
static bool by_variable(const struct nt_environment *environment, const char *name, uint64_t *value)
{
	char text[NT_SETTING_BYTES], *end;
	if (!nt_environment_setting(environment, name, text) || *text == '-')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 16);
	return !errno && end != text;
}

struct nt_ev_jit_setting nt_target_jit_asked(const struct nt_environment *environment, const char *config)
{
	const struct nt_ev_jit_setting unknown = { .off = NT_JIT_OFF_UNKNOWN };
	if (!environment->text)
		return unknown;
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		uint64_t value = 0;
		bool variable = by_variable(environment, asked[i].variable, &value);
		if (!variable && !*config)
			return unknown;
		bool file = !variable && nt_runtime_config_get(config, asked[i].property, &value);
		if ((variable || file) && !value)
			return (struct nt_ev_jit_setting){ .off = asked[i].off, .by_file = file };
	}
	return (struct nt_ev_jit_setting){ .off = NT_JIT_OFF_NONE };
}
