// SPDX-License-Identifier: GPL-2.0-only
#include "target/port/ipc_fate.h"

#include "base/file.h"
#include "decode/kernel/procfs_text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Above zero: the first version that carries it out. */
enum { KILLS = -1, REFUSES = 0 };

#define SINCE(major) (major)

static const struct row {
	enum nt_ipc_command command;
	int by_kind[3]; /* by enum nt_runtime_kind */
} rows[] = {
#define IPC_COMMAND(id, core_clr, native_aot, unknown)                                                                                     \
	{ NT_IPC_##id, { [NT_RUNTIME_UNKNOWN] = (unknown), [NT_RUNTIME_CORE_CLR] = (core_clr), [NT_RUNTIME_NATIVE_AOT] = (native_aot) } },
#include "target/port/ipc_commands.def"
};

enum nt_ipc_fate nt_ipc_fate(enum nt_runtime_kind kind, unsigned major, enum nt_ipc_command command)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int since = rows[i].by_kind[kind];
		if (rows[i].command != command)
			continue;
		if (since == KILLS)
			return NT_IPC_KILLS;
		return since == REFUSES || (major && major < (unsigned)since) ? NT_IPC_REFUSES : NT_IPC_SURVIVES;
	}
	return NT_IPC_KILLS;
}

/* libcoreclr.so is no proof: Mono's library has that name, too. Its JIT and the memory that it writes code to are CoreCLR's own. */
static bool proves_core_clr(const struct nt_procfs_map *map)
{
	static const char *const own[] = { "/libclrjit.so", "/libcoreclrtraceptprovider.so", "/memfd:doublemapper" };
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		size_t length = strlen(own[i]);
		if (map->path_length >= length && memcmp(map->path + map->path_length - length, own[i], length) == 0)
			return true;
	}
	return false;
}

enum nt_runtime_kind nt_runtime_kind_of_process(const char *proc_root, uint32_t pid)
{
	enum { MAPS_BYTES = 64 << 20, PATH_BYTES = 256 };
	char path[PATH_BYTES], *text;
	size_t length;
	snprintf(path, sizeof(path), "%s/%u/maps", proc_root, pid);
	if (nt_file_read(AT_FDCWD, path, MAPS_BYTES, &text, &length) != 0)
		return NT_RUNTIME_UNKNOWN;
	bool proven = false, valid;
	struct nt_procfs_map map;
	size_t used;
	for (const char *p = text; !proven && (used = nt_procfs_map_next(p, length, &map, &valid)) > 0; p += used, length -= used)
		proven = valid && proves_core_clr(&map);
	free(text);
	return proven ? NT_RUNTIME_CORE_CLR : NT_RUNTIME_UNKNOWN;
}

const char *nt_runtime_kind_text(enum nt_runtime_kind kind)
{
	static const char *const texts[] = {
		[NT_RUNTIME_UNKNOWN] = "a runtime of unknown kind",
		[NT_RUNTIME_CORE_CLR] = "this version of the runtime",
		[NT_RUNTIME_NATIVE_AOT] = "a program compiled with Native AOT",
	};
	return texts[kind];
}
