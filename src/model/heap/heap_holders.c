// SPDX-License-Identifier: GPL-2.0-only
#include "model/heap/heap_holders.h"

#include "base/alloc.h"
#include "model/heap/heap_held.h"
#include "model/heap/heap_paths_find.h"

#include <stdlib.h>
#include <string.h>

static void find_held(struct nt_heap_found *heap)
{
	uint32_t *nodes = nt_realloc(NULL, heap->static_count + 1, sizeof(*nodes));
	struct nt_heap_held *held = nt_realloc(NULL, heap->static_count + 1, sizeof(*held));
	for (size_t i = 0; i < heap->static_count; i++)
		nodes[i] = heap->statics[i].node;
	heap->statics_held = nt_heap_held_by(heap->graph, nodes, heap->static_count, held);
	for (size_t i = 0; i < heap->static_count && heap->statics_held; i++) {
		heap->statics[i].held_bytes = held[i].bytes;
		heap->statics[i].held_count = held[i].count;
	}
	if (!heap->statics_held)
		heap->no_graph = "what refers to what is of a form that takes too long to be gone through";
	free(nodes);
	free(held);
}

static void add_paths(struct nt_heap_found *heap, const struct nt_heap_tree *tree, const char *type)
{
	heap->paths = nt_realloc(heap->paths, heap->path_count + 1, sizeof(struct nt_heap_paths *));
	heap->paths[heap->path_count++] = nt_heap_paths_find(heap->graph, tree, type, NT_HEAP_STEPS);
}

static enum nt_status find_paths_of(struct nt_heap_found *heap, const struct nt_heap_tree *tree, const char *asked, struct nt_error *err)
{
	bool several;
	const char *type = nt_heap_type_meant(heap->graph, asked, &several);
	if (!type && several)
		return nt_error_set(err, NT_ERR_USAGE, "the names of several types end in %s: give the whole name", asked);
	if (!type)
		return nt_error_set(err, NT_ERR_USAGE, "the heap has no object of a type called %s", asked);
	add_paths(heap, tree, type);
	return NT_OK;
}

/* Those of the runtime's own libraries are everywhere: who holds all strings is no question. */
static bool is_of_program(const char *type)
{
	return strchr(type, '.') && strncmp(type, "System.", 7) != 0 && strncmp(type, "Microsoft.", 10) != 0 &&
	       strncmp(type, "Interop.", 8) != 0 && strncmp(type, "Internal.", 9) != 0;
}

enum nt_status nt_heap_holders_find(struct nt_heap_found *heap, const char *type, size_t first, struct nt_error *err)
{
	enum nt_status status = NT_OK;
	if (!heap->graph)
		return NT_OK;
	struct nt_heap_tree tree = nt_heap_tree_of(heap->graph);
	if (type)
		status = find_paths_of(heap, &tree, type, err);
	for (size_t i = 0; i < heap->type_count && heap->path_count < first && !type; i++)
		if (is_of_program(heap->types[i].name))
			add_paths(heap, &tree, heap->types[i].name);
	nt_heap_tree_fini(&tree);
	free(heap->graph->addresses);
	heap->graph->addresses = NULL;
	if (heap->graph->fields_apart)
		find_held(heap);
	nt_heap_graph_free(heap->graph);
	heap->graph = NULL;
	return status;
}
