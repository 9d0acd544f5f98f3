// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/heap.h"
#include "base/words.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 2000 };

/* Packs it twice, and back. Returns the packed bytes. */
static size_t there_and_back(struct nt_words *words, const char *text, size_t length)
{
	char first[NT_WORDS_PACKED_MAX(TEXT_MAX)], again[NT_WORDS_PACKED_MAX(TEXT_MAX)], back[TEXT_MAX];
	size_t packed = nt_words_pack(words, text, length, first);
	assert_true(packed <= NT_WORDS_PACKED_MAX(length));
	assert_int_equal(nt_words_pack(words, text, length, again), packed);
	assert_memory_equal(again, first, packed);
	assert_int_equal(nt_words_unpack(words, first, packed, back), length);
	assert_memory_equal(back, text, length);
	return packed;
}

static size_t write_line(size_t number, char text[TEXT_MAX])
{
	return (size_t)snprintf(
		text, TEXT_MAX,
		"instance class [System.Runtime]System.Threading.Tasks.Task`1<int32> [Shop.Core] Shop.Orders.Part%zu::Method%zu"
		"(class Shop.Orders.Order,valuetype [System.Runtime]System.Threading.CancellationToken)[OptimizedTier1]",
		number / 100, number % 100);
}

static void test_names_take_little_room(void **state)
{
	(void)state;
	enum { COUNT = 10000 };
	struct nt_words words = { 0 };
	char text[TEXT_MAX];
	size_t as_they_are = 0, packed = 0;
	for (size_t i = 0; i < COUNT; i++) {
		size_t length = write_line(i, text);
		as_they_are += length;
		packed += there_and_back(&words, text, length);
	}
	assert_true(packed + nt_words_bytes(&words) < as_they_are / 5);
	nt_words_fini(&words);
}

/* Of bytes of which many end words, and some are the packed form's own. */
static size_t any_text(uint32_t *seed, char text[TEXT_MAX])
{
	static const char often[] = " ,:()[]\xff\0abc";
	size_t length = (*seed >> 8) % TEXT_MAX;
	for (size_t i = 0; i < length; i++) {
		*seed = *seed * 1664525 + 1013904223;
		text[i] = (char)(*seed >> 31 ? *seed >> 16 : (unsigned char)often[(*seed >> 16) % (sizeof(often) - 1)]);
	}
	*seed = *seed * 1664525 + 1013904223;
	return length;
}

/* Also when the dictionary is full, and of words that are too long for it. */
static void test_any_bytes_come_back(void **state)
{
	(void)state;
	struct nt_words words = { 0 };
	char text[TEXT_MAX];
	uint32_t seed = 1;
	assert_int_equal(there_and_back(&words, "", 0), 0);
	for (size_t length = 250; length < 260; length++) {
		memset(text, 'x', length);
		there_and_back(&words, text, length);
	}
	for (size_t i = 0; words.count < NT_WORDS_MOST; i++) {
		assert_true(i < 1000);
		size_t length = any_text(&seed, text);
		there_and_back(&words, text, length);
	}
	size_t bytes = nt_words_bytes(&words);
	for (size_t i = 0; i < 300; i++) {
		size_t length = any_text(&seed, text);
		there_and_back(&words, text, length);
	}
	for (size_t length = 250; length < 260; length++) {
		memset(text, 'y', length);
		there_and_back(&words, text, length);
	}
	assert_int_equal(nt_words_bytes(&words), bytes);
	nt_words_fini(&words);
}

/* Whatever came before them: words that begin alike, end a text or not, have one separator more. */
static void test_equal_texts_are_packed_alike(void **state)
{
	(void)state;
	static const char *const texts[] = { "a b c",  "a b",  "a ",   "a",   "",   "a  b c", "a, b c", "ab b c",
					     "a b c ", ",a b", "a bc", "abc", "ab", " a b c", "a b c[", "a b [c" };
	enum { COUNT = sizeof(texts) / sizeof(*texts), ROOM = 64 };
	struct nt_words words = { 0 };
	char first[COUNT][ROOM], again[ROOM], back[ROOM];
	size_t lengths[COUNT];
	for (size_t i = 0; i < COUNT; i++)
		lengths[i] = nt_words_pack(&words, texts[i], strlen(texts[i]), first[i]);
	for (size_t i = 0; i < COUNT; i++)
		for (size_t before = 0; before < COUNT; before++) {
			nt_words_pack(&words, texts[before], strlen(texts[before]), again);
			assert_int_equal(nt_words_pack(&words, texts[i], strlen(texts[i]), again), lengths[i]);
			assert_memory_equal(again, first[i], lengths[i]);
			assert_int_equal(nt_words_unpack(&words, again, lengths[i], back), strlen(texts[i]));
			assert_memory_equal(back, texts[i], strlen(texts[i]));
		}
	nt_words_fini(&words);
}

static void assert_text(const struct nt_heap *heap, nt_text_ref ref, const char *expected, size_t expected_length)
{
	size_t length;
	const char *text = nt_heap_get(heap, ref, &length);
	assert_int_equal(length, expected_length);
	assert_memory_equal(text, expected, length);
}

/* Packed texts and others in one heap, and moved to another. */
static void test_packed_texts_in_a_heap(void **state)
{
	(void)state;
	enum { COUNT = 20000 };
	static nt_text_ref refs[COUNT];
	struct nt_heap *heap = nt_heap_new(), *to = nt_heap_new();
	char text[TEXT_MAX];
	assert_int_equal(nt_heap_add_packed(heap, "", 0), 0);
	for (size_t i = 0; i < COUNT; i++) {
		size_t length = write_line(i, text);
		refs[i] = i % 7 ? nt_heap_add_packed(heap, text, length) : nt_heap_add(heap, text, length);
	}
	nt_heap_measure(heap);
	for (size_t i = 0; i < COUNT; i += 20) {
		size_t length = write_line(i, text);
		nt_text_ref equal = nt_heap_add_packed(heap, text, length), other = nt_heap_add_packed(heap, text, length - 1);
		assert_true(nt_heap_same(heap, refs[i], equal));
		assert_true(nt_heap_same(heap, equal, refs[i]));
		assert_false(nt_heap_same(heap, refs[i], other));
		assert_false(nt_heap_same(heap, equal, 0));
		nt_heap_mark(heap, refs[i]);
	}
	assert_true(nt_heap_wasteful(heap));
	for (size_t i = 0; i < COUNT; i += 20) {
		nt_text_ref moved = nt_heap_move(heap, to, refs[i]);
		assert_int_equal(nt_heap_move(heap, to, refs[i]), moved);
		refs[i] = moved;
	}
	assert_true(nt_heap_bytes(to) < nt_heap_bytes(heap) / 9);
	nt_heap_free(heap);
	for (size_t i = 0; i < COUNT; i += 20)
		assert_text(to, refs[i], text, write_line(i, text));
	nt_heap_free(to);
}

/* Too long, or made of nothing that comes again: kept as they are. */
static void test_texts_that_cannot_be_packed(void **state)
{
	(void)state;
	enum { MOST = 100000 };
	static char text[MOST];
	memset(text, ' ', sizeof(text));
	for (size_t i = 0; i < sizeof(text); i += 2)
		text[i] = (char)('a' + i / 2 % 26);
	static const size_t lengths[] = { 1, 2, 3, 5, 8190, 8191, 8192, 65535, 65536, 65537, MOST };
	enum { COUNT = sizeof(lengths) / sizeof(lengths[0]) };
	struct nt_heap *heap = nt_heap_new();
	nt_text_ref refs[COUNT];
	for (size_t i = 0; i < COUNT; i++)
		refs[i] = nt_heap_add_packed(heap, text, lengths[i]);
	for (size_t i = 0; i < COUNT; i++)
		assert_text(heap, refs[i], text, lengths[i]);
	nt_heap_free(heap);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_take_little_room),       cmocka_unit_test(test_any_bytes_come_back),
		cmocka_unit_test(test_equal_texts_are_packed_alike), cmocka_unit_test(test_packed_texts_in_a_heap),
		cmocka_unit_test(test_texts_that_cannot_be_packed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
