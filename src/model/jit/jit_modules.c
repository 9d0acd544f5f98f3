// SPDX-License-Identifier: GPL-2.0-only
#include "model/jit/jit_modules.h"

#include "model/jit/jit_rows.h"

static const char dynamic[] = "(dynamic)", global[] = "(global)";
static const char other_modules[] = "(other modules)", other_namespaces[] = "(other namespaces)";

/* A number that no module has: they are addresses in the runtime. */
static const uint64_t id_dynamic = UINT64_MAX - 1;

uint32_t nt_jit_modules_of(struct nt_jit_group_table *modules, const struct nt_ev_method *method)
{
	bool made = method->flags & NT_METHOD_DYNAMIC;
	return nt_jit_group_of(modules, made ? id_dynamic : method->module_id, made ? dynamic : NULL, other_modules);
}

void nt_jit_modules_name(struct nt_jit_group_table *modules, uint64_t id, const char *name)
{
	uint32_t index = nt_jit_group_of(modules, id, NULL, other_modules);
	if (!modules->items[index].name)
		modules->items[index].name = name;
}

/* Names are kept once, so their addresses tell them apart. */
uint32_t nt_jit_namespaces_of(struct nt_jit_group_table *namespaces, const struct nt_ev_method *method, const char *name)
{
	if (method->flags & NT_METHOD_DYNAMIC)
		name = dynamic;
	else if (!name && method->name)
		name = global;
	return nt_jit_group_of(namespaces, (uint64_t)(uintptr_t)name, name, other_namespaces);
}
