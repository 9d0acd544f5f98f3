// SPDX-License-Identifier: GPL-2.0-only
#include "target/needs/usable.h"

#include "target/needs/readonly.h"

#include <stdio.h>

/* What each source needs, the broadest first. */
static const struct need {
	enum nt_source_id source;
	enum nt_prerequisite_id id;
} needs[] = {
	{ NT_SOURCE_LTTNG, NT_NEEDS_RUNTIME },
	{ NT_SOURCE_LTTNG, NT_NEEDS_LTTNG_DAEMONS },
	{ NT_SOURCE_LTTNG, NT_NEEDS_TRACING_GROUP },
	{ NT_SOURCE_LTTNG, NT_NEEDS_LTTNG_RINGS },
	{ NT_SOURCE_LTTNG, NT_NEEDS_MOUNT_NAMESPACE },
	{ NT_SOURCE_LTTNG, NT_NEEDS_PROVIDER },
	{ NT_SOURCE_LTTNG, NT_NEEDS_UST },
	{ NT_SOURCE_LTTNG, NT_NEEDS_EVENT_LOG },
	{ NT_SOURCE_EVENTPIPE, NT_NEEDS_DIAGNOSTICS },
	{ NT_SOURCE_EVENTPIPE, NT_NEEDS_SOCKET },
	{ NT_SOURCE_PERF, NT_NEEDS_PERF_OPEN },
	{ NT_SOURCE_PERF, NT_NEEDS_PERF_PARANOID },
	{ NT_SOURCE_PERF, NT_NEEDS_CAP_PERFMON },
	{ NT_SOURCE_CODEMAP, NT_NEEDS_RUNTIME },
	{ NT_SOURCE_CODEMAP, NT_NEEDS_PERF_MAP },
};

static enum nt_usable_state state_of(enum nt_verdict_state verdict)
{
	switch (verdict) {
	case NT_VERDICT_OK:
		return NT_USABLE_YES;
	case NT_VERDICT_MISSING:
		return NT_USABLE_MISSING;
	case NT_VERDICT_FORBIDDEN:
		return NT_USABLE_FORBIDDEN;
	case NT_VERDICT_UNKNOWN:
		break;
	}
	return NT_USABLE_UNKNOWN;
}

static enum nt_usable_state judge_needs(const struct nt_facts *facts, enum nt_source_id source, char why[NT_USABLE_BYTES])
{
	enum nt_usable_state state = NT_USABLE_YES;
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		const struct nt_prerequisite *prerequisite = &nt_prerequisites[needs[i].id];
		struct nt_verdict verdict;
		if (needs[i].source != source || !nt_prerequisite_judge(prerequisite, facts, &verdict) || verdict.state == NT_VERDICT_OK)
			continue;
		state = state_of(verdict.state);
		nt_prerequisite_sentence(prerequisite, &verdict, why, NT_USABLE_BYTES);
		if (state != NT_USABLE_UNKNOWN)
			break;
	}
	return state;
}

/* The runtime writes a perf map on command from .NET 8 on. */
static bool writes_map_on_command(const struct nt_facts *facts)
{
	char port[NT_USABLE_BYTES];
	const struct nt_target *target = facts->target;
	return !facts->readonly && target->is_dotnet && target->runtime && nt_target_runtime_major(target) >= 8 &&
	       judge_needs(facts, NT_SOURCE_EVENTPIPE, port) == NT_USABLE_YES;
}

/* Whatever there is, nettop asks nothing of the target, and there is no session. */
static bool is_left_out(const struct nt_facts *facts, enum nt_source_id source, char why[NT_USABLE_BYTES])
{
	if (!facts->readonly || (source != NT_SOURCE_LTTNG && source != NT_SOURCE_EVENTPIPE))
		return false;
	snprintf(why, NT_USABLE_BYTES, "%s", nt_readonly_reason(source == NT_SOURCE_LTTNG ? NT_CHANGE_LTTNG : NT_CHANGE_EVENTPIPE));
	return true;
}

enum nt_usable_state nt_usable_judge(const struct nt_facts *facts, enum nt_source_id source, char why[NT_USABLE_BYTES])
{
	why[0] = '\0';
	/* The trial counts: with what it was allowed, samples may lack kernel code, but they come. */
	if (source == NT_SOURCE_PERF && !facts->perf_error)
		return NT_USABLE_YES;
	if (is_left_out(facts, source, why))
		return NT_USABLE_FORBIDDEN;
	enum nt_usable_state state = judge_needs(facts, source, why);
	if (source != NT_SOURCE_CODEMAP || state != NT_USABLE_MISSING || !writes_map_on_command(facts))
		return state;
	why[0] = '\0';
	return NT_USABLE_YES;
}

/* Does EventPipe bring the runtime's events? */
static bool eventpipe_brings_all(const struct nt_facts *facts)
{
	char why[NT_USABLE_BYTES];
	if (facts->readonly)
		return false;
	/* Of a machine: as long as nobody switches the port of his program off. */
	return !facts->target ||
	       (nt_target_has_runtime(facts->target) && nt_usable_judge(facts, NT_SOURCE_EVENTPIPE, why) == NT_USABLE_YES);
}

bool nt_usable_replaces(const struct nt_facts *facts, const struct nt_prerequisite *prerequisite)
{
	char why[NT_USABLE_BYTES];
	switch (prerequisite->need) {
	case NT_NEED_LTTNG_ALONE:
		return eventpipe_brings_all(facts);
	case NT_NEED_LTTNG:
		return eventpipe_brings_all(facts) && !(facts->target && nt_usable_judge(facts, NT_SOURCE_LTTNG, why) == NT_USABLE_YES);
	default:
		return false;
	}
}

bool nt_usable_needs(const struct nt_facts *facts, const struct nt_prerequisite *prerequisite)
{
	switch (prerequisite->need) {
	case NT_NEED_NOTHING:
		return false;
	case NT_NEED_JITDUMP:
		return facts->target && facts->target->jitdump_only;
	default:
		return !nt_usable_replaces(facts, prerequisite);
	}
}
