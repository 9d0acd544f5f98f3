// SPDX-License-Identifier: GPL-2.0-only
/* What the target was started with. */
#include "target/needs/judge.h"

#include "target/needs/lttng_delivers.h"
#include "target/process/lttng_config.h"
#include "target/process/settings.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nt_judge_runtime(const struct nt_facts *facts, struct nt_verdict *out)
{
	enum { NO_RUNTIME, NATIVE_AOT };
	const struct nt_target *target = facts->target;
	if (target->deployment == NT_DEPLOYED_NATIVE_AOT)
		nt_judge_fail(out, NT_VERDICT_MISSING, NATIVE_AOT, "process %u was compiled with Native AOT: it has no libcoreclr.so",
			      target->pid);
	else if (!target->is_dotnet)
		nt_judge_fail(out, NT_VERDICT_MISSING, NO_RUNTIME, "process %u is not a .NET process: it has no libcoreclr.so%s%s",
			      target->pid, target->unread ? ", and " : "", target->unread ? target->unread : "");
	else if (target->runtime)
		nt_judge_ok(out, ".NET %s in %s", target->runtime, target->runtime_dir);
	else
		nt_judge_ok(out, ".NET, version not known%s%s", target->runtime_dir ? ", in " : "",
			    target->runtime_dir ? target->runtime_dir : "");
}

void nt_judge_event_log(const struct nt_facts *facts, struct nt_verdict *out)
{
	switch (facts->target->mode) {
	case NT_MODE_UNKNOWN:
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, 1, "the target's environment is closed to this user");
		break;
	case NT_MODE_NONE:
		nt_judge_fail(out, NT_VERDICT_MISSING, 0, "the target runs without DOTNET_EnableEventLog=1");
		break;
	default:
		nt_judge_ok(out, "mode %s", nt_target_mode_name(facts->target->mode));
	}
}

void nt_judge_event_filters(const struct nt_facts *facts, struct nt_verdict *out)
{
	struct nt_lttng_config config;
	char absent[128] = "";
	if (facts->target->mode == NT_MODE_UNKNOWN || facts->target->mode == NT_MODE_NONE) {
		nt_judge_ok(out, "not in force without the event log");
		return;
	}
	if (!nt_lttng_config_read(facts->target, &config)) {
		nt_judge_ok(out, "none: all events");
		return;
	}
	nt_lttng_config_absent(&config, absent, sizeof(absent));
	if (*absent)
		nt_judge_fail(out, NT_VERDICT_MISSING, 0, "DOTNET_LTTngConfig leaves out %s", absent);
	else
		nt_judge_ok(out, "DOTNET_LTTngConfig lets all through that nettop shows%s",
			    nt_lttng_config_has_exceptions(&config) ? ", and exceptions, which are no good over LTTng (see exceptions)"
								    : "");
}

void nt_judge_lock_events(const struct nt_facts *facts, struct nt_verdict *out)
{
	const struct nt_target *target = facts->target;
	if (!nt_target_tells_of_locks_itself(target))
		nt_judge_ok(out, "over LTTng or EventPipe: .NET %s has no locks of managed code", target->runtime);
	else if (facts->socket_exists)
		nt_judge_ok(out, "over EventPipe");
	else
		nt_judge_fail(out, NT_VERDICT_MISSING, 0,
			      "over LTTng .NET %s does not tell of those for a System.Threading.Lock; over EventPipe it does",
			      target->runtime ? target->runtime : "9 and later");
}

void nt_judge_pool_events(const struct nt_facts *facts, struct nt_verdict *out)
{
	const struct nt_environment env = nt_target_environment(facts->target);
	char filter[NT_SETTING_BYTES];
	switch (facts->target->mode) {
	case NT_MODE_F:
	case NT_MODE_ALL:
		if (nt_environment_setting(&env, "EventNameFilter", filter) && !strcasestr("ThreadPoolWorkerThread", filter))
			nt_judge_fail(out, NT_VERDICT_MISSING, 1, "DOTNET_EventNameFilter=%s leaves them out", filter);
		else
			nt_judge_ok(out, "mode %s: the managed listener is on", nt_target_mode_name(facts->target->mode));
		break;
	case NT_MODE_N:
		nt_judge_fail(out, NT_VERDICT_MISSING, 0, "%s",
			      "DOTNET_EventSourceFilter leaves " NT_RUNTIME_EVENT_SOURCE
			      " out (mode N); mode F brings them and costs the target about " NT_COST_MODE_F);
		break;
	case NT_MODE_NONE:
		nt_judge_fail(out, NT_VERDICT_MISSING, 0, "the target runs without DOTNET_EnableEventLog=1");
		break;
	case NT_MODE_UNKNOWN:
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, 2, "the target's environment is closed to this user");
		break;
	}
}

static bool diagnostics_off(const struct nt_facts *facts)
{
	const struct nt_environment env = nt_target_environment(facts->target);
	return !nt_environment_number(&env, "EnableDiagnostics", 16, 1) || !nt_environment_number(&env, "EnableDiagnostics_IPC", 16, 1);
}

/* Does its start let an LTTng session have them, without anybody's EventPipe session? */
static bool lets_exceptions_through(const struct nt_facts *facts)
{
	struct nt_lttng_config config;
	if (facts->target->mode == NT_MODE_NONE)
		return false;
	return !nt_lttng_config_read(facts->target, &config) || nt_lttng_config_has_exceptions(&config);
}

void nt_judge_exceptions(const struct nt_facts *facts, struct nt_verdict *out)
{
	enum { LET_THROUGH, PASSED_ON, NO_PORT, CLOSED };
	const struct nt_exception_gate *gate = &facts->exception_gate;
	if (nt_judge_closed(facts, CLOSED, out))
		return;
	if (gate->state == NT_GATE_HARMFUL && lets_exceptions_through(facts))
		nt_judge_fail(out, NT_VERDICT_MISSING, LET_THROUGH,
			      "DOTNET_LTTngConfig keeps them from no LTTng session, nor does %s%s: one that has ExceptionThrown enabled "
			      "ends the target "
			      "at the first exception without a message",
			      gate->bridge ? "an older bridge, " : "", gate->path);
	else if (gate->state == NT_GATE_HARMFUL)
		nt_judge_fail(out, NT_VERDICT_MISSING, PASSED_ON,
			      "%s%s keeps them from no LTTng session: while EventPipe is asked for them (--exceptions), one that has "
			      "ExceptionThrown "
			      "enabled ends the target at the first exception without a message",
			      gate->bridge ? "an older bridge, " : "", gate->path);
	else if (gate->state == NT_GATE_UNKNOWN)
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, CLOSED, "the mappings of process %u cannot be looked at", facts->target->pid);
	else if (facts->readonly)
		nt_judge_fail(out, NT_VERDICT_MISSING, CLOSED,
			      "they come over EventPipe only, and --readonly forbids an EventPipe session");
	else if (diagnostics_off(facts))
		nt_judge_fail(out, NT_VERDICT_MISSING, NO_PORT,
			      "they come over EventPipe only, and the target runs with its diagnostics port switched off");
	else
		nt_judge_ok(out, gate->bridge ? "over EventPipe; nettop's bridge keeps them from LTTng, where they would end the target"
					      : "over EventPipe; the target has no LTTng");
}

void nt_judge_diagnostics(const struct nt_facts *facts, struct nt_verdict *out)
{
	if (facts->target->mode == NT_MODE_UNKNOWN)
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, 1, "the target's environment is closed to this user");
	else if (diagnostics_off(facts))
		nt_judge_fail(out, NT_VERDICT_MISSING, 0, "the target runs with its diagnostics port switched off");
	else
		nt_judge_ok(out, "on");
}

void nt_judge_socket(const struct nt_facts *facts, struct nt_verdict *out)
{
	enum { SWITCHED_OFF, GONE, CLOSED, NOT_BUILT, PLACE_NOT_KNOWN };
	if (facts->socket_exists)
		nt_judge_ok(out, "in %s", facts->socket_dir);
	else if (nt_judge_closed(facts, CLOSED, out))
		return;
	else if (facts->socket_error && facts->socket_error != ENOENT)
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, CLOSED, "the target's %s cannot be looked at: %s", facts->socket_dir,
			      strerror(facts->socket_error));
	else if (facts->target->mode == NT_MODE_UNKNOWN)
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, PLACE_NOT_KNOWN,
			      "the target's environment is closed to this user, and it says where the port is: in %s there is none",
			      facts->socket_dir);
	else if (facts->target->deployment == NT_DEPLOYED_NATIVE_AOT && !diagnostics_off(facts))
		nt_judge_fail(out, NT_VERDICT_MISSING, NOT_BUILT,
			      "no dotnet-diagnostic-%u-*-socket in the target's %s: a Native AOT program without EventSourceSupport has no "
			      "events",
			      facts->target->ns_pid, facts->socket_dir);
	else
		nt_judge_fail(out, NT_VERDICT_MISSING, diagnostics_off(facts) ? SWITCHED_OFF : GONE,
			      "no dotnet-diagnostic-%u-*-socket in the target's %s", facts->target->ns_pid, facts->socket_dir);
}

/* AllocationSampled, dotnet/runtime#104955. */
void nt_judge_allocation_samples(const struct nt_facts *facts, struct nt_verdict *out)
{
	enum { FIRST_MAJOR = 10 };
	int major;
	const char *runtime = facts->target->runtime;
	if (!runtime || sscanf(runtime, "%d", &major) != 1)
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, 0, "the version of the runtime is not known; .NET %d and later sample them",
			      FIRST_MAJOR);
	else if (facts->readonly)
		nt_judge_fail(out, NT_VERDICT_MISSING, 0, "they come over EventPipe, and --readonly forbids an EventPipe session");
	else if (major < FIRST_MAJOR)
		nt_judge_fail(
			out, NT_VERDICT_MISSING, 0,
			".NET %s has none; over EventPipe it tells of one object in 100 KB instead, which favours large ones; .NET %d and "
			"later sample",
			runtime, FIRST_MAJOR);
	else
		nt_judge_ok(out, ".NET %s samples them, over EventPipe while screen 5 is open", runtime);
}

void nt_judge_perf_map(const struct nt_facts *facts, struct nt_verdict *out)
{
	enum { NOT_ON, NOT_WRITTEN, NOT_OPEN, STRANGE, WITHOUT_FIX, CLOSED = WITHOUT_FIX };
	char stale[PATH_MAX + 96] = "";
	if (facts->perf_map_stale)
		snprintf(stale, sizeof(stale), "; %s is older than the process: another one that had its number wrote it", facts->perf_map);
	if (facts->target->deployment == NT_DEPLOYED_NATIVE_AOT) {
		nt_judge_fail(out, NT_VERDICT_MISSING, WITHOUT_FIX,
			      "the program was compiled ahead of time, its names are in the executable");
		return;
	}
	if (nt_judge_closed(facts, CLOSED, out))
		return;
	if (*facts->perf_map_objection) {
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, STRANGE, "perf map %s %s: not read", facts->perf_map, facts->perf_map_objection);
		return;
	}
	switch (facts->perf_map_error) {
	case 0:
		nt_judge_ok(out, "%s", facts->perf_map);
		break;
	case ENOENT:
	case ENOTDIR:
		if (facts->target->perf_map_enabled)
			nt_judge_fail(out, NT_VERDICT_MISSING, NOT_WRITTEN, "no perf map at %s, though the target has it switched on%s",
				      facts->perf_map, stale);
		else if (facts->target->jitdump_only)
			nt_judge_ok(out, "off; the jitdump is read in its place");
		else if (nt_target_runtime_major(facts->target) >= NT_RUNTIME_NAMED_MAJOR && !facts->memory_error)
			/* .NET 9 does not describe all of that: whether the rest lies where it is expected shows when it is read. */
			nt_judge_ok(out, "off; all methods but those of emitted assemblies have their names by the runtime's own data%s",
				    nt_target_runtime_major(facts->target) < NT_RUNTIME_DESCRIBED_MAJOR ? ", if these lie as in .NET 9.0"
													: "");
		else if (facts->socket_exists && !facts->readonly && nt_target_perf_map_switchable(facts->target))
			nt_judge_ok(out, "off; nettop switches it on while it watches");
		else
			nt_judge_fail(out, NT_VERDICT_MISSING, NOT_ON, "the target writes no perf map%s", stale);
		break;
	case EACCES:
	case EPERM:
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, NOT_OPEN, "perf map %s cannot be read: %s", facts->perf_map,
			      strerrordesc_np(facts->perf_map_error));
		break;
	default:
		nt_judge_fail(out, NT_VERDICT_MISSING, STRANGE, "perf map %s cannot be read: %s", facts->perf_map,
			      strerrordesc_np(facts->perf_map_error));
	}
}

void nt_judge_write_xor_execute(const struct nt_facts *facts, struct nt_verdict *out)
{
	const struct nt_environment env = nt_target_environment(facts->target);
	if (nt_environment_number(&env, "EnableWriteXorExecute", 16, 1))
		nt_judge_ok(out, "on: no matter for nettop; perf's own reports need DOTNET_EnableWriteXorExecute=0");
	else
		nt_judge_ok(out, "off");
}

/*
 * dotnet/runtime#120419, #132935: by default the jitdump ends when it meets a block of stubs; so it still does in 10.0.12. dotnet/runtime PR 82142, 85072: before
 * .NET 8, patches of 2023 apart, every value of PerfMapEnabled writes both files.
 */
static const struct defect {
	int major, last_patch;                     /* versions MAJOR.0.0 to MAJOR.0.LAST_PATCH */
	unsigned long least_value, greatest_value; /* of PerfMapEnabled */
	const char *work_around;                   /* a setting that avoids it when it has bit 1; NULL = none */
	unsigned failure;
	const char *found;
} defects[] = {
	{ 10, 12, 1, 2, "PerfMapStubGranularity", 0, "the jitdump of .NET 10.0.0 to 10.0.12 is broken by default; the perf map is not" },
	{ 7, 99, 3, 3, NULL, 1, "before .NET 8, DOTNET_PerfMapEnabled=3 may mean 1" },
	{ 6, 99, 3, 3, NULL, 1, "before .NET 8, DOTNET_PerfMapEnabled=3 may mean 1" },
};

void nt_judge_jitdump(const struct nt_facts *facts, struct nt_verdict *out)
{
	const struct nt_environment env = nt_target_environment(facts->target);
	unsigned long value = nt_environment_number(&env, "PerfMapEnabled", 16, 0);
	int major, minor, patch;
	bool version_known = facts->target->runtime && sscanf(facts->target->runtime, "%d.%d.%d", &major, &minor, &patch) == 3;
	if (!version_known) {
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, 1, "the version of the runtime is not known");
		return;
	}
	for (size_t i = 0; i < sizeof(defects) / sizeof(defects[0]); i++) {
		const struct defect *defect = &defects[i];
		bool avoided = defect->work_around && nt_environment_number(&env, defect->work_around, 16, 0) & 2;
		if (major == defect->major && patch <= defect->last_patch && value >= defect->least_value &&
		    value <= defect->greatest_value && !avoided) {
			nt_judge_fail(out, NT_VERDICT_MISSING, defect->failure, "%s", defect->found);
			return;
		}
	}
	nt_judge_ok(out, "no known defect of .NET %s touches what the target writes", facts->target->runtime);
}
