// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap_target.h"

#include "base/alloc.h"
#include "target/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nt_codemap_target_init(struct nt_codemap_target *copy, const struct nt_target *target, const struct nt_source_config *config)
{
	const char *dir = target->perf_map_dir ? target->perf_map_dir : "/tmp";
	size_t length = strlen(dir);
	while (length > 1 && dir[length - 1] == '/')
		length--;
	size_t size = length + sizeof("/perf-4294967295.map");
	*copy = (struct nt_codemap_target){ .pid = target->pid,
					    .start_ticks = target->start_ticks,
					    .uid = target->uid,
					    .proc_root = nt_strdup(config->proc_root),
					    .proc_dir = nt_strdup(target->proc_dir),
					    .root_dir = nt_strdup(target->root_dir),
					    .map_path = nt_alloc(size),
					    .is_jitdump = target->jitdump_only,
					    .perf_map_enabled = target->perf_map_enabled,
					    .readonly = config->readonly,
					    .perf_map_switchable = nt_target_perf_map_switchable(target) };
	snprintf(copy->map_path, size, copy->is_jitdump ? "%.*s/jit-%u.dump" : "%.*s/perf-%u.map", (int)length, dir,
		 (unsigned)target->ns_pid);
}

void nt_codemap_target_fini(struct nt_codemap_target *copy)
{
	free(copy->proc_root);
	free(copy->proc_dir);
	free(copy->root_dir);
	free(copy->map_path);
}
