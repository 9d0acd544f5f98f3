// SPDX-License-Identifier: GPL-2.0-only
/* Names, tiers and begins of generated code, in memory made for it. Types have no metadata here: each is "?", and what is around it is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/contract/contract_methods.h"
#include "decode/contract/contract_names.h"
#include "decode/contract/contract_tiers.h"
#include "decode/contract/contract_types.h"

#include <string.h>

#define BASE UINT64_C(0x7f0000000000)

enum { PAGES = 8, BYTES = PAGES * NT_PAGE_BYTES, READS_MAX = 4096 };

/* Where things lie: in bytes from BASE on. */
enum {
	TABLES = 0x100,
	LISTS = 0x400,
	MAP = 0x1000,
	NODE = 0x2000,
	METHOD = 0x2100,
	DATA = 0x2200,
	NAME = 0x2300,
	HEADER = 0x2400,
	CODE = 0x4000
};

static uint8_t bytes[BYTES];
static struct nt_memory memory;
static struct nt_contract contract;
static struct nt_contract_modules modules;
static unsigned reads, free_at; /* after so many reads the method at METHOD is another one */

static void put64(size_t at, uint64_t value)
{
	memcpy(bytes + at, &value, sizeof(value));
}

static void put32(size_t at, uint32_t value)
{
	memcpy(bytes + at, &value, sizeof(value));
}

static void put16(size_t at, uint16_t value)
{
	memcpy(bytes + at, &value, sizeof(value));
}

static bool read_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	(void)context;
	if (++reads == free_at)
		memcpy(bytes + NAME, "other", sizeof("other"));
	if (address < BASE || address >= BASE + BYTES)
		return false;
	memcpy(page, bytes + (address - BASE), NT_PAGE_BYTES);
	return true;
}

/* The fields that are looked at, as .NET 10 has them. */
static void lay_out(struct nt_layout *layout)
{
	static const struct {
		enum nt_layout_field field;
		uint32_t offset;
	} offsets[] = {
		{ NT_OFF_TABLE_FLAGS2, 8 },       { NT_OFF_TABLE_MODULE, 24 },
		{ NT_OFF_TABLE_CLASS, 40 },       { NT_OFF_TABLE_INSTANCE, 48 },
		{ NT_OFF_DICTIONARY_COUNT, 4 },   { NT_OFF_DICTIONARY_ARGUMENTS, 6 },
		{ NT_OFF_CLASS_RANK, 72 },        { NT_OFF_TYPE_ELEMENT, 16 },
		{ NT_OFF_METHOD_CHUNK_INDEX, 2 }, { NT_OFF_METHOD_FLAGS, 6 },
		{ NT_OFF_METHOD_CODE, 8 },        { NT_OFF_CHUNK_TOKEN, 18 },
		{ NT_OFF_CHUNK_SIZE, 24 },        { NT_OFF_DYNAMIC_NAME, 32 },
		{ NT_OFF_VERSIONS_FIRST, 16 },    { NT_OFF_VERSION_NEXT, 24 },
		{ NT_OFF_VERSION_IL, 16 },        { NT_OFF_VERSION_FLAGS, 52 },
		{ NT_OFF_HEAP_END, 8 },           { NT_OFF_HEAP_MAP_BASE, 16 },
		{ NT_OFF_HEAP_MAP, 24 },          { NT_OFF_HEADER_UNWIND_COUNT, 8 },
		{ NT_OFF_HEADER_UNWIND, 12 },     { NT_OFF_FUNCTION_END, 4 },
		{ NT_OFF_FUNCTION_UNWIND, 8 },    { NT_OFF_FUNCTION_SIZE, 12 },
	};
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		layout->offsets[offsets[i].field] = offsets[i].offset;
	for (unsigned i = 0; i < NT_CONTRACT_FEATURES; i++)
		layout->has[i] = true;
	layout->code_map_version = 2;
	layout->globals[NT_GLOBAL_METHOD_ALIGNMENT] = 8;
	layout->globals[NT_GLOBAL_TOKEN_BITS] = 12;
	layout->globals[NT_GLOBAL_STUB_KIND_LAST] = 15;
}

static int setup(void **state)
{
	(void)state;
	static struct nt_code_section section;
	memset(bytes, 0, sizeof(bytes));
	memory = (struct nt_memory){ .read = read_page };
	nt_memory_allow(&memory, READS_MAX);
	contract = (struct nt_contract){ .memory = &memory, .sections = &section, .section_count = 1 };
	section = (struct nt_code_section){ .begin = BASE + CODE, .end = BASE + BYTES, .heap = BASE + NODE, .flags = NT_SECTION_CODE_HEAP };
	lay_out(&contract.layout);
	modules = (struct nt_contract_modules){ .contract = &contract };
	reads = free_at = 0;
	put64(NODE, BASE + CODE);
	put64(NODE + 8, BASE + CODE + 0x300);
	put64(NODE + 16, BASE + CODE);
	put64(NODE + 24, BASE + MAP);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	nt_contract_modules_fini(&modules);
	nt_memory_fini(&memory);
	return 0;
}

/* ---- types ---- */

enum { VECTOR = 0x800a0000, ARRAY = 0x80080000, POINTER = 0x0f, BYREF = 0x10, TYPE_PARAMETER = 0x13 };

static const char *type_of(uint64_t handle)
{
	static char text[NT_CONTRACT_NAME_MAX];
	struct nt_text_out out = { .buf = text, .size = sizeof(text) };
	nt_memory_forget(&memory);
	nt_contract_put_type(&modules, handle, &out);
	text[out.length] = '\0';
	return text;
}

static uint64_t array(unsigned number, uint32_t flags, uint64_t element, uint8_t rank)
{
	size_t at = TABLES + number * 0x80;
	put32(at, flags);
	put64(at + 48, element);
	put64(at + 40, BASE + at); /* its class begins where it does */
	bytes[at + 72] = rank;
	return BASE + at;
}

static uint64_t described(unsigned number, uint32_t kind, uint64_t element)
{
	size_t at = TABLES + number * 0x80;
	put32(at, kind);
	put64(at + 16, element);
	return (BASE + at) | 2;
}

static void what_a_type_is_made_of(void **state)
{
	(void)state;
	const uint64_t plain = BASE + TABLES;
	assert_string_equal(type_of(plain), "?");
	assert_string_equal(type_of(array(1, VECTOR, plain, 0)), "?[]");
	assert_string_equal(type_of(array(2, ARRAY, plain, 3)), "?[,,]");
	assert_string_equal(type_of(array(2, ARRAY, plain, 1)), "?[*]");
	assert_string_equal(type_of(array(2, ARRAY, plain, 0)), "?");
	assert_string_equal(type_of(array(2, ARRAY, plain, 33)), "?");
	assert_string_equal(type_of(described(3, POINTER, array(1, VECTOR, plain, 0))), "?[]*");
	assert_string_equal(type_of(described(3, BYREF, plain)), "?&");
	assert_string_equal(type_of(described(3, TYPE_PARAMETER, plain)), "?");
	assert_string_equal(type_of(0), "?");
	assert_string_equal(type_of(UINT64_MAX), "?");
}

static void a_type_of_itself_ends(void **state)
{
	(void)state;
	array(1, VECTOR, BASE + TABLES + 0x80, 0);
	assert_string_equal(type_of(BASE + TABLES + 0x80), "?[][][][][][][][][][][][][]");
	assert_string_equal(type_of(described(2, POINTER, (BASE + TABLES + 0x100) | 2)), "?*************");
}

static void arguments_end(void **state)
{
	(void)state;
	char text[NT_CONTRACT_NAME_MAX];
	struct nt_text_out out = { .buf = text, .size = sizeof(text) };
	const uint64_t plain = BASE + TABLES;
	put64(LISTS, plain);
	put64(LISTS + 8, array(1, VECTOR, plain, 0));
	nt_contract_put_arguments(&modules, BASE + LISTS, 2, &out);
	assert_int_equal(out.length, strlen("[?,?[]]"));
	assert_memory_equal(text, "[?,?[]]", out.length);
	out.length = 0;
	nt_contract_put_arguments(&modules, BASE + LISTS, 1 << 16, &out); /* at most 256 types, and the "?" for the rest */
	assert_in_range(out.length, 2 * 255, 2 * 257 + 4);
	out.length = 0;
	nt_contract_put_arguments(&modules, BASE + BYTES, 3, &out);
	assert_memory_equal(text, "[?]", 3);
}

/* ---- where code begins ---- */

static uint64_t begins[16];
static size_t begin_count;

static bool note(void *context, uint64_t start)
{
	assert_ptr_equal(context, &contract);
	assert_true(begin_count < 16);
	begins[begin_count++] = start - BASE - CODE;
	return true;
}

static void begins_are_those_of_the_map(void **state)
{
	(void)state;
	begin_count = 0;
	put32(MAP, 0x10000080);               /* at 0, and at the eighth word of the seventh nibble */
	put32(MAP + 4, (uint32_t)(0xc0 | 9)); /* the inside of something */
	put32(MAP + 8, 0x00300000);           /* 0x200 + 2 * 32 + 2 * 4 */
	put32(MAP + 12, 0x10000000);          /* behind the end */
	assert_true(nt_contract_begins(&contract, note, &contract));
	assert_int_equal(begin_count, 3);
	assert_int_equal(begins[0], 0);
	assert_int_equal(begins[1], 6 * 32 + 7 * 4);
	assert_int_equal(begins[2], 0x248);
}

static void a_heap_that_is_none_has_no_begins(void **state)
{
	(void)state;
	begin_count = 0;
	put64(NODE + 8, BASE + CODE - 1); /* ends before it begins */
	assert_false(nt_contract_begins(&contract, note, &contract));
	nt_memory_forget(&memory);
	put64(NODE + 8, BASE + CODE + (UINT64_C(1) << 40)); /* has no end */
	assert_false(nt_contract_begins(&contract, note, &contract));
	assert_int_equal(begin_count, 0);
	nt_memory_forget(&memory);
	put64(NODE + 8, BASE + CODE + (UINT64_C(1) << 31)); /* has more than can be read */
	put64(NODE + 24, BASE + BYTES - NT_PAGE_BYTES);
	assert_false(nt_contract_begins(&contract, note, &contract));
	assert_int_equal(begin_count, 0);
}

/* ---- dynamic methods ---- */

static void make_dynamic(const char *name)
{
	put32(MAP, 0x00300000); /* code begins at 2 * 32 + 2 * 4 */
	put64(CODE + 0x48 - 8, BASE + HEADER);
	put64(HEADER, BASE + METHOD);
	put32(HEADER + 8, 1);
	put32(HEADER + 12, 0x48);
	put32(HEADER + 16, 0x60);
	put16(METHOD + 6, 7);
	put64(METHOD - 24, BASE + TABLES);
	put64(METHOD + 32, BASE + NAME);
	memcpy(bytes + NAME, name, strlen(name) + 1);
}

static void a_dynamic_method_has_its_name(void **state)
{
	(void)state;
	struct nt_contract_name name;
	make_dynamic("Dm_3");
	assert_int_equal(nt_contract_name_at(&modules, BASE + CODE + 0x50, &name), NT_CONTRACT_NAMED);
	assert_string_equal(name.text, "? [?] dynamicClass::Dm_3(?)");
	assert_int_equal(name.code.start, BASE + CODE + 0x48);
	assert_int_equal(name.code.size, 0x18);
	assert_int_equal(name.tier, NT_TIER_OPTIMIZED);
	assert_int_equal(nt_contract_name_at(&modules, BASE + CODE, &name), NT_CONTRACT_NO_CODE);
	assert_int_equal(nt_contract_name_at(&modules, 0, &name), NT_CONTRACT_NO_CODE);
}

static void a_name_is_text(void **state)
{
	(void)state;
	struct nt_contract_name name;
	make_dynamic("a\x1b[2Jb\xff");
	assert_int_equal(nt_contract_name_at(&modules, BASE + CODE + 0x48, &name), NT_CONTRACT_NAMED);
	assert_null(strchr(name.text, '\x1b'));
	assert_null(strchr(name.text, '\xff'));
	assert_non_null(strstr(name.text, "[2Jb"));
	put64(METHOD + 32, BASE + 0x2c00); /* one that does not end */
	memset(bytes + 0x2c00, 'x', 0x800);
	nt_memory_forget(&memory);
	assert_int_equal(nt_contract_name_at(&modules, BASE + CODE + 0x48, &name), NT_CONTRACT_NAMELESS);
}

static void code_that_may_go_is_looked_at_twice(void **state)
{
	(void)state;
	struct nt_contract_name name;
	make_dynamic("Dm_3");
	contract.sections[0].flags |= NT_SECTION_COLLECTIBLE;
	assert_int_equal(nt_contract_name_at(&modules, BASE + CODE + 0x48, &name), NT_CONTRACT_NAMED);
	unsigned once = reads / 2;
	assert_int_equal(once * 2, reads);
	free_at = reads + once + 1;
	assert_int_equal(nt_contract_name_at(&modules, BASE + CODE + 0x48, &name), NT_CONTRACT_CHANGED);
	free_at = 0;
	assert_int_equal(nt_contract_name_at(&modules, BASE + CODE + 0x48, &name), NT_CONTRACT_NAMED);
	assert_string_equal(name.text, "? [?] dynamicClass::other(?)");
}

/* ---- tiers ---- */

static enum nt_tier tier_at(uint64_t start)
{
	const struct nt_contract_code code = { .kind = NT_CONTRACT_JIT, .start = start, .method = BASE + METHOD };
	nt_memory_forget(&memory);
	return nt_contract_tier(&contract, &code, false);
}

static void a_version_says_its_tier(void **state)
{
	(void)state;
	const uint64_t start = BASE + CODE;
	assert_int_equal(tier_at(start), NT_TIER_OPTIMIZED);
	put16(METHOD, 0x8000);
	assert_int_equal(tier_at(start), NT_TIER_0);
	put64(METHOD + 8, BASE + DATA);
	put64(DATA, BASE + DATA + 0x20);
	put64(DATA + 0x20 + 16, BASE + DATA + 0x60);
	put64(DATA + 0x60, start);
	put32(DATA + 0x60 + 36, 1);
	assert_int_equal(tier_at(start), NT_TIER_1);
	assert_int_equal(tier_at(start + 64), NT_TIER_0);
	put32(DATA + 0x60 + 36, 77);
	assert_int_equal(tier_at(start), NT_TIER_UNKNOWN);
	put64(DATA + 0x60 + 24, BASE + DATA + 0x60); /* a list without end */
	assert_int_equal(tier_at(start + 64), NT_TIER_UNKNOWN);
	contract.layout.offsets[NT_OFF_VERSION_FLAGS]++; /* another form: nobody knows where the tier is */
	assert_int_equal(tier_at(start), NT_TIER_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_a_type_is_made_of, setup, teardown),
		cmocka_unit_test_setup_teardown(a_type_of_itself_ends, setup, teardown),
		cmocka_unit_test_setup_teardown(arguments_end, setup, teardown),
		cmocka_unit_test_setup_teardown(begins_are_those_of_the_map, setup, teardown),
		cmocka_unit_test_setup_teardown(a_heap_that_is_none_has_no_begins, setup, teardown),
		cmocka_unit_test_setup_teardown(a_dynamic_method_has_its_name, setup, teardown),
		cmocka_unit_test_setup_teardown(a_name_is_text, setup, teardown),
		cmocka_unit_test_setup_teardown(code_that_may_go_is_looked_at_twice, setup, teardown),
		cmocka_unit_test_setup_teardown(a_version_says_its_tier, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
