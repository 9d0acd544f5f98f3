// SPDX-License-Identifier: GPL-2.0-only
/* The way of an event: provider, liblttng-ust, rings in shared memory, session daemon, relay, nettop. */
#include "target/needs/judge.h"

#include "target/process/bridge.h"

#include <inttypes.h>
#include <linux/capability.h>
#include <string.h>

void nt_judge_lttng_daemons(const struct nt_facts *facts, struct nt_verdict *out)
{
	/* A session daemon that runs need not be on our path. */
	bool sessiond = facts->sessiond_installed || facts->sessiond == NT_OK;
	if (sessiond && facts->relayd_installed)
		nt_judge_ok(out, "%s", facts->sessiond == NT_OK ? "a session daemon answers" : "installed; nettop starts them");
	else
		nt_judge_fail(out, NT_VERDICT_MISSING, 0, "%s is not installed",
			      facts->relayd_installed ? "lttng-sessiond" : "lttng-relayd");
}

void nt_judge_tracing_group(const struct nt_facts *facts, struct nt_verdict *out)
{
	/* An application joins the machine's session daemon and that of its own user: another user's is no help. */
	bool other_user = facts->target && facts->uid != 0 && facts->target->uid != facts->uid;
	bool own_process = facts->target && !other_user;
	if (facts->sessiond == NT_OK)
		nt_judge_ok(out, "the session daemon answers");
	else if (facts->sessiond == NT_ERR_FORBIDDEN && own_process)
		nt_judge_ok(out, "root's session daemon does not answer %s: nettop starts one of the user's own", facts->user);
	else if (facts->sessiond == NT_ERR_FORBIDDEN)
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, 0,
			      "the LTTng session daemon answers only root and members of the group tracing (who logged in since they are)");
	else if (other_user)
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, 1,
			      "no LTTng session daemon that process %u (uid %u) talks to is open to this user", facts->target->pid,
			      facts->target->uid);
	else
		nt_judge_ok(out, "no session daemon runs: nettop starts one");
}

void nt_judge_lttng_rings(const struct nt_facts *facts, struct nt_verdict *out)
{
	const struct nt_fact *free_bytes = &facts->shm_free_bytes;
	uint64_t megabytes = (facts->lttng_rings_bytes >> 20) + 1;
	/* The new size of the file system: what others use stays. */
	out->number = (int64_t)(megabytes + ((facts->shm_total_bytes - (uint64_t)free_bytes->value) >> 20) + 1);
	if (!free_bytes->known)
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, 0, "/dev/shm cannot be looked at");
	else if ((uint64_t)free_bytes->value >= facts->lttng_rings_bytes)
		nt_judge_ok(out, "%" PRIu64 " MB for the events of all CPUs, /dev/shm has %" PRId64 " MB", megabytes,
			    free_bytes->value >> 20);
	else
		nt_judge_fail(out, NT_VERDICT_MISSING, 0, "the events of all CPUs need %" PRIu64 " MB, /dev/shm has %" PRId64 " MB left",
			      megabytes, free_bytes->value >> 20);
}

void nt_judge_pid_namespace(const struct nt_facts *facts, struct nt_verdict *out)
{
	if (nt_judge_closed(facts, 0, out))
		return;
	if (!facts->namespaces_known)
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, 0, "the namespaces of process %u cannot be looked at", facts->target->pid);
	else if (facts->other_pid_namespace)
		nt_judge_ok(out, "one of its own, where it is pid %u: translated", facts->target->ns_pid);
	else
		nt_judge_ok(out, "that of nettop");
}

void nt_judge_mount_namespace(const struct nt_facts *facts, struct nt_verdict *out)
{
	if (nt_judge_closed(facts, 1, out))
		return;
	if (!facts->namespaces_known)
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, 1, "the namespaces of process %u cannot be looked at", facts->target->pid);
	else if (!facts->other_mount_namespace)
		nt_judge_ok(out, "that of nettop");
	else if (facts->lttng_reachable)
		nt_judge_ok(out, "one of its own, which shares /run/lttng and /dev/shm");
	else
		nt_judge_fail(out, NT_VERDICT_MISSING, 0,
			      "the target's mount namespace has a /run/lttng or /dev/shm of its own, where it meets no session daemon");
}

void nt_judge_provider(const struct nt_facts *facts, struct nt_verdict *out)
{
	const struct nt_target *target = facts->target;
	const struct nt_environment env = nt_target_environment(target);
	const char *needs = facts->provider_needs[0] ? facts->provider_needs : "a liblttng-ust";
	if (target->provider_loaded)
		nt_judge_ok(out, "loaded; linked with %s", needs);
	else if (!nt_environment_number(&env, "LTTng", 10, 1))
		nt_judge_fail(out, NT_VERDICT_MISSING, 1, "the target runs with DOTNET_LTTng=0");
	else if (nt_judge_closed(facts, 0, out))
		return;
	else if (facts->provider_exists)
		nt_judge_ok(out, "there, linked with %s, but not loaded: see liblttng-ust", needs);
	else
		nt_judge_fail(out, NT_VERDICT_MISSING, 0,
			      "the runtime has no libcoreclrtraceptprovider.so beside it: a single-file program, or a build without LTTng");
}

void nt_judge_ust(const struct nt_facts *facts, struct nt_verdict *out)
{
	enum { NOBODY, BRIDGE_ALONE, TOO_LATE, CLOSED };
	bool modern = strcmp(facts->provider_needs, "liblttng-ust.so.1") == 0;
	if (nt_judge_closed(facts, CLOSED, out))
		return;
	if (modern && facts->ust1_mapped)
		nt_judge_ok(out, "liblttng-ust.so.1 of the system");
	else if (facts->ust0 == NT_UST0_BRIDGE && facts->ust1_mapped)
		nt_judge_ok(out, "nettop's bridge, %s, on top of liblttng-ust.so.1", facts->ust0_found);
	else if (facts->ust0 == NT_UST0_GENUINE)
		nt_judge_ok(out, "the genuine library, %s", facts->ust0_found);
	else if (facts->ust0 == NT_UST0_BRIDGE || modern)
		nt_judge_fail(out, NT_VERDICT_MISSING, BRIDGE_ALONE,
			      "the target found no liblttng-ust.so.1 at its start (it needs a restart, too)");
	else if (facts->ust0_found[0])
		nt_judge_fail(out, NT_VERDICT_MISSING, TOO_LATE, "%s is there now, but was not loaded when the target started",
			      facts->ust0_found);
	else
		nt_judge_fail(out, NT_VERDICT_MISSING, NOBODY,
			      "the runtime found no " NT_UST0_SONAME " on its library path when the target started%s",
			      facts->bridge_there
				      ? ""
				      : ", and nettop's bridge is not there in its file system: copy it to the folder of the fix");
}
