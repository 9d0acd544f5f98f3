// SPDX-License-Identifier: GPL-2.0-only
/* Lists and tables are those of the runtime's contracts Loader and RuntimeTypeSystem, version 1. */
#include "decode/contract/contract_static_list.h"

#include "base/alloc.h"
#include "decode/assembly/metadata_names.h"

#include <stdlib.h>

enum {
	WORD = 8,
	MODULES_MAX = 1 << 14,
	BLOCKS_MAX = 1 << 14,
	TYPES_MAX = 1 << 16,     /* that a module defines, */
	INSTANCES_MAX = 1 << 20, /* or has instances of, in all */
	BUCKETS_HEAD = 3,        /* words before the buckets: how many there are, and others */
	CHAIN_END = 1,
	HANDLE_DESC = 2, /* of a TypeHandle: it leads to a TypeDesc, not to a MethodTable */
	HANDLE_FLAG = 1,
	HAS_STATICS = 2,    /* of MTFlags2 (DynamicStatics) */
	STATICS_TABLE = 16, /* in DynamicStaticsInfo: whose they are */
};

struct listing {
	struct nt_contract_modules *modules;
	nt_contract_take_static *take;
	void *context;
	uint64_t *list; /* owned: the modules */
	size_t count, capacity;
	uint32_t instances;
	bool whole;
	uint64_t table, base; /* of the type that is looked at */
};

/* ---- modules ---- */

static void add_module(struct listing *listing, uint64_t assembly, bool *bad)
{
	uint64_t module = nt_contract_u64(listing->modules->contract, assembly, NT_OFF_ASSEMBLY_MODULE, bad);
	if (*bad || !module)
		return;
	listing->list = nt_grow(listing->list, &listing->capacity, listing->count + 1, sizeof(*listing->list));
	listing->list[listing->count++] = module;
}

/* A list of blocks, the first of which lies in it. An item leads to what has the assembly first. */
static bool list_modules(struct listing *listing)
{
	const struct nt_contract *contract = listing->modules->contract;
	struct nt_memory *memory = contract->memory;
	bool bad = false;
	uint64_t domain = nt_memory_u64(memory, contract->layout.globals[NT_GLOBAL_APP_DOMAIN], &bad);
	uint64_t list = nt_contract_place(contract, domain, NT_OFF_DOMAIN_ASSEMBLIES);
	uint32_t left = bad ? 0 : nt_contract_u32(contract, list, NT_OFF_LIST_COUNT, &bad);
	uint64_t block = nt_contract_place(contract, list, NT_OFF_LIST_FIRST);
	for (unsigned blocks = 0; left && left <= MODULES_MAX && block && blocks < BLOCKS_MAX && !bad; blocks++) {
		uint32_t here = nt_contract_u32(contract, block, NT_OFF_BLOCK_COUNT, &bad);
		for (uint32_t i = 0; i < here && left && !bad; i++, left--) {
			uint64_t item =
				nt_memory_u64(memory, nt_contract_place(contract, block, NT_OFF_BLOCK_ITEMS) + (uint64_t)i * WORD, &bad);
			uint64_t assembly = item && !bad ? nt_memory_u64(memory, item, &bad) : 0;
			if (assembly)
				add_module(listing, assembly, &bad);
		}
		block = nt_contract_u64(contract, block, NT_OFF_BLOCK_NEXT, &bad);
	}
	return !bad && !left;
}

/* ---- types ---- */

static void take_field(void *context, uint32_t field, uint32_t offset)
{
	struct listing *listing = context;
	bool bad = false;
	struct nt_contract_static found = { .slot = { .address = listing->base + offset, .table = listing->table, .field = field } };
	found.object = nt_memory_u64(listing->modules->contract->memory, found.slot.address, &bad);
	if (!bad && found.object)
		listing->take(listing->context, &found);
	listing->whole &= !bad;
}

/* What says where its static fields are says whose they are, too. */
static bool has_statics(const struct nt_contract *contract, uint64_t table)
{
	bool bad = false;
	uint32_t flags = nt_contract_u32(contract, table, NT_OFF_TABLE_FLAGS2, &bad);
	uint64_t besides = bad || !(flags & HAS_STATICS) ? 0 : nt_contract_u64(contract, table, NT_OFF_TABLE_AUXILIARY, &bad);
	return besides && !bad &&
	       nt_memory_u64(contract->memory, besides - contract->layout.offsets[NT_OFF_STATICS_SIZE] + STATICS_TABLE, &bad) == table &&
	       !bad;
}

static void take_type(struct listing *listing, uint64_t table)
{
	const struct nt_contract *contract = listing->modules->contract;
	if (!has_statics(contract, table))
		return;
	listing->table = table;
	listing->base = nt_contract_statics(contract, table);
	if (listing->base)
		nt_contract_each_static(contract, table, take_field, listing);
}

static void take_defined(struct listing *listing, uint64_t module)
{
	const struct nt_metadata *metadata = nt_contract_metadata(listing->modules, module);
	uint32_t rows = metadata ? metadata->tables[NT_TABLE_TYPE_DEF].count : 0;
	listing->whole &= rows && rows <= TYPES_MAX;
	for (uint32_t rid = 1; rid <= rows && rid <= TYPES_MAX; rid++) {
		uint64_t table = nt_contract_table_of(listing->modules->contract, module, rid);
		if (table)
			take_type(listing, table);
	}
}

static bool take_chain(struct listing *listing, uint64_t entry)
{
	const struct nt_contract *contract = listing->modules->contract;
	bool bad = false;
	while (entry && !(entry & CHAIN_END) && !bad) {
		uint64_t handle = nt_contract_u64(contract, entry, NT_OFF_INSTANCE_VALUE, &bad) & ~(uint64_t)HANDLE_FLAG;
		if (listing->instances++ == INSTANCES_MAX)
			return false;
		if (handle && !(handle & HANDLE_DESC) && !bad)
			take_type(listing, handle);
		entry = nt_contract_u64(contract, entry, NT_OFF_INSTANCE_NEXT, &bad);
	}
	return !bad;
}

static bool take_instances(struct listing *listing, uint64_t module)
{
	const struct nt_contract *contract = listing->modules->contract;
	struct nt_memory *memory = contract->memory;
	bool bad = false, whole = true;
	uint64_t table = nt_contract_u64(contract, module, NT_OFF_MODULE_INSTANCES, &bad);
	uint64_t buckets = table && !bad ? nt_contract_u64(contract, table, NT_OFF_INSTANCES_BUCKETS, &bad) : 0;
	uint64_t count = buckets && !bad ? nt_memory_u64(memory, buckets, &bad) : 0;
	for (uint64_t i = 0; i < count && i < INSTANCES_MAX && !bad && whole; i++)
		whole = take_chain(listing, nt_memory_u64(memory, buckets + (BUCKETS_HEAD + i) * WORD, &bad));
	return !bad && whole && count <= INSTANCES_MAX;
}

bool nt_contract_each_static_object(struct nt_contract_modules *modules, nt_contract_take_static *take, void *context)
{
	struct listing listing = { .modules = modules, .take = take, .context = context };
	listing.whole = list_modules(&listing);
	for (size_t i = 0; i < listing.count; i++)
		take_defined(&listing, listing.list[i]);
	for (size_t i = 0; i < listing.count; i++)
		listing.whole &= take_instances(&listing, listing.list[i]);
	free(listing.list);
	return listing.whole;
}
