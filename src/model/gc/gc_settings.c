// SPDX-License-Identifier: GPL-2.0-only
/* The settings of the collector: what has been said of them. */
#include "model/gc/gc.h"

void nt_gc_settings_said(struct nt_gc_settings *settings, const struct nt_ev_gc_setting *said)
{
	bool asked = said->origin == NT_GC_BY_ENVIRONMENT || said->origin == NT_GC_BY_FILE;
	if (!asked && said->origin != NT_GC_BY_RUNTIME)
		return;
	if (said->setting == NT_GC_SETTINGS_READ) {
		settings->read[said->origin] = true;
	} else if (said->setting < NT_GC_SETTING_COUNT && asked) {
		settings->asked[said->setting] = nt_u64_of(said->value);
		settings->asked_by[said->setting] = (uint8_t)said->origin;
	} else if (said->setting < NT_GC_SETTING_COUNT) {
		settings->told[said->setting] = nt_u64_of(said->value);
	}
}
