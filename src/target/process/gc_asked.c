// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/gc_asked.h"

#include "target/process/runtime_config.h"

static const struct {
	const char *variable, *property;
	enum nt_gc_unit unit;
} names[NT_GC_SETTING_COUNT] = {
#define SETTING(name_, key_, title_, unit_, variable_, property_, help_) { variable_, property_, NT_GC_UNIT_##unit_ },
#include "nettop/gc_settings.def"
};

/* Of most a 0 is the same as nothing. */
static bool is_said(enum nt_gc_setting setting, uint64_t value)
{
	return value || names[setting].unit == NT_GC_UNIT_SWITCH || setting == NT_GC_SETTING_CONSERVE;
}

void nt_target_gc_asked(const struct nt_environment *environment, const char *config, struct nt_gc_settings *out)
{
	*out = (struct nt_gc_settings){ 0 };
	out->read[NT_GC_BY_ENVIRONMENT] = environment->text;
	out->read[NT_GC_BY_FILE] = *config;
	for (enum nt_gc_setting i = 0; i < NT_GC_SETTING_COUNT; i++) {
		uint64_t value = 0;
		bool variable = nt_environment_get(environment, names[i].variable, i == NT_GC_SETTING_PROCESSORS ? 10 : 16, &value);
		bool file = !variable && names[i].property && nt_runtime_config_get(config, names[i].property, &value);
		if ((!variable && !file) || !is_said(i, value))
			continue;
		out->asked[i] = nt_u64_of(names[i].unit == NT_GC_UNIT_SWITCH ? value != 0 : value);
		out->asked_by[i] = variable ? NT_GC_BY_ENVIRONMENT : NT_GC_BY_FILE;
	}
}
