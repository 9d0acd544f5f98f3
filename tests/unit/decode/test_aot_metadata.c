// SPDX-License-Identifier: GPL-2.0-only
/* Names of methods in the metadata of Native AOT executables: what C# calls them, in the runtime's form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/aot_made.h"

static const unsigned majors[] = { 9, 10, 16 };

enum { MAJORS = sizeof(majors) / sizeof(majors[0]) };

/* The usual types, and an assembly of our own. */
struct world {
	struct aot_made made;
	struct aot_handle void_, int32, string, list, goods, exe;
};

static void begin(struct world *w, unsigned major)
{
	aot_begin(&w->made, major);
	struct aot_handle system = aot_assembly(&w->made, "System.Private.CoreLib", "System");
	w->void_ = aot_reference(&w->made, system, "Void");
	w->int32 = aot_reference(&w->made, system, "Int32");
	w->string = aot_reference(&w->made, system, "String");
	struct aot_handle generic = aot_namespace(&w->made, AOT_NAMESPACE_REFERENCE,
						  aot_namespace(&w->made, AOT_NAMESPACE_REFERENCE, system, "Collections"), "Generic");
	w->list = aot_reference(&w->made, generic, "List`1");
	w->exe = aot_assembly(&w->made, "Shop", "");
	w->goods = aot_namespace(&w->made, AOT_NAMESPACE_REFERENCE, aot_namespace(&w->made, AOT_NAMESPACE_REFERENCE, w->exe, "Shop_Floor"),
				 "Goods");
}

/* What the method is called: in the runtime's form, and as it is shown. */
static void check(struct world *w, struct aot_handle type, const char *name, uint32_t signature, const char *raw, const char *shown)
{
	char text[4096];
	struct nt_text_out out = { .buf = text, .size = sizeof(text) };
	const struct nt_aot_method method = { .type = aot_token(&w->made, type), .name = aot_text(&w->made, name), .signature = signature };
	const struct nt_aot_metadata metadata = aot_open(&w->made);
	assert_true(nt_aot_method_put(&metadata, &method, &out));
	text[out.length] = '\0';
	assert_string_equal(text, raw);
	struct nt_perfmap_name display;
	nt_method_name_from_perfmap((struct nt_slice){ text, out.length }, &display);
	assert_string_equal(display.display, shown);
}

/* The names of the symbols of these methods, as the compiler made them, are in the comments. */
static void check_names(struct world *w)
{
	struct aot_made *made = &w->made;
	const struct aot_handle number = w->int32, text = w->string;
	uint32_t simple = aot_signature(made, AOT_STATIC, w->void_, &number, 1),
		 none = aot_signature(made, AOT_HAS_THIS, w->void_, NULL, 0);
	struct aot_handle cart = aot_reference(made, w->goods, "Cart_Of"), line = aot_reference(made, cart, "Line_Item");
	/* Shop_Shop_Floor_Goods_Cart_Of__Sum_All */
	check(w, cart, "Sum_All", simple, "void [Shop] Shop_Floor.Goods.Cart_Of::Sum_All(int32)", "Shop_Floor.Goods.Cart_Of.Sum_All(int)");
	/* Shop_Shop_Floor_Goods_Cart_Of_Line_Item___ctor */
	check(w, line, ".ctor", none, "instance void [Shop] Shop_Floor.Goods.Cart_Of+Line_Item::.ctor()",
	      "Shop_Floor.Goods.Cart_Of.Line_Item..ctor()");
	/* Shop_Outside__Global */
	check(w, aot_reference(made, w->exe, "Outside"), "Global", simple, "void [Shop] Outside::Global(int32)", "Outside.Global(int)");
	/* Shop_Shop_Floor_Goods_Cart_Of___c__DisplayClass4_0___Lambda_b__0 */
	check(w, aot_reference(made, cart, "<>c__DisplayClass4_0"), "<Lambda>b__0", none,
	      "instance void [Shop] Shop_Floor.Goods.Cart_Of+<>c__DisplayClass4_0::<Lambda>b__0()",
	      "Shop_Floor.Goods.Cart_Of.Lambda → lambda()");
	/* Shop_Shop_Floor_Goods_Cart_Of__TotalAsync_d__2__MoveNext */
	check(w, aot_reference(made, cart, "<TotalAsync>d__2"), "MoveNext", none,
	      "instance void [Shop] Shop_Floor.Goods.Cart_Of+<TotalAsync>d__2::MoveNext()", "async Shop_Floor.Goods.Cart_Of.TotalAsync");
	/* Shop_Shop_Floor_Goods_Cart_Of___Local_g__Sum_7_0 */
	check(w, cart, "<Local>g__Sum|7_0", simple, "void [Shop] Shop_Floor.Goods.Cart_Of::<Local>g__Sum|7_0(int32)",
	      "Shop_Floor.Goods.Cart_Of.Local → Sum(int)");
	/* Shop_Shop_Floor_Goods_Cart_Of___ml_ut */
	check(w, cart, "Ümläut", simple, "void [Shop] Shop_Floor.Goods.Cart_Of::Ümläut(int32)", "Shop_Floor.Goods.Cart_Of.Ümläut(int)");
	/* A type of this executable: Shop_Shop_Floor_Goods_Cart_Of__Price_0 */
	uint32_t scope_name = aot_text(made, "Shop");
	struct aot_handle scope = { AOT_SCOPE, aot_here(made) };
	aot_unsigned(made, 0);
	aot_unsigned(made, scope_name);
	struct aot_handle root = aot_namespace(made, AOT_NAMESPACE, scope, ""), floor = aot_namespace(made, AOT_NAMESPACE, root, "Shop");
	struct aot_handle defined = aot_type(made, floor.offset, 0, "Cart", NULL, 0),
			  nested = aot_type(made, 0, defined.offset, "Line", NULL, 0);
	check(w, nested, "Price", aot_signature(made, AOT_STATIC, text, &text, 1), "string [Shop] Shop.Cart+Line::Price(string)",
	      "Shop.Cart.Line.Price(string)");
}

static void check_types(struct world *w)
{
	struct aot_made *made = &w->made;
	struct aot_handle box = aot_reference(made, w->goods, "Box`1"), lid = aot_reference(made, box, "Lid`2");
	struct aot_handle item = aot_variable(made, AOT_TYPE_VARIABLE, 0), other = aot_variable(made, AOT_METHOD_VARIABLE, 0);
	struct aot_handle last = aot_variable(made, AOT_TYPE_VARIABLE, 2), plain = aot_reference(made, lid, "Plain");
	struct aot_handle numbers = aot_made_of(made, AOT_SZARRAY, w->int32, NULL, 0),
			  texts = aot_made_of(made, AOT_INSTANCE, w->list, &w->string, 1);
	struct aot_handle by_ref = aot_made_of(made, AOT_BYREF, numbers, NULL, 0),
			  pointer = aot_made_of(made, AOT_POINTER, w->int32, NULL, 0);
	struct aot_handle plane = { AOT_ARRAY, aot_here(made) };
	aot_handle(made, w->int32);
	aot_unsigned(made, 2); /* rank */
	uint32_t called = aot_signature(made, AOT_STATIC, w->void_, &w->int32, 1);
	struct aot_handle function = { AOT_FUNCTION_POINTER, aot_here(made) };
	aot_unsigned(made, called);
	struct aot_handle modified = { AOT_MODIFIED, aot_here(made) };
	aot_byte(made, 1);
	aot_handle(made, w->string);
	aot_handle(made, w->int32);
	const struct aot_handle generic[] = { item, other }, three[] = { item, last },
				odd[] = { by_ref, texts, pointer, plane, function, modified, plain };
	/* Shop_Shop_Floor_Goods_Box_1<System___Canon>__Map<Int32>: every instance has this name */
	check(w, aot_made_of(made, AOT_SPECIFICATION, box, NULL, 0), "Map", aot_signature(made, AOT_HAS_THIS, other, generic, 2),
	      "instance !!0 [Shop] Shop_Floor.Goods.Box`1[T]::Map(!0,!!0)", "Shop_Floor.Goods.Box<T>.Map<T0>(T, T0)");
	struct aot_handle named = aot_reference(made, (struct aot_handle){ 0 }, "TItem");
	check(w, aot_made_of(made, AOT_SPECIFICATION, aot_made_of(made, AOT_INSTANCE, box, &named, 1), NULL, 0), "Put",
	      aot_signature(made, AOT_HAS_THIS, w->void_, generic, 2), "instance void [Shop] Shop_Floor.Goods.Box`1[TItem]::Put(!0,!!0)",
	      "Shop_Floor.Goods.Box<TItem>.Put<T0>(TItem, T0)");
	check(w, plain, "Shut", aot_signature(made, AOT_HAS_THIS, w->void_, three, 2),
	      "instance void [Shop] Shop_Floor.Goods.Box`1+Lid`2+Plain[TA,TB,TC]::Shut(!0,!2)",
	      "Shop_Floor.Goods.Box<TA>.Lid<TB, TC>.Plain.Shut(TA, TC)");
	check(w, w->list, "Odd", aot_signature(made, AOT_STATIC, w->void_, odd, 7),
	      "void [System.Private.CoreLib] "
	      "System.Collections.Generic.List`1[T]::Odd(int32[]&,System.Collections.Generic.List`1<string>,int32*,int32[,],"
	      "method void *(int32),int32,Shop_Floor.Goods.Box`1/Lid`2/Plain)",
	      "System.Collections.Generic.List<T>.Odd(ref int[], List<string>, int*, int[,], fnptr void(int), int, Plain)");
}

static void test_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < MAJORS; i++) {
		struct world w;
		begin(&w, majors[i]);
		check_names(&w);
		begin(&w, majors[i]);
		check_types(&w);
	}
}

static void test_which_are_read(void **state)
{
	(void)state;
	struct aot_made made;
	struct nt_aot_metadata metadata;
	for (unsigned major = 0; major < 32; major++) {
		aot_begin(&made, major);
		assert_int_equal(nt_aot_metadata_read(made.bytes, made.size, major, &metadata), major == 9 || major == 10 || major == 16);
	}
	made.bytes[0]++;
	assert_false(nt_aot_metadata_read(made.bytes, made.size, 16, &metadata));
	assert_false(nt_aot_metadata_read(made.bytes, 3, 16, &metadata));
}

static bool has_name(struct world *w, struct aot_handle type, uint32_t name, uint32_t signature)
{
	char text[4096];
	struct nt_text_out out = { .buf = text, .size = sizeof(text) };
	const struct nt_aot_metadata metadata = aot_open(&w->made);
	const struct nt_aot_method method = { .type = aot_token(&w->made, type), .name = name, .signature = signature };
	return nt_aot_method_put(&metadata, &method, &out);
}

static void test_what_is_refused(void **state)
{
	(void)state;
	struct world w;
	begin(&w, 16);
	struct aot_made *made = &w.made;
	struct aot_handle cart = aot_reference(made, w.goods, "Cart");
	uint32_t name = aot_text(made, "Sum"), ends = aot_text(made, "S\1m"), signature = aot_signature(made, AOT_STATIC, w.void_, NULL, 0);
	assert_true(has_name(&w, cart, name, signature));
	assert_false(has_name(&w, cart, 0, signature));
	assert_false(has_name(&w, cart, name, 0));
	assert_false(has_name(&w, cart, (uint32_t)made->size, signature));
	assert_false(has_name(&w, (struct aot_handle){ AOT_TYPE_REFERENCE, 0 }, name, signature));
	assert_false(has_name(&w, (struct aot_handle){ AOT_NAMESPACE, w.goods.offset }, name, signature));
	made->bytes[ends + 2] = '\0'; /* what is behind it would be lost */
	assert_false(has_name(&w, cart, ends, signature));
	/* As long as a name can be, and longer: what is cut would be another one. */
	char longest[2100];
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	struct aot_handle outer = aot_reference(made, w.goods, longest), inner = aot_reference(made, outer, longest);
	assert_true(has_name(&w, outer, name, signature));
	assert_false(has_name(&w, inner, name, signature));
	/* A type in itself, and one of itself twice: neither ends. */
	struct aot_handle within = { AOT_TYPE_REFERENCE, aot_here(made) };
	aot_handle(made, within);
	aot_unsigned(made, name);
	assert_false(has_name(&w, within, name, signature));
	struct aot_handle twice = { AOT_INSTANCE, aot_here(made) };
	const struct aot_handle both[] = { twice, twice };
	aot_made_of(made, AOT_INSTANCE, w.list, both, 2);
	assert_false(has_name(&w, cart, name, aot_signature(made, AOT_STATIC, twice, both, 2)));
}

/* Wherever the metadata end, nothing behind that is looked at (the sanitizers see it), and no other name comes of it. */
static void test_cut_anywhere(void **state)
{
	(void)state;
	struct world w;
	begin(&w, 16);
	struct aot_handle line = aot_reference(&w.made, aot_reference(&w.made, w.goods, "Cart"), "Line");
	uint32_t signature = aot_signature(&w.made, AOT_STATIC, w.void_, &w.int32, 1);
	const struct nt_aot_method method = { .type = aot_token(&w.made, line), .name = aot_text(&w.made, "Sum"), .signature = signature };
	for (size_t size = 4; size <= w.made.size; size++) {
		uint8_t *copy = memcpy(malloc(size), w.made.bytes, size);
		char text[4096];
		struct nt_text_out out = { .buf = text, .size = sizeof(text) };
		struct nt_aot_metadata metadata;
		assert_true(nt_aot_metadata_read(copy, size, 16, &metadata));
		assert_int_equal(nt_aot_method_put(&metadata, &method, &out), size == w.made.size);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_which_are_read),
		cmocka_unit_test(test_what_is_refused),
		cmocka_unit_test(test_cut_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
