// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_locks.h"

#include "decode/contract/contract_fields.h"
#include "decode/contract/contract_types.h"
#include "decode/unwind/frame_rule.h"

#include <string.h>

/* The header in front of an object (ObjHeader): what it is used for. */
enum { HEADER_BACK = 4 };
#define HEADER_IS_HASH_OR_INDEX (UINT32_C(1) << 27)
#define HEADER_IS_HASH          (UINT32_C(1) << 26)
#define HEADER_INDEX_MASK       (HEADER_IS_HASH - 1)

/* Inside of .NET 10's SyncBlock and of its entry in the table, which no contract describes. */
enum { ENTRY_OBJECT = 8, MONITOR_STATE = 0, MONITOR_OWNER = 16, MONITOR_INDEX = 28, STATE_WAITER_SHIFT = 6 };
enum { STATE_LOCKED = 1 };

/* Inside of .NET 10's System.Threading.Lock: its owner is a tid, as the target numbers threads. */
enum { LOCK_OWNER = 16, LOCK_STATE = 20, LOCK_WAITER_SHIFT = 7 };
static const char lock_type[] = "System.Threading.Lock";

enum { WORDS_MAX = 96, TID_MAX = 1 << 22 };

/* Is there an object at the address whose monitor somebody holds while others wait? */
static bool monitor_at(const struct nt_contract *contract, uint64_t object, struct nt_contract_lock *out)
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
	*out = (struct nt_contract_lock){ .object = object,
					  .owner_os_id = state & STATE_LOCKED ? (uint32_t)owner : 0,
					  .waiters = state >> STATE_WAITER_SHIFT };
	return true;
}

static bool is_lock(struct nt_contract_modules *modules, uint64_t type)
{
	char name[sizeof(lock_type) + 1];
	struct nt_text_out out = { .buf = name, .size = sizeof(name) };
	nt_contract_put_type(modules, type, &out);
	return out.length == sizeof(lock_type) - 1 && memcmp(name, lock_type, out.length) == 0;
}

/* Is there a Lock at the address that one of the threads holds while others wait? Its type is asked for last: that takes most. */
static bool lock_at(struct nt_contract_modules *modules, const struct nt_contract_thread *threads, size_t thread_count, uint64_t object,
		    struct nt_contract_lock *out)
{
	const struct nt_contract *contract = modules->contract;
	bool bad = false;
	uint32_t owner = nt_memory_u32(contract->memory, object + LOCK_OWNER, &bad);
	uint32_t state = nt_memory_u32(contract->memory, object + LOCK_STATE, &bad), waiters = state >> LOCK_WAITER_SHIFT;
	if (bad || !waiters || waiters > thread_count || !(state & STATE_LOCKED) || !owner)
		return false;
	size_t at = 0;
	while (at < thread_count && threads[at].os_id != owner)
		at++;
	uint64_t type = at < thread_count ? nt_contract_type_of(contract, object) : 0;
	if (!type || !is_lock(modules, type))
		return false;
	*out = (struct nt_contract_lock){ .object = object, .owner_os_id = owner, .waiters = waiters };
	return true;
}

struct nt_contract_lock nt_contract_lock_of(struct nt_contract_modules *modules, const struct nt_contract_thread *threads,
					    size_t thread_count, uint32_t tid, const struct nt_thread_stack *stack)
{
	const struct nt_contract *contract = modules->contract;
	struct nt_contract_lock found = { 0 }, lock;
	const struct nt_stack_dump dump = { .bytes = stack->bytes, .size = stack->byte_count, .start = stack->bytes_start };
	bool locks = contract->layout.has[NT_CONTRACT_NAMES];
	uint64_t word;
	for (unsigned i = 0; i < WORDS_MAX && nt_stack_word(&dump, stack->bytes_start + i * sizeof(word), &word); i++) {
		if (!word || word % sizeof(word) != 0 || word >= NT_ADDRESS_LIMIT)
			continue;
		if (!monitor_at(contract, word, &lock) && !(locks && lock_at(modules, threads, thread_count, word, &lock)))
			continue;
		/* What it has itself others wait for: in a deadlock it has one and waits for another. */
		if (tid && lock.owner_os_id == tid)
			continue;
		found = lock;
		break;
	}
	if (found.object)
		found.type = nt_contract_type_of(contract, found.object);
	return found;
}
