// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_symbols.h"

#include "base/alloc.h"
#include "base/file_name.h"
#include "decode/common/xz.h"
#include "decode/elf/eh_frame.h"
#include "source/common/foreign_file.h"
#include "source/image/elf_sections.h"
#include "source/image/image_aot.h"
#include "source/image/image_debug.h"
#include "source/image/image_plt.h"
#include "target/common/elf_open.h"
#include "target/process/executable.h"

#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Nobody's packed symbols are larger; they are unpacked into memory. */
enum { PACKED_LIMIT_BYTES = 64 << 20 };

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

/* Read the functions of the first symbol table of `type` in `elf`. False: there is none. */
static bool read_table(struct nt_image_symbols *image, Elf *elf, uint32_t type)
{
	if (!nt_elf_same_byte_order(elf))
		return false;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		const Elf_Data *symtab = nt_elf_section_bytes(section, type, &header);
		const Elf_Data *strtab = symtab ? nt_elf_section_bytes(elf_getscn(elf, header.sh_link), SHT_STRTAB, &header) : NULL;
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
	char path[NT_IMAGE_DEBUG_PATH];
	int fd = nt_image_debug_open(elf, place, path);
	if (fd < 0)
		return false;
	Elf *debug = nt_elf_open(fd, NT_ELF_SYMBOLS, NULL);
	/* The segments stay those of the image: a debug file has none of the bytes, and its offsets mean nothing. */
	bool read = debug && read_table(image, debug, SHT_SYMTAB);
	elf_end(debug);
	close(fd);
	return read;
}

/* A table of symbols in .gnu_debugdata, an ELF file as .xz: those that .dynsym lacks. */
static bool read_packed(struct nt_image_symbols *image, Elf *elf, const char *path)
{
	GElf_Shdr header;
	const Elf_Data *packed = nt_elf_section_bytes(nt_elf_section_named(elf, ".gnu_debugdata"), SHT_PROGBITS, &header);
	if (!packed)
		return false;
	uint8_t *bytes;
	size_t size;
	struct nt_error err = { 0 };
	char text[NT_ERROR_TEXT];
	if (nt_xz_unpack(packed->d_buf, packed->d_size, PACKED_LIMIT_BYTES, &bytes, &size, &err) != NT_OK) {
		give_up(image, NT_IMAGE_ELF, NT_NAMING_STRIPPED, "stripped: .gnu_debugdata of %s %s", nt_file_base_name(path),
			nt_error_reason(&err, text, sizeof(text)));
		return false;
	}
	Elf *inner = nt_elf_open_memory((char *)bytes, size, NT_ELF_SYMBOLS);
	bool read = inner && read_table(image, inner, SHT_SYMTAB);
	elf_end(inner);
	free(bytes);
	if (!read)
		give_up(image, NT_IMAGE_ELF, NT_NAMING_STRIPPED, "stripped: .gnu_debugdata of %s has no symbols", nt_file_base_name(path));
	return read;
}

/* What a library keeps when it is stripped. */
static void read_remains(struct nt_image_symbols *image, Elf *elf, const char *path)
{
	bool packed = read_packed(image, elf, path), exports = read_table(image, elf, SHT_DYNSYM);
	image->exports_only = exports && !packed;
}

/* The unwind table, as far as its segments are known. False: there is none. */
static bool find_frame(const struct nt_image_symbols *image, Elf *elf, struct nt_eh_frame *out)
{
	GElf_Shdr header;
	Elf_Scn *section = nt_elf_section_named(elf, ".eh_frame");
	if (!nt_elf_same_byte_order(elf))
		return false;
	const Elf_Data *data = nt_elf_section_bytes(section, SHT_PROGBITS, &header);
	if (!data) /* linkers for x86-64 may give it a type of its own */
		data = nt_elf_section_bytes(section, SHT_X86_64_UNWIND, &header);
	if (!data)
		return false;
	*out = (struct nt_eh_frame){ .is64 = gelf_getclass(elf) == ELFCLASS64,
				     .bytes = data->d_buf,
				     .size = data->d_size,
				     .vaddr = header.sh_addr,
				     .segments = image->segments,
				     .segment_count = image->segment_count };
	return true;
}

static void read_bounds(struct nt_image_symbols *image, Elf *elf)
{
	struct nt_eh_frame frame;
	bool has_frame = find_frame(image, elf, &frame);
	if (has_frame) {
		nt_eh_frame_read(&frame, &image->bounds);
		nt_bounds_finish(&image->bounds);
	}
	image->aot = nt_image_aot_load(elf, has_frame ? &frame : NULL);
}

/* `place` NULL: there is no file, so no debug file either. */
static void read_elf(struct nt_image_symbols *image, Elf *elf, const char *path, const struct nt_image_place *place)
{
	image->form = NT_IMAGE_ELF;
	image->segment_count = nt_image_segments(elf, image->segments);
	/* Of a library the name says whether it is the runtime's, and some have thousands of symbols. */
	image->holds_runtime = !nt_file_library_end(nt_file_base_name(path)) && nt_executable_holds_runtime(elf);
	image->symbols = nt_symbols_new();
	if (!read_table(image, elf, SHT_SYMTAB) && !(place && read_debug_file(image, elf, place)))
		read_remains(image, elf, path);
	nt_symbols_finish(image->symbols);
	image->plt = nt_symbols_new();
	nt_image_plt_read(elf, image->segments, image->segment_count, image->symbols, image->plt);
	nt_symbols_finish(image->plt);
	read_bounds(image, elf);
	if (!nt_symbols_count(image->symbols) && !image->bounds.count && !*image->reason)
		give_up(image, NT_IMAGE_ELF, NT_NAMING_STRIPPED, "stripped: neither symbols nor an unwind table in %s",
			nt_file_base_name(path));
}

void nt_image_symbols_load(struct nt_image_symbols *image, const struct nt_image_place *place)
{
	*image = (struct nt_image_symbols){ 0 };
	struct nt_image_refusal refusal;
	int fd = nt_image_open(place, &image->file_size, &refusal);
	if (fd < 0) {
		bool unknown = refusal.naming == NT_NAMING_IMAGE_UNKNOWN; /* an opener's word for a file that is no image */
		give_up(image, unknown ? NT_IMAGE_OTHER : NT_IMAGE_UNREADABLE, refusal.naming, "%s", refusal.reason);
		return;
	}
	char magic[4] = { 0 }, objection[NT_OBJECTION_BYTES];
	if (nt_foreign_read(fd, magic, sizeof(magic), 0) < 0) {
		give_up(image, NT_IMAGE_UNREADABLE, NT_NAMING_IMAGE_UNREADABLE, "image unreadable: %s", strerrordesc_np(errno));
	} else if (magic[0] == 'M' && magic[1] == 'Z') {
		image->form = NT_IMAGE_PE;
	} else {
		Elf *elf = nt_elf_open(fd, NT_ELF_SYMBOLS, objection);
		if (elf)
			read_elf(image, elf, place->path, place);
		else if (*objection)
			give_up(image, NT_IMAGE_UNREADABLE, NT_NAMING_IMAGE_UNREADABLE, "image not read: it %s", objection);
		else
			give_up(image, NT_IMAGE_OTHER, NT_NAMING_IMAGE_UNKNOWN, "no ELF image: %s", nt_file_base_name(place->path));
		elf_end(elf);
	}
	close(fd);
}

void nt_image_symbols_load_memory(struct nt_image_symbols *image, const char *name, const void *bytes, size_t size)
{
	*image = (struct nt_image_symbols){ .file_size = size };
	char *copy = memcpy(nt_realloc(NULL, size, 1), bytes, size); /* libelf wants to be allowed to write */
	Elf *elf = nt_elf_open_memory(copy, size, NT_ELF_SYMBOLS);
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
	nt_symbols_free(image->plt);
	image->symbols = image->plt = NULL;
	nt_bounds_fini(&image->bounds);
	nt_image_aot_free(image->aot);
	image->aot = NULL;
}

static uint64_t at_least(uint64_t value, uint64_t least)
{
	return value > least ? value : least;
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
	return value < most ? value : most;
}

static void narrow(struct nt_image_function *function, uint64_t start, uint64_t end)
{
	function->start = at_least(function->start, start);
	function->end = at_most(function->end, end);
}

/* The function or the gap that the tables have at `offset`, in `segment`. */
static void find(const struct nt_image_symbols *image, const struct nt_elf_segment *segment, uint64_t offset, struct nt_image_function *out)
{
	struct nt_symbol symbol, entry;
	*out = (struct nt_image_function){ .start = segment->offset, .end = segment->offset + segment->file_size };
	nt_symbols_find(image->symbols, offset, &symbol);
	narrow(out, symbol.start, symbol.end);
	out->name = symbol.name;
	if (out->name)
		return;
	nt_symbols_find(image->plt, offset, &entry);
	narrow(out, entry.start, entry.end);
	out->name = entry.name;
	if (out->name)
		return;
	/* A function that reaches into a symbol is the one that the symbol names in part: what is left of it is still a part of that function. */
	uint64_t start, end;
	out->bounded = nt_bounds_find(&image->bounds, offset, &start, &end);
	out->start_address = segment->vaddr + (at_least(start, segment->offset) - segment->offset);
	narrow(out, start, end);
}

/* A method is named where its code begins: what begins elsewhere is another function, and in a gap none is known to begin. */
static void find_method(const struct nt_image_symbols *image, const struct nt_elf_segment *segment, struct nt_image_function *out)
{
	uint64_t address = segment->vaddr + (out->start - segment->offset);
	out->managed = nt_image_aot_holds(image->aot, address);
	const char *name = out->name || out->bounded ? nt_image_aot_name(image->aot, address) : NULL;
	if (!name)
		return;
	out->name = name;
	out->method = true;
	out->bounded = false;
}

bool nt_image_symbols_find(struct nt_image_symbols *image, uint64_t offset, struct nt_image_function *out)
{
	const struct nt_elf_segment *segment = nt_elf_segment_at(image->segments, image->segment_count, offset);
	if (image->form != NT_IMAGE_ELF || !segment)
		return false;
	find(image, segment, offset, out);
	find_method(image, segment, out);
	return true;
}

size_t nt_image_symbols_bytes(const struct nt_image_symbols *image)
{
	size_t names = (image->symbols ? nt_symbols_bytes(image->symbols) : 0) + (image->plt ? nt_symbols_bytes(image->plt) : 0);
	return names + image->bounds.capacity * sizeof(*image->bounds.items) + nt_image_aot_bytes(image->aot);
}
