// SPDX-License-Identifier: GPL-2.0-only
#include "model/jit/jit_modules.h"

#include "base/alloc.h"
#include "model/jit/jit_rows.h"

#include <stdlib.h>
#include <string.h>

/* Numbers that no module has: they are addresses in the runtime. */
static const uint64_t id_dynamic = UINT64_MAX, id_other = UINT64_MAX - 1;

void nt_jit_modules_fini(struct nt_jit_modules *modules)
{
	free(modules->items);
	nt_index_fini(&modules->by_id);
	*modules = (struct nt_jit_modules){ 0 };
}

static uint32_t add(struct nt_jit_modules *modules, uint64_t id)
{
	uint32_t index = (uint32_t)modules->count++;
	modules->items = nt_grow(modules->items, &modules->capacity, modules->count, sizeof(*modules->items));
	modules->items[index] = (struct nt_jit_module){ .name = id == id_dynamic ? "(dynamic)"
								: id == id_other ? "(other modules)"
										 : NULL };
	nt_index_put(&modules->by_id, id, index);
	return index;
}

static uint32_t find(struct nt_jit_modules *modules, uint64_t id)
{
	uint32_t index = nt_index_get(&modules->by_id, id);
	if (index == NT_INDEX_NONE && modules->count >= NT_JIT_MODULES)
		index = nt_index_get(&modules->by_id, id = id_other);
	return index == NT_INDEX_NONE ? add(modules, id) : index;
}

uint32_t nt_jit_modules_of(struct nt_jit_modules *modules, const struct nt_ev_method *method)
{
	return find(modules, method->flags & NT_METHOD_DYNAMIC ? id_dynamic : method->module_id);
}

void nt_jit_modules_name(struct nt_jit_modules *modules, uint64_t id, const char *name)
{
	uint32_t index = find(modules, id);
	if (!modules->items[index].name)
		modules->items[index].name = name;
}

/* Equal names beside each other, no name last. Names are interned, but for the constants above. */
static int compare_names(const void *a, const void *b)
{
	const struct nt_jit_module_row *x = a, *y = b;
	if (!x->name || !y->name)
		return !x->name - !y->name;
	return strcmp(x->name, y->name);
}

static int compare_times(const void *a, const void *b)
{
	const struct nt_jit_module_row *x = a, *y = b;
	if (x->sums.time_ns != y->sums.time_ns)
		return x->sums.time_ns > y->sums.time_ns ? -1 : 1;
	return compare_names(a, b);
}

static size_t merge_equal(struct nt_jit_module_row *rows, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (kept && compare_names(&rows[kept - 1], &rows[i]) == 0)
			nt_jit_sums_add(&rows[kept - 1].sums, &rows[i].sums);
		else
			rows[kept++] = rows[i];
	}
	return kept;
}

struct nt_jit_module_row *nt_jit_modules_rows(const struct nt_jit_modules *modules, size_t *count)
{
	*count = 0;
	if (!modules->count)
		return NULL;
	struct nt_jit_module_row *rows = nt_realloc(NULL, modules->count, sizeof(*rows));
	for (size_t i = 0; i < modules->count; i++)
		if (modules->items[i].sums.count)
			rows[(*count)++] = (struct nt_jit_module_row){ .name = modules->items[i].name, .sums = modules->items[i].sums };
	qsort(rows, *count, sizeof(*rows), compare_names);
	*count = merge_equal(rows, *count);
	qsort(rows, *count, sizeof(*rows), compare_times);
	return rows;
}
