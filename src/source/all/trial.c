// SPDX-License-Identifier: GPL-2.0-only
#include "source/all/trial.h"

#include "source/codemap/kernel_lookup.h"
#include "source/lttng/lttng_trial.h"
#include "source/perf/perf_opening.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void try_perf(struct nt_facts *facts, unsigned hz)
{
	const struct nt_target *target = facts->target;
	const struct nt_perf_wish wish = { .hz = hz };
	struct nt_perf_features features = { 0 };
	facts->perf_error = target ? nt_perf_opening_try(target->pid, target->proc_dir, &wish, &features)
				   : nt_perf_features_try((uint32_t)gettid(), &wish, &features);
	facts->perf_ring_bytes = nt_perf_ring_bytes(&features, facts->cpu_count);
}

/* A directory service may take its time to answer. */
static void ask_user_name(struct nt_facts *facts)
{
	const struct passwd *user = getpwuid(facts->uid);
	if (user)
		snprintf(facts->user, sizeof(facts->user), "%s", user->pw_name);
}

void nt_facts_try(struct nt_facts *facts, unsigned perf_hz)
{
	ask_user_name(facts);
	try_perf(facts, perf_hz);
	nt_facts_try_lttng(facts);
	struct nt_kernel_lookup *lookup = nt_kernel_lookup_new();
	facts->kernel_lookup = lookup != NULL;
	nt_kernel_lookup_free(lookup);
}
