// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first word of a method's header leads to what a debugger would ask for. Neither that word nor what lies there is described, so it is read only of the runtime whose form is known (10: codeman.h, debuginfostore.cpp),
 * and only where the fields around it lie as they do there: a byte of flags; for on-stack replacement a list of patchpoints; what is said of inlining; then the bounds.
 */
#include "decode/contract/contract_il.h"

#include "base/hash.h"

#include <string.h>

enum {
	METHOD_AT = 24, /* in a header, and where the fields lie then that are described */
	UNWIND_COUNT_AT = 32,
	HAS_PATCHPOINTS = 1,
	HAS_INLINES = 2,
	PATCHPOINTS_BYTES = 40, /* and 4 for each */
	PATCHPOINTS_COUNT_AT = 16,
	PATCHPOINTS_MAX = 1 << 16,
	INLINES_BYTES_MAX = 16 << 20,
	INFO_BYTES_MAX = 1 << 20, /* from the bounds on */
};

static bool is_known(const struct nt_layout *layout)
{
	return layout->offsets[NT_OFF_HEADER_METHOD] == METHOD_AT && layout->offsets[NT_OFF_HEADER_UNWIND_COUNT] == UNWIND_COUNT_AT;
}

/* Where the bounds are said; 0: it cannot be read. */
static uint64_t skip_to_bounds(struct nt_memory *memory, uint64_t info)
{
	bool bad = false;
	uint8_t flags = nt_memory_u8(memory, info++, &bad);
	if (flags & ~(HAS_PATCHPOINTS | HAS_INLINES))
		return 0;
	if (flags & HAS_PATCHPOINTS) {
		uint32_t count = nt_memory_u32(memory, info + PATCHPOINTS_COUNT_AT, &bad);
		if (count > PATCHPOINTS_MAX)
			return 0;
		info += PATCHPOINTS_BYTES + (uint64_t)count * sizeof(uint32_t);
	}
	if (flags & HAS_INLINES) {
		uint32_t bytes = nt_memory_u32(memory, info, &bad);
		if (bytes > INLINES_BYTES_MAX)
			return 0;
		info += sizeof(bytes) + (uint64_t)bytes;
	}
	return bad ? 0 : info;
}

/* Memory from `base` on, as a file. A piece may reach beyond what there is: that is 0, and says nothing. */
struct piece {
	struct nt_memory *memory;
	uint64_t base;
};

static bool read_piece(void *context, uint64_t offset, void *buf, size_t size)
{
	struct piece *piece = context;
	uint8_t *out = buf;
	bool any = false;
	for (uint64_t at = piece->base + offset, end = at + size; at < end;) {
		uint64_t next = (at | (NT_PAGE_BYTES - 1)) + 1;
		size_t some = (size_t)((next < end ? next : end) - at);
		if (nt_memory_read(piece->memory, at, out, some))
			any = true;
		else
			memset(out, 0, some);
		out += some;
		at += some;
	}
	return any;
}

bool nt_contract_il_read(struct nt_memory *memory, uint64_t info, uint64_t size, uint32_t *il, uint32_t *native, struct nt_il_map *out)
{
	struct piece piece = { .memory = memory, .base = skip_to_bounds(memory, info) };
	*out = (struct nt_il_map){ 0 };
	if (!piece.base || piece.base > NT_ADDRESS_LIMIT)
		return false;
	const struct nt_window_source source = { .read = read_piece, .context = &piece, .size = INFO_BYTES_MAX, .by_page = true };
	struct nt_window *window = nt_window_new(&source);
	bool read = nt_debug_bounds_read(window, 0, INFO_BYTES_MAX, true, il, native, out);
	nt_window_free(window);
	for (uint32_t i = 0; read && i < out->count; i++)
		read = native[i] <= size; /* else it is no map of this code */
	return read;
}

static enum nt_contract_il look(struct nt_contract *contract, uint64_t address, struct nt_contract_code *code, uint32_t *il,
				uint32_t *native, struct nt_il_map *out)
{
	bool bad = false;
	*out = (struct nt_il_map){ 0 };
	if (!nt_contract_code_at(contract, address, code) || code->kind != NT_CONTRACT_JIT)
		return NT_CONTRACT_IL_NO_CODE;
	uint64_t header = nt_memory_u64(contract->memory, code->start - sizeof(uint64_t), &bad);
	uint64_t info = bad ? 0 : nt_memory_u64(contract->memory, header, &bad);
	if (bad)
		return NT_CONTRACT_IL_NO_CODE;
	if (!info)
		return NT_CONTRACT_IL_NONE;
	return nt_contract_il_read(contract->memory, info, code->size, il, native, out) ? NT_CONTRACT_IL_READ : NT_CONTRACT_IL_BROKEN;
}

static uint64_t hash_of(const struct nt_il_map *map)
{
	return nt_hash_mix(nt_hash_bytes(map->il_offsets, map->count * sizeof(uint32_t))) ^
	       nt_hash_bytes(map->native_offsets, map->count * sizeof(uint32_t));
}

enum nt_contract_il nt_contract_il_at(struct nt_contract *contract, uint64_t address, struct nt_contract_code *code, uint32_t *il,
				      uint32_t *native, struct nt_il_map *out)
{
	*out = (struct nt_il_map){ 0 };
	*code = (struct nt_contract_code){ 0 };
	if (!is_known(&contract->layout))
		return NT_CONTRACT_IL_BROKEN;
	const struct nt_code_section *section = nt_contract_section_at(contract, address);
	bool may_go = section && section->flags & NT_SECTION_COLLECTIBLE;
	if (may_go)
		nt_memory_forget(contract->memory);
	enum nt_contract_il result = look(contract, address, code, il, native, out);
	if (!may_go || result != NT_CONTRACT_IL_READ)
		return result;
	uint64_t first = hash_of(out), method = code->method, start = code->start, size = code->size;
	nt_memory_forget(contract->memory);
	result = look(contract, address, code, il, native, out);
	bool same = result == NT_CONTRACT_IL_READ && hash_of(out) == first && code->method == method && code->start == start &&
		    code->size == size;
	return same ? NT_CONTRACT_IL_READ : NT_CONTRACT_IL_BROKEN;
}
