// SPDX-License-Identifier: GPL-2.0-only
/* The rows of a call tree: places in the stacks that have the same path from the method are one row. */
#include "base/alloc.h"
#include "base/hash.h"
#include "ui/calls/calls.h"

#include <stdlib.h>

/* A path is opened by itself as long as this part of its row goes on in one of the children. */
static const double most_of_it = 0.5;

#define PATH_FACTOR UINT64_C(0x9e3779b97f4a7c15) /* odd: what is below two rows differs when they do */

struct building {
	struct nt_calls *calls;
	const struct nt_call_index *index;
	const struct nt_calls_order *order;
};

/* A row to be, and its places. */
struct branch {
	struct nt_call_row row;
	const struct nt_call_place *places;
	size_t count;
};

/* How a branch is opened. */
struct opening {
	bool hot, all;
};

static uint64_t id_below(uint64_t parent, const struct nt_stack_frame *frame)
{
	return nt_hash_mix(PATH_FACTOR * parent + frame->id + 1);
}

static uint64_t id_of_method(const struct nt_calls *calls)
{
	return nt_hash_mix(calls->method.id << 1 | calls->callers);
}

/* ---- one row ---- */

/* What its places come to. */
static void sum_up(const struct nt_call_index *index, struct branch *branch)
{
	struct nt_call_row *row = &branch->row;
	double by_tier[NT_TIER_COUNT] = { 0 }, most = -1;
	for (size_t i = 0; i < branch->count; i++) {
		const struct nt_call_place *place = &branch->places[i];
		const struct nt_stack_frame *frame = nt_call_frame_of(index, place->node);
		row->total += place->total;
		row->self += place->self;
		by_tier[frame->tier] += place->total;
		if (by_tier[frame->tier] > most) {
			most = by_tier[frame->tier];
			row->tier = frame->tier;
			row->frame = frame;
		}
	}
	row->known = index->samples > 0;
	if (row->known) {
		row->total_pct = 100 * row->total / index->samples;
		row->self_pct = 100 * row->self / index->samples;
	}
}

static int by_frame(const void *a, const void *b, void *context)
{
	const struct nt_call_index *index = *(const struct nt_call_index **)context;
	const struct nt_call_place *x = a, *y = b;
	uint64_t id_x = nt_call_frame_of(index, x->node)->id, id_y = nt_call_frame_of(index, y->node)->id;
	if (id_x != id_y)
		return id_x < id_y ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Places of the same method become one branch. Returns how many there are; the array is the caller's. */
static size_t group(const struct nt_call_index *index, const struct nt_call_row *parent, struct nt_call_places *places, struct branch **out)
{
	size_t count = 0;
	struct branch *branches = nt_alloc(places->count * sizeof(*branches));
	qsort_r(places->items, places->count, sizeof(*places->items), by_frame, &index);
	for (size_t i = 0; i < places->count; i++) {
		const struct nt_stack_frame *frame = nt_call_frame_of(index, places->items[i].node);
		if (i && frame->id == nt_call_frame_of(index, places->items[i - 1].node)->id) {
			branches[count - 1].count++;
			continue;
		}
		branches[count++] = (struct branch){ .row = { .id = id_below(parent->id, frame), .depth = parent->depth + 1 },
						     .places = &places->items[i],
						     .count = 1 };
	}
	for (size_t i = 0; i < count; i++)
		sum_up(index, &branches[i]);
	*out = branches;
	return count;
}

static void find_next(const struct nt_call_index *index, const struct branch *branch, struct nt_call_places *out)
{
	for (size_t i = 0; i < branch->count; i++)
		nt_call_index_next(index, &branch->places[i], out);
}

/* ---- all rows ---- */

static void add_branch(struct building *building, struct branch *branch, struct opening opening);

static int by_order(const void *a, const void *b, void *context)
{
	const struct nt_calls_order *order = *(const struct nt_calls_order **)context;
	const struct branch *x = a, *y = b;
	return nt_row_compare(&nt_table_calls, order->sort, order->ascending, order->context, &x->row, &y->row);
}

static void add_children(struct building *building, const struct nt_call_row *parent, struct nt_call_places *places, struct opening opening)
{
	struct branch *branches;
	size_t count = group(building->index, parent, places, &branches);
	qsort_r(branches, count, sizeof(*branches), by_order, &building->order);
	for (size_t i = 0; i < count; i++) {
		struct branch *branch = &branches[i];
		branch->row.rails = parent->rails << 1 | (i + 1 < count);
		const struct opening below = { .hot = opening.hot && branch->row.total > most_of_it * parent->total, .all = opening.all };
		add_branch(building, branch, below);
	}
	free(branches);
}

static void add_branch(struct building *building, struct branch *branch, struct opening opening)
{
	struct nt_calls *calls = building->calls;
	struct nt_call_row *row = &branch->row;
	struct nt_call_places places = { 0 };
	if (calls->count == NT_CALLS_ROWS)
		return;
	find_next(building->index, branch, &places);
	opening.all |= row->id == calls->opening;
	row->has_children = places.count > 0;
	if (row->has_children && (opening.hot || opening.all))
		nt_calls_open(calls, row, true);
	row->open = row->has_children && nt_index_get(&calls->open, row->id) != NT_INDEX_NONE;
	calls->rows = nt_grow(calls->rows, &calls->capacity, calls->count + 1, sizeof(*calls->rows));
	calls->rows[calls->count++] = *row;
	if (row->open)
		add_children(building, row, &places, opening);
	free(places.items);
}

/* The child of the branch that has this id, in its place. `places` are its places, to be freed with it. */
static void descend(const struct nt_call_index *index, struct branch *branch, struct nt_call_places *places, uint64_t id)
{
	struct nt_call_places next = { 0 };
	struct branch *branches, found = { .row = { .id = id } };
	find_next(index, branch, &next);
	if (next.count) {
		size_t count = group(index, &branch->row, &next, &branches);
		for (size_t i = 0; i < count; i++)
			if (branches[i].row.id == id)
				found = branches[i];
		found.row.depth = 0;
		free(branches);
	}
	free(places->items);
	*places = next;
	*branch = found;
}

/* The branch at the top. Nothing of it may be left in the stacks. */
static struct branch find_top(const struct nt_calls *calls, const struct nt_call_index *index, struct nt_call_places *places)
{
	nt_call_index_method(index, places);
	struct branch top = { .row = { .id = id_of_method(calls) }, .places = places->items, .count = places->count };
	sum_up(index, &top);
	for (size_t i = 0; i < calls->zoomed; i++)
		descend(index, &top, places, calls->zoom[i]);
	if (!top.row.frame) {
		top.row.frame = &calls->top;
		top.row.tier = calls->top.tier;
		top.row.known = index->samples > 0;
	}
	return top;
}

static struct nt_call_query query_of(const struct nt_calls *calls, unsigned hide)
{
	return (struct nt_call_query){ .method = calls->method.id,
				       .callers = calls->callers,
				       .unfolded = calls->unfolded || calls->method.kind == NT_CODE_RUNTIME,
				       .hide = hide,
				       .restricted = &calls->restricted };
}

/* The rows, of the method or what is at the top instead; false: nothing of it is in the stacks. */
static bool build(struct nt_calls *calls, const struct nt_stack_tree *tree, unsigned hide, const struct nt_calls_order *order)
{
	const struct nt_call_query query = query_of(calls, hide);
	struct nt_call_index index;
	struct nt_call_places places = { 0 };
	nt_call_index_init(&index, tree, &query);
	struct building building = { .calls = calls, .index = &index, .order = order };
	struct branch top = find_top(calls, &index, &places);
	const struct opening opening = { .hot = !calls->begun };
	calls->count = 0;
	calls->begun |= top.count > 0;
	add_branch(&building, &top, opening);
	calls->opening = 0;
	free(places.items);
	nt_call_index_fini(&index);
	return top.count > 0;
}

void nt_calls_build(struct nt_calls *calls, const struct nt_stack_tree *tree, unsigned hide, const struct nt_calls_order *order)
{
	if (!build(calls, tree, hide, order) || !calls->fresh)
		return;
	calls->fresh = false;
	if (calls->rows[0].has_children)
		return;
	nt_calls_turn(calls);
	build(calls, tree, hide, order);
}

/* ---- threads ---- */

/* The branch of a row, by its ids from the top down. */
static void walk_to(const struct nt_calls *calls, const struct nt_call_index *index, const struct nt_call_row *row, struct branch *branch,
		    struct nt_call_places *places)
{
	uint32_t depth = row->depth;
	if (!depth)
		return;
	const struct nt_call_row *parent = row;
	while (parent->depth >= depth)
		parent--;
	walk_to(calls, index, parent, branch, places);
	descend(index, branch, places, row->id);
}

const struct nt_stack_frame *nt_calls_thread_of(const struct nt_calls *calls, const struct nt_stack_tree *tree, unsigned hide,
						const struct nt_call_row *row)
{
	const struct nt_call_query query = query_of(calls, hide);
	struct nt_call_index index;
	struct nt_call_places places = { 0 };
	nt_call_index_init(&index, tree, &query);
	struct branch branch = find_top(calls, &index, &places);
	walk_to(calls, &index, row, &branch, &places);
	const struct nt_stack_frame *thread = nt_call_index_thread(&index, branch.places, branch.count);
	free(places.items);
	nt_call_index_fini(&index);
	return thread;
}
