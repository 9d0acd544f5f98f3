// SPDX-License-Identifier: GPL-2.0-only
#include "decode/elf/elf_plt.h"

#include "base/alloc.h"
#include "decode/common/reader.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No image has more; those beyond stay unknown. */
enum { SLOTS_MAX = 1 << 20 };

enum { NAME_BYTES = 4096, RELA_BYTES = sizeof(Elf64_Rela) };

/* A word of the global offset table, and what the relocation says about it. */
struct slot {
	uint64_t address;
	uint32_t symbol;   /* in .dynsym; 0 = none */
	uint64_t resolver; /* of an indirect function of the image itself: where the function is that chooses the code */
};

static bool slot_from(const uint8_t *rela, struct slot *out)
{
	Elf64_Rela r;
	memcpy(&r, rela, sizeof(r));
	*out = (struct slot){ .address = r.r_offset };
	switch (ELF64_R_TYPE(r.r_info)) {
	case R_X86_64_JUMP_SLOT:
	case R_X86_64_GLOB_DAT:
		out->symbol = (uint32_t)ELF64_R_SYM(r.r_info);
		return out->symbol != 0;
	case R_X86_64_IRELATIVE:
		out->resolver = (uint64_t)r.r_addend;
		return true;
	default:
		return false;
	}
}

static int by_address(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* Owned by the caller. */
static struct slot *read_slots(const struct nt_elf_plt *plt, size_t *count)
{
	struct slot *slots = NULL;
	size_t capacity = 0;
	*count = 0;
	for (size_t at = 0; plt->rela_size - at >= RELA_BYTES && *count < SLOTS_MAX; at += RELA_BYTES) {
		slots = nt_grow(slots, &capacity, *count + 1, sizeof(*slots));
		*count += slot_from(plt->rela + at, &slots[*count]);
	}
	if (*count)
		qsort(slots, *count, sizeof(*slots), by_address);
	return slots;
}

/* ---- names ---- */

/* NULL when the tables do not have it, or it is too long: one string may be the name of all. */
static const char *symbol_name(const struct nt_elf_plt *plt, uint32_t index)
{
	Elf64_Sym symbol;
	if (!plt->strtab || index >= plt->symtab_size / sizeof(symbol))
		return NULL;
	memcpy(&symbol, plt->symtab + index * sizeof(symbol), sizeof(symbol));
	if (symbol.st_name >= plt->strtab_size)
		return NULL;
	const char *name = plt->strtab + symbol.st_name;
	size_t left = plt->strtab_size - symbol.st_name, room = left < NAME_BYTES ? left : NAME_BYTES;
	return *name && memchr(name, '\0', room) ? name : NULL;
}

/* The indirect function that begins at `vaddr`; NULL = it has no name. */
static const char *function_name(const struct nt_elf_plt *plt, uint64_t vaddr)
{
	const struct nt_elf_segment *segment = nt_elf_segment_of(plt->segments, plt->segment_count, vaddr);
	if (!segment || segment->offset > UINT64_MAX - segment->file_size)
		return NULL;
	struct nt_symbol function;
	uint64_t offset = segment->offset + (vaddr - segment->vaddr);
	return nt_symbols_find(plt->functions, offset, &function) && function.start == offset ? function.name : NULL;
}

/* As binutils write it. 0: the relocation names nobody, or somebody whose name is too long. */
static size_t name_of(const struct nt_elf_plt *plt, const struct slot *slot, char buf[NAME_BYTES])
{
	const char *name = slot->symbol ? symbol_name(plt, slot->symbol) : function_name(plt, slot->resolver);
	int length = 0;
	if (name)
		length = snprintf(buf, NAME_BYTES, "%s@plt", name);
	else if (!slot->symbol)
		length = snprintf(buf, NAME_BYTES, "*ABS*+0x%" PRIx64 "@plt", slot->resolver);
	return length < NAME_BYTES ? (size_t)length : 0;
}

/* ---- entries ---- */

static bool take(struct nt_reader *reader, const char *code, size_t length)
{
	if (nt_reader_left(reader) < length || memcmp(reader->at, code, length) != 0)
		return false;
	reader->at += length;
	return true;
}

/* What the entry of which `reader` has the bytes jumps to. */
static bool slot_of_entry(const struct nt_elf_plt *plt, const struct slot *slots, size_t slot_count, struct nt_reader reader,
			  struct slot *out)
{
	take(&reader, "\xf3\x0f\x1e\xfa", 4); /* endbr64 */
	if (take(&reader, "\x68", 1)) {       /* push $INDEX: the lazy half, where .plt.sec has the other */
		uint64_t at = (uint64_t)nt_reader_u32(&reader) * RELA_BYTES;
		return !reader.bad && at < plt->rela_size && plt->rela_size - at >= RELA_BYTES && slot_from(plt->rela + at, out);
	}
	take(&reader, "\xf2", 1);          /* bnd */
	if (!take(&reader, "\xff\x25", 2)) /* jmp *DISPLACEMENT(%rip) */
		return false;
	int32_t displacement = nt_reader_i32(&reader);
	const struct slot wanted = { .address = plt->vaddr + (uint64_t)(reader.at - plt->bytes) + (uint64_t)(int64_t)displacement };
	const struct slot *found = reader.bad || !slot_count ? NULL : bsearch(&wanted, slots, slot_count, sizeof(*slots), by_address);
	if (found)
		*out = *found;
	return found != NULL;
}

size_t nt_elf_plt_read(const struct nt_elf_plt *plt, struct nt_symbols *out)
{
	size_t slot_count, added = 0;
	struct slot *slots = read_slots(plt, &slot_count);
	for (size_t at = 0; plt->size - at >= plt->entry_bytes; at += plt->entry_bytes) {
		uint64_t vaddr = plt->vaddr + at;
		const struct nt_elf_segment *segment = nt_elf_segment_of(plt->segments, plt->segment_count, vaddr);
		struct slot slot;
		char name[NAME_BYTES];
		if (!segment || segment->offset > UINT64_MAX - segment->file_size ||
		    segment->file_size - (vaddr - segment->vaddr) < plt->entry_bytes ||
		    !slot_of_entry(plt, slots, slot_count, nt_reader_of(plt->bytes + at, plt->entry_bytes), &slot))
			continue;
		size_t length = name_of(plt, &slot, name);
		if (!length)
			continue;
		nt_symbols_add(out, segment->offset + (vaddr - segment->vaddr), plt->entry_bytes, 0, name, length);
		added++;
	}
	free(slots);
	return added;
}
