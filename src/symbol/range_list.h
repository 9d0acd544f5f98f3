/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of ranges: how they grow, and how they are sorted. */
#ifndef NT_SYMBOL_RANGE_LIST_H
#define NT_SYMBOL_RANGE_LIST_H

#include "symbol/range.h"

enum { NT_RANGES_LIMIT = 4 << 20 }; /* entries of a table */

/* Sort by (start, order). From index `ascending` on it is in order already. */
void nt_range_list_sort(struct nt_range_list *list, size_t ascending);

/* Make room for `need` items of `size` bytes. */
void *nt_range_list_grow(void *items, size_t *capacity, size_t need, size_t size);

/* Append without any check: the new item, to be filled in place, because a map has so many that copying them shows. */
static inline struct nt_range *nt_range_list_push(struct nt_range_list *list)
{
	if (list->count == list->capacity)
		list->items = nt_range_list_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	return &list->items[list->count++];
}

#endif
