// SPDX-License-Identifier: GPL-2.0-only
#include "decode/codemap/map_name.h"

#include "base/affix.h"
#include "nettop/event.h"

#include <string.h>

static bool equals(const char *name, size_t length, const char *text)
{
	return length == strlen(text) && nt_slice_begins_with(name, length, text);
}

struct nt_map_name nt_map_name_read(const char *name, size_t length)
{
	static const char deleted[] = " (deleted)";
	struct nt_map_name out = { .image = name, .image_length = length };
	if (length > sizeof(deleted) - 1 && memcmp(name + length - (sizeof(deleted) - 1), deleted, sizeof(deleted) - 1) == 0) {
		out.image_length = length -= sizeof(deleted) - 1;
		out.flags |= NT_MAP_DELETED;
	}
	if (!length || equals(name, length, "//anon")) {
		out.image_length = 0;
		out.flags |= NT_MAP_JIT;
	} else if (equals(name, length, "/memfd:doublemapper")) {
		/* The runtime's code heap under W^X: a memory file without a name in the file system, so "deleted" says nothing. */
		out.flags = NT_MAP_JIT;
	} else if (nt_slice_begins_with(name, length, "[anon:")) {
		out.flags |= NT_MAP_JIT;
	} else if (equals(name, length, "[vdso]")) {
		out.flags |= NT_MAP_VDSO;
	} else if (name[0] == '/') {
		out.flags |= NT_MAP_FILE;
	}
	return out;
}
