// SPDX-License-Identifier: GPL-2.0-only
#include "decode/elf/elf_symbols.h"

#include "decode/names/method_name.h"

#include <elf.h>
#include <string.h>

/* What of Elf32_Sym and Elf64_Sym matters here. */
struct symbol {
	uint32_t name;
	uint8_t info;
	uint16_t section;
	uint64_t value, size;
};

static struct symbol symbol_at(const struct nt_elf_tables *tables, size_t index)
{
	if (tables->is64) {
		Elf64_Sym s;
		memcpy(&s, tables->symtab + index * sizeof(s), sizeof(s));
		return (struct symbol){
			.name = s.st_name, .info = s.st_info, .section = s.st_shndx, .value = s.st_value, .size = s.st_size
		};
	}
	Elf32_Sym s;
	memcpy(&s, tables->symtab + index * sizeof(s), sizeof(s));
	return (struct symbol){ .name = s.st_name, .info = s.st_info, .section = s.st_shndx, .value = s.st_value, .size = s.st_size };
}

static bool is_function(const struct symbol *symbol)
{
	unsigned type = ELF64_ST_TYPE(symbol->info);
	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->section != SHN_UNDEF && symbol->section != SHN_ABS && symbol->size;
}

static unsigned rank_of(const struct symbol *symbol)
{
	unsigned bind = ELF64_ST_BIND(symbol->info);
	return bind == STB_GLOBAL || bind == STB_GNU_UNIQUE ? 2 : bind == STB_WEAK ? 1 : 0;
}

const struct nt_elf_segment *nt_elf_segment_of(const struct nt_elf_segment *segments, size_t count, uint64_t vaddr)
{
	for (size_t i = 0; i < count; i++)
		if (vaddr >= segments[i].vaddr && vaddr - segments[i].vaddr < segments[i].file_size)
			return &segments[i];
	return NULL;
}

const struct nt_elf_segment *nt_elf_segment_at(const struct nt_elf_segment *segments, size_t count, uint64_t offset)
{
	for (size_t i = 0; i < count; i++)
		if (offset >= segments[i].offset && offset - segments[i].offset < segments[i].file_size)
			return &segments[i];
	return NULL;
}

/* .symtab may hold the version with the name: memcpy@@GLIBC_2.14 */
static size_t without_version(const char *name, size_t length)
{
	const char *at = memchr(name, '@', length);
	return at && at > name ? (size_t)(at - name) : length;
}

/* Length of the name that begins at `name` and may have `left` bytes; 0: it runs out of the string table. One string may be the name of all symbols, or its end. */
static size_t name_length(const char *name, size_t left)
{
	size_t most = left < NT_RAW_NAME_MAX ? left : NT_RAW_NAME_MAX;
	size_t length = strnlen(name, most);
	return length == left ? 0 : without_version(name, length);
}

size_t nt_elf_symbols_read(const struct nt_elf_tables *tables, struct nt_symbols *out)
{
	size_t count = tables->symtab_size / (tables->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
	size_t added = 0;
	for (size_t i = 0; i < count; i++) {
		struct symbol symbol = symbol_at(tables, i);
		if (!is_function(&symbol) || symbol.name >= tables->strtab_size)
			continue;
		const struct nt_elf_segment *segment = nt_elf_segment_of(tables->segments, tables->segment_count, symbol.value);
		if (!segment || segment->offset > UINT64_MAX - segment->file_size)
			continue;
		const char *name = tables->strtab + symbol.name;
		size_t length = name_length(name, tables->strtab_size - symbol.name);
		if (!length)
			continue;
		uint64_t within = symbol.value - segment->vaddr, room = segment->file_size - within;
		nt_symbols_add(out, segment->offset + within, symbol.size < room ? symbol.size : room, rank_of(&symbol), name, length);
		added++;
	}
	return added;
}
