// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/trie.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { EVICTED_PART = 4 };

void nt_trie_init(struct nt_trie *trie, uint32_t limit)
{
	*trie = (struct nt_trie){ .limit = limit, .generation = 1 };
}

void nt_trie_fini(struct nt_trie *trie)
{
	free(trie->nodes);
	nt_index_fini(&trie->by_edge);
	*trie = (struct nt_trie){ .generation = trie->generation + 1 };
}

bool nt_trie_has_room(const struct nt_trie *trie, uint32_t nodes)
{
	return nodes <= trie->limit - trie->count;
}

static uint64_t edge(uint32_t parent, uint32_t label)
{
	return (uint64_t)parent << 32 | label;
}

uint32_t nt_trie_child(struct nt_trie *trie, uint32_t parent, uint32_t label)
{
	uint32_t found = nt_index_get(&trie->by_edge, edge(parent, label));
	if (found != NT_INDEX_NONE)
		return found;
	trie->nodes = nt_grow(trie->nodes, &trie->capacity, (size_t)trie->count + 1, sizeof(*trie->nodes));
	trie->nodes[trie->count] = (struct nt_trie_node){ .parent = parent, .label = label };
	nt_index_put(&trie->by_edge, edge(parent, label), trie->count);
	return trie->count++;
}

void nt_trie_decay(struct nt_trie *trie, double factor)
{
	trie->cut *= factor;
	for (uint32_t i = 0; i < trie->count; i++) {
		trie->nodes[i].self *= factor;
		trie->nodes[i].cut *= factor;
	}
}

double *nt_trie_totals(const struct nt_trie *trie)
{
	double *totals = trie->count ? nt_alloc(trie->count * sizeof(*totals)) : NULL;
	for (uint32_t i = trie->count; i-- > 0;) { /* what is below a node comes after it */
		const struct nt_trie_node *node = &trie->nodes[i];
		totals[i] += node->self + node->cut;
		if (node->parent != NT_TRIE_ROOT)
			totals[node->parent] += totals[i];
	}
	return totals;
}

/* ---- giving up ---- */

/* Close the gaps that the nodes without `kept` leave. As nt_trie_evict() returns it. */
static uint32_t *renumber(struct nt_trie *trie, const bool *kept)
{
	uint32_t *numbers = nt_alloc(trie->count * sizeof(*numbers)), count = 0;
	nt_index_fini(&trie->by_edge);
	for (uint32_t i = 0; i < trie->count; i++) {
		struct nt_trie_node node = trie->nodes[i];
		if (!kept[i]) { /* its parent has been given up before, or not at all */
			numbers[i] = node.parent == NT_TRIE_ROOT ? NT_TRIE_ROOT : numbers[node.parent] | NT_TRIE_EVICTED;
			continue;
		}
		if (node.parent != NT_TRIE_ROOT)
			node.parent = numbers[node.parent];
		nt_index_put(&trie->by_edge, edge(node.parent, node.label), count);
		numbers[i] = count;
		trie->nodes[count++] = node;
	}
	trie->count = count;
	trie->generation++;
	return numbers;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* Which nodes stay when `wanted` go. Of many that weigh the same the newest go, and no more than needed. The caller's. */
static bool *choose(const struct nt_trie *trie, const double *totals, uint32_t wanted)
{
	bool *kept = nt_alloc(trie->count * sizeof(*kept));
	double *sorted = nt_realloc(NULL, trie->count, sizeof(*sorted));
	memcpy(sorted, totals, trie->count * sizeof(*sorted));
	qsort(sorted, trie->count, sizeof(*sorted), by_value);
	double most = sorted[wanted - 1];
	uint32_t lighter = 0;
	while (sorted[lighter] < most)
		lighter++;
	uint32_t equal = wanted - lighter;
	for (uint32_t i = trie->count; i-- > 0;) {
		if (totals[i] == most && !kept[i] && equal > 0)
			equal--;
		else
			kept[i] |= totals[i] >= most;
		if (kept[i] && trie->nodes[i].parent != NT_TRIE_ROOT) /* a node goes after all below it */
			kept[trie->nodes[i].parent] = true;
	}
	free(sorted);
	return kept;
}

uint32_t *nt_trie_evict(struct nt_trie *trie)
{
	if (!trie->count)
		return NULL;
	double *totals = nt_trie_totals(trie);
	bool *kept = choose(trie, totals, trie->count / EVICTED_PART + 1);
	for (uint32_t i = 0; i < trie->count; i++) {
		uint32_t parent = trie->nodes[i].parent;
		if (kept[i])
			continue;
		if (parent == NT_TRIE_ROOT)
			trie->cut += totals[i];
		else if (kept[parent])
			trie->nodes[parent].cut += totals[i];
	}
	uint32_t *numbers = renumber(trie, kept);
	free(kept);
	free(totals);
	return numbers;
}

void nt_trie_prune(struct nt_trie *trie, double least)
{
	if (!trie->count)
		return;
	double *totals = nt_trie_totals(trie);
	bool *kept = nt_alloc(trie->count * sizeof(*kept));
	for (uint32_t i = 0; i < trie->count; i++)
		kept[i] = totals[i] >= least; /* so is what is above it */
	free(renumber(trie, kept));
	free(kept);
	free(totals);
}
