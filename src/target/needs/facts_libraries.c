// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who stands behind the runtime's LTTng: libcoreclrtraceptprovider.so needs liblttng-ust.so.0 (Microsoft's builds) or .so.1, and the loader has found
 * one or not when the target started.
 */
#include "target/needs/facts_parts.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/file_foreign.h"
#include "decode/codemap/map_name.h"
#include "decode/kernel/procfs_text.h"
#include "target/process/bridge.h"
#include "target/process/executable.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* lttng-ust has less than 1 MB. */
enum { MAPS_BYTES = 64 << 20, LIBRARY_BYTES = 16 << 20 };

#define PROVIDER "libcoreclrtraceptprovider.so"
#define UST1     "/liblttng-ust.so.1"

/* A file of the target's, given by its own path. *bytes is the caller's; false: it cannot be read. */
static bool read_library(const struct nt_target *target, const char *path, char **bytes, size_t *length)
{
	char *outside = nt_format("%s%s", target->root_dir, path);
	int error = nt_file_read_foreign(outside, target->uid, LIBRARY_BYTES, bytes, length);
	free(outside);
	return error == 0;
}

static void read_provider(struct nt_facts *facts)
{
	const struct nt_target *target = facts->target;
	if (!target->runtime_dir)
		return;
	char *path = nt_format("%s/" PROVIDER, target->runtime_dir);
	struct nt_executable library;
	facts->provider_exists = nt_executable_read_file(target, path, &library);
	strcpy(facts->provider_needs, library.needs);
	free(path);
}

static enum nt_ust0 whose(const struct nt_target *target, const char *path)
{
	char *bytes;
	size_t length;
	if (!read_library(target, path, &bytes, &length))
		return NT_UST0_GENUINE;
	bool bridge = nt_bridge_is(bytes, length);
	free(bytes);
	return bridge ? NT_UST0_BRIDGE : NT_UST0_GENUINE;
}

static bool names(const struct nt_procfs_map *map, const char *part)
{
	return memmem(map->path, map->path_length, part, strlen(part)) != NULL;
}

/* A file in a file system: memory files have no name, and always count as deleted. */
static bool is_gone(const struct nt_procfs_map *map)
{
	return map->exec && map->deleted && map->path_length && map->path[0] == '/' &&
	       !(nt_map_name_read(map->path, map->path_length).flags & NT_MAP_JIT);
}

/* The path only: nothing is read, so nothing can hang. */
static int map_file_error(const struct nt_target *target, const struct nt_procfs_map *map)
{
	char *path = nt_format("%s/map_files/%" PRIx64 "-%" PRIx64, target->proc_dir, map->start, map->end);
	int fd = open(path, O_PATH | O_CLOEXEC), error = fd < 0 ? errno : 0;
	if (fd >= 0)
		close(fd);
	free(path);
	return error;
}

static void look_at(struct nt_facts *facts, const struct nt_procfs_map *map)
{
	facts->ust1_mapped |= names(map, UST1);
	if (is_gone(map) && !facts->images_gone++)
		facts->map_files_error = map_file_error(facts->target, map);
	if (facts->ust0 != NT_UST0_NONE || !names(map, "/" NT_UST0_SONAME))
		return;
	snprintf(facts->ust0_found, sizeof(facts->ust0_found), "%.*s", (int)map->path_length, map->path);
	facts->ust0 = whose(facts->target, facts->ust0_found);
}

static void read_mapped(struct nt_facts *facts)
{
	char *path = nt_format("%s/maps", facts->target->proc_dir), *text;
	size_t length, used;
	int error = nt_file_read(AT_FDCWD, path, MAPS_BYTES, &text, &length);
	free(path);
	if (error)
		return;
	struct nt_procfs_map map;
	bool valid;
	for (const char *p = text; (used = nt_procfs_map_next(p, length, &map, &valid)) > 0; p += used, length -= used)
		if (valid)
			look_at(facts, &map);
	free(text);
}

/* Does this folder of the target's have a liblttng-ust.so.0? */
static bool is_in(const struct nt_target *target, const char *folder, size_t length)
{
	struct stat stat_buf;
	char *outside = nt_format("%s%.*s/" NT_UST0_SONAME, target->root_dir, (int)length, folder);
	bool there = length && nt_file_stat_foreign(outside, true, &stat_buf) == 0;
	free(outside);
	return there;
}

/* Where the loader would look if the target started now: its own path first, then the system's folders. */
static void search(struct nt_facts *facts)
{
	static const char system_folders[] =
		"/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib/aarch64-linux-gnu:/usr/lib/aarch64-linux-gnu:"
		"/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib";
	const struct nt_environment env = nt_target_environment(facts->target);
	char own[NT_SETTING_BYTES];
	const char *const lists[] = { nt_environment_variable(&env, "LD_LIBRARY_PATH", own) ? own : "", system_folders };
	for (size_t i = 0; i < 2; i++) {
		for (const char *p = lists[i]; *p;) {
			size_t length = strcspn(p, ":");
			if (is_in(facts->target, p, length)) {
				snprintf(facts->ust0_found, sizeof(facts->ust0_found), "%.*s/" NT_UST0_SONAME, (int)length, p);
				return;
			}
			p += length + (p[length] == ':');
		}
	}
}

void nt_facts_read_libraries(struct nt_facts *facts)
{
	read_provider(facts);
	read_mapped(facts);
	nt_exception_gate_read(facts->target, &facts->exception_gate);
	if (facts->ust0 == NT_UST0_NONE)
		search(facts);
	facts->bridge_there = is_in(facts->target, facts->bridge_dir, strlen(facts->bridge_dir));
}
