/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel says of the machine and of control groups: /proc/stat, /proc/meminfo, /proc/pressure/ (proc(5), Documentation/accounting/psi.rst), and the files
 * of cgroups of both versions (Documentation/admin-guide/cgroup-v1/, cgroup-v2.rst). Pure functions on bytes that somebody else read.
 */
#ifndef NT_DECODE_HOST_TEXT_H
#define NT_DECODE_HOST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* /proc/stat: times of all CPUs together since boot, in ticks of sysconf(_SC_CLK_TCK). */
struct nt_host_cpus {
	uint64_t busy_ticks;  /* they worked: user, nice, system, interrupts; guests are among user */
	uint64_t steal_ticks; /* they were ready to, and the hypervisor ran something else */
	uint32_t count;       /* CPUs that are on */
};

/* False: the text does not begin as /proc/stat does. A kernel that does not tell of stolen time leaves that 0. */
bool nt_host_cpus_parse(const char *text, size_t length, struct nt_host_cpus *out);

/* The number behind `key`, which begins a line and ends with a blank or a colon: `throttled_usec 17`, `MemTotal:   1632 kB`. False: there is none. */
bool nt_host_value(const char *text, size_t length, const char *key, uint64_t *out);

/* A number that the text consists of. False: it is none, as `max` and `-1`. */
bool nt_host_number(const char *text, size_t length, uint64_t *out);

/* `50000 100000`, of cpu.max: CPU time in each period, both in us. False: there is no limit. */
bool nt_host_quota(const char *text, size_t length, uint64_t *quota_us, uint64_t *period_us);

/* The `total=` of the line `some`: for how long at least one task has waited, in us since boot. */
bool nt_host_pressure(const char *text, size_t length, uint64_t *total_us);

#endif
