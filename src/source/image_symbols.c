// SPDX-License-Identifier: GPL-2.0-only
#include "source/image_symbols.h"

#include "base/alloc.h"
#include "decode/eh_frame.h"
#include "source/foreign_file.h"
#include "source/image_debug.h"

#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sections are read into memory. */
#define SECTION_LIMIT_BYTES (UINT64_C(256) << 20)

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

__attribute__((format(printf, 4, 5))) static void give_up(struct nt_image_symbols *image, enum nt_image_form form, enum nt_naming naming,
							  const char *fmt, ...)
{
	va_list arguments;
	va_start(arguments, fmt);
	vsnprintf(image->reason, sizeof(image->reason), fmt, arguments);
	va_end(arguments);
	image->form = form;
	image->naming = naming;
}

/* ---- ELF ---- */

static bool same_byte_order(Elf *elf)
{
	const char *ident = elf_getident(elf, NULL);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return ident && ident[EI_DATA] == ELFDATA2LSB;
#else
	return ident && ident[EI_DATA] == ELFDATA2MSB;
#endif
}

/* The bytes of a section as they are in the file, NULL when there are none or too many. Borrowed from `elf`. */
static const Elf_Data *section_bytes(Elf_Scn *section, uint32_t type, uint32_t *link)
{
	GElf_Shdr header;
	if (!section || !gelf_getshdr(section, &header) || header.sh_type != type || header.sh_size > SECTION_LIMIT_BYTES)
		return NULL;
	*link = header.sh_link;
	const Elf_Data *data = elf_rawdata(section, NULL);
	return data && data->d_buf && data->d_size ? data : NULL;
}

/* Read the functions of the first symbol table of `type` in `elf`. False: there is none. */
static bool read_table(struct nt_image_symbols *image, Elf *elf, uint32_t type)
{
	if (!same_byte_order(elf))
		return false;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		uint32_t link, unused;
		const Elf_Data *symtab = section_bytes(section, type, &link);
		const Elf_Data *strtab = symtab ? section_bytes(elf_getscn(elf, link), SHT_STRTAB, &unused) : NULL;
		if (!strtab)
			continue;
		const struct nt_elf_tables tables = { .is64 = gelf_getclass(elf) == ELFCLASS64,
						      .symtab = symtab->d_buf,
						      .symtab_size = symtab->d_size,
						      .strtab = strtab->d_buf,
						      .strtab_size = strtab->d_size,
						      .segments = image->segments,
						      .segment_count = image->segment_count };
		return nt_elf_symbols_read(&tables, image->symbols) > 0;
	}
	return false;
}

static bool read_debug_file(struct nt_image_symbols *image, Elf *elf, const struct nt_image_place *place)
{
	int fd = nt_image_debug_open(elf, place);
	if (fd < 0)
		return false;
	Elf *debug = elf_begin(fd, ELF_C_READ, NULL);
	/* The segments stay those of the image: a debug file has none of the bytes, and its offsets mean nothing. */
	bool read = debug && read_table(image, debug, SHT_SYMTAB);
	elf_end(debug);
	close(fd);
	return read;
}

static Elf_Scn *section_named(Elf *elf, const char *wanted)
{
	size_t names;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		if (name && strcmp(name, wanted) == 0)
			return section;
	}
	return NULL;
}

static void read_bounds(struct nt_image_symbols *image, Elf *elf)
{
	GElf_Shdr header;
	uint32_t unused;
	Elf_Scn *section = section_named(elf, ".eh_frame");
	if (!same_byte_order(elf) || !section || !gelf_getshdr(section, &header))
		return;
	/* Linkers for x86-64 may give it a type of its own. */
	const Elf_Data *data = section_bytes(section, header.sh_type == SHT_X86_64_UNWIND ? header.sh_type : SHT_PROGBITS, &unused);
	if (!data)
		return;
	const struct nt_eh_frame frame = { .is64 = gelf_getclass(elf) == ELFCLASS64,
					   .bytes = data->d_buf,
					   .size = data->d_size,
					   .vaddr = header.sh_addr,
					   .segments = image->segments,
					   .segment_count = image->segment_count };
	nt_eh_frame_read(&frame, &image->bounds);
	nt_bounds_finish(&image->bounds);
}

/* `place` NULL: there is no file, so no debug file either. */
static void read_elf(struct nt_image_symbols *image, Elf *elf, const char *path, const struct nt_image_place *place)
{
	image->form = NT_IMAGE_ELF;
	image->segment_count = nt_image_segments(elf, image->segments);
	image->symbols = nt_symbols_new();
	if (!read_table(image, elf, SHT_SYMTAB) && !(place && read_debug_file(image, elf, place)))
		image->exports_only = read_table(image, elf, SHT_DYNSYM);
	nt_symbols_finish(image->symbols);
	read_bounds(image, elf);
	if (!nt_symbols_count(image->symbols) && !image->bounds.count)
		give_up(image, NT_IMAGE_ELF, NT_NAMING_STRIPPED, "stripped: neither symbols nor an unwind table in %s", base_name(path));
}

void nt_image_symbols_load(struct nt_image_symbols *image, const struct nt_image_place *place)
{
	*image = (struct nt_image_symbols){ 0 };
	struct nt_image_refusal refusal;
	int fd = nt_image_open(place, &image->file_size, &refusal);
	if (fd < 0) {
		give_up(image, NT_IMAGE_UNREADABLE, refusal.naming, "%s", refusal.reason);
		return;
	}
	char magic[4] = { 0 };
	elf_version(EV_CURRENT);
	if (nt_foreign_read(fd, magic, sizeof(magic), 0) < 0) {
		give_up(image, NT_IMAGE_UNREADABLE, NT_NAMING_IMAGE_UNREADABLE, "image unreadable: %s", strerrordesc_np(errno));
	} else if (magic[0] == 'M' && magic[1] == 'Z') {
		image->form = NT_IMAGE_PE;
	} else {
		/* ELF_C_READ reads with pread() into its own memory: nothing is mapped. */
		Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
		if (elf && elf_kind(elf) == ELF_K_ELF)
			read_elf(image, elf, place->path, place);
		else
			give_up(image, NT_IMAGE_OTHER, NT_NAMING_IMAGE_UNKNOWN, "no ELF image: %s", base_name(place->path));
		elf_end(elf);
	}
	close(fd);
}

void nt_image_symbols_load_memory(struct nt_image_symbols *image, const char *name, const void *bytes, size_t size)
{
	*image = (struct nt_image_symbols){ .file_size = size };
	char *copy = memcpy(nt_realloc(NULL, size, 1), bytes, size); /* libelf wants to be allowed to write */
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory(copy, size);
	if (elf)
		read_elf(image, elf, name, NULL);
	else
		give_up(image, NT_IMAGE_OTHER, NT_NAMING_IMAGE_UNKNOWN, "no ELF image: %s", name);
	elf_end(elf);
	free(copy);
}

void nt_image_symbols_fini(struct nt_image_symbols *image)
{
	nt_symbols_free(image->symbols);
	image->symbols = NULL;
	nt_bounds_fini(&image->bounds);
}

static uint64_t at_least(uint64_t value, uint64_t least)
{
	return value > least ? value : least;
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
	return value < most ? value : most;
}

bool nt_image_symbols_find(const struct nt_image_symbols *image, uint64_t offset, struct nt_image_function *out)
{
	const struct nt_elf_segment *segment = nt_elf_segment_at(image->segments, image->segment_count, offset);
	if (image->form != NT_IMAGE_ELF || !segment)
		return false;
	struct nt_symbol symbol;
	uint64_t start, end;
	nt_symbols_find(image->symbols, offset, &symbol);
	*out = (struct nt_image_function){ .name = symbol.name };
	out->start = at_least(symbol.start, segment->offset); /* a gap ends with its segment */
	out->end = at_most(symbol.end, segment->offset + segment->file_size);
	if (!symbol.name) {
		/* A function that reaches into a symbol is the one that the symbol names in part: what is left of it is still a part of that function. */
		out->bounded = nt_bounds_find(&image->bounds, offset, &start, &end);
		out->start_address = segment->vaddr + (at_least(start, segment->offset) - segment->offset);
		out->start = at_least(out->start, start);
		out->end = at_most(out->end, end);
	}
	return true;
}

size_t nt_image_symbols_bytes(const struct nt_image_symbols *image)
{
	return (image->symbols ? nt_symbols_bytes(image->symbols) : 0) + image->bounds.capacity * sizeof(*image->bounds.items);
}
