// SPDX-License-Identifier: GPL-2.0-only
#include "build.h"

#include "model/common/moments.h"

/* Add `weight` to the end of a path; evicts first when there is no room. */
static void add(struct nt_trie *trie, const uint32_t *labels, uint32_t count, double weight)
{
	uint32_t node = NT_TRIE_ROOT;
	if (!nt_trie_has_room(trie, count))
		free(nt_trie_evict(trie));
	for (uint32_t i = 0; i < count; i++)
		node = nt_trie_child(trie, node, labels[i]);
	trie->nodes[node].self += weight;
}

static double whole(const struct nt_trie *trie)
{
	double sum = trie->cut;
	for (uint32_t i = 0; i < trie->count; i++)
		sum += trie->nodes[i].self + trie->nodes[i].cut;
	return sum;
}

static void test_paths_share_their_beginning(void **state_)
{
	(void)state_;
	struct nt_trie trie;
	nt_trie_init(&trie, 100);
	add(&trie, (const uint32_t[]){ 1, 2, 3 }, 3, 1);
	add(&trie, (const uint32_t[]){ 1, 2, 4 }, 3, 1);
	add(&trie, (const uint32_t[]){ 1, 2 }, 2, 1);
	add(&trie, (const uint32_t[]){ 1, 2, 3 }, 3, 1);
	assert_int_equal(trie.count, 4);
	double *totals = nt_trie_totals(&trie);
	assert_near(totals[0], 4);
	assert_near(totals[1], 4);
	assert_near(totals[2], 2);
	assert_near(totals[3], 1);
	free(totals);
	nt_trie_fini(&trie);
}

static void test_what_weighs_little_is_pruned(void **state_)
{
	(void)state_;
	struct nt_trie trie;
	nt_trie_init(&trie, 100);
	add(&trie, (const uint32_t[]){ 1, 2, 3 }, 3, 1);
	add(&trie, (const uint32_t[]){ 1, 4 }, 2, 8);
	nt_trie_decay(&trie, 0.25);
	uint32_t generation = trie.generation;
	nt_trie_prune(&trie, 0.5);
	assert_int_not_equal(trie.generation, generation);
	assert_int_equal(trie.count, 2);
	assert_int_equal(nt_trie_child(&trie, 0, 4), 1); /* found under its new number */
	assert_near(whole(&trie), 2);
	nt_trie_fini(&trie);
}

/* However many paths come: no more nodes than the limit, and nothing of the weight is lost. */
static void test_bounded_without_loss(void **state_)
{
	(void)state_;
	enum { LIMIT = 64, PATHS = 5000 };
	struct nt_trie trie;
	nt_trie_init(&trie, LIMIT);
	for (uint32_t i = 0; i < PATHS; i++) {
		add(&trie, (const uint32_t[]){ 1, 2, 100 + i % 7, 1000 + i }, 4, 1);
		assert_in_range(trie.count, 1, LIMIT);
	}
	assert_near(whole(&trie), PATHS);
	nt_trie_fini(&trie);
}

static void test_the_heavy_ones_stay(void **state_)
{
	(void)state_;
	struct nt_trie trie;
	nt_trie_init(&trie, 32);
	add(&trie, (const uint32_t[]){ 1, 2, 3 }, 3, 1000);
	for (uint32_t i = 0; i < 1000; i++)
		add(&trie, (const uint32_t[]){ 1, 5, 100 + i }, 3, 1);
	uint32_t heavy = nt_trie_child(&trie, nt_trie_child(&trie, nt_trie_child(&trie, NT_TRIE_ROOT, 1), 2), 3);
	assert_near(trie.nodes[heavy].self, 1000);
	uint32_t cut = nt_trie_child(&trie, nt_trie_child(&trie, NT_TRIE_ROOT, 1), 5);
	assert_true(trie.nodes[cut].cut > 900); /* what went stays with the node that it was below */
	nt_trie_fini(&trie);
}

/* Whole paths that weigh the same: threads that each have one sample. */
static void test_roots_are_evicted_too(void **state_)
{
	(void)state_;
	struct nt_trie trie;
	nt_trie_init(&trie, 30);
	for (uint32_t i = 0; i < 100; i++)
		add(&trie, (const uint32_t[]){ i, 1, 2 }, 3, 1);
	assert_in_range(trie.count, 20, 30); /* no more are given up than needed */
	assert_true(trie.cut > 0);
	assert_near(whole(&trie), 100);
	nt_trie_fini(&trie);
}

/* When samples were taken stays with the node that has their weight. */
static void test_moments_follow_their_nodes(void **state_)
{
	(void)state_;
	enum { LIMIT = 30, PATHS = 3000 };
	struct nt_trie trie;
	struct nt_moments moments = { 0 };
	nt_trie_init(&trie, LIMIT);
	for (uint32_t i = 0; i < PATHS; i++) {
		const uint32_t labels[] = { 1 + i % 3 * (i % 50 == 0 ? i : 1), 2, 100 + i % 7, 1000 + i % 11 };
		if (!nt_trie_has_room(&trie, 4)) {
			uint32_t *numbers = nt_trie_evict(&trie);
			nt_moments_renumber(&moments, numbers);
			free(numbers);
		}
		uint32_t node = NT_TRIE_ROOT;
		for (size_t at = 0; at < 4; at++)
			node = nt_trie_child(&trie, node, labels[at]);
		trie.nodes[node].self += 2;
		nt_moments_add(&moments, PATHS - i, node, 2);
	}
	double self[LIMIT] = { 0 }, cut[LIMIT] = { 0 }, whole_cut = 0;
	for (size_t i = 0; i < moments.count; i++) {
		uint32_t node = moments.items[i].node;
		*(node == NT_TRIE_ROOT ? &whole_cut : node & NT_TRIE_EVICTED ? &cut[node & ~NT_TRIE_EVICTED] : &self[node]) += 2;
	}
	assert_true(whole_cut > 0);
	assert_near(trie.cut, whole_cut);
	for (uint32_t i = 0; i < trie.count; i++) {
		assert_near(trie.nodes[i].self, self[i]);
		assert_near(trie.nodes[i].cut, cut[i]);
	}
	nt_moments_sort(&moments);
	assert_int_equal(moments.items[0].time, 1);
	assert_int_equal(moments.items[moments.count - 1].time, PATHS);
	nt_moments_fini(&moments);
	nt_trie_fini(&trie);
}

static void test_moments_are_bounded(void **state_)
{
	(void)state_;
	struct nt_moments moments = { 0 };
	for (uint32_t i = 0; i < NT_MOMENTS_MAX + 5; i++)
		nt_moments_add(&moments, i, 0, 3);
	assert_int_equal(moments.count, NT_MOMENTS_MAX);
	assert_int_equal(moments.lost, 15);
	nt_moments_fini(&moments);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths_share_their_beginning), cmocka_unit_test(test_what_weighs_little_is_pruned),
		cmocka_unit_test(test_bounded_without_loss),        cmocka_unit_test(test_the_heavy_ones_stay),
		cmocka_unit_test(test_roots_are_evicted_too),       cmocka_unit_test(test_moments_follow_their_nodes),
		cmocka_unit_test(test_moments_are_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
