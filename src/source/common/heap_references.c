// SPDX-License-Identifier: GPL-2.0-only
/*
 * The walk goes through one region of the heap after the other, and through each by rising addresses: objects are found by their addresses without being put in order. What comes by rising addresses, and can be of one region, is a run.
 */
#include "source/common/heap_references.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum {
	RUNS_MAX = 1 << 18,
	REGION_SHIFT = 22,         /* the least size of a region, at a multiple of which each begins */
	RUN_BLOCK_OBJECTS = 8,     /* in a block of a run, on average: among these an address is looked for */
	OTHERS_MAX = 1 << 20,      /* roots, and pairs, each */
	SLOT_STEPS_MAX = 64 << 20, /* looking for the references of static fields */
	DROPPED_PART = 100,        /* one reference of so many may lead to what is no object that was told of: literals in the image */
	LARGE_MAX = 1 << 16,
	BITS = 64, /* of a word of a set of nodes */
};

struct run {
	uint64_t first, last; /* addresses of objects */
	uint32_t begin, end;  /* nodes */
	unsigned shift;       /* of bytes to blocks */
	size_t block;         /* its first one */
};

struct pair {
	uint64_t from, to;
};

struct root {
	uint64_t object;
	uint32_t kind;
};

struct nt_heap_references {
	uint64_t limit_bytes;
	const struct nt_heap_root_names *kinds; /* borrowed */
	const char *broken;                     /* why there will be no graph; static; NULL = nothing yet */
	uint32_t count;
	size_t address_capacity, type_capacity, bytes_capacity, edge_of_capacity;
	uint64_t *addresses; /* owned, as the following */
	uint32_t *types, *bytes;
	uint32_t *first_edge; /* `count` long; where the edges of each begin */
	uint64_t told_edges;  /* as the nodes say */
	uint64_t *targets;    /* addresses; afterwards, in the same memory, nodes */
	size_t target_count, target_capacity;
	struct nt_heap_large *large;
	size_t large_count, large_capacity;
	struct run *runs;
	size_t run_count, run_capacity;
	uint32_t *blocks; /* of all runs: the first node at or behind the begin of each */
	struct root *roots;
	size_t root_count, root_capacity;
	struct pair *pairs;
	size_t pair_count, pair_capacity;
};

struct nt_heap_references *nt_heap_references_new(uint64_t limit_bytes, const struct nt_heap_root_names *kinds)
{
	struct nt_heap_references *references = nt_alloc(sizeof(*references));
	references->limit_bytes = limit_bytes;
	references->kinds = kinds;
	return references;
}

static void let_go(struct nt_heap_references *references)
{
	free(references->addresses);
	free(references->types);
	free(references->bytes);
	free(references->first_edge);
	free(references->targets);
	free(references->large);
	free(references->runs);
	free(references->blocks);
	free(references->roots);
	free(references->pairs);
}

void nt_heap_references_free(struct nt_heap_references *references)
{
	if (!references)
		return;
	let_go(references);
	free(references);
}

void nt_heap_references_give_up(struct nt_heap_references *references, const char *why)
{
	if (references->broken)
		return;
	let_go(references);
	*references = (struct nt_heap_references){ .broken = why, .kinds = references->kinds };
}

void nt_heap_references_lost(struct nt_heap_references *references)
{
	nt_heap_references_give_up(references,
				   "part of what the runtime told of it was lost, and nobody knows then whose the other references are");
}

static bool has_room(struct nt_heap_references *references)
{
	if (references->broken)
		return false;
	if (references->count < NT_HEAP_NODES_MAX / 2 && references->target_count < NT_HEAP_EDGES_MAX / 2 &&
	    nt_heap_graph_memory(references->count, references->target_count) <= references->limit_bytes)
		return true;
	nt_heap_references_give_up(references, "it has more objects and references than fit into the memory that nettop may take");
	return false;
}

/* ---- what comes ---- */

static const char too_many_roots[] = "it has more roots than nettop takes";

static void note_run(struct nt_heap_references *references, uint64_t address, uint32_t node)
{
	struct run *last = references->run_count ? &references->runs[references->run_count - 1] : NULL;
	if (last && address > last->last && address >> REGION_SHIFT == last->last >> REGION_SHIFT) {
		last->last = address;
		last->end = node + 1;
		return;
	}
	if (references->run_count == RUNS_MAX) {
		nt_heap_references_give_up(references, "its objects came in no order");
		return;
	}
	references->runs = nt_grow(references->runs, &references->run_capacity, references->run_count + 1, sizeof(*references->runs));
	references->runs[references->run_count++] = (struct run){ .first = address, .last = address, .begin = node, .end = node + 1 };
}

static void note_large(struct nt_heap_references *references, uint32_t node, uint64_t bytes)
{
	if (references->large_count == LARGE_MAX)
		return;
	references->large =
		nt_grow(references->large, &references->large_capacity, references->large_count + 1, sizeof(*references->large));
	references->large[references->large_count++] = (struct nt_heap_large){ node, bytes };
}

void nt_heap_references_node(struct nt_heap_references *references, const struct nt_heap_node *node, uint32_t type)
{
	if (!has_room(references))
		return;
	uint32_t place = references->count;
	size_t need = (size_t)place + 1;
	references->addresses = nt_grow(references->addresses, &references->address_capacity, need, sizeof(*references->addresses));
	references->types = nt_grow(references->types, &references->type_capacity, need, sizeof(*references->types));
	references->bytes = nt_grow(references->bytes, &references->bytes_capacity, need, sizeof(*references->bytes));
	references->first_edge = nt_grow(references->first_edge, &references->edge_of_capacity, need, sizeof(*references->first_edge));
	references->addresses[place] = node->address;
	references->types[place] = type;
	references->bytes[place] = node->bytes < UINT32_MAX ? (uint32_t)node->bytes : UINT32_MAX;
	if (node->bytes >= UINT32_MAX)
		note_large(references, place, node->bytes);
	references->first_edge[place] = (uint32_t)references->told_edges;
	references->told_edges += node->references;
	references->count++;
	if (node->references > UINT32_MAX || references->told_edges > NT_HEAP_EDGES_MAX)
		nt_heap_references_give_up(references, "it has more references than nettop takes");
	else
		note_run(references, node->address, place);
}

void nt_heap_references_edge(struct nt_heap_references *references, uint64_t to)
{
	if (!has_room(references))
		return;
	references->targets =
		nt_grow(references->targets, &references->target_capacity, references->target_count + 1, sizeof(*references->targets));
	references->targets[references->target_count++] = to;
}

void nt_heap_references_root(struct nt_heap_references *references, uint64_t object, uint32_t kind)
{
	if (references->broken || !object || kind >= references->kinds->count)
		return;
	if (references->root_count == OTHERS_MAX) {
		nt_heap_references_give_up(references, too_many_roots);
		return;
	}
	references->roots = nt_grow(references->roots, &references->root_capacity, references->root_count + 1, sizeof(*references->roots));
	references->roots[references->root_count++] = (struct root){ object, kind };
}

void nt_heap_references_pair(struct nt_heap_references *references, uint64_t key, uint64_t value)
{
	if (references->broken)
		return;
	if (references->pair_count == OTHERS_MAX) {
		nt_heap_references_give_up(references, too_many_roots);
		return;
	}
	references->pairs = nt_grow(references->pairs, &references->pair_capacity, references->pair_count + 1, sizeof(*references->pairs));
	references->pairs[references->pair_count++] = (struct pair){ key, value };
}

/* ---- objects by address ---- */

static int by_first(const void *a, const void *b)
{
	const struct run *left = a, *right = b;
	return (left->first > right->first) - (left->first < right->first);
}

/* Runs in the order of their addresses, each with its blocks. False: they lie within each other. */
static bool lay_out_runs(struct nt_heap_references *references)
{
	size_t block_count = 0;
	qsort(references->runs, references->run_count, sizeof(*references->runs), by_first);
	for (size_t i = 0; i < references->run_count; i++) {
		struct run *run = &references->runs[i];
		if (i && run->first <= references->runs[i - 1].last)
			return false;
		while ((run->last - run->first) >> run->shift > (run->end - run->begin) / RUN_BLOCK_OBJECTS)
			run->shift++;
		run->block = block_count;
		block_count += (size_t)((run->last - run->first) >> run->shift) + 1;
	}
	references->blocks = nt_realloc(NULL, block_count + 1, sizeof(*references->blocks));
	for (size_t i = 0; i < references->run_count; i++) {
		const struct run *run = &references->runs[i];
		uint64_t next = 0, blocks = ((run->last - run->first) >> run->shift) + 1;
		for (uint32_t node = run->begin; node < run->end; node++)
			for (; next <= (references->addresses[node] - run->first) >> run->shift && next < blocks; next++)
				references->blocks[run->block + next] = node;
	}
	return true;
}

/* The last object that begins at `address` or before it; NT_HEAP_NODE_NONE: there is none in its run. */
static uint32_t node_before(const struct nt_heap_references *references, uint64_t address)
{
	size_t low = 0, high = references->run_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (references->runs[middle].first <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NT_HEAP_NODE_NONE;
	const struct run *run = &references->runs[low - 1];
	if (address > run->last)
		return run->end - 1;
	uint64_t block = (address - run->first) >> run->shift, blocks = (run->last - run->first) >> run->shift;
	const uint32_t *firsts = references->blocks + run->block;
	/* A block that none begins in has the first one behind it. */
	uint32_t from = firsts[block] > run->begin ? firsts[block] - 1 : run->begin, to = block < blocks ? firsts[block + 1] : run->end;
	while (to - from > 1) {
		uint32_t middle = from + (to - from) / 2;
		if (references->addresses[middle] <= address)
			from = middle;
		else
			to = middle;
	}
	return from;
}

static uint32_t node_at(const struct nt_heap_references *references, uint64_t address)
{
	uint32_t node = node_before(references, address);
	return node != NT_HEAP_NODE_NONE && references->addresses[node] == address ? node : NT_HEAP_NODE_NONE;
}

/* ---- the graph ---- */

/* Nodes in the place of addresses, and in the same memory; what leads to no object that was told of is left out. False: that is more than a few. */
static bool find_targets(struct nt_heap_references *references, struct nt_heap_graph *graph)
{
	uint32_t *edges = (uint32_t *)references->targets, kept = 0;
	size_t dropped = 0;
	for (uint32_t node = 0, edge = 0; node < references->count; node++) {
		uint32_t end = node + 1 < references->count ? references->first_edge[node + 1] : (uint32_t)references->target_count;
		graph->first_edge[node] = kept;
		for (; edge < end; edge++) {
			uint64_t address;
			memcpy(&address, references->targets + edge, sizeof(address));
			uint32_t to = node_at(references, address);
			dropped += to == NT_HEAP_NODE_NONE;
			if (to != NT_HEAP_NODE_NONE)
				edges[kept++] = to;
		}
	}
	for (uint32_t node = references->count; node <= graph->count; node++)
		graph->first_edge[node] = kept;
	graph->edges = edges;
	references->targets = NULL;
	return dropped <= references->target_count / DROPPED_PART + DROPPED_PART;
}

/*
 * Static fields lie in arrays of the heap, which the runtime holds: what a field refers to would be held by its array, and never by the field. So those references become ones of the array to itself.
 */
static bool take_fields_out(const struct nt_heap_references *references, const struct nt_heap_found *heap, const uint32_t *objects,
			    struct nt_heap_graph *graph)
{
	uint64_t steps = 0;
	for (size_t i = 0; i < heap->static_count; i++) {
		uint64_t place = heap->statics[i].place;
		uint32_t array = place ? node_before(references, place) : NT_HEAP_NODE_NONE;
		if (array == NT_HEAP_NODE_NONE || place - references->addresses[array] >= references->bytes[array] ||
		    objects[i] == NT_HEAP_NODE_NONE)
			continue;
		for (uint32_t edge = graph->first_edge[array]; edge < graph->first_edge[array + 1]; edge++, steps++) {
			if (graph->edges[edge] != objects[i])
				continue;
			graph->edges[edge] = array;
			break;
		}
		if (steps > SLOT_STEPS_MAX)
			return false;
	}
	return true;
}

struct added {
	uint32_t from, to;
};

static int by_from(const void *a, const void *b)
{
	const struct added *left = a, *right = b;
	return left->from != right->from ? (left->from < right->from ? -1 : 1) : (left->to > right->to) - (left->to < right->to);
}

/* Further edges: all that lies behind is moved, from the last one on. */
static void add_edges(struct nt_heap_graph *graph, struct added *added, size_t count)
{
	uint32_t all = graph->first_edge[graph->count];
	graph->edges = nt_realloc(graph->edges, (size_t)all + count + 1, sizeof(*graph->edges));
	qsort(added, count, sizeof(*added), by_from);
	for (uint32_t node = graph->count; node-- > 0;) {
		uint32_t end = graph->first_edge[node + 1];
		graph->first_edge[node + 1] = end + (uint32_t)count;
		while (count && added[count - 1].from == node) {
			count--;
			graph->edges[end + count] = added[count].to;
		}
		if (!count)
			break;
		memmove(graph->edges + graph->first_edge[node] + count, graph->edges + graph->first_edge[node],
			(end - graph->first_edge[node]) * sizeof(*graph->edges));
	}
}

/* Nodes behind those of the objects: the root of all, static fields in their order, kinds of roots. Each has a type of its own. */
static uint32_t first_kind(const struct nt_heap_references *references, const struct nt_heap_found *heap)
{
	return references->count + 1 + (uint32_t)heap->static_count;
}

static void name_roots(const struct nt_heap_references *references, const struct nt_heap_found *heap, struct nt_heap_graph *graph)
{
	graph->types = nt_realloc(NULL, heap->type_count + 1 + heap->static_count + references->kinds->count, sizeof(*graph->types));
	for (size_t i = 0; i < heap->type_count; i++)
		graph->types[graph->type_count++] = (struct nt_heap_graph_type){ .name = nt_strdup(heap->types[i].name) };
	for (uint32_t node = references->count; node < graph->count; node++) {
		uint32_t kind = node - first_kind(references, heap);
		bool is_kind = node >= first_kind(references, heap);
		graph->type_of[node] = (uint32_t)graph->type_count;
		graph->bytes[node] = 0;
		graph->addresses[node] = 0;
		graph->types[graph->type_count++] =
			(struct nt_heap_graph_type){ .name = nt_strdup(is_kind ? references->kinds->names[kind] : "roots"),
						     .is_root = true };
	}
}

/* Static fields come first: of two paths of one length the one from a field says more. */
static void add_roots(const struct nt_heap_references *references, const struct nt_heap_found *heap, const uint32_t *objects,
		      struct nt_heap_graph *graph)
{
	size_t count = 0, statics = heap->static_count;
	struct added *added = nt_realloc(NULL, 2 * statics + references->kinds->count + references->root_count + references->pair_count + 1,
					 sizeof(*added));
	for (uint32_t i = 0; i < statics + references->kinds->count; i++)
		added[count++] = (struct added){ graph->root, graph->root + 1 + i };
	for (uint32_t i = 0; i < statics; i++)
		if (objects[i] != NT_HEAP_NODE_NONE)
			added[count++] = (struct added){ graph->root + 1 + i, objects[i] };
	for (size_t i = 0; i < references->root_count; i++) {
		uint32_t to = node_at(references, references->roots[i].object), kind = references->roots[i].kind;
		if (to != NT_HEAP_NODE_NONE && kind != references->kinds->doubtful)
			added[count++] = (struct added){ first_kind(references, heap) + kind, to };
	}
	for (size_t i = 0; i < references->pair_count; i++) {
		uint32_t from = node_at(references, references->pairs[i].from), to = node_at(references, references->pairs[i].to);
		if (from != NT_HEAP_NODE_NONE && to != NT_HEAP_NODE_NONE)
			added[count++] = (struct added){ from, to };
	}
	add_edges(graph, added, count);
	free(added);
}

/* Which nodes the root leads to: a bit for each. The caller's. */
static uint64_t *find_reached(const struct nt_heap_graph *graph)
{
	uint64_t *reached = nt_alloc((graph->count / BITS + 1) * sizeof(*reached));
	uint32_t *open = nt_realloc(NULL, graph->count, sizeof(*open)), count = 1;
	open[0] = graph->root;
	reached[graph->root / BITS] |= UINT64_C(1) << graph->root % BITS;
	while (count) {
		uint32_t node = open[--count];
		for (uint32_t edge = graph->first_edge[node]; edge < graph->first_edge[node + 1]; edge++) {
			uint32_t to = graph->edges[edge];
			if (reached[to / BITS] >> to % BITS & 1)
				continue;
			reached[to / BITS] |= UINT64_C(1) << to % BITS;
			open[count++] = to;
		}
	}
	free(open);
	return reached;
}

/* Those that may be none are roots of what nothing else keeps. */
static void add_doubtful(const struct nt_heap_references *references, const struct nt_heap_found *heap, struct nt_heap_graph *graph)
{
	uint32_t kind = references->kinds->doubtful;
	if (kind >= references->kinds->count)
		return;
	uint64_t *reached = find_reached(graph);
	struct added *added = nt_realloc(NULL, references->root_count + 1, sizeof(*added));
	size_t count = 0;
	for (size_t i = 0; i < references->root_count; i++) {
		uint32_t to = references->roots[i].kind == kind ? node_at(references, references->roots[i].object) : NT_HEAP_NODE_NONE;
		if (to != NT_HEAP_NODE_NONE && !(reached[to / BITS] >> to % BITS & 1))
			added[count++] = (struct added){ first_kind(references, heap) + kind, to };
	}
	add_edges(graph, added, count);
	free(reached);
	free(added);
}

static struct nt_heap_graph *make(struct nt_heap_references *references, const uint32_t *types, struct nt_heap_found *heap)
{
	struct nt_heap_graph *graph = nt_alloc(sizeof(*graph));
	uint32_t *objects = nt_realloc(NULL, heap->static_count + 1, sizeof(*objects));
	graph->count = first_kind(references, heap) + references->kinds->count;
	graph->root = references->count;
	graph->fields_apart = true;
	graph->type_of = nt_realloc(references->types, graph->count, sizeof(*graph->type_of));
	graph->bytes = nt_realloc(references->bytes, graph->count, sizeof(*graph->bytes));
	graph->addresses = nt_realloc(references->addresses, graph->count, sizeof(*graph->addresses));
	graph->first_edge = nt_realloc(references->first_edge, (size_t)graph->count + 1, sizeof(*graph->first_edge));
	graph->large = references->large;
	graph->large_count = references->large_count;
	references->types = NULL;
	references->bytes = graph->bytes; /* looked at still, */
	references->addresses = graph->addresses;
	references->first_edge = graph->first_edge; /* and read where they are written */
	references->large = NULL;
	for (uint32_t i = 0; i < references->count; i++)
		graph->type_of[i] = types[graph->type_of[i]];
	for (size_t i = 0; i < heap->static_count; i++) {
		objects[i] = node_at(references, heap->statics[i].object);
		heap->statics[i].node = graph->root + 1 + (uint32_t)i;
	}
	name_roots(references, heap, graph);
	bool good = find_targets(references, graph) && take_fields_out(references, heap, objects, graph);
	if (good) {
		add_roots(references, heap, objects, graph);
		add_doubtful(references, heap, graph);
	}
	references->bytes = NULL; /* and the graph's */
	references->addresses = NULL;
	references->first_edge = NULL;
	free(objects);
	if (good)
		return graph;
	nt_heap_graph_free(graph);
	heap->no_graph = "its references do not lead to its objects";
	return NULL;
}

void nt_heap_references_finish(struct nt_heap_references *references, const uint32_t *types, struct nt_heap_found *heap)
{
	if (heap->partial || heap->statics_partial || !references->count || references->told_edges != references->target_count)
		nt_heap_references_lost(references);
	if (!references->broken && !lay_out_runs(references))
		nt_heap_references_give_up(references, "its objects came in no order");
	heap->no_graph = references->broken;
	if (!references->broken)
		heap->graph = make(references, types, heap);
}
