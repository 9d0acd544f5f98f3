/* SPDX-License-Identifier: GPL-2.0-only */
/* What the name of a mapping says, the same for /proc/PID/maps and for perf's MMAP2 records (which write "//anon" where maps writes nothing). */
#ifndef NT_DECODE_MAP_NAME_H
#define NT_DECODE_MAP_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_map_name {
	const char *image; /* borrowed from the input, not NUL-terminated: without " (deleted)"; length 0 for anonymous memory */
	size_t image_length;
	uint32_t flags; /* enum nt_map_flag */
};

/* name[0..length): as in the file or record, with or without " (deleted)". */
struct nt_map_name nt_map_name_read(const char *name, size_t length);

#endif
