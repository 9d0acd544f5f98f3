// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_refusal.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* linux/capability.h */
enum { CAP_SYS_ADMIN_BIT = 21, CAP_PERFMON_BIT = 38 };

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

static long paranoid(void)
{
	return sysctl_number("/proc/sys/kernel/perf_event_paranoid", 2);
}

static bool has_capability(void)
{
	static const char label[] = "CapEff:";
	char *text;
	size_t length;
	if (nt_file_read(AT_FDCWD, "/proc/self/status", 64 * 1024, &text, &length) != 0)
		return false;
	const char *at = strstr(text, label);
	uint64_t effective = at ? strtoull(at + sizeof(label) - 1, NULL, 16) : 0;
	free(text);
	return effective & (UINT64_C(1) << CAP_PERFMON_BIT | UINT64_C(1) << CAP_SYS_ADMIN_BIT);
}

static void forbidden(uint32_t pid, uid_t uid, struct nt_probe *out)
{
	out->result = NT_PROBE_FORBIDDEN;
	if (has_capability()) {
		snprintf(out->reason, sizeof(out->reason),
			 "the kernel refuses CPU samples although nettop has CAP_PERFMON: a container's seccomp filter, a security module "
			 "or lockdown forbids perf_event_open");
		snprintf(out->fix, sizeof(out->fix),
			 "run nettop on the host, or the container with --cap-add PERFMON and a seccomp "
			 "profile that allows perf_event_open");
		return;
	}
	if (uid != geteuid()) {
		snprintf(out->reason, sizeof(out->reason),
			 "the kernel refuses CPU samples: process %u belongs to uid %u, nettop runs as uid %u without CAP_PERFMON", pid,
			 uid, geteuid());
		snprintf(out->fix, sizeof(out->fix), "sudo nettop -p %u   or: sudo setcap cap_perfmon,cap_sys_ptrace=ep nettop", pid);
		return;
	}
	snprintf(out->reason, sizeof(out->reason),
		 "the kernel refuses CPU samples: kernel.perf_event_paranoid is %ld (2: own user code, 1: own kernel code too, -1: all) "
		 "and nettop "
		 "runs without CAP_PERFMON",
		 paranoid());
	snprintf(out->fix, sizeof(out->fix), "sudo sysctl kernel.perf_event_paranoid=1   or: sudo setcap cap_perfmon=ep nettop");
}

void nt_perf_refusal(uint32_t pid, uid_t uid, int error, struct nt_probe *out)
{
	*out = (struct nt_probe){ .result = NT_PROBE_ABSENT };
	switch (error) {
	case EACCES:
	case EPERM:
		forbidden(pid, uid, out);
		break;
	case ENOSYS:
		snprintf(out->reason, sizeof(out->reason),
			 "no CPU samples: this kernel was built without perf events (CONFIG_PERF_EVENTS), or a "
			 "seccomp filter hides perf_event_open");
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
		snprintf(out->reason, sizeof(out->reason), "no CPU samples: perf_event_open fails: %s", strerror(error));
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
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
	snprintf(out->reason, sizeof(out->reason), "user code only: kernel.perf_event_paranoid is %ld and nettop runs without CAP_PERFMON",
		 paranoid());
	snprintf(out->fix, sizeof(out->fix), "sudo sysctl kernel.perf_event_paranoid=1   or: sudo setcap cap_perfmon=ep nettop");
}
