// SPDX-License-Identifier: MIT
#include "functions.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct search {
	uintptr_t address;
	const struct ust0_functions *ours;
	size_t found;
};

static bool holds(const struct dl_phdr_info *module, uintptr_t address)
{
	for (size_t i = 0; i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &module->dlpi_phdr[i];
		if (part->p_type == PT_LOAD && address - (module->dlpi_addr + part->p_vaddr) < part->p_memsz)
			return true;
	}
	return false;
}

/* All of a module's memory is gone through, also what a sanitizer puts between its variables. */
#define OF_ALL_MEMORY __attribute__((no_sanitize("address")))

OF_ALL_MEMORY static bool has_functions(const struct ust0_functions *some, const struct ust0_functions *ours)
{
	return some->library && some->register_lib == ours->register_lib && some->unregister_lib == ours->unregister_lib &&
	       some->read_lock == ours->read_lock && some->read_unlock == ours->read_unlock && some->dereference == ours->dereference;
}

/* It has no symbol, so it is known by what is in it: five words in a row that nothing else has. */
OF_ALL_MEMORY static void search_part(uintptr_t from, size_t size, struct search *search)
{
	const uintptr_t end = from + size;
	from = (from + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
	for (; from <= end && end - from >= sizeof(struct ust0_functions); from += sizeof(void *)) {
		struct ust0_functions *some = (struct ust0_functions *)from;
		if (some == search->ours || !has_functions(some, search->ours))
			continue;
		__atomic_store_n(&some->library, NULL, __ATOMIC_RELAXED);
		search->found++;
	}
}

static int look_at(struct dl_phdr_info *module, size_t size, void *context)
{
	struct search *search = context;
	(void)size;
	if (!holds(module, search->address))
		return 0;
	for (size_t i = 0; i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &module->dlpi_phdr[i];
		if (part->p_type == PT_LOAD && part->p_flags & PF_W)
			search_part(module->dlpi_addr + part->p_vaddr, part->p_memsz, search);
	}
	return 1;
}

size_t ust0_functions_keep(const void *address, const struct ust0_functions *ours)
{
	struct search search = { .address = (uintptr_t)address, .ours = ours };
	dl_iterate_phdr(look_at, &search);
	return search.found;
}
