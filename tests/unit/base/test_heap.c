// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/heap.h"
#include "base/index.h"
#include "base/texts.h"

#include <stdio.h>
#include <string.h>

static nt_text_ref add(struct nt_heap *heap, const char *text)
{
	return nt_heap_add(heap, text, strlen(text));
}

static void assert_text(const struct nt_heap *heap, nt_text_ref ref, const char *expected)
{
	size_t length;
	const char *text = nt_heap_get(heap, ref, &length);
	assert_int_equal(length, strlen(expected));
	assert_memory_equal(text, expected, length);
}

static void test_texts_in_a_heap(void **state)
{
	(void)state;
	struct nt_heap *heap = nt_heap_new();
	nt_text_ref a = add(heap, "a"), long_one = add(heap, "Shop.Export.CsvWriter.AppendRow(ref Row)"), b = add(heap, "a");
	assert_int_equal(add(heap, ""), 0);
	assert_text(heap, a, "a");
	assert_text(heap, long_one, "Shop.Export.CsvWriter.AppendRow(ref Row)");
	assert_text(heap, 0, "");
	assert_true(nt_heap_same(heap, a, b));
	assert_false(nt_heap_same(heap, a, long_one));
	assert_false(nt_heap_same(heap, a, 0));
	nt_heap_free(heap);
}

static void test_compaction_keeps_what_is_in_use(void **state)
{
	(void)state;
	enum { COUNT = 200000 };
	static nt_text_ref refs[COUNT];
	struct nt_heap *heap = nt_heap_new();
	char text[64];
	for (size_t i = 0; i < COUNT; i++) {
		snprintf(text, sizeof(text), "a name that is long enough to fill the heap, number %zu", i);
		refs[i] = add(heap, text);
	}
	assert_true(nt_heap_grown(heap));
	for (int round = 0; round < 2; round++) { /* marks of the first measure must not show in the second */
		nt_heap_measure(heap);
		for (size_t i = 0; i < COUNT; i++) {
			nt_heap_mark(heap, refs[i]);
			nt_heap_mark(heap, refs[i]);
		}
		assert_false(nt_heap_wasteful(heap));
	}
	assert_false(nt_heap_grown(heap));
	nt_heap_measure(heap);
	for (size_t i = 0; i < COUNT; i += 10)
		nt_heap_mark(heap, refs[i]);
	assert_true(nt_heap_wasteful(heap));

	struct nt_heap *to = nt_heap_new();
	for (size_t i = 0; i < COUNT; i += 10) {
		nt_text_ref moved = nt_heap_move(heap, to, refs[i]);
		assert_int_equal(nt_heap_move(heap, to, refs[i]), moved); /* stays shared */
		refs[i] = moved;
	}
	assert_int_equal(nt_heap_move(heap, to, 0), 0);
	assert_true(nt_heap_bytes(to) < nt_heap_bytes(heap) / 9);
	nt_heap_free(heap);
	assert_text(to, refs[0], "a name that is long enough to fill the heap, number 0");
	assert_text(to, refs[199990], "a name that is long enough to fill the heap, number 199990");
	nt_heap_free(to);
}

/* Their lengths are written in another way than those of names. */
static void test_long_texts(void **state)
{
	(void)state;
	enum { FEWEST = 1, MOST = 100000 };
	static char text[MOST];
	memset(text, 'x', sizeof(text));
	static const size_t lengths[] = { FEWEST, 3, 4, 16381, 16382, 16383, 16384, 65535, 65536, MOST };
	enum { COUNT = sizeof(lengths) / sizeof(lengths[0]) };
	struct nt_heap *heap = nt_heap_new(), *to = nt_heap_new();
	nt_text_ref refs[COUNT];
	for (size_t i = 0; i < COUNT; i++)
		refs[i] = nt_heap_add(heap, text, lengths[i]);
	nt_heap_measure(heap);
	for (size_t i = 0; i < COUNT; i++)
		nt_heap_mark(heap, refs[i]);
	assert_false(nt_heap_wasteful(heap));
	for (size_t i = 0; i < COUNT; i++) {
		nt_text_ref moved = nt_heap_move(heap, to, refs[i]);
		assert_int_equal(nt_heap_move(heap, to, refs[i]), moved);
		refs[i] = moved;
	}
	assert_int_equal(nt_heap_bytes(to), nt_heap_bytes(heap));
	for (size_t i = 0; i < COUNT; i++) {
		size_t length;
		const char *kept = nt_heap_get(to, refs[i], &length);
		assert_int_equal(length, lengths[i]);
		assert_memory_equal(kept, text, length);
	}
	nt_heap_free(heap);
	nt_heap_free(to);
}

static void test_texts_are_unique_and_limited(void **state)
{
	(void)state;
	struct nt_texts *texts = nt_texts_new(&(struct nt_texts_config){ .limit_bytes = 100000 });
	const char *a = nt_texts_intern_cstr(texts, "System.String");
	char text[32];
	for (int i = 0; i < 3000; i++) {
		snprintf(text, sizeof(text), "name %d", i);
		const char *kept = nt_texts_intern_cstr(texts, text);
		assert_string_equal(kept, text);
		assert_ptr_equal(nt_texts_intern_cstr(texts, text), kept);
	}
	assert_ptr_equal(nt_texts_intern(texts, "System.String+", 13), a);
	assert_null(nt_texts_intern_cstr(texts, NULL));
	assert_string_equal(nt_texts_intern(texts, "", 0), "");
	for (int i = 0; i < 10000; i++) {
		snprintf(text, sizeof(text), "other %d", i);
		nt_texts_intern_cstr(texts, text);
	}
	assert_true(nt_texts_bytes(texts) <= 100000);
	assert_string_equal(nt_texts_intern_cstr(texts, "one more"), "(too many names)");
	assert_ptr_equal(nt_texts_intern_cstr(texts, "System.String"), a);
	nt_texts_free(texts);
}

static void test_index(void **state)
{
	(void)state;
	struct nt_index index = { 0 };
	assert_int_equal(nt_index_get(&index, 5), NT_INDEX_NONE);
	nt_index_remove(&index, 5);
	/* Every key twice put and every third removed, against an array. */
	enum { KEYS = 5000 };
	static uint32_t expected[KEYS];
	uint32_t seed = 1;
	memset(expected, 0xff, sizeof(expected));
	for (uint32_t i = 0; i < 100000; i++) {
		seed = seed * 1664525 + 1013904223;
		uint64_t key = (seed >> 8) % KEYS;
		if (i % 3 == 0) {
			nt_index_remove(&index, key << 40);
			expected[key] = NT_INDEX_NONE;
		} else {
			nt_index_put(&index, key << 40, i);
			expected[key] = i;
		}
	}
	size_t used = 0;
	for (uint64_t key = 0; key < KEYS; key++) {
		assert_int_equal(nt_index_get(&index, key << 40), expected[key]);
		used += expected[key] != NT_INDEX_NONE;
	}
	assert_int_equal(index.used, used);
	nt_index_fini(&index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts_in_a_heap), cmocka_unit_test(test_compaction_keeps_what_is_in_use),
		cmocka_unit_test(test_long_texts),      cmocka_unit_test(test_texts_are_unique_and_limited),
		cmocka_unit_test(test_index),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
