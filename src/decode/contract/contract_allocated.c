// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_allocated.h"

/* Behind pointer and limit: alloc_bytes, and alloc_bytes_uoh of large and pinned objects (gcinterface.h of the runtime). */
enum { SMALL_BEHIND_LIMIT = 8, LARGE_BEHIND_LIMIT = 16, ROOM_MAX = 1 << 20 };

/* More no machine has allocated. */
static const uint64_t bytes_max = UINT64_C(1) << 56;

bool nt_contract_allocated(struct nt_contract *contract, uint64_t thread, uint64_t *bytes)
{
	const struct nt_layout *layout = &contract->layout;
	bool bad = false;
	uint64_t locals = nt_contract_u64(contract, thread, NT_OFF_THREAD_LOCALS, &bad);
	if (bad || !locals)
		return false;
	uint64_t context = locals + layout->offsets[NT_OFF_LOCALS_ALLOCATION] + layout->offsets[NT_OFF_ALLOCATION_GC];
	uint64_t pointer = nt_contract_u64(contract, context, NT_OFF_ALLOCATION_POINTER, &bad);
	uint64_t limit = nt_contract_u64(contract, context, NT_OFF_ALLOCATION_LIMIT, &bad);
	uint64_t behind = context + layout->offsets[NT_OFF_ALLOCATION_LIMIT];
	uint64_t small = nt_memory_u64(contract->memory, behind + SMALL_BEHIND_LIMIT, &bad);
	uint64_t large = nt_memory_u64(contract->memory, behind + LARGE_BEHIND_LIMIT, &bad);
	uint64_t room = limit - pointer;
	/* The room was counted when it was given. */
	if (bad || limit < pointer || room > ROOM_MAX || room > small || small > bytes_max || large > bytes_max)
		return false;
	*bytes = small - room + large;
	return true;
}
