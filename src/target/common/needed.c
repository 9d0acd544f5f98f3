// SPDX-License-Identifier: GPL-2.0-only
#include "target/common/needed.h"

#include "base/text.h"
#include "target/common/elf_text.h"

#include <gelf.h>
#include <string.h>

static bool look_in(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *stem, char *name, size_t size)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	const struct nt_elf_texts names = nt_elf_texts_of(elf, header->sh_link);
	for (size_t i = 0; i < count; i++) {
		GElf_Dyn entry;
		if (!gelf_getdyn(data, (int)i, &entry) || entry.d_tag == DT_NULL)
			return false;
		const char *needed = entry.d_tag == DT_NEEDED ? nt_elf_text(&names, entry.d_un.d_val) : NULL;
		if (needed && strncmp(needed, stem, strlen(stem)) == 0) {
			nt_text_escape(needed, strlen(needed), name, size);
			return true;
		}
	}
	return false;
}

bool nt_elf_needs(Elf *elf, const char *stem, char *name, size_t size)
{
	bool found = false;
	*name = '\0';
	for (Elf_Scn *section = NULL; !found && (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC)
			found = look_in(elf, section, &header, stem, name, size);
	}
	return found;
}
