/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compilations that have something in common, summed up: by module, by namespace, by tier, by trigger. All of them count, whichever rows of methods are kept. Each sum
 * is kept twice: of the open interval, and since attach.
 */
#ifndef NT_MODEL_JIT_GROUPS_H
#define NT_MODEL_JIT_GROUPS_H

#include "base/index.h"
#include "nettop/snapshot.h"

struct nt_jit_group {
	const char *name; /* the table's, or constant; NULL = not known, or not yet */
	struct nt_jit_sums now, all;
	bool asked; /* of a module, since the last closing: somebody is asked for its name */
	bool seen;  /* compilations were counted for it in an interval that has been closed */
};

static inline void nt_jit_group_add(struct nt_jit_group *group, const struct nt_jit_sums *sums)
{
	nt_jit_sums_add(&group->now, sums);
	nt_jit_sums_add(&group->all, sums);
}

/*
 * The interval ends: a row per name of those that have compilations, longest since attach first; all without a name are one row. Then the next interval begins. The
 * rows are the caller's. A row's id is one more than the place of its first group, so groups keep their places.
 */
struct nt_jit_group_row *nt_jit_groups_close(struct nt_jit_group *groups, size_t count, size_t *row_count);

/* Groups that are found by a number. Bounded: beyond the limit everything new is in one that is called `other`. */
struct nt_jit_group_table {
	struct nt_jit_group *items; /* owned */
	size_t count, capacity;
	struct nt_index by_id;
};

enum { NT_JIT_GROUPS = 1 << 12 };

void nt_jit_group_table_fini(struct nt_jit_group_table *table);

/* The place of the group of this number, for as long as the table lives; `name` is that of a new one. UINT64_MAX is no number of a group. */
uint32_t nt_jit_group_of(struct nt_jit_group_table *table, uint64_t id, const char *name, const char *other);

#endif
