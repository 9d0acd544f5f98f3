/* SPDX-License-Identifier: GPL-2.0-only */
/* Which parts of an ELF image are executable, and at which of its own addresses. */
#ifndef NT_SOURCE_IMAGE_SEGMENTS_H
#define NT_SOURCE_IMAGE_SEGMENTS_H

#include <libelf.h>

#include "decode/elf/elf_symbols.h"

enum { NT_IMAGE_SEGMENTS_MAX = 16 };

/* Whole pages, as the kernel maps them: so that a place in the padding is known to belong to the image. Returns how many there are. */
size_t nt_image_segments(Elf *elf, struct nt_elf_segment segments[NT_IMAGE_SEGMENTS_MAX]);

#endif
