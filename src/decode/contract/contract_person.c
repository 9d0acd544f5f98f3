// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_person.h"

#include "base/text.h"

/* Units of UTF-16 that are read of one text: a unit is at most three bytes. */
enum { UNITS_MAX = NT_CONTRACT_MESSAGE_MAX / 3 };

/* What a String has. */
static void read_text(const struct nt_contract *contract, uint64_t object, char *text, size_t size)
{
	uint8_t units[2 * UNITS_MAX];
	bool bad = false;
	uint64_t string = nt_memory_u64(contract->memory, contract->layout.globals[NT_GLOBAL_STRING_TABLE], &bad);
	text[0] = '\0';
	if (bad || !object || nt_contract_type_of(contract, object) != string)
		return;
	uint32_t length = nt_contract_u32(contract, object, NT_OFF_STRING_LENGTH, &bad);
	if (length > INT32_MAX || bad)
		return;
	size_t count = length < UNITS_MAX ? length : UNITS_MAX;
	if (count > (size - 1) / 3)
		count = (size - 1) / 3;
	if (count && nt_memory_read(contract->memory, nt_contract_place(contract, object, NT_OFF_STRING_FIRST), units, 2 * count))
		nt_utf16_to_utf8(units, count, text, size);
}

/* What a handle in a field of the Thread leads to; 0: nothing, or it cannot be read. */
static uint64_t object_of(const struct nt_contract *contract, uint64_t thread, enum nt_layout_field field)
{
	bool bad = false;
	uint64_t handle = nt_contract_u64(contract, thread, field, &bad);
	uint64_t object = bad || !handle ? 0 : nt_memory_u64(contract->memory, handle, &bad);
	return bad ? 0 : object;
}

void nt_contract_person_read(struct nt_contract_modules *modules, uint64_t thread, bool named, struct nt_contract_person *out)
{
	static const struct nt_contract_field name = { .name = "_name", .type = NT_FIELD_OBJECT };
	const struct nt_contract *contract = modules->contract;
	uint64_t object = named ? object_of(contract, thread, NT_OFF_THREAD_OBJECT) : 0,
		 thrown = object_of(contract, thread, NT_OFF_THREAD_THROWN);
	uint32_t offset;
	bool bad = false;
	out->name[0] = out->message[0] = '\0';
	out->thrown = 0;
	if (object && nt_contract_find_field(modules, nt_contract_type_of(contract, object), &name, &offset))
		read_text(contract, nt_memory_u64(contract->memory, object + NT_CONTRACT_OBJECT_HEAD + offset, &bad), out->name,
			  sizeof(out->name));
	if (!thrown)
		return;
	out->thrown = nt_contract_type_of(contract, thrown);
	read_text(contract, nt_contract_u64(contract, thrown, NT_OFF_EXCEPTION_MESSAGE, &bad), out->message, sizeof(out->message));
}
