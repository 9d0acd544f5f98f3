// SPDX-License-Identifier: GPL-2.0-only
#include "target/needs/readonly.h"

static const char *const reasons[] = {
	[NT_CHANGE_EVENTPIPE] = "--readonly: an EventPipe session would change the target",
	[NT_CHANGE_LTTNG] = "--readonly: an LTTng session would change the target",
	[NT_CHANGE_PERF_MAP] = "--readonly: a perf map would be written by the target",
	[NT_CHANGE_PROBE] = "--readonly: a probe would change the target's memory",
	[NT_CHANGE_HEAP] = "--readonly: a look at the heap would make the target collect",
	[NT_CHANGE_DUMP] = "--readonly: a dump would make the target stand still",
};

const char *nt_readonly_reason(enum nt_change change)
{
	nt_assert(change < NT_CHANGE_COUNT);
	return reasons[change];
}

enum nt_status nt_readonly_check(bool readonly, enum nt_change change, struct nt_error *err)
{
	return readonly ? nt_error_set(err, NT_ERR_USAGE, "%s", nt_readonly_reason(change)) : NT_OK;
}
