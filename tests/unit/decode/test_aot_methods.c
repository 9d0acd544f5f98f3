// SPDX-License-Identifier: GPL-2.0-only
/* Which methods a Native AOT executable says it has: those of stack traces, and those that reflection finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/assembly/aot_parts.h"
#include "decode/names/aot_symbol.h"
#include "tests/unit/aot_made.h"

enum { TABLE = 0x10000, CODE = 0x20000, COMMANDS = 31 };

/* StackTraceDataCommand. */
enum { TYPE = 1, NAME = 2, SIGNATURE = 4, GENERIC = 8, HIDDEN = 16 };

static void aot_word(struct aot_made *table, uint32_t word)
{
	for (unsigned shift = 0; shift < 32; shift += 8)
		aot_byte(table, word >> shift & 0xff);
}

/* A command that sets what it says to 1 and more, for code at `address`. */
static void add(struct aot_made *table, unsigned command, uint32_t first, uint32_t address)
{
	aot_byte(table, command);
	if (command & TYPE)
		aot_word(table, first++);
	if (command & NAME)
		aot_unsigned(table, first++);
	if (command & (SIGNATURE | GENERIC))
		aot_unsigned(table, first++);
	if (command & GENERIC)
		aot_unsigned(table, first);
	aot_word(table, address - (TABLE + (uint32_t)table->size));
}

static void read_traced(const struct aot_made *table, size_t size, struct nt_aot_methods *methods)
{
	uint8_t *copy = memcpy(malloc(size + 1), table->bytes, size);
	*methods = (struct nt_aot_methods){ 0 };
	nt_aot_methods_read_traced(&(struct nt_aot_blob){ copy, size, TABLE }, methods);
	nt_aot_methods_finish(methods);
	free(copy);
}

static void check(const struct nt_aot_methods *methods, uint64_t address, uint32_t type, uint32_t name, uint32_t signature)
{
	const struct nt_aot_method *method = nt_aot_methods_at(methods, address);
	assert_non_null(method);
	assert_int_equal(method->type, type);
	assert_int_equal(method->name, name);
	assert_int_equal(method->signature, signature);
}

static void test_commands(void **state)
{
	(void)state;
	struct aot_made table = { 0 };
	struct nt_aot_methods methods;
	aot_word(&table, 99);                /* how many it says there are */
	add(&table, HIDDEN, 0, CODE + 0x80); /* without a name */
	add(&table, TYPE | NAME | SIGNATURE, 1000, CODE + 0x40);
	add(&table, NAME, 20, CODE); /* the rest as before */
	add(&table, NAME | GENERIC | HIDDEN, 30, CODE + 0x20);
	add(&table, 0, 0, CODE + 0x60); /* another instance of the same */
	read_traced(&table, table.size, &methods);
	assert_int_equal(methods.count, 4);
	check(&methods, CODE, 1000, 20, 1002);
	check(&methods, CODE + 0x20, 1000, 30, 31);
	check(&methods, CODE + 0x40, 1000, 1001, 1002);
	check(&methods, CODE + 0x60, 1000, 30, 31);
	assert_null(nt_aot_methods_at(&methods, CODE + 0x80));
	assert_null(nt_aot_methods_at(&methods, CODE + 1)); /* only where it begins */
	free(methods.items);
	size_t whole = table.size;
	add(&table, COMMANDS + 1, 0, CODE + 0xa0); /* what this one says is not known */
	add(&table, NAME, 40, CODE + 0xc0);
	read_traced(&table, table.size, &methods);
	assert_int_equal(methods.count, 4);
	free(methods.items);
	for (size_t size = 0; size < whole; size++) {
		read_traced(&table, size, &methods);
		assert_true(methods.count < 4);
		free(methods.items);
	}
}

/* Code that several methods share has no name; said twice of one method it has. */
static void test_shared_code(void **state)
{
	(void)state;
	struct aot_made table = { 0 };
	struct nt_aot_methods methods;
	aot_word(&table, 0);
	add(&table, TYPE | NAME | SIGNATURE, 1000, CODE);
	add(&table, 0, 0, CODE);
	add(&table, 0, 0, CODE + 0x20);
	add(&table, NAME, 20, CODE + 0x20);
	read_traced(&table, table.size, &methods);
	assert_int_equal(methods.count, 1);
	check(&methods, CODE, 1000, 1001, 1002);
	free(methods.items);
}

/* Two types, one nested in the other, with a method each, as reflection has them. */
struct reflected {
	struct aot_made made;
	struct aot_handle outer, nested;
	uint32_t name[2], signature[2], method[2];
};

static void list(struct aot_made *made, uint32_t first, unsigned count)
{
	aot_unsigned(made, count);
	if (count)
		aot_unsigned(made, first);
}

static void make_reflected(struct reflected *r, unsigned major)
{
	struct aot_made *made = &r->made;
	aot_begin(made, major);
	/* One assembly; where that lies is put in below: with five bytes, so that it can be. */
	list(made, UINT32_MAX, 1);
	size_t assembly_at = made->size - sizeof(uint32_t);
	for (unsigned i = 0; i < 2; i++) {
		r->name[i] = aot_text(made, i ? "Inner" : "Outer");
		r->signature[i] = aot_signature(made, AOT_STATIC, (struct aot_handle){ AOT_TYPE, 1 }, NULL, 0);
		r->method[i] = aot_here(made);
		aot_unsigned(made, 0x96); /* flags */
		aot_unsigned(made, 0);
		aot_unsigned(made, r->name[i]);
		aot_unsigned(made, r->signature[i]);
	}
	r->nested = aot_type(made, 0, 1, "Nested", &r->method[1], 1);
	uint32_t text = aot_text(made, "Type");
	r->outer = (struct aot_handle){ AOT_TYPE, aot_here(made) };
	for (unsigned i = 0; i < 7; i++) /* up to the outer type */
		aot_unsigned(made, i == 3 ? text : 0);
	list(made, r->nested.offset, 1);
	list(made, r->method[0], 1);
	uint32_t inner = aot_here(made);
	aot_unsigned(made, 0);
	aot_unsigned(made, text);
	list(made, r->outer.offset, 1);
	list(made, 0, 0);
	list(made, 0, 0);
	uint32_t root = aot_here(made);
	aot_unsigned(made, 0);
	aot_unsigned(made, 0);
	list(made, 0, 0);
	aot_unsigned(made, 2); /* forwarders */
	aot_unsigned(made, 7);
	aot_unsigned(made, 7);
	list(made, inner, 1);
	uint32_t assembly = aot_here(made);
	for (unsigned i = 0; i < 7; i++)
		aot_unsigned(made, 300 * i);
	aot_unsigned(made, 3); /* public key */
	for (unsigned i = 0; i < 3; i++)
		aot_byte(made, 0xff);
	aot_unsigned(made, 0);
	aot_unsigned(made, root);
	memcpy(made->bytes + assembly_at, &assembly, sizeof(assembly));
}

/* A hash table with one bucket of entries that say these flags, methods and numbers of references. */
static void make_invoked(struct aot_made *table, const uint32_t (*entries)[3], unsigned count)
{
	*table = (struct aot_made){ 0 };
	aot_byte(table, 0); /* offsets of one byte, one bucket */
	aot_byte(table, 2);
	aot_byte(table, 2 + 2 * count);
	size_t bucket = table->size;
	for (unsigned i = 0; i < 2 * count; i++)
		aot_byte(table, 0xaa);
	for (unsigned i = 0; i < count; i++) {
		table->bytes[bucket + 2 * i + 1] = (uint8_t)((table->size - (bucket + 2 * i + 1)) << 1);
		aot_unsigned(table, entries[i][0]);
		aot_unsigned(table, entries[i][1]);
		aot_unsigned(table, 0); /* type */
		aot_unsigned(table, entries[i][2]);
	}
}

static void read_reflected(const struct reflected *r, size_t size, const struct aot_made *invoked, struct nt_aot_methods *methods)
{
	static const int32_t distances[] = { CODE - TABLE, CODE + 0x40 - (TABLE + 4), CODE + 0x80 - (TABLE + 8) };
	const struct nt_aot_blob references = { (const uint8_t *)distances, sizeof(distances), TABLE };
	struct nt_aot_metadata metadata;
	uint8_t *copy = memcpy(malloc(size), r->made.bytes, size);
	*methods = (struct nt_aot_methods){ 0 };
	assert_true(nt_aot_metadata_read(copy, size, r->made.major, &metadata));
	nt_aot_methods_read_reflected(&metadata, &(struct nt_aot_blob){ invoked->bytes, invoked->size, 0 }, &references, methods);
	nt_aot_methods_finish(methods);
	free(copy);
}

static void test_reflected(void **state)
{
	(void)state;
	enum { HAS_METADATA = 4, HAS_CODE = 0x20 };
	static const unsigned majors[] = { 9, 10, 16 };
	for (unsigned i = 0; i < 3; i++) {
		struct reflected r;
		struct aot_made invoked;
		struct nt_aot_methods methods;
		make_reflected(&r, majors[i]);
		const unsigned usual = majors[i] == 16 ? HAS_CODE : HAS_CODE | HAS_METADATA;
		const uint32_t entries[][3] = {
			{ usual, r.method[1], 0 },     { usual, r.method[0], 1 }, { usual & ~(unsigned)HAS_CODE, r.method[0], 2 },
			{ usual, r.method[0] + 1, 2 }, /* no method */
			{ usual, r.method[0], 3 },     /* beyond the references */
			{ HAS_CODE, r.method[0], 2 },  /* before .NET 10, one that is described in another way */
		};
		make_invoked(&invoked, entries, 6);
		read_reflected(&r, r.made.size, &invoked, &methods);
		assert_int_equal(methods.count, majors[i] == 16 ? 3 : 2);
		check(&methods, CODE, aot_token(&r.made, r.nested), r.name[1], r.signature[1]);
		check(&methods, CODE + 0x40, aot_token(&r.made, r.outer), r.name[0], r.signature[0]);
		free(methods.items);
		for (size_t size = 4; size < r.made.size; size++) {
			read_reflected(&r, size, &invoked, &methods);
			assert_int_equal(methods.count, 0); /* what leads to the types lies at the end */
			free(methods.items);
		}
	}
}

static void test_symbols(void **state)
{
	(void)state;
	static const struct {
		const char *symbol, *shown; /* in the comments: what it is */
	} cases[] = {
		/* System.Threading.Thread.StartThread() */
		{ "S_P_CoreLib_System_Threading_Thread__StartThread", "System_Threading_Thread.StartThread" },
		/* Global.Spin(), assembly aotx; which could be aotx.Global in assembly "" for all that is said */
		{ "aotx_Global__Spin", "aotx_Global.Spin" },
		{ "aotx_Shop_Box_1<System___Canon>__Map<Int32>", "aotx_Shop_Box_1<System___Canon>.Map<Int32>" },
		{ "aotx_Shop_Cart__Map<Int64__aotx_Shop_Money>", "aotx_Shop_Cart.Map<Int64__aotx_Shop_Money>" },
		/* Shop_Floor.Inner_Part.Cart_Of._Lead(): or Cart_Of_.Lead() */
		{ "aotx_Shop_Floor_Inner_Part_Cart_Of___Lead", "aotx_Shop_Floor_Inner_Part_Cart_Of___Lead" },
		/* Cart_Of.Two__Under(), or Cart_Of__Two.Under() */
		{ "aotx_Shop_Floor_Inner_Part_Cart_Of__Two__Under", "aotx_Shop_Floor_Inner_Part_Cart_Of__Two__Under" },
		{ "S_P_CoreLib_System_Void____GetFieldHelper", "S_P_CoreLib_System_Void____GetFieldHelper" },
		{ "S_P_CoreLib_System_Number___cctor", "S_P_CoreLib_System_Number___cctor" },
		{ "S_P_CoreLib__Main", "S_P_CoreLib.Main" },
		{ "memcpy", "memcpy" },
		{ "__libc_start", "__libc_start" },
		{ "start__", "start__" },
		{ "a>__b", "a>__b" },
		{ "a<b__c", "a<b__c" },
		{ "", "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];
		struct nt_text_out out = { .buf = text, .size = sizeof(text) };
		nt_aot_symbol_put((struct nt_slice){ cases[i].symbol, strlen(cases[i].symbol) }, &out);
		text[out.length] = '\0';
		assert_string_equal(text, cases[i].shown);
	}
}

/* Handlers: which method each is a part of. */
static void test_parts(void **state)
{
	(void)state;
	enum { DATA = 0x3000 };
	/* Of the method: flags. Of a handler, then a filter: flags, the distance to the method's data, that from its beginning. */
	static const uint8_t bytes[] = { 0x0c, 7, 7, 0x05, 0xfb, 0xff, 0xff, 0xff, 0x40, 1, 0, 0, 0x02, 0,
					 0,    0, 0, 0x10, 0,    0,    0,    0x01, 0,    0, 0, 0, 0,    0 };
	struct nt_eh_data functions[] = {
		{ CODE + 0x200, DATA + 12 }, { CODE + 0x140, DATA + 3 }, { CODE, DATA }, { CODE + 0x300, DATA + 21 }, /* does not fit */
	};
	struct nt_eh_data_list list = { .items = functions, .count = 4 };
	struct nt_aot_parts parts;
	struct nt_aot_blob where = nt_aot_parts_where(&list);
	assert_int_equal(where.address, DATA);
	assert_int_equal(where.size, 21 + 9);
	nt_aot_parts_read(&list, &(struct nt_aot_blob){ bytes, sizeof(bytes), DATA }, &parts);
	assert_int_equal(parts.count, 2);
	assert_int_equal(nt_aot_parts_method(&parts, CODE + 0x140), CODE);
	assert_int_equal(nt_aot_parts_method(&parts, CODE + 0x200), CODE + 0x1f0);
	assert_int_equal(nt_aot_parts_method(&parts, CODE), 0);
	free(parts.items);
	nt_aot_parts_read(&list, &(struct nt_aot_blob){ bytes, 0, DATA }, &parts);
	assert_int_equal(parts.count, 0);
	list.count = 0;
	assert_int_equal(nt_aot_parts_where(&list).size, 0);
	assert_int_equal(nt_aot_parts_method(&parts, CODE), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands), cmocka_unit_test(test_shared_code), cmocka_unit_test(test_reflected),
		cmocka_unit_test(test_parts),    cmocka_unit_test(test_symbols),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
