// SPDX-License-Identifier: GPL-2.0-only
/*
 * A way is the list of types from the root to a node, each of them once: where a type comes again, what has come since its first time is a turn of a list or a tree and is left out. Ways are numbered from the root on, so each
 * node's is that of the node before it and one type more, however long a list is.
 */
#include "model/heap/heap_paths_find.h"

#include "base/alloc.h"
#include "base/index.h"

#include <stdlib.h>
#include <string.h>

enum { TYPES_ON_A_WAY = 64, WAYS_MAX = 1 << 18 };

struct way {
	uint32_t before, name; /* of it, and in the list of names */
	uint32_t length;
	bool repeats, is_cut; /* types are left out behind it: as turns, or as too many */
	/* Of objects of the type that is asked for: their way is this one; or it is longer, and was cut here. */
	uint64_t count, bytes, cut_count, cut_bytes;
};

struct search {
	const struct nt_heap_graph *graph;
	const struct nt_heap_tree *tree;
	uint32_t *name_of; /* owned; by type: the first type of that name, as several may have one */
	struct way *ways;  /* owned */
	size_t way_count, way_capacity;
	struct nt_index way_of; /* by the way before, and the name */
	uint32_t *of_node;      /* owned; NT_HEAP_NODE_NONE = is not asked for */
};

/* ---- names ---- */

const char *nt_heap_type_meant(const struct nt_heap_graph *graph, const char *name, bool *several)
{
	const char *found = NULL;
	size_t length = strlen(name);
	*several = false;
	for (size_t i = 0; i < graph->type_count; i++) {
		const char *type = graph->types[i].name;
		size_t whole = strlen(type);
		if (graph->types[i].is_root)
			continue;
		if (strcmp(type, name) == 0) {
			*several = false;
			return type;
		}
		if (whole > length && type[whole - length - 1] == '.' && strcmp(type + whole - length, name) == 0) {
			*several |= found && strcmp(found, type) != 0;
			found = type;
		}
	}
	return *several ? NULL : found;
}

struct named {
	const char *name;
	uint32_t type;
};

static int by_name(const void *a, const void *b)
{
	const struct named *left = a, *right = b;
	int order = strcmp(left->name, right->name);
	return order ? order : (left->type > right->type) - (left->type < right->type);
}

static uint32_t *first_of_each_name(const struct nt_heap_graph *graph)
{
	struct named *sorted = nt_realloc(NULL, graph->type_count + 1, sizeof(*sorted));
	uint32_t *first = nt_realloc(NULL, graph->type_count + 1, sizeof(*first));
	for (uint32_t i = 0; i < graph->type_count; i++)
		sorted[i] = (struct named){ graph->types[i].name, i };
	qsort(sorted, graph->type_count, sizeof(*sorted), by_name);
	for (size_t i = 0; i < graph->type_count; i++) {
		bool same = i && strcmp(sorted[i].name, sorted[i - 1].name) == 0;
		first[sorted[i].type] = same ? first[sorted[i - 1].type] : sorted[i].type;
	}
	free(sorted);
	return first;
}

/* ---- ways ---- */

static uint32_t new_way(struct search *search, uint32_t before, uint32_t name, uint32_t length)
{
	search->ways = nt_grow(search->ways, &search->way_capacity, search->way_count + 1, sizeof(*search->ways));
	search->ways[search->way_count] = (struct way){ .before = before, .name = name, .length = length };
	return (uint32_t)search->way_count++;
}

/* The way that `before` and one more type make. */
static uint32_t further(struct search *search, uint32_t before, uint32_t name)
{
	uint64_t key = (uint64_t)before << 32 | name;
	uint32_t known = nt_index_get(&search->way_of, key);
	if (known != NT_INDEX_NONE)
		return known;
	for (uint32_t at = before;; at = search->ways[at].before) {
		if (search->ways[at].name == name) {
			search->ways[at].repeats = true;
			nt_index_put(&search->way_of, key, at);
			return at;
		}
		if (at == search->ways[at].before)
			break;
	}
	if (search->ways[before].length == TYPES_ON_A_WAY || search->way_count == WAYS_MAX) {
		search->ways[before].is_cut = true;
		return before;
	}
	uint32_t way = new_way(search, before, name, search->ways[before].length + 1);
	nt_index_put(&search->way_of, key, way);
	return way;
}

/* Nodes that lie on the path to one of the wanted. */
static void mark(struct search *search, const bool *wanted)
{
	const struct nt_heap_tree *tree = search->tree;
	for (uint32_t i = 0; i < tree->reached; i++) {
		uint32_t node = tree->order[i];
		if (!wanted[search->graph->type_of[node]])
			continue;
		for (; search->of_node[node] == NT_HEAP_NODE_NONE; node = tree->parent[node])
			search->of_node[node] = 0;
	}
}

static void count_object(struct way *way, uint32_t name, uint64_t bytes)
{
	bool cut = way->name != name;
	*(cut ? &way->cut_count : &way->count) += 1;
	*(cut ? &way->cut_bytes : &way->bytes) += bytes;
}

static void find_ways(struct search *search, const bool *wanted)
{
	const struct nt_heap_graph *graph = search->graph;
	const struct nt_heap_tree *tree = search->tree;
	mark(search, wanted);
	search->of_node[graph->root] = new_way(search, 0, search->name_of[graph->type_of[graph->root]], 1);
	for (uint32_t i = 1; i < tree->reached; i++) {
		uint32_t node = tree->order[i], type = graph->type_of[node];
		if (search->of_node[node] == NT_HEAP_NODE_NONE)
			continue;
		uint32_t way = further(search, search->of_node[tree->parent[node]], search->name_of[type]);
		search->of_node[node] = way;
		if (wanted[type])
			count_object(&search->ways[way], search->name_of[type], nt_heap_graph_bytes(graph, node));
	}
}

/* ---- from the objects towards the roots ---- */

struct step {
	uint32_t name, behind; /* the step that it leads to; 0 = the objects themselves */
	bool is_root, is_cut, repeats;
	uint64_t count, bytes;
};

struct steps {
	struct step *items; /* owned; [0] stands for the objects */
	size_t count, capacity;
	struct nt_index place_of;
};

/* The step to `name` from what is at `behind`. */
static uint32_t step_to(struct steps *steps, uint32_t behind, uint32_t name)
{
	uint64_t key = (uint64_t)behind << 32 | name;
	uint32_t place = nt_index_get(&steps->place_of, key);
	if (place != NT_INDEX_NONE)
		return place;
	steps->items = nt_grow(steps->items, &steps->capacity, steps->count + 1, sizeof(*steps->items));
	place = (uint32_t)steps->count++;
	steps->items[place] = (struct step){ .name = name, .behind = behind };
	nt_index_put(&steps->place_of, key, place);
	return place;
}

/* `at`: the first step, for so many objects. */
static void add_way(struct search *search, struct steps *steps, uint32_t at, uint64_t count, uint64_t bytes)
{
	uint32_t behind = 0;
	for (bool is_root = false; count && !is_root; at = search->ways[at].before) {
		const struct way *way = &search->ways[at];
		behind = step_to(steps, behind, way->name);
		struct step *step = &steps->items[behind];
		is_root = search->graph->types[way->name].is_root || at == way->before;
		step->is_root |= is_root;
		step->repeats |= way->repeats;
		step->is_cut |= way->is_cut;
		step->count += count;
		step->bytes += bytes;
	}
}

static int by_count(const void *a, const void *b)
{
	const struct step *left = *(const struct step *const *)a, *right = *(const struct step *const *)b;
	if (left->behind != right->behind)
		return left->behind < right->behind ? -1 : 1;
	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return (left->name > right->name) - (left->name < right->name);
}

static void list_step(const struct search *search, const struct step *step, uint32_t depth, struct nt_heap_paths *paths)
{
	paths->steps[paths->step_count++] = (struct nt_heap_step){ .name = nt_strdup(search->graph->types[step->name].name),
								   .depth = depth,
								   .is_root = step->is_root,
								   .is_cut = step->is_cut,
								   .repeats = step->repeats,
								   .count = step->count,
								   .bytes = step->bytes };
}

/* Each behind the one that it leads to, in the order of their counts, as far as there is room. No recursion: they may be deep. */
static void list_steps(const struct search *search, const struct steps *steps, size_t most, struct nt_heap_paths *paths)
{
	const struct step **sorted = nt_realloc(NULL, steps->count + 1, sizeof(struct step *));
	uint32_t *next = nt_realloc(NULL, steps->count + 1, sizeof(*next)); /* of those that lead to a step: which comes next */
	uint32_t stack[TYPES_ON_A_WAY + 1] = { 0 }, depth = 1;
	for (size_t i = 0; i < steps->count; i++) {
		sorted[i] = &steps->items[i];
		next[i] = (uint32_t)steps->count;
	}
	qsort(sorted + 1, steps->count - 1, sizeof(*sorted), by_count);
	for (size_t i = steps->count; i-- > 1;)
		next[sorted[i]->behind] = (uint32_t)i;
	paths->steps = nt_realloc(NULL, most + 1, sizeof(*paths->steps));
	while (depth && paths->step_count < most) {
		uint32_t behind = stack[depth - 1], at = next[behind];
		if (at >= steps->count || sorted[at]->behind != behind) {
			depth--;
			continue;
		}
		next[behind]++;
		list_step(search, sorted[at], depth - 1, paths);
		stack[depth++] = (uint32_t)(sorted[at] - steps->items);
	}
	paths->left_out = steps->count - 1 - paths->step_count;
	free(sorted);
	free(next);
}

static void count_objects(const struct nt_heap_graph *graph, const bool *wanted, struct nt_heap_paths *paths)
{
	for (uint32_t i = 0; i < graph->count; i++) {
		if (!wanted[graph->type_of[i]])
			continue;
		paths->count++;
		paths->bytes += nt_heap_graph_bytes(graph, i);
	}
}

struct nt_heap_paths *nt_heap_paths_find(const struct nt_heap_graph *graph, const struct nt_heap_tree *tree, const char *type, size_t most)
{
	struct nt_heap_paths *paths = nt_alloc(sizeof(*paths));
	struct search search = { .graph = graph,
				 .tree = tree,
				 .name_of = first_of_each_name(graph),
				 .of_node = nt_realloc(NULL, graph->count, sizeof(uint32_t)) };
	struct steps steps = { 0 };
	bool *wanted = nt_alloc(graph->type_count + 1);
	memset(search.of_node, 0xff, graph->count * sizeof(uint32_t));
	for (size_t i = 0; i < graph->type_count; i++)
		wanted[i] = !graph->types[i].is_root && strcmp(graph->types[i].name, type) == 0;
	paths->type = nt_strdup(type);
	count_objects(graph, wanted, paths);
	find_ways(&search, wanted);
	steps.items = nt_grow(steps.items, &steps.capacity, 1, sizeof(*steps.items));
	steps.items[steps.count++] = (struct step){ 0 };
	paths->lost = paths->count;
	for (size_t i = 0; i < search.way_count; i++) {
		const struct way *way = &search.ways[i];
		add_way(&search, &steps, way->before, way->count, way->bytes);
		add_way(&search, &steps, (uint32_t)i, way->cut_count, way->cut_bytes);
		paths->lost -= way->count + way->cut_count;
	}
	list_steps(&search, &steps, most, paths);
	free(steps.items);
	nt_index_fini(&steps.place_of);
	free(search.ways);
	nt_index_fini(&search.way_of);
	free(search.name_of);
	free(search.of_node);
	free(wanted);
	return paths;
}
