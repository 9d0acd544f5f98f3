// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_probe.h"

#include "source/lttng/lttng_trial.h"
#include "target/needs/prerequisites.h"
#include "target/needs/readonly.h"

#include <stdio.h>
#include <unistd.h>

/*
 * What is wrong with the target itself, from what was read at the attach: no file of the target's is opened here, on the main thread. So why the provider
 * was not loaded remains open; `nettop doctor` looks.
 */
static bool target_cannot(const struct nt_facts *facts, struct nt_probe *out)
{
	if (nt_prerequisite_refuses(NT_NEEDS_RUNTIME, facts, out))
		return true;
	if (facts->target->provider_loaded)
		return false;
	if (nt_prerequisite_refuses(NT_NEEDS_PROVIDER, facts, out))
		return true;
	nt_prerequisite_refuses(NT_NEEDS_UST, facts, out);
	/* It needs that as well: one restart is enough. */
	nt_prerequisite_add_fix(NT_NEEDS_EVENT_LOG, facts, " ", out);
	return true;
}

static bool machine_cannot(const struct nt_facts *facts, struct nt_probe *out)
{
	return nt_prerequisite_refuses(NT_NEEDS_LTTNG_DAEMONS, facts, out) || nt_prerequisite_refuses(NT_NEEDS_TRACING_GROUP, facts, out);
}

static bool refused(const struct nt_facts *facts, const struct nt_source_config *config, struct nt_probe *out)
{
	if (target_cannot(facts, out))
		return true;
	/* Somebody else's session needs only a viewer. */
	if (config->lttng_session)
		return false;
	return machine_cannot(facts, out);
}

void nt_lttng_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
	if (config->readonly && !config->lttng_session) {
		out->result = NT_PROBE_ABSENT;
		snprintf(out->reason, sizeof(out->reason), "%s", nt_readonly_reason(NT_CHANGE_LTTNG));
		return;
	}
	struct nt_facts facts = { .uid = geteuid(), .target = target, .provider_exists = true };
	if (!config->lttng_session)
		nt_facts_try_lttng(&facts);
	if (!refused(&facts, config, out))
		return;
	/* What the words and the fixes are made of besides; only now, because it takes longer than all the rest. */
	nt_facts_read_machine(&facts, "");
	refused(&facts, config, out);
}

bool nt_lttng_can_trace(void)
{
	struct nt_probe out;
	struct nt_facts facts = { .uid = geteuid() };
	nt_facts_try_lttng(&facts);
	return !machine_cannot(&facts, &out);
}
