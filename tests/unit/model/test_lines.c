// SPDX-License-Identifier: GPL-2.0-only
/* Lines of the perf map: what of them is kept, and when their display names are made. */
#include "build.h"

#include "symbol/lines.h"
#include "symbol/resolver.h"

static struct nt_names new_names(void)
{
	return (struct nt_names){ .heap = nt_heap_new(), .texts = nt_texts_new(0) };
}

static void free_names(struct nt_names *names)
{
	nt_heap_free(names->heap);
	nt_texts_free(names->texts);
}

static nt_text_ref add(struct nt_names *names, const char *line)
{
	return nt_heap_add(names->heap, line, strlen(line));
}

static void test_what_a_line_says(void **state_)
{
	(void)state_;
	static struct nt_lines lines;
	struct nt_names names = new_names();
	nt_lines_init(&lines, &names);
	static const char total[] = "void [Shop.Web] Shop.Cart::Total(int32)[OptimizedTier1]";
	nt_text_ref method = add(&names, total), stub = add(&names, "stub<7> Jump<ResolveStub>");
	const struct nt_line_name *name = nt_lines_name(&lines, method);
	assert_string_equal(name->name, "Shop.Cart.Total(int)");
	assert_string_equal(name->raw_name, total);
	assert_string_equal(name->module, "Shop.Web");
	assert_int_equal(name->tier, NT_TIER_1);
	assert_string_equal(nt_lines_name(&lines, stub)->name, "Jump<ResolveStub>");
	assert_null(nt_lines_name(&lines, stub)->module);
	/* Permanent texts: the same again is the same pointer, which is what keys compare. */
	nt_text_ref again = add(&names, total);
	const char *first = nt_lines_name(&lines, method)->name;
	assert_ptr_equal(nt_lines_name(&lines, again)->name, first);
	nt_lines_forget(&lines);
	assert_ptr_equal(nt_lines_name(&lines, method)->name, first);
	free_names(&names);
}

/* More lines than are remembered: each still says its own. */
static void test_many_lines(void **state_)
{
	(void)state_;
	enum { LINES = 4 * NT_LINES_RECENT };
	static struct nt_lines lines;
	static nt_text_ref refs[LINES];
	struct nt_names names = new_names();
	nt_lines_init(&lines, &names);
	char text[64];
	for (int i = 0; i < LINES; i++) {
		snprintf(text, sizeof(text), "void [A] T::M%d()[QuickJitted]", i);
		refs[i] = add(&names, text);
	}
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < LINES; i++) {
			snprintf(text, sizeof(text), "T.M%d()", i);
			assert_string_equal(nt_lines_name(&lines, refs[i])->name, text);
		}
	}
	free_names(&names);
}

static void test_module_keeps_no_name(void **state_)
{
	(void)state_;
	static struct nt_lines lines;
	struct nt_names names = new_names();
	nt_lines_init(&lines, &names);
	nt_text_ref line = add(&names, "void [Shop] Shop.Cart::Total()[QuickJitted]");
	assert_null(nt_lines_module(&lines, line, "Shop.Cart.Other()"));
	assert_int_equal(nt_texts_bytes(names.texts), 0);
	assert_string_equal(nt_lines_module(&lines, line, "Shop.Cart.Total()"), "Shop");
	assert_true(nt_texts_bytes(names.texts) <= 16);
	free_names(&names);
}

/* A map of which hardly anything is hit: display names are made of what is, and of nothing else. */
static void test_only_what_is_hit_is_named(void **state_)
{
	(void)state_;
	enum { LINES = 20000, SIZE = 0x40 };
	struct nt_names names = new_names();
	struct nt_resolver *resolver = nt_resolver_new(&names);
	char text[128];
	for (unsigned i = 0; i < LINES; i++) {
		int length = snprintf(text, sizeof(text), "class [Shop]Shop.Item [Shop] Shop.Cart::Method%u(int32)[QuickJitted]", i);
		const struct nt_batch_line line = { .start = 0x10000 + (uint64_t)i * SIZE, .size = SIZE };
		nt_resolver_add_code(resolver, &line, nt_heap_add(names.heap, text, (size_t)length), 0);
	}
	nt_resolver_settle(resolver, 1);
	assert_int_equal(nt_resolver_code_count(resolver), LINES);
	size_t before = nt_texts_bytes(names.texts);
	struct nt_resolved hit = nt_resolver_resolve(resolver, 0x10000 + 777 * SIZE + 5, false, 1, 1);
	assert_string_equal(nt_resolver_key(resolver, hit.key)->name, "Shop.Cart.Method777(int)");
	assert_string_equal(nt_resolver_key(resolver, hit.key)->module, "Shop");
	assert_int_equal(hit.tier, NT_TIER_0);
	assert_false(hit.provisional);
	assert_true(nt_texts_bytes(names.texts) - before < 2 * sizeof(text));
	nt_resolver_free(resolver);
	free_names(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_a_line_says),
		cmocka_unit_test(test_many_lines),
		cmocka_unit_test(test_module_keeps_no_name),
		cmocka_unit_test(test_only_what_is_hit_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
