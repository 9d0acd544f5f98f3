// SPDX-License-Identifier: GPL-2.0-only
#include "model/jit/jit_groups.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t id_other = UINT64_MAX;

/* ---- found by a number ---- */

void nt_jit_group_table_fini(struct nt_jit_group_table *table)
{
	free(table->items);
	nt_index_fini(&table->by_id);
	*table = (struct nt_jit_group_table){ 0 };
}

static uint32_t add(struct nt_jit_group_table *table, uint64_t id, const char *name)
{
	uint32_t index = (uint32_t)table->count++;
	table->items = nt_grow(table->items, &table->capacity, table->count, sizeof(*table->items));
	table->items[index] = (struct nt_jit_group){ .name = name };
	nt_index_put(&table->by_id, id, index);
	return index;
}

uint32_t nt_jit_group_of(struct nt_jit_group_table *table, uint64_t id, const char *name, const char *other)
{
	uint32_t index = nt_index_get(&table->by_id, id);
	if (index == NT_INDEX_NONE && table->count >= NT_JIT_GROUPS) {
		name = other;
		index = nt_index_get(&table->by_id, id = id_other);
	}
	return index == NT_INDEX_NONE ? add(table, id, name) : index;
}

/* ---- rows ---- */

/* Equal names beside each other, no name last. */
static int compare_names(const void *a, const void *b)
{
	const struct nt_jit_group_row *x = a, *y = b;
	if (!x->name || !y->name)
		return !x->name != !y->name ? !x->name - !y->name : (x->id > y->id) - (x->id < y->id);
	int order = strcmp(x->name, y->name);
	return order ? order : (x->id > y->id) - (x->id < y->id);
}

static int compare_times(const void *a, const void *b)
{
	const struct nt_jit_group_row *x = a, *y = b;
	if (x->all.time_ns != y->all.time_ns)
		return x->all.time_ns > y->all.time_ns ? -1 : 1;
	return compare_names(a, b);
}

static bool same_name(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static size_t merge_equal(struct nt_jit_group_row *rows, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (!kept || !same_name(rows[kept - 1].name, rows[i].name)) {
			rows[kept++] = rows[i];
			continue;
		}
		nt_jit_sums_add(&rows[kept - 1].now, &rows[i].now);
		nt_jit_sums_add(&rows[kept - 1].all, &rows[i].all);
		rows[kept - 1].fresh &= rows[i].fresh;
	}
	return kept;
}

struct nt_jit_group_row *nt_jit_groups_close(struct nt_jit_group *groups, size_t count, size_t *row_count)
{
	size_t made = 0;
	*row_count = 0;
	if (!count)
		return NULL;
	struct nt_jit_group_row *rows = nt_realloc(NULL, count, sizeof(*rows));
	for (size_t i = 0; i < count; i++) {
		struct nt_jit_group *group = &groups[i];
		if (!group->all.count)
			continue;
		rows[made++] = (struct nt_jit_group_row){
			.id = i + 1, .name = group->name, .now = group->now, .all = group->all, .fresh = !group->seen
		};
		group->seen = true;
		group->asked = false;
		group->now = (struct nt_jit_sums){ 0 };
	}
	if (made)
		qsort(rows, made, sizeof(*rows), compare_names);
	*row_count = merge_equal(rows, made);
	if (made)
		qsort(rows, *row_count, sizeof(*rows), compare_times);
	return rows;
}
