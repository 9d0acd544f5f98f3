// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_segments.h"

#include <gelf.h>

/* No library is larger. */
#define FILE_LIMIT_BYTES (UINT64_C(4) << 30)

enum { PAGE_BYTES = 4096 };

static bool segment_from(const GElf_Phdr *header, struct nt_elf_segment *out)
{
	if (header->p_type != PT_LOAD || !(header->p_flags & PF_X) || header->p_offset > FILE_LIMIT_BYTES ||
	    header->p_filesz > FILE_LIMIT_BYTES)
		return false;
	uint64_t before = header->p_offset % PAGE_BYTES;
	uint64_t pages = (before + header->p_filesz + PAGE_BYTES - 1) / PAGE_BYTES;
	*out = (struct nt_elf_segment){ .vaddr = header->p_vaddr - before,
					.offset = header->p_offset - before,
					.file_size = pages * PAGE_BYTES };
	return true;
}

size_t nt_image_segments(Elf *elf, struct nt_elf_segment segments[NT_IMAGE_SEGMENTS_MAX])
{
	size_t count = 0, used = 0;
	if (elf_getphdrnum(elf, &count) != 0)
		return 0;
	for (size_t i = 0; i < count && i < PN_XNUM && used < NT_IMAGE_SEGMENTS_MAX; i++) {
		GElf_Phdr header;
		if (!gelf_getphdr(elf, (int)i, &header))
			return used;
		used += segment_from(&header, &segments[used]);
	}
	return used;
}
