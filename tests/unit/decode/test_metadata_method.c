// SPDX-License-Identifier: GPL-2.0-only
/* A method looked for by its name in assemblies that make the search long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "decode/assembly/metadata_method.h"
#include "memory_window.h"

#include <stdlib.h>

enum {
	STRING_TYPE = 1, /* offsets of the texts below */
	STRING_SPACE = 6,
	STRING_METHOD = 12,
	STRING_ASSEMBLY = 16,
	VOID_OF_NOTHING = 1, /* offsets of the signatures below */
	VOID_OF_INT = 5,
};

#define STRINGS    "\0Cart\0Other\0Add\0shop\0"
#define SIGNATURES "\0\3\0\0\1\4\0\1\1\10"

struct assembly {
	uint8_t *bytes;
	uint32_t at;
	struct memory memory;
	struct nt_window *window;
	struct nt_metadata metadata;
};

static void put(struct assembly *assembly, const void *bytes, size_t size)
{
	memcpy(assembly->bytes + assembly->at, bytes, size);
	assembly->at += (uint32_t)size;
}

static void put_number(struct assembly *assembly, uint32_t value, size_t size)
{
	put(assembly, &value, size);
}

/* `types` types Cart, of which the last is in the namespace Other; that one has `methods` methods Add(), of which the last has an argument. */
static void make(struct assembly *assembly, uint32_t types, uint32_t methods)
{
	const size_t coded = types >= 1 << 14 ? 4 : 2, method = methods >= 1 << 16 ? 4 : 2;
	const uint64_t present = 1 << 0x02 | 1 << 0x06 | UINT64_C(1) << 0x20;
	const uint32_t rows = types * (uint32_t)(4 + 2 + 2 + coded + 2 + method) + methods * 14 + 22, tables = 24 + 3 * 4 + rows;
	assembly->bytes = nt_alloc(tables + 1024);
	assembly->at = 0;
	put(assembly, "BSJB\1\0\1\0\0\0\0\0\4\0\0\0v1\0\0\0\0\3\0", 24);
	const uint32_t begin = 24 + 12 + 20 + 16;
	const struct {
		const char *name;
		size_t name_bytes;
		uint32_t at, size;
	} streams[] = { { "#~\0", 4, begin, tables },
			{ "#Strings\0\0\0", 12, begin + tables, sizeof(STRINGS) },
			{ "#Blob\0\0", 8, begin + tables + sizeof(STRINGS), sizeof(SIGNATURES) } };
	for (size_t i = 0; i < 3; i++) {
		put_number(assembly, streams[i].at, 4);
		put_number(assembly, streams[i].size, 4);
		put(assembly, streams[i].name, streams[i].name_bytes);
	}
	assert_int_equal(assembly->at, begin);
	put(assembly, "\0\0\0\0\2\0\0\1", 8);
	put(assembly, &present, sizeof(present));
	put(assembly, "\0\0\0\0\0\0\0\0", 8);
	const uint32_t counts[] = { types, methods, 1 };
	put(assembly, counts, sizeof(counts));
	for (uint32_t i = 0; i < types; i++) {
		put_number(assembly, 0, 4);
		put_number(assembly, STRING_TYPE, 2);
		put_number(assembly, i + 1 == types ? STRING_SPACE : 0, 2);
		put_number(assembly, 0, coded);
		put_number(assembly, 1, 2);
		put_number(assembly, 1, method);
	}
	for (uint32_t i = 0; i < methods; i++) {
		put_number(assembly, 0, 4);
		put_number(assembly, 0, 4);
		put_number(assembly, STRING_METHOD, 2);
		put_number(assembly, i + 1 == methods ? VOID_OF_INT : VOID_OF_NOTHING, 2);
		put_number(assembly, 1, 2);
	}
	put(assembly, "\4\x80\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0", 18); /* Assembly: version, flags, key */
	put_number(assembly, STRING_ASSEMBLY, 2);
	put_number(assembly, 0, 2);
	put(assembly, STRINGS, sizeof(STRINGS));
	put(assembly, SIGNATURES, sizeof(SIGNATURES));
	assembly->memory = (struct memory){ .bytes = assembly->bytes, .size = assembly->at };
	assembly->window = memory_window(&assembly->memory);
	assert_true(nt_metadata_read(assembly->window, 0, assembly->at, &assembly->metadata));
}

static uint32_t find(uint32_t types, uint32_t methods, const char *name)
{
	struct assembly assembly;
	make(&assembly, types, methods);
	uint32_t row = nt_metadata_find_method(&assembly.metadata, (struct nt_slice){ name, strlen(name) });
	nt_window_free(assembly.window);
	free(assembly.bytes);
	return row;
}

static void test_found(void **state)
{
	(void)state;
	assert_int_equal(find(1, 1, "void [shop] Other.Cart::Add(int32)"), 1);
	assert_int_equal(find(3, 2, "void [shop] Other.Cart::Add(int32)[Optimized]"), 2);
	assert_int_equal(find(3, 3, "void [shop] Other.Cart::Add()"), 0); /* two of them */
	assert_int_equal(find(3, 2, "void [shop] Other.Basket::Add(int32)"), 0);
}

/* Types that have its name, in other places: each whole name is put together of parts. */
static void test_namesakes(void **state)
{
	(void)state;
	assert_int_equal(find(16 << 10, 1, "void [shop] Other.Cart::Add(int32)"), 1);
	assert_int_equal(find((16 << 10) + 1, 1, "void [shop] Other.Cart::Add(int32)"), 0);
}

/* Each signature is put into words. */
static void test_overloads(void **state)
{
	(void)state;
	assert_int_equal(find(1, 1024, "void [shop] Other.Cart::Add(int32)"), 1024);
	assert_int_equal(find(1, 1025, "void [shop] Other.Cart::Add(int32)"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_namesakes),
		cmocka_unit_test(test_overloads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
