/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compilations since attach by module, all of them. The runtime says a module by a number; its name comes from the event of its loading, or from the perf
 * map, from any one of its methods. Methods made at run time are "(dynamic)", whichever module the runtime hangs them on. Bounded: beyond the limit everything new is
 * "(other modules)".
 */
#ifndef NT_MODEL_JIT_MODULES_H
#define NT_MODEL_JIT_MODULES_H

#include "base/index.h"
#include "nettop/snapshot.h"

enum { NT_JIT_MODULES = 1 << 12 };

struct nt_jit_module {
	const char *name; /* the table's; NULL = not found yet */
	struct nt_jit_sums sums;
};

struct nt_jit_modules {
	struct nt_jit_module *items; /* owned */
	size_t count, capacity;
	struct nt_index by_id; /* the runtime's number -> index in items */
};

void nt_jit_modules_fini(struct nt_jit_modules *modules);

/* The index of the module that a method is counted under, for as long as the table lives. */
uint32_t nt_jit_modules_of(struct nt_jit_modules *modules, const struct nt_ev_method *method);

/* `name` is the table's. What is known already stays. */
void nt_jit_modules_name(struct nt_jit_modules *modules, uint64_t id, const char *name);

/* A row per name of those that have compilations, those that took longest first; all without a name are one row. The caller's. */
struct nt_jit_module_row *nt_jit_modules_rows(const struct nt_jit_modules *modules, size_t *count);

#endif
