// SPDX-License-Identifier: GPL-2.0-only
#include "decode/core/image_data.h"

#include <elf.h>
#include <string.h>

/* libcoreclr.so has 18 644 relocations in 450 KB. */
enum { SEGMENTS_MAX = 64, DYNAMIC_MAX = 512, RELOCATIONS_MAX = 1 << 20, WORD = sizeof(uint64_t) };

#ifndef DT_RELR
#define DT_RELR 36
#endif

struct image {
	struct nt_window *file;
	Elf64_Phdr segments[SEGMENTS_MAX];
	unsigned count;
	uint64_t bias; /* of addresses in memory to those in the file */
};

struct table {
	uint64_t address, size; /* in the file's addresses */
	bool other_form;
};

static bool take(struct nt_window *file, uint64_t offset, void *into, size_t size)
{
	const uint8_t *bytes = nt_window_at(file, offset, size);
	if (bytes)
		memcpy(into, bytes, size);
	return bytes != NULL;
}

static bool read_segments(struct image *image, uint64_t base)
{
	Elf64_Ehdr header;
	bool loaded = false;
	if (!take(image->file, 0, &header, sizeof(header)) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > SEGMENTS_MAX)
		return false;
	for (; image->count < header.e_phnum; image->count++) {
		Elf64_Phdr *segment = &image->segments[image->count];
		if (!take(image->file, header.e_phoff + image->count * sizeof(*segment), segment, sizeof(*segment)))
			return false;
		if (segment->p_type == PT_LOAD && !segment->p_offset && !loaded) {
			image->bias = base - segment->p_vaddr;
			loaded = true;
		}
	}
	return loaded;
}

/* Where in the file something is. False: in none of its segments. */
static bool find(const struct image *image, uint64_t address, uint64_t size, uint64_t *offset)
{
	for (unsigned i = 0; i < image->count; i++) {
		const Elf64_Phdr *segment = &image->segments[i];
		uint64_t within = address - segment->p_vaddr;
		if (segment->p_type != PT_LOAD || address < segment->p_vaddr || within >= segment->p_filesz ||
		    size > segment->p_filesz - within)
			continue;
		return !__builtin_add_overflow(segment->p_offset, within, offset);
	}
	return false;
}

static bool read_dynamic(const struct image *image, struct table *out)
{
	*out = (struct table){ 0 };
	for (unsigned i = 0; i < image->count; i++) {
		const Elf64_Phdr *segment = &image->segments[i];
		if (segment->p_type != PT_DYNAMIC)
			continue;
		for (unsigned k = 0; k < DYNAMIC_MAX && (k + 1) * sizeof(Elf64_Dyn) <= segment->p_filesz; k++) {
			Elf64_Dyn entry;
			if (!take(image->file, segment->p_offset + k * sizeof(entry), &entry, sizeof(entry)))
				return false;
			if (entry.d_tag == DT_NULL)
				return true;
			if (entry.d_tag == DT_RELA)
				out->address = entry.d_un.d_ptr;
			else if (entry.d_tag == DT_RELASZ)
				out->size = entry.d_un.d_val;
			out->other_form |= entry.d_tag == DT_RELR || (entry.d_tag == DT_RELAENT && entry.d_un.d_val != sizeof(Elf64_Rela));
		}
		return true;
	}
	return true;
}

/* A word may lie over the border of two pages. */
static void put_word(uint8_t page[NT_IMAGE_DATA_PAGE], uint64_t start, uint64_t at, uint64_t value)
{
	uint8_t bytes[WORD];
	memcpy(bytes, &value, sizeof(bytes));
	for (unsigned i = 0; i < WORD; i++) {
		uint64_t within = at + i - start;
		if (within < NT_IMAGE_DATA_PAGE)
			page[within] = bytes[i];
	}
}

static bool relocate(const struct image *image, const struct table *table, uint64_t start, uint8_t page[NT_IMAGE_DATA_PAGE])
{
	uint64_t offset, count = table->size / sizeof(Elf64_Rela);
	if (!count)
		return true;
	if (count > RELOCATIONS_MAX || !find(image, table->address, count * sizeof(Elf64_Rela), &offset))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		Elf64_Rela entry;
		if (!take(image->file, offset + i * sizeof(entry), &entry, sizeof(entry)))
			return false;
		if (ELF64_R_TYPE(entry.r_info) == R_X86_64_RELATIVE && entry.r_offset + WORD > start &&
		    entry.r_offset < start + NT_IMAGE_DATA_PAGE)
			put_word(page, start, entry.r_offset, image->bias + (uint64_t)entry.r_addend);
	}
	return true;
}

/* What of the file is mapped there: of two segments that share a page, of each its part. False: nothing. */
static bool fill(const struct image *image, uint64_t start, uint8_t page[NT_IMAGE_DATA_PAGE])
{
	bool any = false;
	memset(page, 0, NT_IMAGE_DATA_PAGE);
	for (unsigned i = 0; i < image->count; i++) {
		const Elf64_Phdr *segment = &image->segments[i];
		uint64_t end, file_end;
		if (segment->p_type != PT_LOAD || __builtin_add_overflow(segment->p_vaddr, segment->p_filesz, &end) ||
		    __builtin_add_overflow(segment->p_offset, segment->p_filesz, &file_end))
			continue;
		uint64_t from = segment->p_vaddr > start ? segment->p_vaddr : start;
		uint64_t to = end < start + NT_IMAGE_DATA_PAGE ? end : start + NT_IMAGE_DATA_PAGE;
		if (from >= to)
			continue;
		if (!take(image->file, segment->p_offset + (from - segment->p_vaddr), page + (from - start), (size_t)(to - from)))
			return false;
		any = true;
	}
	return any;
}

bool nt_image_data_page(struct nt_window *file, uint64_t base, uint64_t address, uint8_t page[NT_IMAGE_DATA_PAGE])
{
	struct image image = { .file = file };
	struct table table;
	if (!read_segments(&image, base))
		return false;
	uint64_t start = address - image.bias;
	if (start > UINT64_MAX - NT_IMAGE_DATA_PAGE - WORD || start % NT_IMAGE_DATA_PAGE)
		return false;
	return read_dynamic(&image, &table) && !table.other_form && fill(&image, start, page) && relocate(&image, &table, start, page);
}
