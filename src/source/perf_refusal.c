// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_refusal.h"

#include "base/file.h"
#include "target/prerequisites.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A number from a file of /proc/sys; `absent` when it cannot be read. */
static long sysctl_number(const char *path, long absent)
{
	char *text;
	size_t length;
	if (nt_file_read(AT_FDCWD, path, 64, &text, &length) != 0)
		return absent;
	long n = strtol(text, NULL, 10);
	free(text);
	return n;
}

/* What the machine says, and of the target what permission depends on. */
static void read_facts(struct nt_facts *facts, struct nt_target *target, int error)
{
	*facts = (struct nt_facts){ .target = target, .perf_error = error };
	nt_facts_read_machine(facts);
}

/* The setting that a process of one's own needs, or the capability: each alone helps. */
static bool wants_setting_or_capability(const struct nt_facts *facts, struct nt_probe *out)
{
	struct nt_probe other;
	if (!nt_prerequisite_refuses(NT_NEEDS_PERF_PARANOID, facts, out))
		return false;
	if (nt_prerequisite_refuses(NT_NEEDS_CAP_PERFMON, facts, &other)) {
		size_t used = strlen(out->fix);
		snprintf(out->fix + used, sizeof(out->fix) - used, "   or: %s", other.fix);
	}
	return true;
}

static void forbidden(uint32_t pid, uid_t uid, int error, struct nt_probe *out)
{
	struct nt_target target = { .pid = pid, .uid = uid };
	struct nt_facts facts;
	read_facts(&facts, &target, error);
	if (nt_prerequisite_refuses(NT_NEEDS_PERF_OPEN, &facts, out))
		return;
	if (uid != facts.uid && nt_prerequisite_refuses(NT_NEEDS_CAP_PERFMON, &facts, out))
		return;
	if (wants_setting_or_capability(&facts, out))
		return;
	out->result = NT_PROBE_FORBIDDEN;
	snprintf(out->reason, sizeof(out->reason), "no CPU samples: the kernel does not say why it refuses process %u", pid);
}

void nt_perf_refusal(uint32_t pid, uid_t uid, int error, struct nt_probe *out)
{
	*out = (struct nt_probe){ .result = NT_PROBE_ABSENT };
	const struct nt_facts only_error = { .perf_error = error };
	switch (error) {
	case EACCES:
	case EPERM:
		forbidden(pid, uid, error, out);
		break;
	case ESRCH:
		snprintf(out->reason, sizeof(out->reason), "process %u has just ended", pid);
		break;
	case EMFILE:
		snprintf(out->reason, sizeof(out->reason),
			 "no CPU samples: too few open files are allowed for one descriptor per thread and CPU");
		snprintf(out->fix, sizeof(out->fix), "ulimit -n 8192");
		break;
	default:
		nt_prerequisite_refuses(NT_NEEDS_PERF_OPEN, &only_error, out);
	}
}

enum nt_status nt_perf_refusal_error(uint32_t pid, uid_t uid, int error, struct nt_error *err)
{
	struct nt_probe probe;
	nt_perf_refusal(pid, uid, error, &probe);
	enum nt_status status = probe.result == NT_PROBE_FORBIDDEN ? NT_ERR_FORBIDDEN : error == ESRCH ? NT_ERR_GONE : NT_ERR_FAILED;
	return nt_error_set(err, status, "%s%s%s", probe.reason, probe.fix[0] ? "; " : "", probe.fix);
}

enum nt_status nt_perf_refusal_rings(size_t ring_bytes, size_t ring_count, struct nt_error *err)
{
	struct rlimit limit = { 0 };
	getrlimit(RLIMIT_MEMLOCK, &limit);
	return nt_error_set(err, NT_ERR_FORBIDDEN,
			    "no CPU samples: %zu rings of %zu KB may not be locked into memory (kernel.perf_event_mlock_kb is %ld per CPU, "
			    "ulimit -l is %lu KB, and other perf users share both); ulimit -l unlimited, or run nettop as root",
			    ring_count, ring_bytes >> 10, sysctl_number("/proc/sys/kernel/perf_event_mlock_kb", 516),
			    (unsigned long)(limit.rlim_cur >> 10));
}

void nt_perf_refusal_kernel_part(struct nt_probe *out)
{
	struct nt_facts facts;
	read_facts(&facts, NULL, 0);
	*out = (struct nt_probe){ 0 };
	wants_setting_or_capability(&facts, out);
	out->result = NT_PROBE_AVAILABLE;
}
