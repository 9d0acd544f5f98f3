// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/exception_gate.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/file_foreign.h"
#include "decode/kernel/procfs_text.h"
#include "target/process/bridge.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bridge has 30 KB, LTTng's own library less than 1 MB. */
enum { MAPS_BYTES = 64 << 20, LIBRARY_BYTES = 16 << 20 };

#define PROVIDER  "/libcoreclrtraceptprovider.so"
#define CALLSITES "/liblttng-ust-tracepoint.so."

struct look {
	const struct nt_target *target;
	bool provider; /* without it no event is described, so none can be enabled */
	bool zero;     /* the library found is of the old ABI: nobody else is asked then */
	bool replaced; /* its file is not the one that was loaded */
	char path[NT_GATE_PATH_BYTES];
};

static bool names(const struct nt_procfs_map *map, const char *part)
{
	return memmem(map->path, map->path_length, part, strlen(part)) != NULL;
}

/* Who serves the call sites: .so.0 for Microsoft's builds, which the bridge is and on which it puts a .so.1; else .so.1 itself. */
static void look_at(struct look *look, const struct nt_procfs_map *map)
{
	look->provider |= names(map, PROVIDER);
	bool zero = names(map, CALLSITES "0");
	if (look->zero || !(zero || names(map, CALLSITES)))
		return;
	look->zero = zero;
	look->replaced = map->deleted;
	snprintf(look->path, sizeof(look->path), "%.*s", (int)map->path_length, map->path);
}

static bool look_at_maps(struct look *look)
{
	char *path = nt_format("%s/maps", look->target->proc_dir), *text;
	size_t length, used;
	int error = nt_file_read(AT_FDCWD, path, MAPS_BYTES, &text, &length);
	free(path);
	if (error)
		return false;
	struct nt_procfs_map map;
	bool valid;
	for (const char *p = text; (used = nt_procfs_map_next(p, length, &map, &valid)) > 0; p += used, length -= used)
		if (valid)
			look_at(look, &map);
	free(text);
	return true;
}

bool nt_exception_gate_withholds(const char *bytes, size_t length)
{
	/* The rule's own text (src/ust0/callsites.c). LTTng's library names no event of anybody's. */
	static const char mark[] = "DotNETRuntime:ExceptionThrown";
	return nt_bridge_is(bytes, length) && memmem(bytes, length, mark, sizeof(mark) - 1) != NULL;
}

static void read_library(const struct look *look, struct nt_exception_gate *out)
{
	char *outside = nt_format("%s%s", look->target->root_dir, look->path), *bytes;
	size_t length;
	int error = nt_file_read_foreign(outside, look->target->uid, LIBRARY_BYTES, &bytes, &length);
	free(outside);
	if (error)
		return;
	out->bridge = nt_bridge_is(bytes, length);
	if (!look->replaced && nt_exception_gate_withholds(bytes, length))
		out->state = NT_GATE_HARMLESS;
	free(bytes);
}

void nt_exception_gate_read(const struct nt_target *target, struct nt_exception_gate *out)
{
	struct look look = { .target = target };
	*out = (struct nt_exception_gate){ .state = NT_GATE_UNKNOWN };
	if (!look_at_maps(&look))
		return;
	out->state = look.provider && *look.path ? NT_GATE_HARMFUL : NT_GATE_HARMLESS;
	if (out->state == NT_GATE_HARMLESS)
		return;
	memcpy(out->path, look.path, sizeof(out->path));
	read_library(&look, out);
}
