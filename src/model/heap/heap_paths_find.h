/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths to the objects of a type, put together by types. */
#ifndef NT_MODEL_HEAP_PATHS_FIND_H
#define NT_MODEL_HEAP_PATHS_FIND_H

#include "model/heap/heap_tree.h"
#include "nettop/heap_paths.h"

/*
 * Which type is meant by `name`: one that is called so; else one whose name ends in it, behind a dot ("Order" for "Shop.Order"). The graph's, borrowed. NULL: there is none, or several (*several) end in it.
 */
const char *nt_heap_type_meant(const struct nt_heap_graph *graph, const char *name, bool *several);

/* All objects of the types of this name, as nt_heap_type_meant() has it, by the tree of this graph. At most `steps` steps are listed. The caller's, for nt_heap_paths_free(). */
struct nt_heap_paths *nt_heap_paths_find(const struct nt_heap_graph *graph, const struct nt_heap_tree *tree, const char *type,
					 size_t steps);

#endif
