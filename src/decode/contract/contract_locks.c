// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_locks.h"

#include "decode/unwind/frame_rule.h"

/* The header in front of an object (ObjHeader): what it is used for. */
enum { HEADER_BACK = 4 };
#define HEADER_IS_HASH_OR_INDEX (UINT32_C(1) << 27)
#define HEADER_IS_HASH          (UINT32_C(1) << 26)
#define HEADER_INDEX_MASK       (HEADER_IS_HASH - 1)

/* Inside of .NET 10's SyncBlock and of its entry in the table, which no contract describes. */
enum { ENTRY_OBJECT = 8, MONITOR_STATE = 0, MONITOR_OWNER = 16, MONITOR_INDEX = 28, STATE_WAITER_SHIFT = 6 };
enum { STATE_LOCKED = 1 };

enum { WORDS_MAX = 96, TID_MAX = 1 << 22 };

/* Is there an object at the address whose monitor somebody holds while others wait? */
static bool monitor_at(const struct nt_contract *contract, uint64_t object, struct nt_contract_monitor *out)
{
	struct nt_memory *memory = contract->memory;
	bool bad = false;
	uint32_t header = nt_memory_u32(memory, object - HEADER_BACK, &bad);
	uint32_t index = header & HEADER_INDEX_MASK;
	if (bad || !(header & HEADER_IS_HASH_OR_INDEX) || header & HEADER_IS_HASH || !index)
		return false;
	uint64_t table = nt_memory_u64(memory, contract->layout.globals[NT_GLOBAL_SYNC_TABLE], &bad);
	uint64_t entry = table + (uint64_t)index * contract->layout.offsets[NT_OFF_SYNC_ENTRY_SIZE];
	uint64_t block = nt_contract_u64(contract, entry, NT_OFF_SYNC_ENTRY_BLOCK, &bad);
	if (bad || nt_memory_u64(memory, entry + ENTRY_OBJECT, &bad) != object || !block)
		return false;
	uint32_t state = nt_memory_u32(memory, block + MONITOR_STATE, &bad);
	uint64_t owner = nt_memory_u64(memory, block + MONITOR_OWNER, &bad);
	/* Above its index there are flags. */
	uint32_t own_index = nt_memory_u32(memory, block + MONITOR_INDEX, &bad) & HEADER_INDEX_MASK;
	if (own_index != index || bad || owner > TID_MAX || !(state >> STATE_WAITER_SHIFT))
		return false;
	*out = (struct nt_contract_monitor){ .object = object,
					     .owner_os_id = state & STATE_LOCKED ? (uint32_t)owner : 0,
					     .waiters = state >> STATE_WAITER_SHIFT };
	return true;
}

struct nt_contract_monitor nt_contract_monitor_of(struct nt_contract *contract, const struct nt_thread_stack *stack)
{
	struct nt_contract_monitor found = { 0 };
	const struct nt_stack_dump dump = { .bytes = stack->bytes, .size = stack->byte_count, .start = stack->bytes_start };
	uint64_t word;
	for (unsigned i = 0; i < WORDS_MAX && nt_stack_word(&dump, stack->bytes_start + i * sizeof(word), &word); i++)
		if (word && word % sizeof(word) == 0 && word < NT_ADDRESS_LIMIT && monitor_at(contract, word, &found))
			break;
	return found;
}
