/* SPDX-License-Identifier: GPL-2.0-only */
/* The separate debug file of a stripped image: taken only when its build id is the image's and it has a symbol table. */
#ifndef NT_SOURCE_IMAGE_DEBUG_H
#define NT_SOURCE_IMAGE_DEBUG_H

#include <libelf.h>
#include <stdbool.h>

#include "source/image/debug_candidates.h"

/*
 * A descriptor that the caller closes, with its path in `path` ("" without one, or when an opener had it); -1: none found. Looked for in the target's folders, then in our own: by the .gnu_debuglink
 * as gdb does, beside the image as dotnet-symbol leaves it (IMAGE.dbg), in /usr/lib/debug/.build-id, in perf's ~/.debug, in debuginfod's cache. An image without
 * build id has none.
 */
int nt_image_debug_open(Elf *image, const struct nt_image_place *place, char path[NT_IMAGE_DEBUG_PATH]);

/* Has this ELF file a symbol table of its own? */
bool nt_image_has_symtab(Elf *elf);

#endif
