/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which samples of a CPU the kernel may drop before it walks their call chains: those of other processes, by a BPF program of a dozen instructions. Needs
 * CAP_BPF and CAP_PERFMON. Where it is refused every sample comes, and whoever reads them drops what is not the target's.
 */
#ifndef NT_SOURCE_PERF_FILTER_H
#define NT_SOURCE_PERF_FILTER_H

#include "source/common/bpf_build.h"
#include "source/perf/perf_list.h"

/* A process as the kernel finds it, whichever pid namespace it and nettop are in. */
struct nt_perf_filter {
	uint64_t device, inode; /* of its pid namespace; the device as the kernel numbers it */
	uint32_t pid;           /* there */
};

/* proc_dir: "/proc/PID"; ns_pid: its pid in its own pid namespace. False: we may not look at that. */
bool nt_perf_filter_of(const char *proc_dir, uint32_t ns_pid, struct nt_perf_filter *out);

/*
 * Write it into a BPF program: whatever runs in another process goes on at `label`. The program's stack has at `info`, a multiple of 8, the struct bpf_pidns_info of the thread then. Takes R0 to R4.
 */
void nt_perf_filter_write(struct nt_bpf_builder *b, const struct nt_perf_filter *filter, int info, int label);

/*
 * Let the events of this list, which are CPUs', sample that process only. False: they sample all as before. Nothing has to be undone: the program goes with the
 * events.
 */
bool nt_perf_filter_set(const struct nt_perf_filter *filter, struct nt_perf_list *list);

/*
 * The same of several processes, which come and go. The set of them is a map of BPF: its descriptor, the caller's, or -1 where none may be made, with which everything here does nothing. They are known by
 * the pids that nettop sees; from a namespace other than the machine's first those of namespaces below it cannot be told by the kernel, and come along with whatever else runs there.
 */
int nt_perf_members_new(void);
void nt_perf_members_put(int members, uint32_t pid, bool is_one);

/* As nt_perf_filter_set(). */
bool nt_perf_filter_set_members(int members, struct nt_perf_list *list);

#endif
