// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/memory_left.h"

#include "base/file.h"
#include "decode/kernel/host_text.h"
#include "decode/kernel/procfs_text.h"
#include "target/process/cgroup_memory.h"

#include <stdlib.h>

enum { TEXT_BYTES = 64 << 10 };

struct nt_memory_left nt_memory_left_of(const struct nt_target *target, const char *cgroup_root)
{
	struct nt_memory_left left = { .machine_bytes = UINT64_MAX, .cgroup_bytes = nt_cgroup_memory_free(target->proc_dir, cgroup_root) };
	struct nt_procfs_memory memory;
	uint64_t kilobytes;
	size_t length = 0;
	char *text = nt_file_text(target->proc_dir, "status", TEXT_BYTES, &length);
	if (text && nt_procfs_memory_parse(text, length, &memory)) {
		left.anon_bytes = memory.anon_bytes;
		left.resident_bytes = memory.anon_bytes + memory.file_bytes + memory.shared_bytes;
	}
	free(text);
	text = nt_file_text(target->proc_dir, "../meminfo", TEXT_BYTES, &length);
	if (text && nt_host_value(text, length, "MemAvailable", &kilobytes))
		left.machine_bytes = kilobytes << 10;
	free(text);
	return left;
}
