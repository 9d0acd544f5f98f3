// SPDX-License-Identifier: GPL-2.0-only
#include "target/needs/readonly.h"

#define REASON(id, thing, effect) [NT_CHANGE_##id] = "--readonly: " effect,

static const char *const reasons[] = { NT_CHANGES(REASON) };

const char *nt_readonly_reason(enum nt_change change)
{
	nt_assert(change < NT_CHANGE_COUNT);
	return reasons[change];
}

enum nt_status nt_readonly_check(bool readonly, enum nt_change change, struct nt_error *err)
{
	return readonly ? nt_error_set(err, NT_ERR_USAGE, "%s", nt_readonly_reason(change)) : NT_OK;
}
