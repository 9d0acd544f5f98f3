// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_threads.h"

#include "base/alloc.h"

/* Threads that come into being while the list is gone through. */
enum { SLACK = 64 };

bool nt_contract_threads(struct nt_contract *contract, struct nt_contract_thread **threads, size_t *count, size_t *capacity)
{
	struct nt_memory *memory = contract->memory;
	const struct nt_layout *layout = &contract->layout;
	bool bad = false;
	uint64_t store = nt_memory_u64(memory, layout->globals[NT_GLOBAL_THREAD_STORE], &bad);
	uint64_t finalizer = nt_memory_u64(memory, layout->globals[NT_GLOBAL_FINALIZER_THREAD], &bad);
	uint32_t said = nt_contract_u32(contract, store, NT_OFF_STORE_COUNT, &bad);
	uint64_t link = nt_contract_u64(contract, store, NT_OFF_STORE_FIRST, &bad);
	/* A list that leads in a circle ends at its count. */
	for (uint32_t left = said < NT_CONTRACT_THREADS_MAX ? said + SLACK : 0; link && !bad; left--) {
		uint64_t thread = link - layout->offsets[NT_OFF_THREAD_LINK];
		struct nt_contract_thread found = {
			.address = thread,
			.os_id = nt_contract_u32(contract, thread, NT_OFF_THREAD_OS_ID, &bad),
			.managed_id = nt_contract_u32(contract, thread, NT_OFF_THREAD_ID, &bad),
			.state = nt_contract_u32(contract, thread, NT_OFF_THREAD_STATE, &bad),
			.cooperative = nt_contract_u32(contract, thread, NT_OFF_THREAD_COOPERATIVE, &bad) != 0,
			.finalizer = thread == finalizer,
		};
		if (bad || !left)
			return false;
		*threads = nt_grow(*threads, capacity, *count + 1, sizeof(found));
		(*threads)[(*count)++] = found;
		link = nt_memory_u64(memory, link, &bad);
	}
	return !bad;
}
