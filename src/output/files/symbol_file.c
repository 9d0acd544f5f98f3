// SPDX-License-Identifier: GPL-2.0-only
#include "output/files/symbol_file.h"

#include "base/text.h"

#include <elf.h>
#include <string.h>

enum { NAME_BYTES = 8192, PAGE_BYTES = 4096 };

/* The order of the sections; the names of all of them in one text. */
enum { NOTHING, CODE, SYMBOLS, NAMES, SECTION_NAMES, SECTIONS };
static const char section_names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
enum { CODE_NAME = 1, SYMBOLS_NAME = 7, NAMES_NAME = 15, SECTION_NAMES_NAME = 23 };

#if defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_X86_64 };
#endif

static size_t put_name(FILE *out, const struct nt_perf_map_line *line)
{
	char safe[NAME_BYTES];
	nt_text_escape(line->name, line->length, safe, sizeof(safe));
	size_t bytes = strlen(safe) + 1;
	if (out)
		fwrite(safe, bytes, 1, out);
	return bytes;
}

/* The whole file as one segment at the address 0, in which addresses are offsets. */
static void put_head(FILE *out, uint64_t code_end, uint64_t sections_at)
{
	const Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = MACHINE,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(head),
		.e_shoff = sections_at,
		.e_ehsize = sizeof(head),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = SECTION_NAMES,
	};
	const Elf64_Phdr segment = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = code_end, .p_memsz = code_end, .p_align = PAGE_BYTES
	};
	fwrite(&head, sizeof(head), 1, out);
	fwrite(&segment, sizeof(segment), 1, out);
}

void nt_symbol_file_write(FILE *out, const struct nt_perf_map_line *lines, size_t count)
{
	uint64_t code_end = 0, names_size = 1;
	for (size_t i = 0; i < count; i++) {
		if (lines[i].offset + lines[i].size > code_end)
			code_end = lines[i].offset + lines[i].size;
		names_size += put_name(NULL, &lines[i]);
	}
	uint64_t symbols_at = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), symbols_size = (count + 1) * sizeof(Elf64_Sym);
	uint64_t names_at = symbols_at + symbols_size, section_names_at = names_at + names_size;
	uint64_t after = section_names_at + sizeof(section_names), padding = -after % sizeof(uint64_t);
	put_head(out, code_end, after + padding);

	fwrite(&(Elf64_Sym){ 0 }, sizeof(Elf64_Sym), 1, out);
	uint64_t name = 1;
	for (size_t i = 0; i < count; i++) {
		const Elf64_Sym symbol = { .st_name = (Elf64_Word)name,
					   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
					   .st_shndx = CODE,
					   .st_value = lines[i].offset,
					   .st_size = lines[i].size };
		fwrite(&symbol, sizeof(symbol), 1, out);
		name += put_name(NULL, &lines[i]);
	}
	fputc('\0', out);
	for (size_t i = 0; i < count; i++)
		put_name(out, &lines[i]);
	fwrite(section_names, sizeof(section_names), 1, out);
	fwrite(&(uint64_t){ 0 }, padding, 1, out);

	const Elf64_Shdr sections[SECTIONS] = {
		[CODE] = { .sh_name = CODE_NAME,
			   .sh_type = SHT_NOBITS,
			   .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			   .sh_size = code_end,
			   .sh_addralign = 1 },
		[SYMBOLS] = { .sh_name = SYMBOLS_NAME,
			      .sh_type = SHT_SYMTAB,
			      .sh_offset = symbols_at,
			      .sh_size = symbols_size,
			      .sh_link = NAMES,
			      .sh_info = 1, /* all but the first are global */
			      .sh_addralign = sizeof(uint64_t),
			      .sh_entsize = sizeof(Elf64_Sym) },
		[NAMES] = { .sh_name = NAMES_NAME, .sh_type = SHT_STRTAB, .sh_offset = names_at, .sh_size = names_size, .sh_addralign = 1 },
		[SECTION_NAMES] = { .sh_name = SECTION_NAMES_NAME,
				    .sh_type = SHT_STRTAB,
				    .sh_offset = section_names_at,
				    .sh_size = sizeof(section_names),
				    .sh_addralign = 1 },
	};
	fwrite(sections, sizeof(sections), 1, out);
}
