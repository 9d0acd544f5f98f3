// SPDX-License-Identifier: GPL-2.0-only
#include "decode/core/image_head.h"

#include <elf.h>
#include <string.h>

enum {
	BUILD_ID_LEAST = 2,
	GNU_NAME_BYTES = sizeof("GNU"),
	NOTES_MAX = 64,
	MAPPED_BYTES = 4096,
	/* PE: where its header is, what that has, sections behind it */
	PE_AT = 0x3c,
	PE_SIGNATURE = 4,
	PE_SECTIONS_AT = 6,
	PE_OPTIONAL_SIZE_AT = 20,
	PE_HEADER = 24,
	PE_SECTION = 40,
	PE_RAW_SIZE_AT = 16,
	PE_RAW_AT = 20,
	PE_FLAGS_AT = 36
};

#define PE_WRITE UINT32_C(0x80000000)

static bool take(const uint8_t *page, uint64_t offset, void *into, size_t size)
{
	if (offset > NT_IMAGE_HEAD_BYTES || size > NT_IMAGE_HEAD_BYTES - offset)
		return false;
	memcpy(into, page + offset, size);
	return true;
}

static uint32_t u32(const uint8_t *page, uint64_t offset)
{
	uint32_t value = 0;
	take(page, offset, &value, sizeof(value));
	return value;
}

static uint16_t u16(const uint8_t *page, uint64_t offset)
{
	uint16_t value = 0;
	take(page, offset, &value, sizeof(value));
	return value;
}

/* Pages are mapped whole. */
static void add_part(struct nt_image_head *out, uint64_t start, uint64_t size)
{
	uint64_t end;
	if (!size || out->part_count == NT_IMAGE_PARTS_MAX || __builtin_add_overflow(start, size, &end) || end > INT64_MAX)
		return;
	start &= ~(uint64_t)(MAPPED_BYTES - 1);
	end = (end + MAPPED_BYTES - 1) & ~(uint64_t)(MAPPED_BYTES - 1);
	out->parts[out->part_count++] = (struct nt_image_part){ start, end };
}

/* ---- ELF ---- */

static uint64_t aligned(uint64_t size)
{
	return (size + 3) & ~UINT64_C(3);
}

static void take_id(const uint8_t *page, const Elf64_Phdr *notes, struct nt_image_head *out)
{
	uint64_t at = notes->p_offset, left = notes->p_filesz;
	for (unsigned i = 0; i < NOTES_MAX && left >= sizeof(Elf64_Nhdr); i++) {
		Elf64_Nhdr note;
		char name[GNU_NAME_BYTES];
		if (!take(page, at, &note, sizeof(note)))
			return;
		uint64_t content = at + sizeof(note) + aligned(note.n_namesz),
			 size = sizeof(note) + aligned(note.n_namesz) + aligned(note.n_descsz);
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(name) && take(page, at + sizeof(note), name, sizeof(name)) &&
		    memcmp(name, "GNU", sizeof(name)) == 0 && note.n_descsz >= BUILD_ID_LEAST && note.n_descsz <= NT_IMAGE_ID_MAX &&
		    take(page, content, out->id, note.n_descsz)) {
			out->id_length = note.n_descsz;
			return;
		}
		if (size > left)
			return;
		at += size;
		left -= size;
	}
}

static void read_elf(const uint8_t *page, struct nt_image_head *out)
{
	Elf64_Ehdr header;
	memcpy(&header, page, sizeof(header));
	out->is_elf = true;
	if (page[EI_CLASS] != ELFCLASS64 || page[EI_DATA] != ELFDATA2LSB || header.e_phentsize != sizeof(Elf64_Phdr))
		return;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;
		uint64_t offset;
		if (__builtin_add_overflow(header.e_phoff, i * sizeof(segment), &offset) || !take(page, offset, &segment, sizeof(segment)))
			return;
		if (segment.p_type == PT_LOAD && !(segment.p_flags & PF_W))
			add_part(out, segment.p_offset, segment.p_filesz);
		if (segment.p_type == PT_NOTE && !out->id_length)
			take_id(page, &segment, out);
	}
}

/* ---- PE ---- */

static bool read_pe(const uint8_t *page, struct nt_image_head *out)
{
	uint64_t at = u32(page, PE_AT);
	uint8_t signature[PE_SIGNATURE];
	if (!take(page, at, signature, sizeof(signature)) || memcmp(signature, "PE\0", sizeof(signature)) != 0)
		return false;
	out->is_pe = true;
	unsigned count = u16(page, at + PE_SECTIONS_AT);
	uint64_t section = at + PE_HEADER + u16(page, at + PE_OPTIONAL_SIZE_AT);
	add_part(out, 0, NT_IMAGE_HEAD_BYTES);
	for (unsigned i = 0; i < count && section + PE_SECTION <= NT_IMAGE_HEAD_BYTES; i++, section += PE_SECTION)
		if (!(u32(page, section + PE_FLAGS_AT) & PE_WRITE))
			add_part(out, u32(page, section + PE_RAW_AT), u32(page, section + PE_RAW_SIZE_AT));
	return true;
}

bool nt_image_head_read(const uint8_t page[NT_IMAGE_HEAD_BYTES], struct nt_image_head *out)
{
	*out = (struct nt_image_head){ 0 };
	if (memcmp(page, ELFMAG, SELFMAG) == 0)
		read_elf(page, out);
	else if (memcmp(page, "MZ", 2) == 0)
		read_pe(page, out);
	return out->is_elf || out->is_pe;
}

bool nt_image_head_is_constant(const struct nt_image_head *head, uint64_t offset, uint64_t size)
{
	for (size_t i = 0; i < head->part_count; i++) {
		const struct nt_image_part *part = &head->parts[i];
		if (offset >= part->start && offset < part->end && size <= part->end - offset)
			return true;
	}
	return false;
}

enum nt_image_match nt_image_head_match(const uint8_t a[NT_IMAGE_HEAD_BYTES], const uint8_t b[NT_IMAGE_HEAD_BYTES])
{
	struct nt_image_head x, y;
	if (!nt_image_head_read(a, &x) || !nt_image_head_read(b, &y) || x.is_elf != y.is_elf)
		return NT_IMAGE_OTHER;
	if (x.is_pe)
		return memcmp(a, b, NT_IMAGE_HEAD_BYTES) == 0 ? NT_IMAGE_SAME : NT_IMAGE_OTHER;
	if (!x.id_length || !y.id_length)
		return NT_IMAGE_UNSURE;
	return x.id_length == y.id_length && memcmp(x.id, y.id, x.id_length) == 0 ? NT_IMAGE_SAME : NT_IMAGE_OTHER;
}
