// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/cgroup_memory.h"

#include "base/alloc.h"
#include "base/file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 64 << 10 };

/* A kind of hierarchy: where it is mounted below the root of all, and what its files are called. */
struct hierarchy {
	const char *folder, *limit, *usage, *droppable;
};

static const struct hierarchy v1 = { "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "\ntotal_inactive_file " };
static const struct hierarchy v2 = { "", "memory.max", "memory.current", "\ninactive_file " };
static const struct hierarchy hybrid = { "/unified", "memory.max", "memory.current", "\ninactive_file " };

/* The number behind `key` in this text, "" = at its begin; `unknown` when there is none: "max". */
static uint64_t number_behind(const char *text, const char *key, uint64_t unknown)
{
	const char *found = strstr(text, key);
	found = found ? found + strlen(key) : "";
	return *found >= '0' && *found <= '9' ? strtoull(found, NULL, 10) : unknown;
}

static uint64_t read_number(const char *folder, const char *name, const char *key, uint64_t unknown)
{
	char *path = nt_format("%s/%s", folder, name), *text;
	size_t length;
	uint64_t value = nt_file_read(AT_FDCWD, path, TEXT_BYTES, &text, &length) == 0 ? number_behind(text, key, unknown) : unknown;
	free(text);
	free(path);
	return value;
}

static uint64_t left_in(const char *folder, const struct hierarchy *hierarchy)
{
	uint64_t limit = read_number(folder, hierarchy->limit, "", UINT64_MAX);
	/* That of version 1 when nobody has set one: the largest number of whole pages. */
	if (limit >= INT64_MAX >> 16 << 16)
		return UINT64_MAX;
	uint64_t usage = read_number(folder, hierarchy->usage, "", 0);
	uint64_t droppable = read_number(folder, "memory.stat", hierarchy->droppable, 0);
	usage -= droppable < usage ? droppable : usage;
	return limit > usage ? limit - usage : 0;
}

/* From the process's own up to the root; in a cgroup namespace that has a limit, too. */
static uint64_t least_left(const char *cgroup_root, const struct hierarchy *hierarchy, const char *path)
{
	char *folder = nt_format("%s%s%s", cgroup_root, hierarchy->folder, path);
	size_t root = strlen(cgroup_root) + strlen(hierarchy->folder);
	uint64_t least = UINT64_MAX;
	for (;;) {
		uint64_t left = left_in(folder, hierarchy);
		least = left < least ? left : least;
		char *slash = strrchr(folder + root, '/');
		if (!slash)
			break;
		*slash = '\0';
	}
	free(folder);
	return least;
}

/* Is `name` one of the controllers, which commas separate? */
static bool has_controller(const char *controllers, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = controllers; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length]))
			return true;
	}
	return false;
}

/* A line of /proc/PID/cgroup: "ID:CONTROLLERS:PATH"; no controllers: version 2. */
static uint64_t left_by_line(const char *cgroup_root, char *line)
{
	char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!path)
		return UINT64_MAX;
	*path++ = '\0';
	controllers++;
	if (*path != '/' || strncmp(path, "/..", 3) == 0)
		return UINT64_MAX;
	if (has_controller(controllers, "memory"))
		return least_left(cgroup_root, &v1, path);
	if (*controllers)
		return UINT64_MAX;
	uint64_t pure = least_left(cgroup_root, &v2, path), beside = least_left(cgroup_root, &hybrid, path);
	return pure < beside ? pure : beside;
}

uint64_t nt_cgroup_memory_free(const char *proc_dir, const char *cgroup_root)
{
	char *path = nt_format("%s/cgroup", proc_dir), *text, *rest = NULL;
	size_t length;
	uint64_t least = UINT64_MAX;
	nt_file_read(AT_FDCWD, path, TEXT_BYTES, &text, &length);
	free(path);
	for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
		uint64_t left = left_by_line(cgroup_root, line);
		least = left < least ? left : least;
	}
	free(text);
	return least;
}
