// SPDX-License-Identifier: GPL-2.0-only
#include "model/why.h"

#include "nettop/settings.h"

#define ENV_N NT_AT_START NT_VARIABLES_MODE_N
#define ENV_F NT_AT_START NT_VARIABLES_MODE_F

enum {
	IN_FULL = 1 << NT_MODE_F | 1 << NT_MODE_ALL,
	IN_LOG = IN_FULL | 1 << NT_MODE_N,
	IN_ANY = IN_LOG | 1 << NT_MODE_NONE | 1 << NT_MODE_UNKNOWN,
};

/* One line per subject: who says it, in which modes of the target that source can, and what to say when the mode leaves it out. */
static const struct subject {
	enum nt_source_id source;
	enum nt_owner_group group; /* an event of it proves that it comes, whatever the mode */
	unsigned modes;            /* 0: does not depend on the mode */
	struct nt_why left_out;
} subjects[NT_SUBJECT_COUNT] = {
	[NT_SUBJECT_SAMPLES] = { .source = NT_SOURCE_PERF },
	[NT_SUBJECT_USAGE] = { .source = NT_SOURCE_PROCFS },
	[NT_SUBJECT_GC] = { .source = NT_SOURCE_LTTNG, .group = NT_OWNER_GC, .modes = IN_ANY },
	[NT_SUBJECT_JIT] = { .source = NT_SOURCE_LTTNG,
			     .group = NT_OWNER_JIT,
			     .modes = IN_LOG,
			     .left_out = { "no JIT events: the target runs without DOTNET_EnableEventLog=1", ENV_N } },
	[NT_SUBJECT_POOL] = { .source = NT_SOURCE_LTTNG,
			      .group = NT_OWNER_POOL,
			      .modes = IN_FULL,
			      .left_out = { "no thread-pool events: no managed listener of " NT_RUNTIME_EVENT_SOURCE " is on", ENV_F } },
	[NT_SUBJECT_EXCEPTIONS] = { .source = NT_SOURCE_LTTNG,
				    .group = NT_OWNER_EXCEPTION,
				    .modes = IN_LOG,
				    .left_out = { "no exception events: the target runs without DOTNET_EnableEventLog=1", ENV_N } },
	[NT_SUBJECT_CONTENTION] = { .source = NT_SOURCE_LTTNG,
				    .group = NT_OWNER_CONTENTION,
				    .modes = IN_LOG,
				    .left_out = { "no contention events: the target runs without DOTNET_EnableEventLog=1", ENV_N } },
};

/* What a source that does not deliver says of itself, or what its state means. */
static struct nt_why why_of_source(const struct nt_source_account *account, enum nt_source_id id)
{
	static const char *const reasons[NT_SOURCE_COUNT][NT_STATE_ENDED + 1] = {
		[NT_SOURCE_PERF] = { "the perf source is not used", "perf is starting", NULL, "no CPU samples here",
				     "CPU samples are forbidden", "perf is silent", "perf has ended" },
		[NT_SOURCE_PROCFS] = { "the procfs source is not used", "procfs is starting", NULL, "no /proc here", "/proc is forbidden",
				       "/proc is silent", "the target has ended" },
		[NT_SOURCE_LTTNG] = { "the lttng source is not used", "lttng is starting: nothing delivered yet", NULL,
				      "no LTTng events here", "LTTng is forbidden", "lttng is silent", "lttng has ended" },
	};
	struct nt_why why = { .reason = account->reason, .fix = account->fix };
	if (!why.reason)
		why.reason = reasons[id][account->state];
	if (!why.reason)
		why.reason = "nothing delivered yet";
	return why;
}

struct nt_knowledge nt_why(enum nt_subject index, const struct nt_sources *sources, const struct nt_owners *owners,
			   enum nt_target_mode mode)
{
	const struct subject *subject = &subjects[index];
	bool seen = subject->group != NT_OWNER_NONE && nt_owners_seen(owners, subject->group);
	enum nt_source_id source = seen ? owners->groups[subject->group].owner : subject->source;
	const struct nt_source_account *account = &sources->items[source];
	bool can = !subject->modes || (subject->modes & 1u << mode) || seen;
	struct nt_knowledge knowledge = {
		.interval = can && account->delivered_now,
		.total = can && (account->was_delivering || seen),
	};
	struct nt_why why = subject->left_out;
	if (!account->delivered_now)
		why = why_of_source(account, source);
	else if (mode == NT_MODE_UNKNOWN)
		why = (struct nt_why){ "none seen; the target's environment cannot be read, so they may not come at all", NULL };
	if (!knowledge.interval)
		knowledge.interval_why = why;
	if (!knowledge.total)
		knowledge.total_why = why;
	return knowledge;
}
