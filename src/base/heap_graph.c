// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/heap_graph.h"

#include "base/starts.h"

#include <stdlib.h>

uint64_t nt_heap_graph_bytes(const struct nt_heap_graph *graph, uint32_t node)
{
	if (graph->bytes[node] != UINT32_MAX)
		return graph->bytes[node];
	size_t after = nt_starts32_up_to(graph->large, graph->large_count, sizeof(*graph->large), node);
	return after && graph->large[after - 1].node == node ? graph->large[after - 1].bytes : UINT32_MAX;
}

uint64_t nt_heap_graph_memory(uint64_t nodes, uint64_t edges)
{
	enum {
		NODE = 8 + 4 * sizeof(uint32_t), /* address, type, bytes, first edge; */
		LOOK = 7 * sizeof(uint32_t),     /* what dominators are found with, the addresses being let go; */
		EDGE = 2 * sizeof(uint32_t)      /* each way */
	};
	return nodes * (NODE + LOOK) + edges * EDGE;
}

bool nt_heap_graph_is_sound(const struct nt_heap_graph *graph)
{
	if (graph->count > NT_HEAP_NODES_MAX || graph->root >= graph->count || graph->first_edge[0] != 0)
		return false;
	for (uint32_t i = 0; i < graph->count; i++)
		if (graph->type_of[i] >= graph->type_count || graph->first_edge[i] > graph->first_edge[i + 1])
			return false;
	for (uint32_t i = 0; i < graph->first_edge[graph->count]; i++)
		if (graph->edges[i] >= graph->count)
			return false;
	return true;
}

void nt_heap_graph_free(struct nt_heap_graph *graph)
{
	if (!graph)
		return;
	for (size_t i = 0; i < graph->type_count; i++)
		free(graph->types[i].name);
	free(graph->types);
	free(graph->type_of);
	free(graph->bytes);
	free(graph->addresses);
	free(graph->first_edge);
	free(graph->edges);
	free(graph->large);
	free(graph);
}
