/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of an image's procedure linkage tables: `memcpy@plt`. */
#ifndef NT_SOURCE_IMAGE_PLT_H
#define NT_SOURCE_IMAGE_PLT_H

#include <libelf.h>

#include "decode/elf/elf_symbols.h"

/*
 * Add the entries by file offset. `functions` are the image's own names, finished. An image for another machine than x86-64 has none here.
 */
void nt_image_plt_read(Elf *elf, const struct nt_elf_segment *segments, size_t segment_count, const struct nt_symbols *functions,
		       struct nt_symbols *out);

#endif
