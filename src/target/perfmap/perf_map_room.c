// SPDX-License-Identifier: GPL-2.0-only
#include "target/perfmap/perf_map_room.h"

#include "base/numbers.h"
#include "decode/kernel/procfs_text.h"
#include "target/common/code_maps.h"
#include "target/process/cgroup_memory.h"

#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

enum { MAPS_BYTES = 64 << 20 /* the kernel's limit of mappings, and more */ };

static uint64_t free_in_file_system(int fd)
{
	struct statvfs stat;
	/* No blocks at all: a tmpfs without a limit. */
	if (fstatvfs(fd, &stat) != 0 || !stat.f_blocks)
		return UINT64_MAX;
	uint64_t block = stat.f_frsize ? stat.f_frsize : stat.f_bsize;
	return block && stat.f_bavail > UINT64_MAX / block ? UINT64_MAX : stat.f_bavail * block;
}

static bool is_in_memory(int fd)
{
	struct statfs stat;
	return fstatfs(fd, &stat) == 0 && (stat.f_type == TMPFS_MAGIC || stat.f_type == RAMFS_MAGIC);
}

struct nt_perf_map_room nt_perf_map_free(int fd, const char *proc_dir, const char *cgroup_root)
{
	uint64_t disk = free_in_file_system(fd), memory = is_in_memory(fd) ? nt_cgroup_memory_free(proc_dir, cgroup_root) : UINT64_MAX;
	return memory < disk ? (struct nt_perf_map_room){ memory, true } : (struct nt_perf_map_room){ disk, false };
}

uint64_t nt_perf_map_most(uint64_t limit_bytes, uint64_t free_bytes)
{
	uint64_t part = free_bytes == UINT64_MAX ? UINT64_MAX : free_bytes / NT_PERF_MAP_PART;
	return limit_bytes < part ? limit_bytes : part;
}

/* Executable memory of no file, or of the one through which the runtime writes what it may not write where it runs (W^X). */
static bool is_generated(const struct nt_procfs_map *map)
{
	static const char own[] = "/memfd:doublemapper";
	return map->exec && (!map->path_length || (map->path_length == sizeof(own) - 1 && memcmp(map->path, own, sizeof(own) - 1) == 0));
}

uint64_t nt_perf_map_needs(const char *proc_dir)
{
	char *text;
	size_t length, at = 0;
	uint64_t sum = 0;
	struct nt_procfs_map map;
	bool valid;
	nt_code_maps_read(proc_dir, MAPS_BYTES, &text, &length);
	for (size_t line; at < length && (line = nt_procfs_map_next(text + at, length - at, &map, &valid)); at += line)
		if (valid && is_generated(&map))
			sum += map.end - map.start;
	free(text);
	return sum;
}

const char *nt_perf_map_room_fix(const struct nt_perf_map_room *room)
{
	return room->of_memory ? "raise the memory limit of its cgroup" : "free some space there";
}

enum nt_status nt_perf_map_check_room(const struct nt_target *target, int folder_fd, uint64_t limit_bytes, struct nt_error *err)
{
	char need[16], limit[16], unused[16];
	uint64_t needs = nt_perf_map_needs(target->proc_dir);
	struct nt_perf_map_room room = nt_perf_map_free(folder_fd, target->proc_dir, NT_CGROUP_ROOT);
	if (needs <= nt_perf_map_most(limit_bytes, room.free_bytes))
		return NT_OK;
	nt_number_bytes(needs, NT_NUMBER_DIGITS, need, sizeof(need));
	nt_number_bytes(limit_bytes, NT_NUMBER_DIGITS, limit, sizeof(limit));
	nt_number_bytes(room.free_bytes, NT_NUMBER_DIGITS, unused, sizeof(unused));
	bool by_option = needs > limit_bytes;
	if (by_option)
		nt_error_set(err, NT_ERR_FAILED, "a perf map might take %sB at once, and may have %sB (--max-map)", need, limit);
	else if (room.of_memory)
		nt_error_set(err, NT_ERR_FAILED,
			     "a perf map might take %sB at once: too much of the %sB that its memory limit leaves the process, whose %s is "
			     "in memory",
			     need, unused, target->perf_map_dir);
	else
		nt_error_set(err, NT_ERR_FAILED,
			     "a perf map might take %sB at once: too much of the %sB that are free in %s of the process", need, unused,
			     target->perf_map_dir);
	nt_error_set_fix(err, by_option ? "give it more with --max-map" : nt_perf_map_room_fix(&room));
	return NT_ERR_FAILED;
}
