// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/memory_left.h"

#include "base/alloc.h"
#include "base/file.h"
#include "decode/kernel/host_text.h"
#include "decode/kernel/procfs_text.h"
#include "target/process/cgroup_memory.h"

#include <fcntl.h>
#include <stdlib.h>

enum { TEXT_BYTES = 64 << 10 };

/* The caller's; NULL = it cannot be read. */
static char *read_text(const char *proc_dir, const char *name, size_t *length)
{
	char *path = nt_format("%s/%s", proc_dir, name), *text = NULL;
	if (nt_file_read(AT_FDCWD, path, TEXT_BYTES, &text, length) != 0)
		text = NULL;
	free(path);
	return text;
}

struct nt_memory_left nt_memory_left_of(const struct nt_target *target, const char *cgroup_root)
{
	struct nt_memory_left left = { .machine_bytes = UINT64_MAX, .cgroup_bytes = nt_cgroup_memory_free(target->proc_dir, cgroup_root) };
	struct nt_procfs_memory memory;
	uint64_t kilobytes;
	size_t length = 0;
	char *text = read_text(target->proc_dir, "status", &length);
	if (text && nt_procfs_memory_parse(text, length, &memory)) {
		left.anon_bytes = memory.anon_bytes;
		left.resident_bytes = memory.anon_bytes + memory.file_bytes + memory.shared_bytes;
	}
	free(text);
	text = read_text(target->proc_dir, "../meminfo", &length);
	if (text && nt_host_value(text, length, "MemAvailable", &kilobytes))
		left.machine_bytes = kilobytes << 10;
	free(text);
	return left;
}
