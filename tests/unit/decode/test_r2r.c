// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/assembly/r2r_name.h"
#include "decode/names/method_name.h"
#include "memory_window.h"
#include "r2r_image.h"

#include <stdlib.h>

struct fixture {
	struct image image;
	struct memory memory;
	struct nt_window *window;
	struct nt_pe pe;
	struct nt_r2r r2r;
};

static void make(struct fixture *f)
{
	f->memory = (struct memory){ .bytes = f->image.bytes, .size = sizeof(f->image.bytes) };
	f->window = memory_window(&f->memory);
}

static void end(struct fixture *f)
{
	nt_r2r_fini(&f->r2r);
	nt_window_free(f->window);
}

/* The image as it is meant. */
static void read_image(struct fixture *f)
{
	image_make(&f->image);
	make(f);
	assert_true(nt_pe_read(f->window, 0, &f->pe));
	assert_int_equal(nt_r2r_read(&f->pe, &f->r2r), NT_R2R_READ);
}

struct method {
	uint32_t begin, end, token;
	const char *raw, *shown;
};

static const struct method methods[] = {
	{ 0x1800, 0x1830, 0x06000001, "instance void [shop] Shop.Cart::Add(int32,string)", "Shop.Cart.Add(int, string)" },
	{ 0x1840, 0x1850, 0x06000002, "int64 [shop] Shop.Cart::Sum(class System.Guid,class Shop.List`1<int32>[])",
	  "Shop.Cart.Sum(Guid, List<int>[])" },
	{ 0x1860, 0x1870, 0x06000003, "instance !0 [shop] Shop.List`1[System.String]::Take(!0&)", "Shop.List<string>.Take(ref string)" },
	{ 0x1880, 0x1890, 0x06000004, "instance bool [shop] Shop.List`1+Entry[System.Int32]::Next()", "Shop.List<int>.Entry.Next()" },
};
enum { METHODS = sizeof(methods) / sizeof(*methods) };

static void check_method(const struct nt_r2r *r2r, const struct nt_r2r_range *range, const struct method *method)
{
	static struct nt_r2r_name name;
	static struct nt_perfmap_name shown;
	assert_int_equal(range->begin, method->begin);
	assert_int_equal(range->end, method->end);
	assert_int_equal(nt_r2r_name(r2r, range->owner, NULL, &name), NT_R2R_NAMED);
	assert_string_equal(name.text, method->raw);
	assert_int_equal(name.length, strlen(method->raw));
	assert_int_equal(name.token, method->token);
	nt_method_name_from_perfmap((struct nt_slice){ name.text, name.length }, &shown);
	assert_string_equal(shown.display, method->shown);
	assert_int_equal(shown.module.length, strlen("shop"));
}

static void test_all_methods(void **state)
{
	(void)state;
	static struct fixture f;
	read_image(&f);
	struct nt_r2r_range range;
	uint32_t number = 0;
	for (size_t i = 0; i < METHODS; i++) {
		assert_true(nt_r2r_next(&f.r2r, &number, &range));
		check_method(&f.r2r, &range, &methods[i]);
	}
	assert_false(nt_r2r_next(&f.r2r, &number, &range));
	end(&f);
}

static void test_places(void **state)
{
	(void)state;
	static struct fixture f;
	read_image(&f);
	struct nt_r2r_range range;
	for (size_t i = 0; i < METHODS; i++) {
		assert_true(nt_r2r_find(&f.r2r, methods[i].begin, &range));
		check_method(&f.r2r, &range, &methods[i]);
		assert_true(nt_r2r_find(&f.r2r, methods[i].end - 1, &range));
		check_method(&f.r2r, &range, &methods[i]);
		assert_false(nt_r2r_find(&f.r2r, methods[i].end, &range));
		assert_int_equal(range.begin, methods[i].end);
		assert_int_equal(range.end, i + 1 < METHODS ? methods[i + 1].begin : UINT32_MAX);
	}
	assert_true(nt_r2r_find(&f.r2r, 0x1825, &range)); /* the funclet */
	check_method(&f.r2r, &range, &methods[0]);
	assert_false(nt_r2r_find(&f.r2r, 0x1000, &range));
	assert_int_equal(range.begin, 0);
	assert_int_equal(range.end, 0x1800);
	end(&f);
}

static void test_places_in_the_file(void **state)
{
	(void)state;
	static struct fixture f;
	read_image(&f);
	uint32_t rva;
	uint64_t offset;
	assert_true(nt_pe_rva(&f.pe, 0xa00, &rva));
	assert_int_equal(rva, 0x1800);
	assert_true(nt_pe_offset(&f.pe, 0x1800, 0x600, &offset));
	assert_int_equal(offset, 0xa00);
	assert_false(nt_pe_offset(&f.pe, 0x1800, 0x601, &offset));
	assert_false(nt_pe_rva(&f.pe, 0x1ff, &rva));
	assert_false(nt_pe_rva(&f.pe, IMAGE_BYTES, &rva));
	end(&f);
}

/* Behind other bytes, as in a single-file program. */
static void test_image_within_a_file(void **state)
{
	(void)state;
	enum { BEFORE = 0x1370 };
	static struct image image;
	static uint8_t file[BEFORE + IMAGE_BYTES];
	image_make(&image);
	memcpy(file + BEFORE, image.bytes, IMAGE_BYTES);
	struct memory memory = { .bytes = file, .size = sizeof(file) };
	struct nt_window *window = memory_window(&memory);
	struct nt_pe pe;
	struct nt_r2r r2r;
	struct nt_r2r_range range;
	uint32_t rva;
	assert_false(nt_pe_read(window, 0, &pe));
	assert_true(nt_pe_read(window, BEFORE, &pe));
	assert_int_equal(nt_r2r_read(&pe, &r2r), NT_R2R_READ);
	assert_true(nt_pe_rva(&pe, BEFORE + 0xa42, &rva));
	assert_true(nt_r2r_find(&r2r, rva, &range));
	check_method(&r2r, &range, &methods[1]);
	nt_r2r_fini(&r2r);
	nt_window_free(window);
}

static enum nt_r2r_verdict verdict_of(struct fixture *f)
{
	make(f);
	assert_true(nt_pe_read(f->window, 0, &f->pe));
	return nt_r2r_read(&f->pe, &f->r2r);
}

static void test_verdicts(void **state)
{
	(void)state;
	static struct fixture f;
	image_make(&f.image);
	image_poke(&f.image, IMAGE_TEXT_AT + 64, 0); /* no header of precompiled code */
	assert_int_equal(verdict_of(&f), NT_R2R_IL_ONLY);
	end(&f);

	image_make(&f.image);
	f.image.bytes[0x44] = 0x64; /* amd64, but for Windows */
	f.image.bytes[0x45] = 0x86;
	assert_int_equal(verdict_of(&f), NT_R2R_MACHINE);
	end(&f);

	image_make(&f.image);
	uint8_t *header = memmem(f.image.bytes, IMAGE_BYTES, "RTR", 4);
	header[16] = 116; /* in place of the runtime functions: the name of the composite image */
	assert_int_equal(verdict_of(&f), NT_R2R_IN_COMPOSITE);
	end(&f);

	image_make(&f.image);
	header = memmem(f.image.bytes, IMAGE_BYTES, "RTR", 4);
	header[12] = 255; /* more sections than there can be */
	assert_int_equal(verdict_of(&f), NT_R2R_BROKEN);
	end(&f);

	image_make(&f.image);
	memcpy(memmem(f.image.bytes, IMAGE_BYTES, "\x20\x18\0\0", 4), "\x40\x18", 2); /* functions that are not in order */
	assert_int_equal(verdict_of(&f), NT_R2R_BROKEN);
	end(&f);
}

/* What is broken costs its own name only. */
static void test_broken_signature(void **state)
{
	(void)state;
	static struct fixture f;
	static struct nt_r2r_name name;
	image_make(&f.image);
	uint8_t *blob = memmem(f.image.bytes, IMAGE_BYTES, "\x05\x20\x02\x01\x08\x0e", 6);
	blob[5] = 0x7f; /* no such type */
	assert_int_equal(verdict_of(&f), NT_R2R_READ);
	struct nt_r2r_range range;
	assert_true(nt_r2r_find(&f.r2r, 0x1800, &range));
	assert_int_equal(nt_r2r_name(&f.r2r, range.owner, NULL, &name), NT_R2R_NAMED);
	assert_string_equal(name.text, "instance void [shop] Shop.Cart::Add(?)");
	assert_true(nt_r2r_find(&f.r2r, 0x1840, &range));
	check_method(&f.r2r, &range, &methods[1]);
	end(&f);
}

/* The file was truncated while it was read: no name, no crash. */
static void test_unreadable(void **state)
{
	(void)state;
	static struct fixture f;
	static struct nt_r2r_name name;
	read_image(&f);
	struct nt_r2r_range range;
	assert_true(nt_r2r_find(&f.r2r, 0x1800, &range));
	nt_window_rest(f.window);
	f.memory.broken = true;
	assert_int_equal(nt_r2r_name(&f.r2r, range.owner, NULL, &name), NT_R2R_UNNAMED);
	end(&f);
}

/* ---- images that would take hours ---- */

/* A method of two million parts, as any one of which may be asked for: no method has so many, and what is too far from its begin is nobody's. */
static void test_parts_without_end(void **state)
{
	(void)state;
	enum { FUNCTIONS = 2 << 20, PARTS = 16 << 10, ASKED = 20000 };
	struct nt_r2r r2r = { .pe.machine = NT_PE_LINUX_ARM64, .function_count = FUNCTIONS };
	struct nt_r2r_range range;
	uint32_t number = 0;
	r2r.functions = calloc(FUNCTIONS, sizeof(*r2r.functions));
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		r2r.functions[i].begin = 16 * (i + 1);
	r2r.functions[0].owner = 7;
	assert_true(nt_r2r_find(&r2r, 16 * PARTS, &range));
	assert_int_equal(range.begin, 16);
	assert_int_equal(range.end, 16 * (PARTS + 1));
	for (uint32_t i = 0; i < ASKED; i++)
		assert_false(nt_r2r_find(&r2r, 16 * (FUNCTIONS - i) + 4, &range));
	assert_int_equal(range.begin, 16 * (FUNCTIONS - ASKED + 1)); /* the gap is that one's only */
	assert_int_equal(range.end, 16 * (FUNCTIONS - ASKED + 2));
	assert_true(nt_r2r_next(&r2r, &number, &range));
	assert_int_equal(range.end, 16 * (PARTS + 1));
	assert_false(nt_r2r_next(&r2r, &number, &range));
	free(r2r.functions);
}

/* The image with another section behind it, which begins at RVA 0x1e00. */
struct large_image {
	struct image image;
	uint8_t more[1 << 20];
};
enum { MORE_RVA = IMAGE_TEXT_RVA + IMAGE_BYTES - IMAGE_TEXT_AT };

static void large_make(struct large_image *large)
{
	enum { SECTION_BYTES_AT = 0x40 + 24 + 240 + 16 };
	memset(large, 0, sizeof(*large));
	image_make(&large->image);
	image_poke(&large->image, SECTION_BYTES_AT, IMAGE_BYTES - IMAGE_TEXT_AT + sizeof(large->more));
}

static void set_section(struct large_image *large, unsigned index, uint32_t type, uint32_t rva, uint32_t size)
{
	uint8_t *sections = (uint8_t *)memmem(large->image.bytes, IMAGE_BYTES, "RTR", 4) + 16;
	const uint32_t values[] = { type, rva, size };
	memcpy(sections + index * sizeof(values), values, sizeof(values));
}

static enum nt_r2r_verdict verdict_of_large(const struct large_image *large)
{
	static uint8_t bytes[IMAGE_BYTES + sizeof(large->more)];
	memcpy(bytes, large->image.bytes, IMAGE_BYTES);
	memcpy(bytes + IMAGE_BYTES, large->more, sizeof(large->more));
	struct memory memory = { .bytes = bytes, .size = sizeof(bytes) };
	struct nt_window *window = memory_window(&memory);
	struct nt_pe pe;
	struct nt_r2r r2r;
	assert_true(nt_pe_read(window, 0, &pe));
	enum nt_r2r_verdict verdict = nt_r2r_read(&pe, &r2r);
	nt_r2r_fini(&r2r);
	nt_window_free(window);
	return verdict;
}

/* Two thousand components which have one array of a million methods in common. */
static void test_components_with_one_array(void **state)
{
	(void)state;
	enum { COMPONENTS = 2048, LIST_BYTES = COMPONENTS * 16, ROWS = (1 << 20) - 1, ARRAY_BYTES = (1 << 16) + 16 };
	static struct large_image large;
	large_make(&large);
	uint32_t metadata[2], header = MORE_RVA + LIST_BYTES, array = header + 20;
	memcpy(metadata, large.image.bytes + IMAGE_TEXT_AT + 8, sizeof(metadata));
	const uint32_t component[] = { 0, 1, 103, array, ARRAY_BYTES };
	memcpy(large.more + LIST_BYTES, component, sizeof(component));
	const uint32_t blocks = ROWS << 2, coded = blocks << 4 | 7; /* an integer of four bytes */
	memcpy(large.more + LIST_BYTES + sizeof(component), &coded, sizeof(coded));
	set_section(&large, 2, 112, metadata[0], metadata[1]);
	for (uint32_t count = 2; count <= COMPONENTS; count += COMPONENTS - 2) {
		for (uint32_t i = 0; i < count; i++)
			memcpy(large.more + i * 16 + 8, &header, sizeof(header));
		set_section(&large, 1, 115, MORE_RVA, count * 16);
		assert_int_equal(verdict_of_large(&large), count == 2 ? NT_R2R_READ : NT_R2R_BROKEN);
	}
}

/* A hundred thousand instances which have one signature of 1 KB in common. */
static void test_instances_with_one_signature(void **state)
{
	(void)state;
	enum { ENTRY_BYTES = 5, BUCKETS = 9, MOST = 100000, ARGUMENTS = 1000, SIGNATURE = 4 + ARGUMENTS + 1 };
	static struct large_image large;
	for (uint32_t count = 10; count <= MOST; count += MOST - 10) {
		large_make(&large);
		uint32_t entries_end = BUCKETS + count * ENTRY_BYTES, bounds[] = { BUCKETS - 1, entries_end - 1 };
		large.more[0] = 2; /* one bucket; its bounds have four bytes */
		memcpy(large.more + 1, bounds, sizeof(bounds));
		for (uint32_t at = BUCKETS; at < entries_end; at += ENTRY_BYTES) {
			uint32_t distance = (entries_end - (at + 1)) << 4 | 7;
			memcpy(large.more + at + 1, &distance, sizeof(distance));
		}
		memcpy(large.more + entries_end, "\x04\x01\x83\xe8", 4);
		memset(large.more + entries_end + 4, 0x08, ARGUMENTS);
		set_section(&large, 2, 109, MORE_RVA, entries_end + SIGNATURE);
		assert_int_equal(verdict_of_large(&large), count == 10 ? NT_R2R_READ : NT_R2R_BROKEN);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_methods),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_places_in_the_file),
		cmocka_unit_test(test_image_within_a_file),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_broken_signature),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_parts_without_end),
		cmocka_unit_test(test_components_with_one_array),
		cmocka_unit_test(test_instances_with_one_signature),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
