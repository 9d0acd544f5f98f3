// SPDX-License-Identifier: GPL-2.0-only
/* The table of the variables, and of each whether a request wants it and with which value. */
#include "target/launch/launch_parts.h"

#include "target/process/settings.h"

#include <string.h>

const struct nt_launch_variable nt_launch_variables[NT_LAUNCH_COUNT] = {
#define LAUNCH_VARIABLE(id, set, looked_at, setting, needed_for, brings, costs, differs)                                                   \
	[NT_LAUNCH_##id] = { set, looked_at, setting, needed_for, brings, costs, differs },
#include "target/launch/launch_variables.def"
};

unsigned nt_launch_conditions(const struct nt_launch_request *request)
{
	unsigned mode = request->no_lttng ? 0 : request->event_source ? NT_IN_OWN : request->full ? NT_IN_F : NT_IN_N;
	return mode | (request->startup_port ? NT_IN_PORT : 0) | (request->event_name ? NT_IN_NAME : 0) |
	       (request->bridge_dir && *request->bridge_dir ? NT_IN_BRIDGE : 0) | (request->perf_map ? NT_IN_NAMES : 0);
}

const char *nt_launch_wanted(enum nt_launch_id id, const struct nt_launch_request *request)
{
	switch (id) {
	case NT_LAUNCH_LIBRARY_PATH:
		return request->bridge_dir;
	case NT_LAUNCH_STARTUP_PORT:
		return request->startup_port;
	case NT_LAUNCH_OWN_SOURCE:
		return request->event_source;
	case NT_LAUNCH_OWN_NAME:
		return request->event_name;
	default:
		return strchr(nt_launch_variables[id].setting, '=') + 1;
	}
}
