// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/cfi_image.h"

#include "base/alloc.h"
#include "base/library.h"
#include "source/common/foreign_file.h"
#include "source/image/elf_sections.h"
#include "source/image/image_segments.h"
#include "target/common/elf_open.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The library, which every process of nettop's would have mapped and linked otherwise, at its start and at each fork, though call frame information is read by one alone, and only when it is asked for. All
 * pointers are NULL where it is not.
 */
static struct libdw {
#define FUNCTION(name) __typeof__(dwarf_##name) *name;
#include "source/image/libdw.def"
} libdw;

bool nt_cfi_prepare(struct nt_error *err)
{
	static const struct nt_library_function functions[] = {
#define FUNCTION(name) { "dwarf_" #name, offsetof(struct libdw, name) },
#include "source/image/libdw.def"
	};
	struct nt_error failure = { 0 };
	struct libdw found = { 0 };
	if (libdw.getcfi_elf)
		return true;
	if (!nt_library_load("libdw.so.1", "libdw", functions, sizeof(functions) / sizeof(functions[0]), &found, &failure))
		nt_error_set(&failure, NT_ERR_ABSENT, "libdw, which reads call frame information, cannot be loaded");
	if (failure.cause_count) {
		nt_error_set_fix(&failure, "apt-get install libdw1");
		*err = failure;
		return false;
	}
	libdw = found;
	return true;
}

enum {
	CFI_MAX_BYTES = 32 << 20,
	WORD = 8,
};

/* DWARF's numbers of registers (System V ABI, AMD64, figure 3.36). */
enum { DWARF_BP = 6, DWARF_SP = 7, DWARF_PC = 16, DWARF_COUNT };
static const uint8_t dwarf_number[NT_REG_COUNT] = {
	[NT_REG_BX] = 3,   [NT_REG_BP] = DWARF_BP, [NT_REG_SP] = DWARF_SP, [NT_REG_PC] = DWARF_PC,
	[NT_REG_R12] = 12, [NT_REG_R13] = 13,      [NT_REG_R14] = 14,      [NT_REG_R15] = 15,
};

struct nt_cfi_image {
	Elf *elf;       /* owned */
	Dwarf_CFI *cfi; /* owned */
	struct nt_elf_segment segments[NT_IMAGE_SEGMENTS_MAX];
	size_t segment_count;
	uint64_t read_bytes; /* of the file, at most, into memory */
};

/* Where .eh_frame begins in the file, by the header at `offset`, which every linker writes in this form. 0 = in no other place than a trap. */
static uint64_t eh_frame_at(int fd, uint64_t offset)
{
	enum { VERSION = 1, POINTER_AT = 4 };
	uint8_t header[POINTER_AT + sizeof(int32_t)];
	int32_t distance;
	if (nt_foreign_read(fd, header, sizeof(header), (off_t)offset) != (ssize_t)sizeof(header) || header[0] != VERSION ||
	    header[1] != (DW_EH_PE_pcrel | DW_EH_PE_sdata4))
		return 0;
	memcpy(&distance, header + POINTER_AT, sizeof(distance));
	int64_t at = (int64_t)offset + POINTER_AT + distance;
	return at > 0 ? (uint64_t)at : 0;
}

/* The sections are what libdw looks for first: of those it reads nothing else into memory, however much lies behind them in the file, as in a single-file program. */
static bool is_small_section(Elf_Scn *section, Elf_Scn *table, uint64_t file_bytes, uint64_t *read_bytes)
{
	GElf_Shdr frames, header = { 0 };
	if (!gelf_getshdr(section, &frames) || (table && !gelf_getshdr(table, &header)) || frames.sh_type != SHT_PROGBITS)
		return false;
	*read_bytes = frames.sh_size + header.sh_size;
	return frames.sh_size <= file_bytes && header.sh_size <= file_bytes && *read_bytes <= CFI_MAX_BYTES;
}

/* Without sections libdw reads everything from .eh_frame to the end of the file into memory; the same of its header. */
static bool is_small(Elf *elf, int fd, uint64_t file_bytes, uint64_t *read_bytes)
{
	size_t count = 0;
	Elf_Scn *section = nt_elf_section_named(elf, ".eh_frame");
	if (section)
		return is_small_section(section, nt_elf_section_named(elf, ".eh_frame_hdr"), file_bytes, read_bytes);
	if (elf_getphdrnum(elf, &count) != 0)
		return false;
	for (size_t i = 0; i < count && i < PN_XNUM; i++) {
		GElf_Phdr header;
		if (!gelf_getphdr(elf, (int)i, &header))
			return false;
		if (header.p_type != PT_GNU_EH_FRAME)
			continue;
		if (header.p_offset >= file_bytes)
			return false;
		uint64_t frames = eh_frame_at(fd, header.p_offset), first = frames < header.p_offset ? frames : header.p_offset;
		*read_bytes = file_bytes - first;
		return frames && frames < file_bytes && *read_bytes <= CFI_MAX_BYTES;
	}
	return false;
}

/* Of an image whose sections have names, but none this one, libelf (0.188) loses the table of names when libdw finds the information by its segment: no linker leaves such a one, a stranger may, again and again. */
static bool has_section(Elf *elf)
{
	size_t names;
	return elf_getshdrstrndx(elf, &names) != 0 || !names || nt_elf_section_named(elf, ".eh_frame");
}

static bool is_readable(Elf *elf, int fd, uint64_t file_bytes, uint64_t *read_bytes)
{
	GElf_Ehdr header;
	return elf && gelf_getehdr(elf, &header) && header.e_machine == EM_X86_64 && gelf_getclass(elf) == ELFCLASS64 && has_section(elf) &&
	       is_small(elf, fd, file_bytes, read_bytes);
}

struct nt_cfi_image *nt_cfi_image_load(const struct nt_image_place *place)
{
	struct nt_image_refusal refusal; /* nobody asks */
	uint64_t size;
	int fd = libdw.getcfi_elf ? nt_image_open(place, &size, &refusal) : -1;
	if (fd < 0)
		return NULL;
	struct nt_cfi_image *image = nt_alloc(sizeof(*image));
	image->elf = nt_elf_open(fd, NT_ELF_DYNAMIC, NULL);
	if (is_readable(image->elf, fd, size, &image->read_bytes)) {
		image->segment_count = nt_image_segments(image->elf, image->segments);
		image->cfi = libdw.getcfi_elf(image->elf);
		elf_cntl(image->elf, ELF_C_FDDONE);
	}
	close(fd);
	if (image->cfi)
		return image;
	nt_cfi_image_free(image);
	return NULL;
}

void nt_cfi_image_free(struct nt_cfi_image *image)
{
	if (!image)
		return;
	if (image->cfi)
		libdw.cfi_end(image->cfi);
	elf_end(image->elf);
	free(image);
}

uint64_t nt_cfi_image_bytes(const struct nt_cfi_image *image)
{
	return image ? image->read_bytes : 0;
}

static bool reg_of(unsigned number, uint8_t *reg)
{
	for (unsigned i = 0; i < NT_REG_COUNT; i++) {
		if (dwarf_number[i] == number && i != NT_REG_PC) {
			*reg = (uint8_t)i;
			return true;
		}
	}
	return false;
}

/* A register and an offset, of which the word may be meant. */
static bool read_cfa(Dwarf_Frame *frame, struct nt_frame_rule *rule)
{
	Dwarf_Op *ops;
	size_t count;
	if (libdw.frame_cfa(frame, &ops, &count) != 0 || count < 1 || count > 2 || (count == 2 && ops[1].atom != DW_OP_deref))
		return false;
	bool named = ops[0].atom == DW_OP_bregx;
	if (!named && (ops[0].atom < DW_OP_breg0 || ops[0].atom > DW_OP_breg31))
		return false;
	uint64_t number = named ? ops[0].number : (uint64_t)ops[0].atom - DW_OP_breg0;
	int64_t offset = (int64_t)(named ? ops[0].number2 : ops[0].number);
	if (number >= DWARF_COUNT || offset != (int32_t)offset || !reg_of((unsigned)number, &rule->cfa_reg))
		return false;
	rule->cfa_offset = (int32_t)offset;
	rule->cfa_is_word_there = count == 2;
	return true;
}

/* Unchanged, or at some words from the canonical frame address; all else is lost. */
static int16_t read_saved(Dwarf_Frame *frame, enum nt_frame_reg reg)
{
	Dwarf_Op space[3], *ops;
	size_t count;
	if (libdw.frame_register(frame, dwarf_number[reg], space, &ops, &count) != 0)
		return NT_SAVED_LOST;
	if (!count)
		return ops ? NT_SAVED_LOST : NT_SAVED_NOT;
	if (count > 2 || ops[0].atom != DW_OP_call_frame_cfa || (count == 2 && ops[1].atom != DW_OP_plus_uconst))
		return NT_SAVED_LOST;
	int64_t offset = count == 2 ? (int64_t)ops[1].number : 0;
	int64_t words = offset / WORD;
	return offset % WORD || words > INT16_MAX || words <= NT_SAVED_LOST ? NT_SAVED_LOST : (int16_t)words;
}

static void read_rule(Dwarf_Frame *frame, bool is_signal, struct nt_frame_rule *rule)
{
	Dwarf_Op space[3], *ops;
	size_t count;
	*rule = (struct nt_frame_rule){ .way = NT_FRAME_NOWHERE };
	if (is_signal) {
		rule->way = NT_FRAME_SIGNAL;
		return;
	}
	if (libdw.frame_register(frame, DWARF_PC, space, &ops, &count) == 0 && !count && ops) {
		rule->way = NT_FRAME_OUTERMOST;
		return;
	}
	if (!read_cfa(frame, rule))
		return;
	rule->way = NT_FRAME_CFI;
	for (unsigned reg = 0; reg < NT_REG_COUNT; reg++)
		rule->saved[reg] = read_saved(frame, (enum nt_frame_reg)reg);
}

bool nt_cfi_image_has(const struct nt_cfi_image *image, uint64_t offset)
{
	return nt_elf_segment_at(image->segments, image->segment_count, offset) != NULL;
}

bool nt_cfi_image_rule(struct nt_cfi_image *image, uint64_t offset, uint64_t *start, uint64_t *end, struct nt_frame_rule *rule)
{
	const struct nt_elf_segment *segment = nt_elf_segment_at(image->segments, image->segment_count, offset);
	if (!segment)
		return false;
	uint64_t bias = segment->offset - segment->vaddr, address = offset - bias;
	Dwarf_Frame *frame;
	if (libdw.cfi_addrframe(image->cfi, address, &frame) != 0)
		return false;
	bool is_signal = false;
	bool known = libdw.frame_info(frame, start, end, &is_signal) >= 0 && *start <= address && address < *end;
	if (known) {
		uint64_t segment_end = segment->vaddr + segment->file_size;
		*start = (*start > segment->vaddr ? *start : segment->vaddr) + bias;
		*end = (*end < segment_end ? *end : segment_end) + bias;
		read_rule(frame, is_signal, rule);
	}
	free(frame);
	return known;
}
