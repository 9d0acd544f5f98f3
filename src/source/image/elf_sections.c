// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/elf_sections.h"

#include "target/common/elf_text.h"

#include <string.h>

/* Sections are read into memory. Of symbols and their names the sum is limited where the file is opened (target/common/elf_open.h). */
#define SECTION_LIMIT_BYTES (UINT64_C(32) << 20)

static bool is_limited_by_sum(uint32_t type)
{
	return type == SHT_SYMTAB || type == SHT_DYNSYM || type == SHT_STRTAB;
}

bool nt_elf_same_byte_order(Elf *elf)
{
	const char *ident = elf_getident(elf, NULL);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return ident && ident[EI_DATA] == ELFDATA2LSB;
#else
	return ident && ident[EI_DATA] == ELFDATA2MSB;
#endif
}

const Elf_Data *nt_elf_section_bytes(Elf_Scn *section, uint32_t type, GElf_Shdr *header)
{
	if (!section || !gelf_getshdr(section, header) || header->sh_type != type ||
	    (header->sh_size > SECTION_LIMIT_BYTES && !is_limited_by_sum(type)))
		return NULL;
	const Elf_Data *data = elf_rawdata(section, NULL);
	return data && data->d_buf && data->d_size ? data : NULL;
}

Elf_Scn *nt_elf_section_named(Elf *elf, const char *wanted)
{
	size_t index;
	if (elf_getshdrstrndx(elf, &index) != 0)
		return NULL;
	const struct nt_elf_texts names = nt_elf_texts_of(elf, index);
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ? nt_elf_text(&names, header.sh_name) : NULL;
		if (name && strcmp(name, wanted) == 0)
			return section;
	}
	return NULL;
}
