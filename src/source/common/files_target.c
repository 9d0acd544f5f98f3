// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/files_target.h"

#include "base/alloc.h"
#include "target/process/target.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool same_file(const char *a, const char *b)
{
	/* Without asking a file system that may hang: what the kernel knows will do. */
	struct statx x, y;
	return statx(AT_FDCWD, a, AT_STATX_DONT_SYNC, STATX_INO, &x) == 0 && statx(AT_FDCWD, b, AT_STATX_DONT_SYNC, STATX_INO, &y) == 0 &&
	       x.stx_ino == y.stx_ino && x.stx_dev_major == y.stx_dev_major && x.stx_dev_minor == y.stx_dev_minor;
}

/* Does a path lead the target to the file to which it leads us? False as well when we may not know. */
static bool has_our_files(const struct nt_target *target)
{
	char *theirs = nt_format("%s/ns/mnt", target->proc_dir);
	bool same = same_file("/proc/self/ns/mnt", theirs) && same_file("/", target->root_dir);
	free(theirs);
	return same;
}

void nt_files_target_init(struct nt_files_target *copy, const struct nt_target *target, const struct nt_source_config *config)
{
	const char *dir = target->perf_map_dir ? target->perf_map_dir : "/tmp";
	size_t length = strlen(dir);
	while (length > 1 && dir[length - 1] == '/')
		length--;
	size_t size = length + sizeof("/perf-4294967295.map");
	*copy = (struct nt_files_target){ .pid = target->pid,
					  .start_ticks = target->start_ticks,
					  .started_at_ns = nt_target_started_at(target),
					  .uid = target->uid,
					  .proc_root = nt_strdup(config->proc_root),
					  .proc_dir = nt_strdup(target->proc_dir),
					  .root_dir = nt_strdup(target->root_dir),
					  .image_dir = nt_strdup(has_our_files(target) ? "/" : target->root_dir),
					  .map_path = nt_alloc(size),
					  .is_jitdump = target->jitdump_only,
					  .perf_map_enabled = target->perf_map_enabled,
					  .deployment = target->deployment,
					  .readonly = config->readonly,
					  .perf_map_set = config->perf_map_set && target->perf_map_enabled,
					  .perf_map_later = config->perf_map_later && !target->perf_map_enabled,
					  .perf_map_switchable = nt_target_perf_map_switchable(target) };
	snprintf(copy->map_path, size, copy->is_jitdump ? "%.*s/jit-%u.dump" : "%.*s/perf-%u.map", (int)length, dir,
		 (unsigned)target->ns_pid);
}

void nt_files_target_fini(struct nt_files_target *copy)
{
	free(copy->proc_root);
	free(copy->proc_dir);
	free(copy->root_dir);
	free(copy->image_dir);
	free(copy->map_path);
}
