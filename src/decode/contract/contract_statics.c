// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_statics.h"

#include "base/starts.h"
#include "decode/assembly/metadata_names.h"

enum { TYPES_MAX = 1 << 16 /* of a module */, RID_SHIFT = 8 /* of MTFlags2 */ };

/* What the fields of one type are compared with. */
struct wanted {
	struct nt_contract_slot *slots;
	size_t count;
	uint64_t table, base; /* where its static objects begin */
};

static void take_field(void *context, uint32_t field, uint32_t offset)
{
	struct wanted *wanted = context;
	uint64_t address = wanted->base + offset;
	/* One address may have been asked for more than once. */
	for (size_t i = nt_starts_up_to(wanted->slots, wanted->count, sizeof(*wanted->slots), address);
	     i-- && wanted->slots[i].address == address;) {
		wanted->slots[i].table = wanted->table;
		wanted->slots[i].field = field;
	}
}

bool nt_contract_find_statics(struct nt_contract_modules *modules, uint64_t module, struct nt_contract_slot *slots, size_t count)
{
	struct wanted wanted = { .slots = slots, .count = count };
	const struct nt_metadata *metadata = nt_contract_metadata(modules, module);
	uint32_t rows = metadata ? metadata->tables[NT_TABLE_TYPE_DEF].count : 0;
	for (uint32_t rid = 1; rid <= rows && rid <= TYPES_MAX; rid++) {
		wanted.table = nt_contract_table_of(modules->contract, module, rid);
		wanted.base = wanted.table ? nt_contract_statics(modules->contract, wanted.table) : 0;
		if (wanted.base)
			nt_contract_each_static(modules->contract, wanted.table, take_field, &wanted);
	}
	return rows && rows <= TYPES_MAX;
}

/* Of the type that it is of, and its own name. */
static const struct nt_metadata *find_name(struct nt_contract_modules *modules, const struct nt_contract_slot *slot, uint32_t *rid,
					   char name[NT_METADATA_NAME_BYTES])
{
	const struct nt_contract *contract = modules->contract;
	uint32_t place;
	bool bad = false;
	uint64_t module = nt_contract_u64(contract, slot->table, NT_OFF_TABLE_MODULE, &bad);
	*rid = nt_contract_u32(contract, slot->table, NT_OFF_TABLE_FLAGS2, &bad) >> RID_SHIFT;
	const struct nt_metadata *metadata = bad ? NULL : nt_contract_metadata(modules, module);
	bool named = metadata && nt_metadata_cell(metadata, NT_TABLE_FIELD, slot->field, NT_FIELD_NAME, &place) &&
		     nt_metadata_string(metadata, place, name, NT_METADATA_NAME_BYTES);
	return named ? metadata : NULL;
}

void nt_contract_put_static(struct nt_contract_modules *modules, const struct nt_contract_slot *slot, struct nt_text_out *out)
{
	char name[NT_METADATA_NAME_BYTES];
	uint32_t rid;
	const struct nt_metadata *metadata = find_name(modules, slot, &rid, name);
	if (!metadata) {
		nt_text_put_word(out, "?");
		return;
	}
	nt_metadata_put_type(metadata, NT_TABLE_TYPE_DEF, rid, '+', out);
	nt_text_put_word(out, ".");
	nt_text_put_word(out, name);
}

void nt_contract_put_field(struct nt_contract_modules *modules, const struct nt_contract_slot *slot, struct nt_text_out *out)
{
	char name[NT_METADATA_NAME_BYTES];
	uint32_t rid;
	if (find_name(modules, slot, &rid, name))
		nt_text_put_word(out, name);
}
