// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_plt.h"

#include "decode/elf/elf_plt.h"
#include "source/image/elf_sections.h"

/* Where linkers put entries, and where they say what each jumps to. */
static const struct {
	const char *entries, *relocations;
} tables[] = {
	{ ".plt", ".rela.plt" },
	{ ".plt.sec", ".rela.plt" },
	{ ".plt.bnd", ".rela.plt" },
	{ ".plt.got", ".rela.dyn" },
};

static bool is_readable(Elf *elf)
{
	GElf_Ehdr header;
	return nt_elf_same_byte_order(elf) && gelf_getclass(elf) == ELFCLASS64 && gelf_getehdr(elf, &header) &&
	       header.e_machine == EM_X86_64;
}

static void read_symbols(Elf *elf, uint32_t index, struct nt_elf_plt *plt)
{
	GElf_Shdr header;
	const Elf_Data *symtab = nt_elf_section_bytes(elf_getscn(elf, index), SHT_DYNSYM, &header);
	const Elf_Data *strtab = symtab ? nt_elf_section_bytes(elf_getscn(elf, header.sh_link), SHT_STRTAB, &header) : NULL;
	if (!strtab)
		return;
	plt->symtab = symtab->d_buf;
	plt->symtab_size = symtab->d_size;
	plt->strtab = strtab->d_buf;
	plt->strtab_size = strtab->d_size;
}

void nt_image_plt_read(Elf *elf, const struct nt_elf_segment *segments, size_t segment_count, const struct nt_symbols *functions,
		       struct nt_symbols *out)
{
	for (size_t i = 0; is_readable(elf) && i < sizeof(tables) / sizeof(*tables); i++) {
		GElf_Shdr where, header;
		const Elf_Data *entries = nt_elf_section_bytes(nt_elf_section_named(elf, tables[i].entries), SHT_PROGBITS, &where);
		const Elf_Data *rela =
			entries ? nt_elf_section_bytes(nt_elf_section_named(elf, tables[i].relocations), SHT_RELA, &header) : NULL;
		if (!rela)
			continue;
		struct nt_elf_plt plt = { .bytes = entries->d_buf,
					  .size = entries->d_size,
					  .vaddr = where.sh_addr,
					  .entry_bytes = where.sh_entsize == 8 ? 8 : 16, /* some linkers do not say */
					  .rela = rela->d_buf,
					  .rela_size = rela->d_size,
					  .functions = functions,
					  .segments = segments,
					  .segment_count = segment_count };
		read_symbols(elf, header.sh_link, &plt);
		nt_elf_plt_read(&plt, out);
	}
}
