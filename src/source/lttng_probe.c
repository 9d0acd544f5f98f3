// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng_probe.h"

#include "source/trial.h"
#include "target/prerequisites.h"
#include "target/settings.h"

#include <stdio.h>
#include <string.h>

/* Which of the settings that LTTng needs the target lacks besides: so that one restart is enough. */
static void add_event_log(const struct nt_facts *facts, struct nt_probe *out)
{
	struct nt_probe other;
	size_t used = strlen(out->fix);
	if (nt_prerequisite_refuses(NT_NEEDS_EVENT_LOG, facts, &other) && strncmp(other.fix, NT_AT_START, strlen(NT_AT_START)) == 0)
		snprintf(out->fix + used, sizeof(out->fix) - used, " %s", other.fix + strlen(NT_AT_START));
}

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
	add_event_log(facts, out);
	return true;
}

void nt_lttng_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
	struct nt_facts facts = { .target = target, .provider_exists = true };
	nt_facts_read_machine(&facts, "");
	if (target_cannot(&facts, out))
		return;
	/* Somebody else's session needs only a viewer. */
	if (config->lttng_session)
		return;
	nt_facts_try_lttng(&facts);
	if (!nt_prerequisite_refuses(NT_NEEDS_LTTNG_DAEMONS, &facts, out))
		nt_prerequisite_refuses(NT_NEEDS_TRACING_GROUP, &facts, out);
}
