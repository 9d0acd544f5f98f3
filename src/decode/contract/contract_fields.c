// SPDX-License-Identifier: GPL-2.0-only
/* Maps, tables and classes are those of the runtime's contracts Loader and RuntimeTypeSystem, version 1. */
#include "decode/contract/contract_fields.h"

#include "decode/assembly/metadata_names.h"

#include <string.h>

enum {
	NAMES_MAX = 1 << 16, /* types of a module that are gone through */
	MAPS_MAX = 256,      /* parts of a module's map */
	FIELDS_MAX = 1024,   /* of one type */
	RID_SHIFT = 8,       /* of MTFlags2 */
	CLASS_IS_TABLE = 1,  /* of a pointer to a class: it leads to the MethodTable that has it */
};

/* Inside of .NET 10's FieldDesc, which no contract describes. */
enum {
	DESC_SIZE = 16,
	DESC_WHAT = 8, /* row of Field, and flags */
	DESC_WHERE = 12,
	DESC_OFFSET_BITS = 27, /* the rest is its type */
};
#define DESC_RID_MASK    UINT32_C(0x00ffffff)
#define DESC_IS_STATIC   UINT32_C(0x01000000)
#define DESC_IS_LOCAL    UINT32_C(0x02000000) /* of a thread */
#define DESC_IS_MAPPED   UINT32_C(0x04000000) /* its value lies in the image */
#define DESC_OFFSET_MASK ((UINT32_C(1) << DESC_OFFSET_BITS) - 1)

/* The collector marks objects in the word that says their type. */
#define TYPE_MASK (~UINT64_C(7))

uint64_t nt_contract_core(const struct nt_contract *contract)
{
	bool bad = false;
	uint64_t table = nt_memory_u64(contract->memory, contract->layout.globals[NT_GLOBAL_OBJECT_TABLE], &bad);
	uint64_t module = nt_contract_u64(contract, table, NT_OFF_TABLE_MODULE, &bad);
	return bad ? 0 : module;
}

/* ---- types ---- */

/* What a full name ends in, which alone stands in the type's own row. */
static const char *last_part(const char *name)
{
	const char *nested = strrchr(name, '+'), *plain = strrchr(name, '.');
	return nested ? nested + 1 : plain ? plain + 1 : name;
}

static bool is_called(const struct nt_metadata *metadata, uint32_t rid, const char *name)
{
	char text[NT_METADATA_NAME_BYTES];
	struct nt_text_out out = { .buf = text, .size = sizeof(text) };
	nt_metadata_put_type(metadata, NT_TABLE_TYPE_DEF, rid, '+', &out);
	return out.length == strlen(name) && memcmp(text, name, out.length) == 0;
}

bool nt_contract_find_types(struct nt_contract_modules *modules, uint64_t module, const char *const *names, size_t count, uint32_t *rids)
{
	char own[NT_METADATA_NAME_BYTES];
	const struct nt_metadata *metadata = nt_contract_metadata(modules, module);
	uint32_t rows = metadata ? metadata->tables[NT_TABLE_TYPE_DEF].count : 0, name;
	memset(rids, 0, count * sizeof(*rids));
	for (uint32_t rid = 1; rid <= rows; rid++) {
		if (rid > NAMES_MAX || !nt_metadata_cell(metadata, NT_TABLE_TYPE_DEF, rid, NT_TYPE_DEF_NAME, &name))
			return false;
		nt_metadata_string(metadata, name, own, sizeof(own));
		for (size_t i = 0; i < count; i++)
			if (!rids[i] && strcmp(own, last_part(names[i])) == 0 && is_called(metadata, rid, names[i]))
				rids[i] = rid;
	}
	return rows != 0;
}

uint64_t nt_contract_table_of(const struct nt_contract *contract, uint64_t module, uint32_t rid)
{
	bool bad = false;
	uint64_t map = nt_contract_place(contract, module, NT_OFF_MODULE_TYPES), at = rid;
	for (unsigned i = 0; rid && i < MAPS_MAX && map && !bad; i++) {
		uint32_t count = nt_contract_u32(contract, map, NT_OFF_MAP_COUNT, &bad);
		if (at < count) {
			uint64_t data = nt_contract_u64(contract, map, NT_OFF_MAP_DATA, &bad);
			uint64_t flags =
				nt_contract_u64(contract, nt_contract_place(contract, module, NT_OFF_MODULE_TYPES), NT_OFF_MAP_FLAGS, &bad);
			uint64_t table = nt_memory_u64(contract->memory, data + at * sizeof(uint64_t), &bad) & ~flags;
			return !bad && nt_contract_is_table_of(contract, table, module, rid) ? table : 0;
		}
		at -= count;
		map = nt_contract_u64(contract, map, NT_OFF_MAP_NEXT, &bad);
	}
	return 0;
}

bool nt_contract_is_table_of(const struct nt_contract *contract, uint64_t table, uint64_t module, uint32_t rid)
{
	bool bad = !table;
	return rid && !bad && nt_contract_u64(contract, table, NT_OFF_TABLE_MODULE, &bad) == module &&
	       nt_contract_u32(contract, table, NT_OFF_TABLE_FLAGS2, &bad) >> RID_SHIFT == rid && !bad;
}

uint64_t nt_contract_type_of(const struct nt_contract *contract, uint64_t object)
{
	bool bad = !object;
	uint64_t type = bad ? 0 : nt_memory_u64(contract->memory, object, &bad) & TYPE_MASK;
	return bad ? 0 : type;
}

/* ---- fields ---- */

/* The EEClass of a type: instances of a generic type have one together. `canonical`: the MethodTable that it belongs to. */
static uint64_t class_of(const struct nt_contract *contract, uint64_t table, uint64_t *canonical, bool *bad)
{
	uint64_t place = nt_contract_u64(contract, table, NT_OFF_TABLE_CLASS, bad);
	*canonical = table;
	if (!(place & CLASS_IS_TABLE))
		return place;
	*canonical = place & ~(uint64_t)CLASS_IS_TABLE;
	place = nt_contract_u64(contract, *canonical, NT_OFF_TABLE_CLASS, bad);
	*bad |= place & CLASS_IS_TABLE;
	return place;
}

static uint32_t instance_fields(const struct nt_contract *contract, uint64_t table, bool *bad)
{
	uint64_t canonical;
	return nt_contract_u16(contract, class_of(contract, table, &canonical, bad), NT_OFF_CLASS_INSTANCE_COUNT, bad);
}

static bool is_named(const struct nt_metadata *metadata, uint32_t rid, const char *name)
{
	char text[NT_METADATA_NAME_BYTES];
	uint32_t place;
	return nt_metadata_cell(metadata, NT_TABLE_FIELD, rid, NT_FIELD_NAME, &place) &&
	       nt_metadata_string(metadata, place, text, sizeof(text)) && strcmp(text, name) == 0;
}

/* The list of a type's own fields. */
struct list {
	uint64_t canonical; /* the MethodTable that each of them names */
	uint64_t desc;
	uint32_t count, static_count;
};

static struct list list_of(const struct nt_contract *contract, uint64_t table, bool *bad)
{
	struct list list;
	uint64_t class = class_of(contract, table, &list.canonical, bad);
	uint64_t parent = nt_contract_u64(contract, table, NT_OFF_TABLE_PARENT, bad);
	/* An object's own fields come first in the list; those of its bases are in the count, and in lists of theirs. */
	uint32_t own = nt_contract_u16(contract, class, NT_OFF_CLASS_INSTANCE_COUNT, bad);
	uint32_t inherited = *bad || !parent ? 0 : instance_fields(contract, parent, bad);
	list.desc = nt_contract_u64(contract, class, NT_OFF_CLASS_FIELDS, bad);
	list.static_count = nt_contract_u16(contract, class, NT_OFF_CLASS_STATIC_COUNT, bad);
	list.count = own - inherited + list.static_count;
	*bad |= own < inherited || list.count > FIELDS_MAX;
	return list;
}

bool nt_contract_find_field(struct nt_contract_modules *modules, uint64_t table, const struct nt_contract_field *field, uint32_t *offset)
{
	const struct nt_contract *contract = modules->contract;
	struct nt_memory *memory = contract->memory;
	bool bad = false;
	if (!table)
		return false;
	struct list list = list_of(contract, table, &bad);
	uint64_t module = nt_contract_u64(contract, table, NT_OFF_TABLE_MODULE, &bad), desc = list.desc;
	const struct nt_metadata *metadata = bad ? NULL : nt_contract_metadata(modules, module);
	for (uint32_t i = 0; metadata && i < list.count && !bad; i++, desc += DESC_SIZE) {
		uint32_t what = nt_memory_u32(memory, desc + DESC_WHAT, &bad), where = nt_memory_u32(memory, desc + DESC_WHERE, &bad);
		if (nt_memory_u64(memory, desc, &bad) != list.canonical || what & DESC_IS_LOCAL ||
		    field->is_static != !!(what & DESC_IS_STATIC) || where >> DESC_OFFSET_BITS != (uint32_t)field->type ||
		    !is_named(metadata, what & DESC_RID_MASK, field->name) || bad)
			continue;
		*offset = where & DESC_OFFSET_MASK;
		return true;
	}
	return false;
}

void nt_contract_each_static(const struct nt_contract *contract, uint64_t table, nt_contract_static_field *take, void *context)
{
	struct nt_memory *memory = contract->memory;
	bool bad = false;
	struct list list = list_of(contract, table, &bad);
	uint64_t desc = list.desc;
	for (uint32_t i = 0; list.static_count && i < list.count && !bad; i++, desc += DESC_SIZE) {
		uint32_t what = nt_memory_u32(memory, desc + DESC_WHAT, &bad), where = nt_memory_u32(memory, desc + DESC_WHERE, &bad);
		uint32_t type = where >> DESC_OFFSET_BITS;
		bool plain = what & DESC_IS_STATIC && !(what & (DESC_IS_LOCAL | DESC_IS_MAPPED));
		if (nt_memory_u64(memory, desc, &bad) == list.canonical && plain && (type == NT_FIELD_OBJECT || type == NT_FIELD_VALUE) &&
		    !bad)
			take(context, what & DESC_RID_MASK, where & DESC_OFFSET_MASK);
	}
}

/* They are said in front of what is said of the type besides (MethodTableAuxiliaryData). */
uint64_t nt_contract_statics(const struct nt_contract *contract, uint64_t table)
{
	bool bad = !table;
	uint64_t besides = bad ? 0 : nt_contract_u64(contract, table, NT_OFF_TABLE_AUXILIARY, &bad);
	uint64_t info = besides - contract->layout.offsets[NT_OFF_STATICS_SIZE];
	uint64_t place = bad ? 0 : nt_contract_u64(contract, info, NT_OFF_STATICS_OBJECTS, &bad);
	return bad ? 0 : place & contract->layout.globals[NT_GLOBAL_STATICS_MASK];
}
