// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/code_at.h"

enum {
	FUNCTIONS_MAX = 4096,          /* of a method */
	IMAGE_FUNCTIONS_MAX = 4 << 20, /* of a precompiled image */
	LINEAR_UNITS_MAX = 100000,     /* of a nibble map of version 1, gone through backwards */
	FUNCLETS_MAX = 64,             /* gone through backwards to their method */
	HASH_BUCKETS_MAX = 1 << 24,
	HASH_LOOKS_MAX = 4096,
	HASH_SLOTS = 4,
	HASH_BUCKET_BYTES = 64,
};

/* ---- generated code: the nibble map says where methods begin ---- */

struct heap {
	uint64_t base, map; /* what the map counts from; the map */
	uint64_t start, end;
	unsigned version;
};

enum { UNIT_BYTES = 256, NIBBLES = 8, NIBBLE_BYTES = 32, NIBBLE_LAST = 8 };

static uint32_t unit_at(const struct nt_contract *contract, const struct heap *heap, uint64_t unit, bool *bad)
{
	return nt_memory_u32(contract->memory, heap->map + unit * sizeof(uint32_t), bad);
}

/* Version 2: the whole unit is inside one method, and says where that begins. */
static bool unit_points(const struct heap *heap, uint32_t unit, uint64_t *start)
{
	uint32_t low = unit & 15;
	if (heap->version < 2 || low <= NIBBLE_LAST)
		return false;
	*start = heap->base + (unit & ~UINT32_C(15)) + (uint64_t)(low - NIBBLE_LAST - 1) * 4;
	return true;
}

/* The last method that begins in the unit, of the nibbles up to number `last` of it. */
static bool last_in_unit(const struct heap *heap, uint32_t bits, uint64_t unit, unsigned last, uint64_t *start)
{
	for (unsigned i = last + 1; i-- > 0;) {
		uint32_t nibble = bits >> (28 - 4 * i) & 15;
		if (nibble && nibble <= NIBBLE_LAST) {
			*start = heap->base + unit * UNIT_BYTES + i * NIBBLE_BYTES + (uint64_t)(nibble - 1) * 4;
			return true;
		}
	}
	return false;
}

static bool method_start(const struct nt_contract *contract, const struct heap *heap, uint64_t address, uint64_t *start)
{
	uint64_t offset = address - heap->base, unit = offset / UNIT_BYTES;
	unsigned nibble_number = offset / NIBBLE_BYTES % NIBBLES, within = offset % NIBBLE_BYTES / 4 + 1;
	bool bad = false;
	uint32_t bits = unit_at(contract, heap, unit, &bad);
	if (bad)
		return false;
	if (unit_points(heap, bits, start))
		return true;
	uint32_t own = bits >> (28 - 4 * nibble_number) & 15;
	if (own && own <= within && last_in_unit(heap, bits, unit, nibble_number, start))
		return true;
	if (nibble_number && last_in_unit(heap, bits, unit, nibble_number - 1, start))
		return true;
	for (unsigned i = 0; unit-- > 0 && i < (heap->version < 2 ? LINEAR_UNITS_MAX : 1); i++) {
		bits = unit_at(contract, heap, unit, &bad);
		if (bad)
			return false;
		if (unit_points(heap, bits, start) || last_in_unit(heap, bits, unit, NIBBLES - 1, start))
			return true;
	}
	return false;
}

/* The functions of a method, behind its header. Their addresses are relative to the section. */
static bool read_functions(const struct nt_contract *contract, const struct nt_code_section *section, uint64_t header, uint64_t address,
			   struct nt_contract_code *out)
{
	bool bad = false;
	uint32_t count = nt_contract_u32(contract, header, NT_OFF_HEADER_UNWIND_COUNT, &bad);
	uint64_t function = nt_contract_place(contract, header, NT_OFF_HEADER_UNWIND), least = UINT64_MAX, most = 0;
	if (bad || !count || count > FUNCTIONS_MAX)
		return false;
	for (uint32_t i = 0; i < count; i++, function += contract->layout.offsets[NT_OFF_FUNCTION_SIZE]) {
		uint64_t begin = section->begin + nt_contract_u32(contract, function, NT_OFF_FUNCTION_BEGIN, &bad);
		uint64_t end = section->begin + nt_contract_u32(contract, function, NT_OFF_FUNCTION_END, &bad);
		if (bad || begin >= end)
			return false;
		if (address >= begin && address < end) {
			out->function_start = begin;
			out->function_end = end;
			out->funclet = i > 0;
			out->unwind = section->begin + nt_contract_u32(contract, function, NT_OFF_FUNCTION_UNWIND, &bad);
		}
		least = begin < least ? begin : least;
		most = end > most ? end : most;
	}
	out->start = least;
	out->size = most - least;
	return !bad && out->function_end;
}

static bool code_in_heap(const struct nt_contract *contract, const struct nt_code_section *section, uint64_t address,
			 struct nt_contract_code *out)
{
	bool bad = false;
	struct heap heap = {
		.base = nt_contract_u64(contract, section->heap, NT_OFF_HEAP_MAP_BASE, &bad),
		.map = nt_contract_u64(contract, section->heap, NT_OFF_HEAP_MAP, &bad),
		.start = nt_contract_u64(contract, section->heap, NT_OFF_HEAP_START, &bad),
		.end = nt_contract_u64(contract, section->heap, NT_OFF_HEAP_END, &bad),
		.version = contract->layout.code_map_version,
	};
	uint64_t start;
	if (bad || address < heap.base || address < heap.start || address >= heap.end || !method_start(contract, &heap, address, &start))
		return false;
	uint64_t header = nt_memory_u64(contract->memory, start - sizeof(uint64_t), &bad);
	if (bad)
		return false;
	if (header <= contract->layout.globals[NT_GLOBAL_STUB_KIND_LAST]) {
		out->kind = NT_CONTRACT_STUB;
		out->stub_kind = (uint32_t)header;
		return true;
	}
	out->kind = NT_CONTRACT_JIT;
	out->method = nt_contract_u64(contract, header, NT_OFF_HEADER_METHOD, &bad);
	return !bad && read_functions(contract, section, header, address, out);
}

/* ---- precompiled code: a sorted list of functions, and a hash table of those that begin a method ---- */

struct image {
	uint64_t base;
	uint64_t functions; /* the list */
	uint32_t count;
	uint64_t buckets; /* of the table */
	uint32_t bucket_count;
};

static uint64_t function_begin(const struct nt_contract *contract, const struct image *image, uint32_t number, bool *bad)
{
	uint64_t function = image->functions + (uint64_t)number * contract->layout.offsets[NT_OFF_FUNCTION_SIZE];
	return image->base + nt_contract_u32(contract, function, NT_OFF_FUNCTION_BEGIN, bad);
}

/* The MethodDesc of the method that begins at the address; 0: none does that has run. */
static uint64_t method_of_entry(const struct nt_contract *contract, const struct image *image, uint64_t address, bool *bad)
{
	uint32_t bucket = (uint32_t)(address >> 2), step = 1 + ((uint32_t)(address >> 5) + 1) % (image->bucket_count - 1);
	for (unsigned i = 0; i < HASH_LOOKS_MAX && i < image->bucket_count; i++, bucket += step) {
		uint64_t place = image->buckets + (uint64_t)(bucket % image->bucket_count + 1) * HASH_BUCKET_BYTES;
		uint64_t keys[2 * HASH_SLOTS]; /* the values behind them */
		if (!nt_memory_read(contract->memory, place, keys, sizeof(keys))) {
			*bad = true;
			return 0;
		}
		for (unsigned slot = 0; slot < HASH_SLOTS; slot++)
			if (keys[slot] == address)
				return (keys[HASH_SLOTS + slot] & contract->layout.globals[NT_GLOBAL_HASH_VALUE_MASK]) << 1;
		if (!(keys[HASH_SLOTS] >> 63))
			return 0; /* nothing that belongs here had to go to another one */
	}
	return 0;
}

static bool read_image(const struct nt_contract *contract, const struct nt_code_section *section, uint64_t address, struct image *out,
		       bool *thunk)
{
	bool bad = false;
	uint64_t own = nt_contract_u64(contract, section->module, NT_OFF_MODULE_R2R, &bad);
	uint64_t info = nt_contract_u64(contract, own, NT_OFF_R2R_COMPOSITE, &bad);
	if (!info)
		info = own;
	*out = (struct image){ .base = section->begin };
	out->functions = nt_contract_u64(contract, info, NT_OFF_R2R_FUNCTIONS, &bad);
	out->count = nt_contract_u32(contract, info, NT_OFF_R2R_FUNCTION_COUNT, &bad);
	uint64_t map = nt_contract_place(contract, info, NT_OFF_R2R_ENTRY_POINTS);
	out->buckets = nt_contract_u64(contract, map, NT_OFF_HASH_BUCKETS, &bad);
	out->bucket_count = nt_memory_u32(contract->memory, out->buckets, &bad);
	uint64_t thunks = nt_contract_u64(contract, info, NT_OFF_R2R_THUNKS, &bad);
	if (bad || !out->count || out->count > IMAGE_FUNCTIONS_MAX || out->bucket_count < 2 || out->bucket_count > HASH_BUCKETS_MAX)
		return false;
	if (thunks) {
		uint64_t begin = section->begin + nt_contract_u32(contract, thunks, NT_OFF_DIRECTORY_ADDRESS, &bad);
		*thunk = address >= begin && address - begin < nt_contract_u32(contract, thunks, NT_OFF_DIRECTORY_SIZE, &bad);
	}
	return !bad;
}

static bool code_in_image(const struct nt_contract *contract, const struct nt_code_section *section, uint64_t address,
			  struct nt_contract_code *out)
{
	struct image image;
	bool bad = false, thunk = false;
	if (!read_image(contract, section, address, &image, &thunk))
		return false;
	if (thunk) {
		out->kind = NT_CONTRACT_STUB;
		return true;
	}
	uint32_t low = 0, high = image.count;
	while (low < high && !bad) { /* the first that begins above the address */
		uint32_t middle = low + (high - low) / 2;
		if (function_begin(contract, &image, middle, &bad) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (bad || !low)
		return false;
	uint32_t number = low - 1;
	uint64_t function = image.functions + (uint64_t)number * contract->layout.offsets[NT_OFF_FUNCTION_SIZE];
	out->kind = NT_CONTRACT_R2R;
	out->function_start = function_begin(contract, &image, number, &bad);
	out->function_end = section->begin + nt_contract_u32(contract, function, NT_OFF_FUNCTION_END, &bad);
	out->unwind = section->begin + nt_contract_u32(contract, function, NT_OFF_FUNCTION_UNWIND, &bad);
	if (bad || address >= out->function_end)
		return false;
	for (unsigned i = 0; i < FUNCLETS_MAX && i <= number && !out->method && !bad; i++) {
		out->start = function_begin(contract, &image, number - i, &bad);
		out->method = method_of_entry(contract, &image, out->start, &bad);
		out->funclet = i > 0;
	}
	if (!out->method) { /* of no method that is known: the function alone is */
		out->start = out->function_start;
		out->funclet = false;
	}
	out->size = out->function_end - out->start;
	return !bad;
}

bool nt_contract_code_at(struct nt_contract *contract, uint64_t address, struct nt_contract_code *out)
{
	const struct nt_code_section *section = nt_contract_section_at(contract, address);
	*out = (struct nt_contract_code){ 0 };
	if (!section)
		return false;
	out->image = section->begin;
	out->collectible = section->flags & NT_SECTION_COLLECTIBLE;
	if (section->flags & NT_SECTION_STUBS) {
		out->kind = NT_CONTRACT_STUB;
		return true;
	}
	if (section->module)
		return code_in_image(contract, section, address, out);
	return (section->flags & NT_SECTION_CODE_HEAP) && code_in_heap(contract, section, address, out);
}
