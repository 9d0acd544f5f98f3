/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/export: code and symbols for other tools. */
/*
 * All managed code of a target at one moment, with its names, as lines of a perf map: what its own map has, switched on for that if it must be, and what is
 * in its precompiled images.
 */
#ifndef NT_SOURCE_CODE_LINES_H
#define NT_SOURCE_CODE_LINES_H

#include "nettop/perf_map.h"
#include "nettop/source.h"

#include <sys/types.h>

/* An executable mapping of a file. */
struct nt_code_file {
	const char *path;    /* as the target has it, from its root on; borrowed from the lines' memory */
	bool assembly;       /* a .dll; else a program or library with symbols of its own */
	size_t first, count; /* its precompiled methods among the lines */
};

struct nt_code_lines {
	struct nt_perf_map_line *lines; /* owned; those of the map first, in its order */
	size_t count, capacity;
	struct nt_code_file *files; /* owned; in the order of addresses */
	size_t file_count, file_capacity;
	size_t map_count; /* of the lines, those of the target's map */
	dev_t map_device; /* of the target's map; both 0 = there was none */
	ino_t map_inode;
	char map_reason[320], map_fix[320]; /* why there are no lines of a map; "" = there are. The fix may be "" */
	void *memory;                       /* owned: what the lines borrow from */
};

/*
 * Read them. Takes up to some seconds; files that hang are given up (TIMEOUT). No error: no map, or an image that cannot be read, as long as there is
 * anything. *out ends with nt_code_lines_free().
 */
enum nt_status nt_code_lines_read(const struct nt_target *target, const struct nt_source_config *config, struct nt_code_lines **out,
				  struct nt_error *err);
void nt_code_lines_free(struct nt_code_lines *lines); /* NULL is allowed */

#endif
