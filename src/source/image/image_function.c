// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_function.h"

#include "source/image/elf_sections.h"
#include "source/image/image_segments.h"
#include "target/common/elf_open.h"
#include "target/common/elf_text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { VERSION_HIDDEN = 0x8000 }; /* of .gnu.version: an older one, for programs that were linked with it */

struct search {
	Elf *elf;
	const char *name;
	struct nt_elf_segment segments[NT_IMAGE_SEGMENTS_MAX];
	size_t segment_count;
	bool indirect, elsewhere; /* one of the name was seen that is chosen when the library is loaded; that is another library's */
	bool hidden;              /* what was found is an older version */
	struct nt_image_function_place *out;
};

static bool is_hidden(const Elf_Data *versions, size_t number)
{
	uint16_t version;
	if (!versions || (number + 1) * sizeof(version) > versions->d_size)
		return false;
	memcpy(&version, (const char *)versions->d_buf + number * sizeof(version), sizeof(version));
	return version & VERSION_HIDDEN;
}

static void take(struct search *search, const GElf_Sym *symbol, bool hidden)
{
	const struct nt_elf_segment *segment = nt_elf_segment_of(search->segments, search->segment_count, symbol->st_value);
	if (symbol->st_shndx == SHN_UNDEF) {
		search->elsewhere = true;
	} else if (GELF_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC) {
		search->indirect |= !hidden;
	} else if (GELF_ST_TYPE(symbol->st_info) == STT_FUNC && segment && (!search->out->found || (search->hidden && !hidden))) {
		search->out->found = true;
		search->out->offset = segment->offset + (symbol->st_value - segment->vaddr);
		search->hidden = hidden;
	}
}

static void look_through(struct search *search, Elf_Scn *section, uint32_t type, const Elf_Data *versions)
{
	GElf_Shdr header;
	if (!nt_elf_section_bytes(section, type, &header))
		return;
	Elf_Data *table = elf_getdata(section, NULL);
	if (!table)
		return;
	const struct nt_elf_texts names = nt_elf_texts_of(search->elf, header.sh_link);
	size_t bytes = gelf_fsize(search->elf, ELF_T_SYM, 1, EV_CURRENT), count = bytes ? table->d_size / bytes : 0;
	for (size_t i = 1; i < count; i++) {
		GElf_Sym symbol;
		if (i > INT32_MAX || !gelf_getsym(table, (int)i, &symbol))
			return;
		const char *name = nt_elf_text(&names, symbol.st_name);
		if (name && strcmp(name, search->name) == 0)
			take(search, &symbol, is_hidden(versions, i));
	}
}

static void look(struct search *search)
{
	GElf_Shdr header;
	const Elf_Data *versions = nt_elf_section_bytes(nt_elf_section_named(search->elf, ".gnu.version"), SHT_GNU_versym, &header);
	search->segment_count = nt_image_segments(search->elf, search->segments);
	for (Elf_Scn *section = NULL; (section = elf_nextscn(search->elf, section));)
		look_through(search, section, SHT_DYNSYM, versions);
	for (Elf_Scn *section = NULL; !search->out->found && (section = elf_nextscn(search->elf, section));)
		look_through(search, section, SHT_SYMTAB, NULL);
}

static const char *why_not(const struct search *search)
{
	return search->indirect    ? "it is one of several functions, chosen when the library is loaded: name that one"
	       : search->elsewhere ? "it only calls a function of that name: name the library that has it"
				   : "it has no function of that name in its tables of symbols";
}

void nt_image_function_find(const struct nt_image_place *place, const char *name, struct nt_image_function_place *out)
{
	struct nt_image_refusal refusal;
	char objection[NT_OBJECTION_BYTES];
	uint64_t size;
	*out = (struct nt_image_function_place){ 0 };
	int fd = nt_image_open(place, &size, &refusal);
	if (fd < 0) {
		snprintf(out->reason, sizeof(out->reason), "%.*s", (int)sizeof(out->reason) - 1, refusal.reason);
		return;
	}
	struct search search = { .elf = nt_elf_open(fd, NT_ELF_SYMBOLS, objection), .name = name, .out = out };
	if (search.elf) {
		look(&search);
		out->found &= !(search.indirect && search.hidden); /* it is not what anybody calls by this name now */
		if (!out->found)
			snprintf(out->reason, sizeof(out->reason), "%s", why_not(&search));
	} else {
		snprintf(out->reason, sizeof(out->reason), "it %.90s", *objection ? objection : "is no ELF file");
	}
	elf_end(search.elf);
	close(fd);
}
