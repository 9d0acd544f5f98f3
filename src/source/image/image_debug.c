// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_debug.h"

#include "source/image/build_id.h"
#include "source/image/elf_sections.h"
#include "target/common/elf_open.h"

#include <gelf.h>
#include <string.h>
#include <unistd.h>

bool nt_image_has_symtab(Elf *elf)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB && header.sh_size)
			return true;
	}
	return false;
}

static bool belongs(int fd, const struct nt_build_id *build_id)
{
	Elf *elf = nt_elf_open(fd, NT_ELF_DYNAMIC, NULL);
	if (!elf)
		return false;
	struct nt_build_id id = nt_build_id_of(elf);
	bool yes = nt_build_id_same(&id, build_id) && nt_image_has_symtab(elf);
	elf_end(elf);
	return yes;
}

/*
 * The name in .gnu_debuglink, NUL-terminated within it; NULL = none that names a file. Read here, because libdw's function unpacks a compressed one, whatever size it
 * says it has.
 */
static const char *link_of(Elf *image)
{
	GElf_Shdr header;
	const Elf_Data *data = nt_elf_section_bytes(nt_elf_section_named(image, ".gnu_debuglink"), SHT_PROGBITS, &header);
	const char *name = data ? data->d_buf : NULL;
	if (!name || header.sh_flags & SHF_COMPRESSED || !memchr(name, '\0', data->d_size))
		return NULL;
	return name;
}

static int open_next(const struct nt_image_place *place, const struct nt_debug_wanted *wanted, unsigned *next,
		     char path[NT_IMAGE_DEBUG_PATH])
{
	const struct nt_image_opener *opener = place->opener;
	if (!opener)
		return nt_debug_candidate_open(place, wanted, next, path);
	path[0] = '\0';
	return opener->debug(opener->context, wanted, next);
}

int nt_image_debug_open(Elf *image, const struct nt_image_place *place, char path[NT_IMAGE_DEBUG_PATH])
{
	const struct nt_debug_wanted wanted = { .link = link_of(image), .build_id = nt_build_id_of(image) };
	int fd = -1;
	unsigned next = 0;
	path[0] = '\0';
	while (wanted.build_id.length && (fd = open_next(place, &wanted, &next, path)) >= 0 && !belongs(fd, &wanted.build_id))
		close(fd);
	return fd;
}
