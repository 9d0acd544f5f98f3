// SPDX-License-Identifier: GPL-2.0-only
#include "target/common/elf_text.h"

#include <gelf.h>
#include <string.h>

enum { TEXT_BYTES = 4096 };

struct nt_elf_texts nt_elf_texts_of(Elf *elf, size_t index)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_getscn(elf, index);
	if (!section || !gelf_getshdr(section, &header) || header.sh_type != SHT_STRTAB)
		return (struct nt_elf_texts){ 0 };
	const Elf_Data *data = elf_rawdata(section, NULL);
	return data && data->d_buf ? (struct nt_elf_texts){ data->d_buf, data->d_size } : (struct nt_elf_texts){ 0 };
}

const char *nt_elf_text(const struct nt_elf_texts *texts, uint64_t offset)
{
	if (!texts->bytes || offset >= texts->size)
		return NULL;
	size_t left = texts->size - offset;
	return memchr(texts->bytes + offset, '\0', left < TEXT_BYTES ? left : TEXT_BYTES) ? texts->bytes + offset : NULL;
}
