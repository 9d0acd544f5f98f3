/* SPDX-License-Identifier: GPL-2.0-only */
/* Who holds what is in a heap: asked of its graph, which is let go then. */
#ifndef NT_MODEL_HEAP_HOLDERS_H
#define NT_MODEL_HEAP_HOLDERS_H

#include "nettop/heap_found.h"
#include "nettop/status.h"

enum { NT_HEAP_STEPS = 200 /* of the paths to the objects of one type, listed at most */ };

/*
 * Finds what each static field holds, and the paths to the objects of the type that `type` means (model/heap/heap_paths_find.h); NULL = to those of the `first` types with the most bytes that are a program's own. Nothing, and OK, without a graph, of
 * which heap->no_graph tells. USAGE: there is no such type, or several; the rest was found.
 */
enum nt_status nt_heap_holders_find(struct nt_heap_found *heap, const char *type, size_t first, struct nt_error *err);

#endif
