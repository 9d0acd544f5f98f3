// SPDX-License-Identifier: GPL-2.0-only
/* The small parts: ids, keys, histogram, window. */
#include "build.h"

#include "model/common/decay.h"
#include "model/common/histogram.h"
#include "model/common/ids.h"
#include "symbol/method_keys.h"

#include "base/arena.h"

#include <stdio.h>

static void assert_id(const struct nt_heap *heap, const struct nt_ids *ids, nt_str id, const char *expected)
{
	size_t length;
	const char *value = nt_heap_get(heap, nt_ids_text(ids, id), &length);
	assert_int_equal(length, strlen(expected));
	assert_memory_equal(value, expected, length);
}

static void test_ids(void **state_)
{
	(void)state_;
	struct nt_heap *heap = nt_heap_new();
	struct nt_ids *ids = nt_ids_new(1);
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	nt_batch_announce_str(batch, 1, "one", 3);
	nt_batch_announce_str(batch, 3, "three", 5);
	nt_batch_announce_str(batch, 0, "zero", 4); /* 0 means none */
	nt_batch_announce_str(batch, UINT32_MAX, "far", 3);
	nt_batch_announce_str(batch, 1, "again", 5);
	const uint64_t chain[] = { 1, 2, 3 };
	nt_batch_announce_stack(batch, 2, chain, 1, 3);
	nt_batch_announce_stack(batch, 3, chain, 0, 0);
	nt_batch_announce_stack(batch, UINT32_MAX, chain, 0, 3);
	nt_ids_announce(ids, batch, heap);
	assert_id(heap, ids, 1, "again");
	assert_id(heap, ids, 2, "");
	assert_id(heap, ids, 3, "three");
	assert_id(heap, ids, 0, "");
	assert_id(heap, ids, UINT32_MAX, "");
	assert_id(heap, NULL, 1, "");
	assert_int_equal(nt_ids_chain(ids, 2)->count, 3);
	assert_int_equal(nt_ids_chain(ids, 2)->kernel_count, 1);
	assert_int_equal(nt_ids_chain(ids, 2)->addresses[2], 3);
	assert_null(nt_ids_chain(ids, 3));
	assert_null(nt_ids_chain(ids, 1));
	assert_null(nt_ids_chain(ids, UINT32_MAX));

	/* Announcements that lead out of their batch; a chain said twice stays what it was. */
	nt_batch_reset(batch);
	nt_batch_announce_str(batch, 4, "four", 4);
	batch->strs[0].length = 5;
	nt_batch_announce_str(batch, 5, "five", 4);
	batch->strs[1].offset = UINT64_MAX;
	nt_batch_announce_stack(batch, 2, chain, 0, 2);
	nt_batch_announce_stack(batch, 6, chain, 0, 3);
	batch->strs[0].length = 500;
	batch->stacks[1].count = 60000;
	nt_ids_announce(ids, batch, heap);
	assert_id(heap, ids, 4, "");
	assert_id(heap, ids, 5, "");
	assert_int_equal(nt_ids_chain(ids, 2)->count, 3);
	assert_null(nt_ids_chain(ids, 6));
	nt_batch_free(batch);
	nt_ids_free(ids);
	nt_heap_free(heap);
}

/* Of a table that has ended a few chains stay, each in one place whoever asks, with what was made of them; the rest is given back. */
static void test_packed_ids(void **state_)
{
	(void)state_;
	enum { CHAINS = 1000, DEPTH = 50, KEPT = 500 };
	struct nt_heap *heap = nt_heap_new();
	struct nt_ids *ids = nt_ids_new(1);
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	uint64_t addresses[DEPTH] = { 0 };
	for (uint32_t id = 1; id <= CHAINS; id++) {
		addresses[0] = id;
		nt_batch_announce_stack(batch, id, addresses, 1, DEPTH);
	}
	nt_batch_announce_str(batch, 1, "one", 3);
	nt_ids_announce(ids, batch, heap);
	size_t bytes = nt_arena_bytes(ids->arena);
	struct nt_chain *waits = nt_ids_chain(ids, KEPT);
	waits->frames[0] = 77;
	waits->frame_count = 1;
	waits->open_samples = 5;

	void *before = nt_ids_begin_packing(ids);
	struct nt_chain *kept = nt_ids_keep(waits);
	assert_ptr_equal(nt_ids_keep(waits), kept);
	nt_ids_end_packing(before);
	assert_true(nt_arena_bytes(ids->arena) < bytes / 100);
	assert_ptr_equal(kept->ids, ids);
	assert_int_equal(kept->count, DEPTH);
	assert_int_equal(kept->kernel_count, 1);
	assert_int_equal(kept->addresses[0], KEPT);
	assert_int_equal(kept->frames[0], 77);
	kept->frames[DEPTH - 1] = 1; /* there is room for all of them */
	assert_int_equal(kept->open_samples, 5);
	assert_null(nt_ids_chain(ids, KEPT)); /* nobody refers to its ids any more */
	assert_int_equal(nt_ids_text(ids, 1), 0);
	nt_batch_free(batch);
	nt_ids_free(ids);
	nt_heap_free(heap);
}

static void test_keys(void **state_)
{
	(void)state_;
	struct nt_keys keys;
	nt_keys_init(&keys);
	struct nt_texts *texts = nt_texts_new(&(struct nt_texts_config){ 0 });
	char name[32];
	struct nt_key key = { .kind = NT_CODE_JIT, .module = nt_texts_intern_cstr(texts, "Shop") };
	for (uint32_t i = 0; i < NT_KEY_LIMIT + 1000; i++) {
		snprintf(name, sizeof(name), "Method%u", i);
		key.name = nt_texts_intern_cstr(texts, name);
		uint32_t number = nt_keys_intern(&keys, &key);
		assert_int_equal(number, i < NT_KEY_LIMIT - 1 ? i + 1 : NT_KEY_OTHER);
	}
	assert_int_equal(keys.count, NT_KEY_LIMIT);
	key.name = nt_texts_intern_cstr(texts, "Method7");
	assert_int_equal(nt_keys_intern(&keys, &key), 8);
	key.kind = NT_CODE_STUB; /* another kind is another row */
	assert_int_equal(nt_keys_intern(&keys, &key), NT_KEY_OTHER);
	/* A forgotten key gives its number to another, but never its id. */
	uint64_t id = keys.items[8].id;
	nt_keys_remove(&keys, 8);
	nt_keys_remove(&keys, 8);
	nt_keys_remove(&keys, NT_KEY_OTHER);
	assert_false(nt_keys_valid(&keys, 8));
	assert_int_equal(nt_keys_intern(&keys, &key), 8);
	assert_int_not_equal(keys.items[8].id, id);
	assert_int_equal(keys.used, NT_KEY_LIMIT);
	nt_texts_free(texts);
	nt_keys_fini(&keys);
}

static void test_histogram(void **state_)
{
	(void)state_;
	static struct nt_histogram histogram;
	assert_unknown(nt_histogram_percentile(&histogram, 500));
	for (uint64_t i = 1; i <= 1000; i++)
		nt_histogram_add(&histogram, i * 1000000);
	static const unsigned per_mille[] = { 1, 10, 500, 900, 990, 999, 1000 };
	for (size_t i = 0; i < sizeof(per_mille) / sizeof(per_mille[0]); i++) {
		struct nt_u64 value = nt_histogram_percentile(&histogram, per_mille[i]);
		double exact = per_mille[i] * 1e6;
		assert_true((double)value.v > exact * 0.99 && (double)value.v < exact * 1.01);
	}
	nt_histogram_add(&histogram, UINT64_MAX);
	nt_histogram_add(&histogram, 0);
	assert_int_equal(histogram.max, UINT64_MAX);
	assert_true(nt_histogram_percentile(&histogram, 1000).v > UINT64_MAX / 100 * 98);
	assert_known(nt_histogram_percentile(&histogram, 0), 0);
	nt_histogram_reset(&histogram);
	nt_histogram_add(&histogram, 7);
	assert_known(nt_histogram_percentile(&histogram, 500), 7);
}

static void test_window(void **state_)
{
	(void)state_;
	for (unsigned half_life = 1; half_life <= 60; half_life++) {
		double decay = nt_window_decay(half_life);
		double half = nt_window_power(decay, half_life);
		assert_true(half > 0.5 - 1e-12 && half < 0.5 + 1e-12);
		assert_true(nt_window_power(decay, 0) == 1);
	}
	assert_true(nt_window_power(0.99, UINT64_MAX) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ids),       cmocka_unit_test(test_packed_ids), cmocka_unit_test(test_keys),
		cmocka_unit_test(test_histogram), cmocka_unit_test(test_window),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
