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

static void add_stat(const struct nt_cgroup *group, struct nt_cgroup_cpu *out)
{
	size_t length;
	char *text = nt_cgroup_read(group, "cpu.stat", &length);
	uint64_t value;
	if (!text)
		return;
	if (nt_host_value(text, length, "nr_periods", &value))
		out->period_count += value;
	if (nt_host_value(text, length, "nr_throttled", &value))
		out->throttled_count += value;
	if (nt_host_value(text, length, group->v2 ? "throttled_usec" : "throttled_time", &value))
		out->throttled_us += group->v2 ? value : value / 1000;
	free(text);
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
		add_stat(group, out);
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
