// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/cgroup_cpu.h"

#include "decode/kernel/host_text.h"

#include <stdlib.h>

static bool read_number(const struct nt_cgroup *group, const char *name, uint64_t *out)
{
	size_t length;
	char *text = nt_cgroup_read(group, name, &length);
	bool known = text && nt_host_number(text, length, out);
	free(text);
	return known;
}

/* False: this group has no limit. */
static bool read_quota(const struct nt_cgroup *group, uint64_t *quota_us, uint64_t *period_us)
{
	if (!group->v2)
		return read_number(group, "cpu.cfs_quota_us", quota_us) && read_number(group, "cpu.cfs_period_us", period_us) && *period_us;
	size_t length;
	char *text = nt_cgroup_read(group, "cpu.max", &length);
	bool known = text && nt_host_quota(text, length, quota_us, period_us);
	free(text);
	return known;
}

/*
 * The counts of one of them, not of all: their periods pass at the same time. Where pod and container both have a quota, as in Kubernetes, and the container's is used up in each period, the
 * sums would say that half of the periods were left alone. And a group that is read twice, as the root of a namespace by both its names, counts once.
 */
static void take_stat(const struct nt_cgroup *group, struct nt_cgroup_cpu *out)
{
	size_t length;
	char *text = nt_cgroup_read(group, "cpu.stat", &length);
	uint64_t periods = 0, throttled = 0, kept_off = 0;
	if (!text)
		return;
	nt_host_value(text, length, "nr_periods", &periods);
	nt_host_value(text, length, "nr_throttled", &throttled);
	nt_host_value(text, length, group->v2 ? "throttled_usec" : "throttled_time", &kept_off);
	free(text);
	kept_off = group->v2 ? kept_off : kept_off / 1000;
	if (out->period_count && kept_off <= out->throttled_us)
		return;
	out->period_count = periods;
	out->throttled_count = throttled;
	out->throttled_us = kept_off;
}

static void read_upwards(struct nt_cgroup *group, struct nt_cgroup_cpu *out)
{
	do {
		uint64_t quota_us, period_us;
		if (!read_quota(group, &quota_us, &period_us))
			continue;
		if (!out->period_us || (double)quota_us / (double)period_us < (double)out->quota_us / (double)out->period_us) {
			out->quota_us = quota_us;
			out->period_us = period_us;
		}
		take_stat(group, out);
	} while (nt_cgroup_up(group));
}

void nt_cgroup_cpu_read(const char *cgroup_text, const char *cgroup_root, struct nt_cgroup_cpu *out)
{
	struct nt_cgroup groups[NT_CGROUPS];
	size_t count = nt_cgroups_of(cgroup_text, cgroup_root, "cpu", groups);
	*out = (struct nt_cgroup_cpu){ 0 };
	for (size_t i = 0; i < count; i++) {
		read_upwards(&groups[i], out);
		nt_cgroup_fini(&groups[i]);
	}
}
