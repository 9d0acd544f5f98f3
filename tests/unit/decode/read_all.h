/* SPDX-License-Identifier: GPL-2.0-only */
/* All that is read of a runtime's memory, as the reader does it, and what must hold of it whatever that memory says. */
#ifndef TEST_READ_ALL_H
#define TEST_READ_ALL_H

#include "decode/contract/contract_allocated.h"
#include "decode/contract/contract_locks.h"
#include "decode/contract/contract_methods.h"
#include "decode/contract/contract_names.h"
#include "decode/contract/contract_person.h"
#include "decode/contract/contract_pool.h"
#include "decode/contract/contract_static_list.h"

#include <stdlib.h>
#include <string.h>

struct read_all {
	struct nt_memory memory;
	struct nt_contract contract;
	struct nt_contract_thread *threads;
	size_t thread_count, thread_capacity;
	struct nt_thread_stack stack;    /* of the first thread that has one with frames */
	struct nt_contract_lock monitor; /* that this one waits for */
	struct nt_contract_name name;    /* of its innermost frame; "" = none was read */
	size_t begins;                   /* of generated code that were found */
	size_t allocated_count;          /* threads of which it is known what they have allocated, */
	uint64_t allocated;              /* and what all have */
	bool pooled;                     /* the thread pool was read: */
	struct nt_contract_pool_counts pool;
	bool statics_whole;     /* the static fields of all types of the pool's module were looked through for */
	char static_name[256];  /* the first one of the pool; "" = it was not found */
	bool listed_whole;      /* all static fields that have objects were listed: */
	size_t listed;          /* how many, */
	char listed_names[256]; /* the begin of their names */
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

static inline bool count_begin(void *context, uint64_t start)
{
	(void)start;
	++*(size_t *)context;
	return true;
}

/* The names of the first stack's frames. */
static inline bool read_names(struct read_all *all)
{
	static struct nt_contract_name name;
	struct nt_contract_modules modules = { .contract = &all->contract };
	bool holds = true;
	nt_contract_begins(&all->contract, count_begin, &all->begins);
	for (unsigned i = 0; i < all->stack.count; i++) {
		uint64_t pc = all->stack.frames[i].pc;
		if (nt_contract_name_at(&modules, pc - 1, &name) != NT_CONTRACT_NAMED)
			continue;
		holds = holds && holds_of_code(&all->contract, pc, &name.code) && name.length < sizeof(name.text) &&
			strlen(name.text) == name.length && !strpbrk(name.text, "\n\x1b");
		if (!i)
			all->name = name;
	}
	nt_contract_modules_fini(&modules);
	return holds;
}

static inline bool read_allocated(struct read_all *all)
{
	bool holds = true;
	for (size_t i = 0; i < all->thread_count && all->contract.layout.has[NT_CONTRACT_ALLOCATED]; i++) {
		uint64_t bytes;
		if (!nt_contract_allocated(&all->contract, all->threads[i].address, &bytes))
			continue;
		holds = holds && bytes <= UINT64_C(1) << 57;
		all->allocated += bytes;
		all->allocated_count++;
	}
	return holds;
}

static inline bool read_persons(struct read_all *all)
{
	static struct nt_contract_person person;
	struct nt_contract_modules modules = { .contract = &all->contract };
	bool named = all->contract.layout.has[NT_CONTRACT_FIELDS] && all->contract.layout.has[NT_CONTRACT_NAMES], holds = true;
	for (size_t i = 0; i < all->thread_count && all->contract.layout.has[NT_CONTRACT_PERSONS]; i++) {
		nt_contract_person_read(&modules, all->threads[i].address, named, &person);
		holds = holds && memchr(person.name, '\0', sizeof(person.name)) && memchr(person.message, '\0', sizeof(person.message)) &&
			(person.thrown || !*person.message);
	}
	nt_contract_modules_fini(&modules);
	return holds;
}

/* The thread pool, twice: what was found for the first time is used for the second one. */
static inline bool read_pool(struct read_all *all)
{
	struct nt_contract_modules modules = { .contract = &all->contract };
	struct nt_contract_pool pool = { 0 };
	const struct nt_contract_pool_counts *counts = &all->pool;
	bool holds = true;
	for (int i = 0; i < 2; i++) {
		all->pooled = nt_contract_pool_read(&pool, &modules, &all->pool);
		holds = holds && (!all->pooled ||
				  (counts->working <= counts->existing && counts->existing <= INT16_MAX && counts->goal && counts->min &&
				   counts->min <= counts->max && counts->max <= INT16_MAX && (counts->queued_known || !counts->queued)));
	}
	nt_contract_modules_fini(&modules);
	return holds;
}

/* The pool's first static field by its address, and what is beside it. */
static inline bool read_static(struct read_all *all)
{
	static const char *const names[] = { "System.Threading.PortableThreadPool" };
	struct nt_contract_modules modules = { .contract = &all->contract };
	struct nt_text_out out = { .buf = all->static_name, .size = sizeof(all->static_name) };
	uint64_t module = nt_contract_core(&all->contract), base = 0;
	uint32_t rid;
	if (nt_contract_find_types(&modules, module, names, 1, &rid))
		base = nt_contract_statics(&all->contract, nt_contract_table_of(&all->contract, module, rid));
	struct nt_contract_slot slots[] = { { .address = base - 1 }, { .address = base }, { .address = base }, { .address = base + 1 } };
	all->statics_whole = base && nt_contract_find_statics(&modules, module, slots, 4);
	if (slots[1].table)
		nt_contract_put_static(&modules, &slots[1], &out);
	all->static_name[out.length] = '\0';
	nt_contract_modules_fini(&modules);
	return slots[1].table == slots[2].table && slots[1].field == slots[2].field && out.length < sizeof(all->static_name);
}

struct listing {
	struct read_all *all;
	struct nt_contract_modules *modules;
	struct nt_text_out out;
	bool holds;
};

static inline void take_listed(void *context, const struct nt_contract_static *found)
{
	struct listing *listing = context;
	listing->all->listed++;
	listing->holds = listing->holds && found->object && found->slot.table;
	nt_contract_put_field(listing->modules, &found->slot, &listing->out);
	nt_text_put_word(&listing->out, " ");
}

static inline bool list_statics(struct read_all *all)
{
	struct nt_contract_modules modules = { .contract = &all->contract };
	struct listing listing = {
		.all = all, .modules = &modules, .out = { .buf = all->listed_names, .size = sizeof(all->listed_names) }, .holds = true
	};
	all->listed_whole = nt_contract_each_static_object(&modules, take_listed, &listing);
	all->listed_names[listing.out.length] = '\0';
	nt_contract_modules_fini(&modules);
	return listing.holds && listing.out.length < sizeof(all->listed_names);
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
	bool holds = holds_of_lists(all) && read_allocated(all) && read_persons(all);
	for (size_t i = 0; i < all->thread_count; i++) {
		if (!nt_thread_stack_read(&all->contract, &all->threads[i], &stack))
			continue;
		holds = holds && holds_of_stack(all, &stack);
		if (!stack.count)
			continue;
		struct nt_contract_modules modules = { .contract = &all->contract };
		struct nt_contract_lock monitor = { 0 };
		if (has[NT_CONTRACT_MONITORS])
			monitor = nt_contract_lock_of(&modules, all->threads, all->thread_count, all->threads[i].os_id, &stack);
		nt_contract_modules_fini(&modules);
		holds = holds && (!monitor.object || (monitor.waiters && monitor.object < NT_ADDRESS_LIMIT));
		if (!all->stack.count) {
			all->stack = stack;
			all->monitor = monitor;
		}
	}
	holds = (!has[NT_CONTRACT_NAMES] || read_names(all)) && holds;
	if (!has[NT_CONTRACT_NAMES] || !has[NT_CONTRACT_FIELDS])
		return holds;
	return read_pool(all) && read_static(all) && (!has[NT_CONTRACT_MODULES] || list_statics(all)) && holds;
}

#endif
