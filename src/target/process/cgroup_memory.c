// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/cgroup_memory.h"

#include "base/alloc.h"
#include "base/file.h"
#include "decode/kernel/host_text.h"

#include <stdlib.h>

enum { TEXT_BYTES = 64 << 10 };

/* What the files of a version are called, and lines in them. */
struct words {
	const char *limit, *usage, *droppable, *events;
};

static const struct words v1 = { "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "memory.oom_control" };
static const struct words v2 = { "memory.max", "memory.current", "inactive_file", "memory.events" };

static bool read_value(const struct nt_cgroup *group, const char *name, const char *key, uint64_t *out)
{
	size_t length;
	char *text = nt_cgroup_read(group, name, &length);
	bool known = text && (key ? nt_host_value(text, length, key, out) : nt_host_number(text, length, out));
	free(text);
	return known;
}

static uint64_t left(const struct nt_cgroup_memory *memory)
{
	return memory->limit_bytes == UINT64_MAX          ? UINT64_MAX
	       : memory->limit_bytes > memory->used_bytes ? memory->limit_bytes - memory->used_bytes
							  : 0;
}

static void read_group(const struct nt_cgroup *group, const struct words *words, struct nt_cgroup_memory *out)
{
	*out = (struct nt_cgroup_memory){ .limit_bytes = UINT64_MAX };
	uint64_t limit, droppable = 0;
	/* That of version 1 when nobody has set one: the largest number of whole pages. */
	if (!read_value(group, words->limit, NULL, &limit) || limit >= INT64_MAX >> 16 << 16)
		return;
	out->limit_bytes = limit;
	if (!read_value(group, words->usage, NULL, &out->used_bytes))
		out->used_bytes = 0;
	if (read_value(group, "memory.stat", words->droppable, &droppable))
		out->used_bytes -= droppable < out->used_bytes ? droppable : out->used_bytes;
}

/* From the process's own up to the root; in a cgroup namespace that has a limit, too. */
static void read_upwards(struct nt_cgroup *group, struct nt_cgroup_memory *least)
{
	const struct words *words = group->v2 ? &v2 : &v1;
	least->oom_kill_known |= read_value(group, words->events, "oom_kill", &least->oom_kill_count);
	do {
		struct nt_cgroup_memory memory;
		read_group(group, words, &memory);
		if (left(&memory) < left(least)) {
			least->limit_bytes = memory.limit_bytes;
			least->used_bytes = memory.used_bytes;
		}
	} while (nt_cgroup_up(group));
}

void nt_cgroup_memory_read(const char *cgroup_text, const char *cgroup_root, struct nt_cgroup_memory *out)
{
	struct nt_cgroup groups[NT_CGROUPS];
	size_t count = nt_cgroups_of(cgroup_text, cgroup_root, "memory", groups);
	*out = (struct nt_cgroup_memory){ .limit_bytes = UINT64_MAX };
	for (size_t i = 0; i < count; i++) {
		read_upwards(&groups[i], out);
		nt_cgroup_fini(&groups[i]);
	}
}

uint64_t nt_cgroup_memory_free(const char *proc_dir, const char *cgroup_root)
{
	char *path = nt_format("%s/cgroup", proc_dir), *text;
	size_t length;
	struct nt_cgroup_memory memory = { .limit_bytes = UINT64_MAX };
	if (nt_file_read(AT_FDCWD, path, TEXT_BYTES, &text, &length) == 0)
		nt_cgroup_memory_read(text, cgroup_root, &memory);
	else
		text = NULL;
	free(path);
	free(text);
	return left(&memory);
}
