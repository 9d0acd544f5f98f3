// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/rights.h"

#include "nettop/status.h"
#include "target/needs/perf_limits.h"

#include <linux/capability.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of later kernels than the headers may be. */
enum { PERFMON = 38, BPF = 39, CHECKPOINT_RESTORE = 40, LAST = 63 };

#define BIT(capability) (UINT64_C(1) << (capability))

/* Files, memory, mappings and diagnostics ports of everybody. */
#define READ (BIT(CAP_SYS_PTRACE) | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH) | BIT(CHECKPOINT_RESTORE))

/*
 * BPF: the filter that drops samples of other processes before their stacks are walked, the look at a thread that aborts, and names of kernel functions whatever kptr_restrict says; with PERFMON alone the kernel takes
 * neither. IPC_LOCK: the rings of samples, beside other users of perf of the same user: they share one sum of locked memory, and rings beyond it are refused.
 */
#define WATCH (READ | BIT(PERFMON) | BIT(BPF) | BIT(CAP_SYSLOG) | BIT(CAP_IPC_LOCK))

static const uint64_t sets[] = { [NT_RIGHTS_READ] = READ, [NT_RIGHTS_WATCH] = WATCH, [NT_RIGHTS_FILES] = BIT(CAP_DAC_READ_SEARCH) };

static void get(struct __user_cap_data_struct data[2])
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	data[0] = data[1] = (struct __user_cap_data_struct){ 0 };
	nt_assert(syscall(SYS_capget, &head, data) == 0);
}

static uint64_t permitted(const struct __user_cap_data_struct data[2])
{
	return data[0].permitted | (uint64_t)data[1].permitted << 32;
}

/* As many descriptors as samples of threads may take (perf_attach.c raises the soft limit when it needs them). */
static void raise_limits(void)
{
	struct rlimit limit;
	const rlim_t wanted = NT_PERF_DESCRIPTORS_MAX + NT_PERF_DESCRIPTORS_SPARE;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_max >= wanted)
		return;
	limit.rlim_max = wanted;
	setrlimit(RLIMIT_NOFILE, &limit); /* refused: as without the right */
}

static void drop_bounds(uint64_t kept)
{
	for (int capability = 0; capability <= LAST; capability++)
		if (!(kept & BIT(capability)))
			prctl(PR_CAPBSET_DROP, capability, 0, 0,
			      0); /* refused without SETPCAP, and beyond the last one: then no_new_privs bounds */
}

void nt_rights_drop(enum nt_rights which)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	raise_limits();
	get(data);
	/* nettop's own file may have rights (capabilities(7)), which are for looking at processes. */
	bool others = which == NT_RIGHTS_FILES && getuid() != 0;
	uint64_t kept = others ? 0 : permitted(data) & sets[which];
	drop_bounds(kept);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	data[0] = (struct __user_cap_data_struct){ .permitted = (uint32_t)kept, .effective = (uint32_t)kept };
	data[1] = (struct __user_cap_data_struct){ .permitted = (uint32_t)(kept >> 32), .effective = (uint32_t)(kept >> 32) };
	nt_assert(syscall(SYS_capset, &head, data) == 0);
	nt_assert(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
}
