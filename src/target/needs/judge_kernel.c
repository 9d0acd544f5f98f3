// SPDX-License-Identifier: GPL-2.0-only
/* CPU samples and the kernel's names: what kernel/events/core.c and kernel/kallsyms.c of Linux ask for. */
#include "target/needs/judge.h"

#include "target/needs/perf_limits.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef CAP_PERFMON /* Linux 5.8 */
#define CAP_PERFMON 38
#endif

static bool has_perfmon(const struct nt_facts *facts)
{
	return nt_facts_capable(facts, CAP_PERFMON) || nt_facts_capable(facts, CAP_SYS_ADMIN);
}

/* perfmon_capable() */
static bool perfmon(const struct nt_facts *facts)
{
	return has_perfmon(facts) && !facts->in_user_namespace;
}

/* 2 is the kernel's own default. */
static int64_t paranoid(const struct nt_facts *facts)
{
	return facts->perf_event_paranoid.known ? facts->perf_event_paranoid.value : 2;
}

static bool is_refused(const struct nt_facts *facts)
{
	return facts->perf_error == EACCES || facts->perf_error == EPERM;
}

static bool of_other_user(const struct nt_facts *facts)
{
	return facts->target && facts->target->uid != facts->uid;
}

/* The failures of both prerequisites: what is lost, and where nettop runs, where neither its file nor a sysctl can be given anything from within. */
enum { WITHOUT_SAMPLES, WITHOUT_KERNEL_CODE, IN_CONTAINER = 2, IN_USER_NAMESPACE = 4, OF_OTHER_USER = 6 };

static unsigned place(const struct nt_facts *facts)
{
	return facts->in_user_namespace ? IN_USER_NAMESPACE : facts->uid == 0 ? IN_CONTAINER : 0;
}

/* Above 2 it depends on the kernel: Linux itself means the same by 3 and 4 as by 2, those of some distributions refuse everything. */
static unsigned lost_by_paranoia(const struct nt_facts *facts)
{
	return place(facts) + (paranoid(facts) > 2 && is_refused(facts) ? WITHOUT_SAMPLES : WITHOUT_KERNEL_CODE);
}

static const char *lacks(const struct nt_facts *facts)
{
	return has_perfmon(facts) ? "nettop has CAP_PERFMON in a user namespace only" : "nettop runs without CAP_PERFMON";
}

void nt_judge_perf_paranoid(const struct nt_facts *facts, struct nt_verdict *out)
{
	int64_t level = paranoid(facts);
	if (perfmon(facts))
		nt_judge_ok(out, "kernel.perf_event_paranoid is %" PRId64 ", which CAP_PERFMON overrides", level);
	else if (level <= 1)
		nt_judge_ok(out, "kernel.perf_event_paranoid is %" PRId64, level);
	else
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, lost_by_paranoia(facts), "kernel.perf_event_paranoid is %" PRId64 " and %s", level,
			      lacks(facts));
}

static void judge_without_perfmon(const struct nt_facts *facts, struct nt_verdict *out)
{
	int64_t level = paranoid(facts);
	unsigned none = place(facts) + WITHOUT_SAMPLES;
	if (facts->perf_of_cpus)
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, none,
			      "several processes are sampled by CPU, kernel.perf_event_paranoid is %" PRId64 " and %s", level,
			      lacks(facts));
	else if (of_other_user(facts))
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, none ? none : OF_OTHER_USER,
			      "process %u belongs to uid %u and nettop runs as uid %u without CAP_PERFMON", facts->target->pid,
			      facts->target->uid, facts->uid);
	else if (level > 1)
		nt_judge_fail(out, NT_VERDICT_MISSING, lost_by_paranoia(facts), "%s and kernel.perf_event_paranoid is %" PRId64,
			      lacks(facts), level);
	else if (facts->target && is_refused(facts))
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, none,
			      "process %u has rights that uid %u has not, or may not be looked into, and %s", facts->target->pid,
			      facts->uid, lacks(facts));
	else
		nt_judge_ok(out,
			    "not needed for one's own processes, whose threads are sampled then, not the CPUs: kernel.perf_event_paranoid "
			    "is %" PRId64,
			    level);
}

void nt_judge_cap_perfmon(const struct nt_facts *facts, struct nt_verdict *out)
{
	int64_t level = paranoid(facts);
	if (perfmon(facts))
		nt_judge_ok(out, "nettop has it");
	else if (level <= 0)
		nt_judge_ok(out, "not needed: kernel.perf_event_paranoid is %" PRId64, level);
	else
		judge_without_perfmon(facts, out);
}

void nt_judge_perf_open(const struct nt_facts *facts, struct nt_verdict *out)
{
	if (facts->perf_error && facts->perf_filtered) {
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, 0,
			      "a seccomp filter keeps perf_event_open from nettop, whatever capabilities it has, as a container's does by "
			      "default");
		return;
	}
	switch (facts->perf_error) {
	case 0:
		nt_judge_ok(out, "the kernel allows it");
		break;
	case EACCES:
	case EPERM:
		if (perfmon(facts))
			nt_judge_fail(out, NT_VERDICT_FORBIDDEN, 0,
				      "the kernel refuses although nettop has CAP_PERFMON: a security module or lockdown forbids "
				      "perf_event_open");
		else
			nt_judge_ok(out, "refused for want of permission, see perf_event_paranoid and CAP_PERFMON");
		break;
	case ENOSYS:
		nt_judge_fail(out, NT_VERDICT_MISSING, 1, "this kernel was built without perf events (CONFIG_PERF_EVENTS)");
		break;
	case ESRCH:
		nt_judge_fail(out, NT_VERDICT_UNKNOWN, 1, "the process has just ended");
		break;
	default:
		nt_judge_fail(out, NT_VERDICT_MISSING, 1, "perf_event_open fails: %s", strerrordesc_np(facts->perf_error));
	}
}

void nt_judge_kptr(const struct nt_facts *facts, struct nt_verdict *out)
{
	const struct nt_fact *restricted = &facts->kptr_restrict;
	if (facts->kernel_lookup)
		nt_judge_ok(out, "not needed: the kernel tells nettop through BPF");
	else if (facts->kallsyms_shown)
		nt_judge_ok(out, "/proc/kallsyms shows addresses");
	else if (nt_facts_capable(facts, CAP_SYSLOG))
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, 0, "kernel addresses are hidden from everybody: kernel.kptr_restrict is %" PRId64,
			      restricted->value);
	else
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, 1,
			      "kernel addresses are hidden: kernel.kptr_restrict is %" PRId64 ", kernel.perf_event_paranoid %" PRId64
			      ", and nettop runs without CAP_SYSLOG",
			      restricted->value, paranoid(facts));
}

/* What all rings of one size take: perf_mmap() counts a page more for each. */
static uint64_t rings_bytes(const struct nt_facts *facts, uint64_t ring_bytes)
{
	return (ring_bytes + (uint64_t)sysconf(_SC_PAGESIZE)) * facts->cpu_count;
}

/* perf_mmap(): each CPU's share for the user, then what the process may lock. */
static uint64_t lockable_bytes(const struct nt_facts *facts)
{
	bool unlimited = nt_facts_capable(facts, CAP_IPC_LOCK) || paranoid(facts) < 0;
	if (unlimited || !facts->perf_event_mlock_kb.known || !facts->locked_bytes_max.known || facts->locked_bytes_max.value == INT64_MAX)
		return UINT64_MAX;
	return (uint64_t)facts->perf_event_mlock_kb.value * 1024 * facts->cpu_count + (uint64_t)facts->locked_bytes_max.value;
}

void nt_judge_perf_mlock(const struct nt_facts *facts, struct nt_verdict *out)
{
	uint64_t may = lockable_bytes(facts), wanted = facts->perf_ring_bytes, have = wanted;
	while (have >= NT_PERF_RING_LEAST_BYTES && rings_bytes(facts, have) > may)
		have /= 2;
	/* What was refused although it is allowed, others have used up. */
	out->number = (int64_t)((wanted + (uint64_t)sysconf(_SC_PAGESIZE)) >> 10);
	if (facts->perf_rings_refused)
		out->number += facts->perf_event_mlock_kb.value;
	bool none = have < NT_PERF_RING_LEAST_BYTES || facts->perf_rings_refused;
	if (have == wanted && !none)
		nt_judge_ok(out, "a ring of %" PRIu64 " KB for each of %u CPUs", wanted >> 10, facts->cpu_count);
	else if (none)
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, 0,
			      "%u rings of %d KB may not be locked into memory: kernel.perf_event_mlock_kb is %" PRId64
			      " for each CPU, ulimit -l %" PRId64 " KB, and other perf users share both",
			      facts->cpu_count, NT_PERF_RING_LEAST_BYTES >> 10, facts->perf_event_mlock_kb.value,
			      facts->locked_bytes_max.value >> 10);
	else
		nt_judge_fail(out, NT_VERDICT_MISSING, 1,
			      "rings of %" PRIu64 " KB instead of %" PRIu64 " KB: kernel.perf_event_mlock_kb is %" PRId64
			      " for each CPU, ulimit -l %" PRId64 " KB",
			      have >> 10, wanted >> 10, facts->perf_event_mlock_kb.value, facts->locked_bytes_max.value >> 10);
}

void nt_judge_tracefs(const struct nt_facts *facts, struct nt_verdict *out)
{
	if (!facts->tracefs_error)
		nt_judge_ok(out, "readable");
	else if (facts->tracefs_error == EACCES || facts->tracefs_error == EPERM)
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, 1, "/sys/kernel/tracing is closed to %s", facts->user);
	else
		nt_judge_fail(out, NT_VERDICT_MISSING, 0, "not mounted at /sys/kernel/tracing");
}

/* "1 thread on 2 CPUs" */
static const char *threads_on_cpus(const struct nt_facts *facts, char *buf, size_t size)
{
	snprintf(buf, size, "%" PRIu64 " thread%s on %u CPU%s", facts->thread_count, facts->thread_count == 1 ? "" : "s", facts->cpu_count,
		 facts->cpu_count == 1 ? "" : "s");
	return buf;
}

void nt_judge_open_files(const struct nt_facts *facts, struct nt_verdict *out)
{
	char buf[64];
	const char *threads = threads_on_cpus(facts, buf, sizeof(buf));
	uint64_t need = facts->thread_count * facts->cpu_count, most = (uint64_t)facts->open_files_max.value;
	bool enough = !facts->open_files_max.known || need + NT_PERF_DESCRIPTORS_SPARE <= most || nt_facts_capable(facts, CAP_SYS_RESOURCE);
	out->number = (int64_t)(need + NT_PERF_DESCRIPTORS_SPARE);
	if (perfmon(facts) || paranoid(facts) <= 0)
		nt_judge_ok(out, "%u open file%s: CPUs are sampled, not threads", facts->cpu_count, facts->cpu_count == 1 ? "" : "s");
	else if (enough && need <= NT_PERF_DESCRIPTORS_MAX)
		nt_judge_ok(out, "%" PRIu64 " open files for %s", need, threads);
	else if (!enough && need <= NT_PERF_DESCRIPTORS_MAX)
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, 0, "%" PRIu64 " open files are needed for %s, at most %" PRIu64 " are allowed",
			      need + NT_PERF_DESCRIPTORS_SPARE, threads, most);
	else
		nt_judge_fail(out, NT_VERDICT_FORBIDDEN, 1,
			      "more than %d open files for %s: sampling CPUs instead of threads needs CAP_PERFMON", NT_PERF_DESCRIPTORS_MAX,
			      threads);
}
