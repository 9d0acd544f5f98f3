// SPDX-License-Identifier: GPL-2.0-only
/* Formats: ELF gABI (program headers, dynamic section), GNU hash tables; the runtime's docs/design/datacontracts/contract-descriptor.md. */
#include "decode/contract/descriptor.h"

#include "base/alloc.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC UINT64_C(0x0043414443434e44)

static const char described[] = "DotNetRuntimeContractDescriptor";
static const char of_debuggers[] = "g_dacTable"; /* addresses of variables, in an order that only that version's debugger knows */

enum { SEGMENTS_MAX = 64, DYNAMIC_MAX = 512, CHAIN_MAX = 4096, NAME_MAX_BYTES = 64 };

struct header {
	uint64_t magic;
	uint32_t flags, size;
	uint64_t json;
	uint32_t pointer_count, pad;
	uint64_t pointers;
};

/* The dynamic tables that a look-up needs, as addresses. */
struct tables {
	uint64_t bias; /* what is to be added to an address of the file */
	uint64_t hash, symbols, strings;
};

/* What is loaded at the address 0 of the file is at the image's begin, unless its first segment says another address. */
static bool read_segments(struct nt_memory *memory, uint64_t image, uint64_t *bias, uint64_t *dynamic, uint64_t *dynamic_size)
{
	Elf64_Ehdr elf;
	if (!nt_memory_read(memory, image, &elf, sizeof(elf)) || memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 ||
	    elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_phentsize != sizeof(Elf64_Phdr) || elf.e_phnum > SEGMENTS_MAX)
		return false;
	bool loaded = false;
	*dynamic = *dynamic_size = 0;
	for (unsigned i = 0; i < elf.e_phnum; i++) {
		Elf64_Phdr segment;
		if (!nt_memory_read(memory, image + elf.e_phoff + i * sizeof(segment), &segment, sizeof(segment)))
			return false;
		if (segment.p_type == PT_LOAD && !segment.p_offset && !loaded) {
			*bias = image - segment.p_vaddr;
			loaded = true;
		} else if (segment.p_type == PT_DYNAMIC) {
			*dynamic = segment.p_vaddr;
			*dynamic_size = segment.p_memsz;
		}
	}
	*dynamic += *bias;
	return loaded && *dynamic_size;
}

static bool read_tables(struct nt_memory *memory, uint64_t image, struct tables *out)
{
	uint64_t dynamic, size;
	*out = (struct tables){ 0 };
	if (!read_segments(memory, image, &out->bias, &dynamic, &size))
		return false;
	for (unsigned i = 0; i < DYNAMIC_MAX && (i + 1) * sizeof(Elf64_Dyn) <= size; i++) {
		Elf64_Dyn entry;
		if (!nt_memory_read(memory, dynamic + i * sizeof(entry), &entry, sizeof(entry)))
			return false;
		if (entry.d_tag == DT_NULL)
			break;
		/* glibc has made addresses of them, musl leaves them as they are in the file. */
		uint64_t address = entry.d_un.d_ptr < out->bias ? entry.d_un.d_ptr + out->bias : entry.d_un.d_ptr;
		if (entry.d_tag == DT_GNU_HASH)
			out->hash = address;
		else if (entry.d_tag == DT_SYMTAB)
			out->symbols = address;
		else if (entry.d_tag == DT_STRTAB)
			out->strings = address;
	}
	out->symbols = out->hash && out->strings ? out->symbols : 0;
	return out->symbols != 0;
}

static uint32_t gnu_hash(const char *name)
{
	uint32_t hash = 5381;
	for (; *name; name++)
		hash = hash * 33 + (uint8_t)*name;
	return hash;
}

/* The symbol's address in the file. False: there is none; *bad: memory is missing. */
static bool look_up(struct nt_memory *memory, const struct tables *tables, const char *symbol_name, uint64_t *value, bool *bad)
{
	uint32_t wanted = gnu_hash(symbol_name);
	size_t name_size = strlen(symbol_name) + 1;
	uint32_t buckets = nt_memory_u32(memory, tables->hash, bad), first = nt_memory_u32(memory, tables->hash + 4, bad);
	uint32_t bloom = nt_memory_u32(memory, tables->hash + 8, bad);
	if (*bad || !buckets)
		return false;
	uint64_t bucket_table = tables->hash + 16 + (uint64_t)bloom * 8, chains = bucket_table + (uint64_t)buckets * 4;
	uint32_t symbol = nt_memory_u32(memory, bucket_table + (uint64_t)(wanted % buckets) * 4, bad);
	for (unsigned i = 0; symbol >= first && symbol && i < CHAIN_MAX && !*bad; i++, symbol++) {
		uint32_t hash = nt_memory_u32(memory, chains + (uint64_t)(symbol - first) * 4, bad);
		if ((hash | 1) == (wanted | 1)) {
			Elf64_Sym entry;
			char name[NAME_MAX_BYTES];
			if (!nt_memory_read(memory, tables->symbols + (uint64_t)symbol * sizeof(entry), &entry, sizeof(entry)) ||
			    !nt_memory_read(memory, tables->strings + entry.st_name, name, name_size)) {
				*bad = true;
				return false;
			}
			if (memcmp(name, symbol_name, name_size) == 0) {
				*value = entry.st_value;
				return entry.st_shndx != SHN_UNDEF;
			}
		}
		if (hash & 1)
			return false;
	}
	return false;
}

static bool take(struct nt_memory *memory, uint64_t address, struct nt_descriptor *out)
{
	struct header header;
	if (!nt_memory_read(memory, address, &header, sizeof(header)) || header.magic != MAGIC || !(header.flags & 1) || header.flags & 2 ||
	    header.size > NT_DESCRIPTOR_BYTES_MAX || header.pointer_count > NT_DESCRIPTOR_POINTERS_MAX)
		return false;
	out->json = nt_alloc((size_t)header.size + 1);
	out->pointers = nt_alloc((header.pointer_count + 1) * sizeof(uint64_t));
	out->length = header.size;
	out->pointer_count = header.pointer_count;
	if (!nt_memory_read(memory, header.json, out->json, header.size) ||
	    !nt_memory_read(memory, header.pointers, out->pointers, header.pointer_count * sizeof(uint64_t))) {
		nt_descriptor_fini(out);
		return false;
	}
	out->json[out->length] = '\0';
	return true;
}

enum nt_descriptor_result nt_descriptor_find(struct nt_memory *memory, uint64_t image, struct nt_descriptor *out)
{
	struct tables tables;
	uint64_t value;
	bool bad = false;
	*out = (struct nt_descriptor){ 0 };
	if (!read_tables(memory, image, &tables))
		return NT_DESCRIPTOR_BROKEN;
	if (!look_up(memory, &tables, described, &value, &bad))
		return bad ? NT_DESCRIPTOR_BROKEN : NT_DESCRIPTOR_NONE;
	if (!take(memory, tables.bias + value, out))
		return NT_DESCRIPTOR_BROKEN;
	if (look_up(memory, &tables, of_debuggers, &value, &bad)) {
		out->debugger_table = tables.bias + value;
		out->code_ranges = nt_memory_u64(memory, out->debugger_table, &bad);
	}
	if (bad)
		out->debugger_table = out->code_ranges = 0;
	return NT_DESCRIPTOR_FOUND;
}

void nt_descriptor_fini(struct nt_descriptor *descriptor)
{
	free(descriptor->json);
	free(descriptor->pointers);
	*descriptor = (struct nt_descriptor){ 0 };
}
