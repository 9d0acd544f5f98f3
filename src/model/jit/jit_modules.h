/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which module and which namespace a compiled method is counted for. The runtime says a module by a number; its name comes from the event of its loading, or from the perf
 * map, from any one of its methods. Methods made at run time are "(dynamic)", whichever module the runtime hangs them on, and in whichever namespace it would be.
 */
#ifndef NT_MODEL_JIT_MODULES_H
#define NT_MODEL_JIT_MODULES_H

#include "model/jit/jit_groups.h"

/* The place of the module's group. */
uint32_t nt_jit_modules_of(struct nt_jit_group_table *modules, const struct nt_ev_method *method);

/* `name` is the table's. What is known already stays. */
void nt_jit_modules_name(struct nt_jit_group_table *modules, uint64_t id, const char *name);

/* The place of the group of the method's namespace. `name` is the table's; NULL = the event says none. */
uint32_t nt_jit_namespaces_of(struct nt_jit_group_table *namespaces, const struct nt_ev_method *method, const char *name);

#endif
