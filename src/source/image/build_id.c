// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/build_id.h"

#include <gelf.h>
#include <stdio.h>
#include <string.h>

enum { NOTES_MAX_BYTES = 64 << 10, ALIGNMENT_OF_LARGE = 8 };

static bool take(const GElf_Nhdr *note, const unsigned char *name, const unsigned char *bytes, struct nt_build_id *id)
{
	if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != sizeof(ELF_NOTE_GNU) ||
	    memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0)
		return false;
	if (note->n_descsz >= 2 && note->n_descsz <= NT_BUILD_ID_MAX) {
		id->length = note->n_descsz;
		memcpy(id->bytes, bytes, id->length);
	}
	return true;
}

/* gelf_getnote() gives nothing that is not within `notes`. */
static bool find_in(Elf_Data *notes, struct nt_build_id *id)
{
	GElf_Nhdr note;
	size_t name, bytes;
	if (!notes || !notes->d_buf || notes->d_size > NOTES_MAX_BYTES)
		return false;
	for (size_t at = 0, next; (next = gelf_getnote(notes, at, &note, &name, &bytes)) > at; at = next)
		if (take(&note, (const unsigned char *)notes->d_buf + name, (const unsigned char *)notes->d_buf + bytes, id))
			return true;
	return false;
}

static bool find_in_sections(Elf *elf, struct nt_build_id *id)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE && header.sh_size <= NOTES_MAX_BYTES &&
		    find_in(elf_getdata(section, NULL), id))
			return true;
	}
	return false;
}

static void find_in_segments(Elf *elf, struct nt_build_id *id)
{
	size_t count = 0;
	if (elf_getphdrnum(elf, &count) != 0)
		return;
	for (size_t i = 0; i < count && i < PN_XNUM; i++) {
		GElf_Phdr header;
		if (!gelf_getphdr(elf, (int)i, &header))
			return;
		Elf_Type type = header.p_align == ALIGNMENT_OF_LARGE ? ELF_T_NHDR8 : ELF_T_NHDR;
		if (header.p_type == PT_NOTE && header.p_filesz <= NOTES_MAX_BYTES &&
		    find_in(elf_getdata_rawchunk(elf, (int64_t)header.p_offset, header.p_filesz, type), id))
			return;
	}
}

/* A debug file has its notes where its sections say; where its segments do there is something else. */
struct nt_build_id nt_build_id_of(Elf *elf)
{
	struct nt_build_id id = { 0 };
	if (!find_in_sections(elf, &id))
		find_in_segments(elf, &id);
	return id;
}

bool nt_build_id_same(const struct nt_build_id *a, const struct nt_build_id *b)
{
	return a->length && a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

const char *nt_build_id_text(const struct nt_build_id *id, char text[NT_BUILD_ID_TEXT])
{
	text[0] = '\0';
	for (size_t i = 0; i < id->length; i++)
		snprintf(text + 2 * i, 3, "%02x", id->bytes[i]);
	return text;
}
