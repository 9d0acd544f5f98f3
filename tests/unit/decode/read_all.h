/* SPDX-License-Identifier: GPL-2.0-only */
/* All that is read of a runtime's memory, as the reader does it, and what must hold of it whatever that memory says. */
#ifndef TEST_READ_ALL_H
#define TEST_READ_ALL_H

#include "decode/contract/contract_locks.h"

#include <stdlib.h>
#include <string.h>

struct read_all {
	struct nt_memory memory;
	struct nt_contract contract;
	struct nt_contract_thread *threads;
	size_t thread_count, thread_capacity;
	struct nt_thread_stack stack;       /* of the first thread that has one with frames */
	struct nt_contract_monitor monitor; /* that this one waits for */
	bool found, whole;
};

static inline void read_all_fini(struct read_all *all)
{
	free(all->threads);
	nt_contract_fini(&all->contract);
	nt_memory_fini(&all->memory);
}

static inline bool holds_of_code(const struct nt_contract *contract, uint64_t pc, const struct nt_contract_code *code)
{
	return nt_contract_section_at(contract, pc - 1) &&
	       (code->kind == NT_CONTRACT_STUB || (code->function_start < pc && pc <= code->function_end && code->start < pc));
}

static inline bool holds_of_stack(const struct read_all *all, const struct nt_thread_stack *stack)
{
	if (stack->count > NT_THREAD_STACK_FRAMES || stack->byte_count > NT_THREAD_STACK_BYTES)
		return false;
	for (unsigned i = 0; i < stack->count; i++)
		if (!holds_of_code(&all->contract, stack->frames[i].pc, &stack->frames[i].code))
			return false;
	return true;
}

static inline bool holds_of_lists(const struct read_all *all)
{
	const struct nt_contract *contract = &all->contract;
	for (size_t i = 0; i < contract->section_count; i++)
		if (contract->sections[i].begin >= contract->sections[i].end || contract->sections[i].end > NT_ADDRESS_LIMIT)
			return false;
	return all->thread_count <= NT_CONTRACT_THREADS_MAX;
}

/* Read it with so many pages; `image`: where its runtime is. False: something does not hold. Ended with read_all_fini() in any case. */
static inline bool read_all(struct read_all *all, nt_page_read *read, void *context, size_t pages, uint64_t image)
{
	static struct nt_thread_stack stack;
	memset(all, 0, sizeof(*all));
	all->memory.read = read;
	all->memory.context = context;
	nt_memory_allow(&all->memory, pages);
	all->found = nt_contract_open(&all->contract, &all->memory, image) == NT_DESCRIPTOR_FOUND;
	const bool *has = all->contract.layout.has;
	if (!all->found || !has[NT_CONTRACT_THREADS] || !has[NT_CONTRACT_STACKS] || !has[NT_CONTRACT_CODE])
		return true;
	all->whole = nt_contract_read_sections(&all->contract);
	all->whole &= nt_contract_threads(&all->contract, &all->threads, &all->thread_count, &all->thread_capacity);
	bool holds = holds_of_lists(all);
	for (size_t i = 0; i < all->thread_count; i++) {
		if (!nt_thread_stack_read(&all->contract, &all->threads[i], &stack))
			continue;
		holds = holds && holds_of_stack(all, &stack);
		if (!stack.count)
			continue;
		struct nt_contract_monitor monitor = { 0 };
		if (has[NT_CONTRACT_MONITORS])
			monitor = nt_contract_monitor_of(&all->contract, &stack);
		holds = holds && (!monitor.object || (monitor.waiters && monitor.object < NT_ADDRESS_LIMIT));
		if (!all->stack.count) {
			all->stack = stack;
			all->monitor = monitor;
		}
	}
	return holds;
}

#endif
