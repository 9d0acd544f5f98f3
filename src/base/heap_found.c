// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/heap_found.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static void free_text(const char *text)
{
	free((void *)(uintptr_t)text);
}

static int by_name(const void *a, const void *b)
{
	const struct nt_heap_type *left = a, *right = b;
	return strcmp(left->name, right->name);
}

static int by_bytes(const void *a, const void *b)
{
	const struct nt_heap_type *left = a, *right = b;
	return left->bytes != right->bytes ? (left->bytes < right->bytes ? 1 : -1) : strcmp(left->name, right->name);
}

void nt_heap_found_name_graph(struct nt_heap_found *heap)
{
	struct nt_heap_graph *graph = heap->graph;
	if (!graph)
		return;
	for (size_t i = 0; i < heap->type_count && i < graph->type_count; i++) {
		free(graph->types[i].name);
		graph->types[i].name = nt_strdup(heap->types[i].name);
	}
	for (size_t i = 0; i < heap->static_count; i++) {
		const struct nt_heap_static *field = &heap->statics[i];
		struct nt_heap_graph_type *type = &graph->types[graph->type_of[field->node]];
		free(type->name);
		type->name = field->owner ? nt_format("static %s.%s", field->owner, field->field) : nt_format("static %s", field->field);
	}
}

void nt_heap_found_join(struct nt_heap_found *heap)
{
	size_t kept = 0;
	qsort(heap->types, heap->type_count, sizeof(*heap->types), by_name);
	for (size_t i = 0; i < heap->type_count; i++) {
		struct nt_heap_type *last = kept ? &heap->types[kept - 1] : NULL;
		if (last && strcmp(last->name, heap->types[i].name) == 0) {
			last->count += heap->types[i].count;
			last->bytes += heap->types[i].bytes;
			free_text(heap->types[i].name);
		} else {
			heap->types[kept++] = heap->types[i];
		}
	}
	heap->type_count = kept;
	qsort(heap->types, heap->type_count, sizeof(*heap->types), by_bytes);
}

void nt_heap_found_free(struct nt_heap_found *heap)
{
	if (!heap)
		return;
	for (size_t i = 0; i < heap->type_count; i++)
		free_text(heap->types[i].name);
	for (size_t i = 0; i < heap->static_count; i++) {
		free_text(heap->statics[i].field);
		free_text(heap->statics[i].owner);
		free_text(heap->statics[i].type);
	}
	free(heap->types);
	free(heap->statics);
	free(heap->modules);
	nt_heap_graph_free(heap->graph);
	for (size_t i = 0; i < heap->path_count; i++)
		nt_heap_paths_free(heap->paths[i]);
	free(heap->paths);
	free(heap);
}
