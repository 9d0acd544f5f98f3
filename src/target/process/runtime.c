// SPDX-License-Identifier: GPL-2.0-only
/* Which .NET runtime a process has, from what it has mapped: the mappings are the only thing that every way of deployment has in common. */
#include "target/process/parts.h"

#include "base/affix.h"
#include "base/alloc.h"
#include "base/file.h"
#include "decode/kernel/procfs_text.h"
#include "target/common/as_root.h"
#include "target/common/code_maps.h"
#include "target/process/executable.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A large application has some thousand mappings of about 100 bytes; 64 MB is the kernel's limit of mappings and more. */
enum { MAPS_BYTES = 64 << 20, NAME_BYTES = 64, THREADS_LOOKED_AT = 256 };

/* "/a/b" of length bytes: is its last component `name`? */
static bool is_file(const struct nt_procfs_map *map, const char *name)
{
	size_t length = strlen(name);
	return map->path_length > length && map->path[map->path_length - length - 1] == '/' &&
	       memcmp(map->path + map->path_length - length, name, length) == 0;
}

/* "…/liblttng-ust.so.0.0.0" gives "liblttng-ust.so.0": the number that the loader looks for. */
static char *ust_soname(const struct nt_procfs_map *map)
{
	static const char stem[] = "/liblttng-ust.so.";
	const char *at = memmem(map->path, map->path_length, stem, sizeof(stem) - 1);
	if (!at)
		return NULL;
	const char *name = at + 1, *end = map->path + map->path_length;
	const char *p = at + sizeof(stem) - 1;
	while (p < end && isdigit((unsigned char)*p))
		p++;
	return nt_format("%.*s", (int)(p - name), name);
}

static void look_at(struct nt_target *target, const struct nt_procfs_map *map)
{
	static const char clr[] = "libcoreclr.so";
	if (!map->path_length)
		return;
	if (!target->runtime_dir && is_file(map, clr))
		target->runtime_dir = nt_format("%.*s", (int)(map->path_length - sizeof(clr)), map->path);
	if (is_file(map, "libcoreclrtraceptprovider.so"))
		target->provider_loaded = true;
	if (!target->ust_soname)
		target->ust_soname = ust_soname(map);
	/* A self-contained single file has the runtime linked in, but its code heap (W^X, the default since .NET 7) gives it away. */
	if (target->runtime_dir || is_file(map, "memfd:doublemapper"))
		target->is_dotnet = true;
}

/* "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12" names the version. */
static char *version_of_shared_framework(const char *dir)
{
	static const char framework[] = "/Microsoft.NETCore.App/";
	const char *at = strstr(dir, framework);
	const char *version = at ? at + sizeof(framework) - 1 : NULL;
	return version && isdigit((unsigned char)*version) && !strchr(version, '/') ? nt_strdup(version) : NULL;
}

static char *version_of_self_contained(const struct nt_target *target)
{
	char *path = nt_format("%s/%s.runtimeconfig.json", target->runtime_dir, target->name);
	struct nt_executable config;
	nt_executable_read_file(target, path, &config);
	free(path);
	return *config.runtime ? nt_strdup(config.runtime) : NULL;
}

/* What its folder says of a runtime that is a library. */
static void read_library(struct nt_target *target)
{
	target->runtime = version_of_shared_framework(target->runtime_dir);
	target->deployment = target->runtime ? NT_DEPLOYED_SHARED : NT_DEPLOYED_SELF_CONTAINED;
	if (!target->runtime)
		target->runtime = version_of_self_contained(target);
}

static void read_executable(struct nt_target *target)
{
	struct nt_executable found;
	nt_executable_read(target, &found);
	target->deployment = found.deployment;
	target->runtime = found.deployment == NT_DEPLOYED_SINGLE_FILE && *found.runtime ? nt_strdup(found.runtime) : NULL;
	target->unread = *found.reason ? nt_strdup(found.reason) : NULL;
}

static enum nt_status closed_to_us(const struct nt_target *target, int error, struct nt_error *err)
{
	bool denied = error == EACCES || error == EPERM;
	if (denied && (geteuid() == 0 || geteuid() == target->uid))
		return nt_error_set(
			err, NT_ERR_FORBIDDEN,
			"process %u (%s) has capabilities that nettop lacks, and nettop runs without CAP_SYS_PTRACE: run it as root on the "
			"host, or in a container with --cap-add SYS_PTRACE",
			target->pid, target->name);
	if (denied) {
		char *fix = nt_as_root(target->pid);
		nt_error_set(err, NT_ERR_FORBIDDEN,
			     "process %u (%s) belongs to uid %u and nettop runs as uid %u: run it as that user or as root (%s)",
			     target->pid, target->name, target->uid, geteuid(), fix);
		free(fix);
		return NT_ERR_FORBIDDEN;
	}
	if (error == ENOENT || error == ESRCH)
		return nt_error_set(err, NT_ERR_GONE, "process %u (%s) has just ended", target->pid, target->name);
	return nt_error_errno(err, NT_ERR_FAILED, error, "cannot read %s/maps", target->proc_dir);
}

enum nt_status nt_target_read_runtime(struct nt_target *target, struct nt_error *err)
{
	char *text;
	size_t length;
	/* What tells is code: libraries, and what the runtime generates. */
	int error = nt_code_maps_read(target->proc_dir, MAPS_BYTES, &text, &length);
	if (error)
		return closed_to_us(target, error, err);
	struct nt_procfs_map map;
	bool valid;
	size_t used;
	for (const char *p = text; (used = nt_procfs_map_next(p, length, &map, &valid)) > 0; p += used, length -= used)
		if (valid)
			look_at(target, &map);
	free(text);
	if (target->runtime_dir)
		read_library(target);
	else
		read_executable(target);
	/* A single file, too, when its code heap is no memfd (DOTNET_EnableWriteXorExecute=0). */
	target->is_dotnet |= target->deployment == NT_DEPLOYED_SINGLE_FILE;
	return NT_OK;
}

/* What the name of a thread says of the runtime that it belongs to, from little to much. The finalizer's is made when there is a heap: threads of server GC are older. */
enum said { NOTHING, RUNTIME, HEAP, SERVER_GC };

static enum said said_by(const char *name)
{
	static const char *const names[] = { [RUNTIME] = ".NET ", [HEAP] = ".NET Finalizer", [SERVER_GC] = ".NET Server GC" };
	enum said said = SERVER_GC;
	while (said != NOTHING && !nt_begins_with(name, names[said]))
		said--;
	return said;
}

/* The most that the threads say; `enough` ends the search. Every user may read their names. */
static enum said ask_threads(const struct nt_target *target, enum said enough)
{
	char *path = nt_format("%s/task", target->proc_dir);
	DIR *dir = opendir(path);
	enum said most = NOTHING;
	free(path);
	if (!dir)
		return most;
	/* The runtime's own threads are among the first that it starts, and the kernel lists threads in order of age. */
	struct dirent *entry;
	for (int seen = 0; most < enough && seen < THREADS_LOOKED_AT && (entry = readdir(dir));) {
		char file[sizeof(entry->d_name) + sizeof("/comm")];
		char *comm;
		size_t length;
		if (*entry->d_name == '.')
			continue;
		seen++;
		stpcpy(stpcpy(file, entry->d_name), "/comm");
		if (nt_file_read(dirfd(dir), file, NAME_BYTES, &comm, &length) != 0)
			continue;
		enum said said = said_by(comm);
		most = said > most ? said : most;
		free(comm);
	}
	closedir(dir);
	return most;
}

uint32_t nt_target_server_gc(const struct nt_target *target)
{
	enum said said = target->is_dotnet ? ask_threads(target, SERVER_GC) : NOTHING;
	if (said >= HEAP)
		return said == SERVER_GC;
	return target->server_gc;
}

bool nt_target_has_runtime_thread(const struct nt_target *target)
{
	return ask_threads(target, RUNTIME) != NOTHING;
}
