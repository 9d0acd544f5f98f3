// SPDX-License-Identifier: GPL-2.0-only
/* Bits and kinds are those of the runtime's contract RuntimeTypeSystem, version 1. */
#include "decode/contract/contract_types.h"

#include "decode/assembly/metadata_names.h"

enum {
	DEPTH_MAX = 12,
	TYPES_MAX = 256, /* of one name */
	RANK_MAX = 32,   /* the runtime's own limit */
	HANDLE_DESC = 2, /* of a TypeHandle: it leads to a TypeDesc, not to a MethodTable */
	KIND_POINTER = 0x0f,
	KIND_BYREF = 0x10,
	RID_SHIFT = 8, /* of MTFlags2 */
};

/* Of MTFlags. */
#define IS_ARRAY_MASK  UINT32_C(0x800c0000)
#define IS_ARRAY       UINT32_C(0x80080000)
#define IS_VECTOR      UINT32_C(0x00020000) /* of an array: of one dimension, from 0 on */
#define HAS_COMPONENTS UINT32_C(0x80000000) /* an array or a string: the other bits mean something else */
#define IS_INSTANCE    UINT32_C(0x00000030)

struct naming {
	struct nt_contract_modules *modules;
	struct nt_text_out *out;
	unsigned left;
};

static void put_type(struct naming *naming, uint64_t handle, unsigned depth);

static void put_unknown(struct naming *naming)
{
	nt_text_put_word(naming->out, "?");
}

static void put_list(struct naming *naming, uint64_t handles, uint32_t count, unsigned depth)
{
	bool bad = false;
	nt_text_put_word(naming->out, "[");
	for (uint32_t i = 0; i < count && !bad; i++) {
		if (i)
			nt_text_put_word(naming->out, ",");
		uint64_t handle = nt_memory_u64(naming->modules->contract->memory, handles + i * sizeof(uint64_t), &bad);
		if (bad || !naming->left) {
			put_unknown(naming);
			break;
		}
		put_type(naming, handle, depth + 1);
	}
	nt_text_put_word(naming->out, "]");
}

static void put_described(struct naming *naming, uint64_t desc, unsigned depth)
{
	const struct nt_contract *contract = naming->modules->contract;
	bool bad = false;
	uint32_t kind = nt_contract_u32(contract, desc, NT_OFF_TYPE_KIND, &bad) & 0xff;
	if (bad || (kind != KIND_POINTER && kind != KIND_BYREF)) {
		put_unknown(naming); /* a type parameter, a function's pointer */
		return;
	}
	uint64_t element = nt_contract_u64(contract, desc, NT_OFF_TYPE_ELEMENT, &bad);
	put_type(naming, bad ? 0 : element, depth + 1);
	nt_text_put_word(naming->out, kind == KIND_POINTER ? "*" : "&");
}

/* Types that share their code share their class, too: all but one of them have that one in its place, with the lowest bit set. */
static uint64_t class_of(const struct nt_contract *contract, uint64_t table, bool *bad)
{
	uint64_t class = nt_contract_u64(contract, table, NT_OFF_TABLE_CLASS, bad);
	return class & 1 ? nt_contract_u64(contract, class & ~UINT64_C(1), NT_OFF_TABLE_CLASS, bad) : class;
}

static void put_array(struct naming *naming, uint64_t table, uint32_t flags, unsigned depth)
{
	const struct nt_contract *contract = naming->modules->contract;
	bool bad = false;
	uint8_t rank = 1;
	if (!(flags & IS_VECTOR))
		rank = nt_memory_u8(contract->memory, nt_contract_place(contract, class_of(contract, table, &bad), NT_OFF_CLASS_RANK),
				    &bad);
	uint64_t element = nt_contract_u64(contract, table, NT_OFF_TABLE_INSTANCE, &bad);
	if (bad || !rank || rank > RANK_MAX) {
		put_unknown(naming);
		return;
	}
	put_type(naming, element, depth + 1);
	nt_text_put_word(naming->out, !(flags & IS_VECTOR) && rank == 1 ? "[*" : "[");
	while (--rank)
		nt_text_put_word(naming->out, ",");
	nt_text_put_word(naming->out, "]");
}

/* The last dictionary is the type's own, the others those of its bases. How many there are stands before their list. */
static void put_own_arguments(struct naming *naming, uint64_t table, unsigned depth)
{
	const struct nt_contract *contract = naming->modules->contract;
	bool bad = false;
	uint64_t lists = nt_contract_u64(contract, table, NT_OFF_TABLE_INSTANCE, &bad), counts = lists - sizeof(uint64_t);
	uint16_t list_count = nt_contract_u16(contract, counts, NT_OFF_DICTIONARY_COUNT, &bad);
	uint16_t count = nt_contract_u16(contract, counts, NT_OFF_DICTIONARY_ARGUMENTS, &bad);
	if (bad || !list_count)
		return;
	uint64_t handles = nt_memory_u64(contract->memory, lists + (list_count - UINT64_C(1)) * sizeof(uint64_t), &bad);
	if (!bad && count)
		put_list(naming, handles, count, depth);
}

static void put_table(struct naming *naming, uint64_t table, unsigned depth)
{
	const struct nt_contract *contract = naming->modules->contract;
	bool bad = false;
	uint32_t flags = nt_contract_u32(contract, table, NT_OFF_TABLE_FLAGS, &bad);
	uint32_t rid = nt_contract_u32(contract, table, NT_OFF_TABLE_FLAGS2, &bad) >> RID_SHIFT;
	uint64_t module = nt_contract_u64(contract, table, NT_OFF_TABLE_MODULE, &bad);
	if (bad) {
		put_unknown(naming);
		return;
	}
	if ((flags & IS_ARRAY_MASK) == IS_ARRAY) {
		put_array(naming, table, flags, depth);
		return;
	}
	const struct nt_metadata *metadata = nt_contract_metadata(naming->modules, module);
	if (!metadata) {
		put_unknown(naming);
		return;
	}
	nt_metadata_put_type(metadata, NT_TABLE_TYPE_DEF, rid, '+', naming->out);
	if (!(flags & HAS_COMPONENTS) && flags & IS_INSTANCE)
		put_own_arguments(naming, table, depth);
}

static void put_type(struct naming *naming, uint64_t handle, unsigned depth)
{
	if (depth > DEPTH_MAX || !naming->left) {
		put_unknown(naming);
		return;
	}
	naming->left--;
	if (handle & HANDLE_DESC)
		put_described(naming, handle & ~UINT64_C(3), depth);
	else
		put_table(naming, handle, depth);
}

void nt_contract_put_type(struct nt_contract_modules *modules, uint64_t handle, struct nt_text_out *out)
{
	struct naming naming = { .modules = modules, .out = out, .left = TYPES_MAX };
	put_type(&naming, handle, 0);
}

void nt_contract_put_arguments(struct nt_contract_modules *modules, uint64_t handles, uint32_t count, struct nt_text_out *out)
{
	struct naming naming = { .modules = modules, .out = out, .left = TYPES_MAX };
	put_list(&naming, handles, count, 0);
}
