// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_refusal.h"

#include "source/perf/perf_attach.h"
#include "target/needs/prerequisites.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What the machine says, and of the target what permission depends on. */
static void read_facts(struct nt_facts *facts, struct nt_target *target, int error)
{
	*facts = (struct nt_facts){ .target = target, .perf_error = error };
	nt_facts_read_machine(facts, "");
}

/* The setting that a process of one's own needs, or the capability: each alone helps. */
static bool wants_setting_or_capability(const struct nt_facts *facts, struct nt_probe *out)
{
	if (!nt_prerequisite_refuses(NT_NEEDS_PERF_PARANOID, facts, out))
		return false;
	nt_prerequisite_add_fix(NT_NEEDS_CAP_PERFMON, facts, "   or: ", out);
	return true;
}

static void forbidden(struct nt_facts *facts, struct nt_probe *out)
{
	if (nt_prerequisite_refuses(NT_NEEDS_PERF_OPEN, facts, out))
		return;
	if (facts->target->uid != facts->uid && nt_prerequisite_refuses(NT_NEEDS_CAP_PERFMON, facts, out))
		return;
	/* It has so many threads that only events of CPUs would do. */
	if (facts->thread_count && nt_prerequisite_refuses(NT_NEEDS_OPEN_FILES, facts, out))
		return;
	if (wants_setting_or_capability(facts, out) || nt_prerequisite_refuses(NT_NEEDS_CAP_PERFMON, facts, out))
		return;
	out->result = NT_PROBE_FORBIDDEN;
	snprintf(out->reason, sizeof(out->reason), "no CPU samples: the kernel does not say why it refuses process %u", facts->target->pid);
}

/* What is in the way of events of CPUs. False: nothing that is known. */
static bool wants_for_cpus(struct nt_facts *facts, struct nt_probe *out)
{
	facts->perf_of_cpus = true;
	return nt_prerequisite_refuses(NT_NEEDS_PERF_OPEN, facts, out) || nt_prerequisite_refuses(NT_NEEDS_CAP_PERFMON, facts, out);
}

static enum nt_status as_error(const struct nt_probe *probe, int error, struct nt_error *err)
{
	enum nt_status status = probe->result == NT_PROBE_FORBIDDEN ? NT_ERR_FORBIDDEN
				: error == ENOSYS                   ? NT_ERR_UNSUPPORTED
								    : NT_ERR_FAILED;
	nt_error_set(err, status, "%s", probe->reason);
	nt_error_set_fix(err, probe->fix);
	return status;
}

enum nt_status nt_perf_refusal_error(uint32_t pid, uid_t uid, int error, size_t thread_count, struct nt_error *err)
{
	if (error == ESRCH)
		return nt_error_set(err, NT_ERR_GONE, "process %u has just ended", pid);
	struct nt_target target = { .pid = pid, .uid = uid };
	struct nt_facts facts;
	struct nt_probe probe = { .result = NT_PROBE_ABSENT };
	read_facts(&facts, &target, error);
	facts.thread_count = thread_count;
	if (error == EACCES || error == EPERM)
		forbidden(&facts, &probe);
	else
		nt_prerequisite_refuses(NT_NEEDS_PERF_OPEN, &facts, &probe);
	return as_error(&probe, error, err);
}

enum nt_status nt_perf_refusal_several(int error, struct nt_error *err)
{
	struct nt_facts facts;
	struct nt_probe probe = { .result = NT_PROBE_ABSENT };
	read_facts(&facts, NULL, error);
	if (!wants_for_cpus(&facts, &probe)) {
		probe.result = NT_PROBE_FORBIDDEN;
		snprintf(probe.reason, sizeof(probe.reason), "no CPU samples: the kernel does not say why it refuses events of CPUs");
	}
	return as_error(&probe, error, err);
}

void nt_perf_refusal_cpus(struct nt_probe *out)
{
	struct nt_facts facts;
	struct nt_probe probe = { 0 };
	read_facts(&facts, NULL, 0);
	if (wants_for_cpus(&facts, &probe))
		memcpy(out->fix, probe.fix, sizeof(out->fix));
}

enum nt_status nt_perf_refusal_rings(size_t wanted_bytes, struct nt_error *err)
{
	struct nt_facts facts;
	read_facts(&facts, NULL, 0);
	facts.perf_ring_bytes = wanted_bytes;
	facts.perf_rings_refused = true;
	return nt_prerequisite_error(NT_NEEDS_PERF_MLOCK, &facts, err);
}

/* What the missing kernel part is owed to. */
static void kernel_part(struct nt_probe *out)
{
	struct nt_facts facts;
	read_facts(&facts, NULL, 0);
	*out = (struct nt_probe){ 0 };
	wants_setting_or_capability(&facts, out);
	out->result = NT_PROBE_AVAILABLE;
}

bool nt_perf_refusal_part(const struct nt_perf_attach *attach, unsigned wanted_hz, struct nt_probe *out)
{
	const struct nt_perf_features *features = &attach->features;
	if (features->user_only)
		kernel_part(out);
	else if (features->of_cpus && !attach->filtered)
		snprintf(out->reason, sizeof(out->reason),
			 "other processes are sampled, too, and left out by nettop: it may load no filter into the kernel (CAP_BPF, "
			 "CAP_PERFMON), or not look at this process's pid namespace (CAP_SYS_PTRACE)");
	else if (features->hz < wanted_hz)
		snprintf(out->reason, sizeof(out->reason), "%u samples per second: kernel.perf_event_max_sample_rate allows no more",
			 features->hz);
	else if (features->dump_bytes)
		snprintf(out->reason, sizeof(out->reason), "call chains by %u KB of the stack in each sample, %u samples per second",
			 features->dump_bytes >> 10, features->hz);
	else
		return false;
	return true;
}
