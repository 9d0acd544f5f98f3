// SPDX-License-Identifier: GPL-2.0-only
#include "model/heap/heap_held.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Steps for each node and edge. Heaps of programs take fewer than ten. */
enum { STEPS_OF_EACH = 256 };

/* By the numbers of a search in depth, from 0 on, which is the root's. Each `count` long, owned. */
struct search {
	const struct nt_heap_graph *graph;
	uint32_t *number; /* by node */
	uint32_t *node;   /* by number */
	uint32_t *parent; /* in the tree of the search; later the ancestor that a path was shortened to */
	uint32_t *label, *semi, *idom;
	uint32_t *first_from; /* one more: who refers to it, from[first_from[i] .. first_from[i + 1]) */
	uint32_t *from;
	uint32_t reached;
	uint64_t steps_left;
};

static uint32_t *numbers(size_t count)
{
	return nt_realloc(NULL, count, sizeof(uint32_t));
}

/* `idom` says meanwhile at which of its edges a node is. */
static void go_deep(struct search *search)
{
	const struct nt_heap_graph *graph = search->graph;
	uint32_t *cursor = search->idom, at = 0;
	memset(search->number, 0xff, graph->count * sizeof(uint32_t));
	search->number[graph->root] = 0;
	search->node[0] = graph->root;
	search->parent[0] = 0;
	cursor[0] = graph->first_edge[graph->root];
	search->reached = 1;
	for (;;) {
		uint32_t node = search->node[at];
		if (cursor[at] == graph->first_edge[node + 1]) {
			if (!at)
				return;
			at = search->parent[at];
			continue;
		}
		uint32_t to = graph->edges[cursor[at]++];
		if (search->number[to] != NT_HEAP_NODE_NONE)
			continue;
		uint32_t next = search->reached++;
		search->number[to] = next;
		search->node[next] = to;
		search->parent[next] = at;
		cursor[next] = graph->first_edge[to];
		at = next;
	}
}

/* Edges the other way round. */
static void turn_edges(struct search *search)
{
	const struct nt_heap_graph *graph = search->graph;
	uint32_t *first = search->first_from;
	memset(first, 0, ((size_t)search->reached + 1) * sizeof(*first));
	for (uint32_t i = 0; i < search->reached; i++)
		for (uint32_t edge = graph->first_edge[search->node[i]]; edge < graph->first_edge[search->node[i] + 1]; edge++)
			first[search->number[graph->edges[edge]] + 1]++;
	for (uint32_t i = 0; i < search->reached; i++)
		first[i + 1] += first[i];
	uint32_t all = first[search->reached];
	search->from = numbers((size_t)all + 1);
	/* Each is filled from its end, where first[i + 1] is; when it is full, that is where it begins. */
	for (uint32_t i = search->reached; i-- > 0;)
		for (uint32_t edge = graph->first_edge[search->node[i]]; edge < graph->first_edge[search->node[i] + 1]; edge++)
			search->from[--first[search->number[graph->edges[edge]] + 1]] = i;
	memmove(first, first + 1, search->reached * sizeof(*first));
	first[search->reached] = all;
}

/* The label with the least semidominator on the way up from `at` among those that are linked, which are those from `linked` on. `stack` has room for all. */
static uint32_t best_above(struct search *search, uint32_t at, uint32_t linked, uint32_t *stack)
{
	uint32_t *parent = search->parent, *label = search->label, depth = 0, below;
	if (parent[at] < linked)
		return label[at];
	for (; parent[at] >= linked; at = parent[at])
		stack[depth++] = at;
	search->steps_left -= search->steps_left < depth ? search->steps_left : depth;
	for (uint32_t above = at, best = label[at]; depth; above = below) {
		below = stack[--depth];
		parent[below] = parent[above];
		if (search->semi[best] < search->semi[label[below]])
			label[below] = best;
		else
			best = label[below];
	}
	return label[stack[0]];
}

static bool find_dominators(struct search *search)
{
	uint32_t *stack = search->number; /* of no use any more */
	for (uint32_t i = 0; i < search->reached; i++) {
		search->label[i] = search->semi[i] = i;
		search->idom[i] = search->parent[i];
	}
	for (uint32_t i = search->reached - 1; i >= 1; i--) {
		uint32_t semi = search->parent[i];
		for (uint32_t edge = search->first_from[i]; edge < search->first_from[i + 1]; edge++) {
			uint32_t through = search->semi[best_above(search, search->from[edge], i + 1, stack)];
			semi = through < semi ? through : semi;
		}
		search->semi[i] = semi;
		if (!search->steps_left)
			return false;
	}
	for (uint32_t i = 1; i < search->reached; i++) {
		while (search->idom[i] > search->semi[i] && search->steps_left) {
			search->idom[i] = search->idom[search->idom[i]];
			search->steps_left--;
		}
		if (!search->steps_left)
			return false;
	}
	return true;
}

/* Objects and bytes of each, added to those of who dominates it. */
static void add_up(struct search *search, const uint32_t *nodes, size_t count, struct nt_heap_held *held)
{
	const struct nt_heap_graph *graph = search->graph;
	uint64_t *bytes = nt_realloc(NULL, search->reached, sizeof(*bytes));
	uint32_t *objects = search->semi, *place = search->number;
	memset(place, 0xff, graph->count * sizeof(*place));
	for (uint32_t i = 0; i < search->reached; i++) {
		uint32_t node = search->node[i];
		bytes[i] = nt_heap_graph_bytes(graph, node);
		objects[i] = !graph->types[graph->type_of[node]].is_root;
		place[node] = i;
	}
	for (uint32_t i = search->reached - 1; i >= 1; i--) {
		bytes[search->idom[i]] += bytes[i];
		objects[search->idom[i]] += objects[i];
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t at = nodes[i] < graph->count ? place[nodes[i]] : NT_HEAP_NODE_NONE;
		held[i] = at == NT_HEAP_NODE_NONE ? (struct nt_heap_held){ 0 }
						  : (struct nt_heap_held){ .count = objects[at], .bytes = bytes[at] };
	}
	free(bytes);
}

bool nt_heap_held_by(const struct nt_heap_graph *graph, const uint32_t *nodes, size_t count, struct nt_heap_held *held)
{
	size_t all = graph->count;
	struct search search = { .graph = graph,
				 .number = numbers(all),
				 .node = numbers(all),
				 .parent = numbers(all),
				 .label = numbers(all),
				 .semi = numbers(all),
				 .idom = numbers(all),
				 .first_from = numbers(all + 1),
				 .steps_left = STEPS_OF_EACH * ((uint64_t)all + graph->first_edge[all] + 1) };
	go_deep(&search);
	turn_edges(&search);
	bool found = find_dominators(&search);
	free(search.from);
	free(search.first_from);
	free(search.label);
	free(search.parent);
	if (found)
		add_up(&search, nodes, count, held);
	free(search.idom);
	free(search.semi);
	free(search.node);
	free(search.number);
	return found;
}
